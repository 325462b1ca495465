"""A synthesizer of LlamaIndex, of which only the base URL is that of the proxy."""

import sys

from llama_index.core import get_response_synthesizer
from llama_index.core.schema import NodeWithScore, TextNode
from llama_index.llms.openai import OpenAI

passages = ["The Otter was built in 1994.", "The Otter carries 80 passengers."]
nodes = [NodeWithScore(node=TextNode(text=passage), score=1.0) for passage in passages]
llm = OpenAI(model="gpt-4o-mini", api_base=sys.argv[1], api_key="none")
synthesizer = get_response_synthesizer(llm=llm)
print(synthesizer.synthesize("How many passengers does the Otter carry?", nodes=nodes))
