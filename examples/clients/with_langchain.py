"""A chain of LangChain, of which only the base URL is that of the proxy."""

import sys

from langchain_core.prompts import ChatPromptTemplate
from langchain_openai import ChatOpenAI

passages = ["The Otter was built in 1994.", "The Otter carries 80 passengers."]
prompt = ChatPromptTemplate.from_template(
    "Answer from the context.\n\nContext: {context}\n\nQuestion: {question}"
)
chain = prompt | ChatOpenAI(model="gpt-4o-mini", base_url=sys.argv[1], api_key="none")
asked = {"context": "\n".join(passages), "question": "How many passengers does the Otter carry?"}
print(chain.invoke(asked).content)
