"""A program with the openai SDK, of which only the base URL is that of the proxy."""

import sys

import openai

client = openai.OpenAI(base_url=sys.argv[1], api_key="none")
passages = ["The Otter was built in 1994.", "The Otter carries 80 passengers."]
context = "".join(f"<document>{passage}</document>" for passage in passages)
asked = f"<context>{context}</context>\nHow many passengers does the Otter carry?"
answer = client.chat.completions.create(
    model="gpt-4o-mini", messages=[{"role": "user", "content": asked}]
)
print(answer.choices[0].message.content)
