"""Does the reader get right who does what: 300 sentences with their arguments, by hand.

    python -m benchmarks.challenge [--model NAME] [--half seen|unseen] [--wrong]

Two people who had not seen the code wrote 150 sentences each, of twenty kinds (`seen.jsonl`,
`unseen.jsonl`; nobody looks at the second). A sentence is right if each clause's verb is found with
its subject, its object, its denial and its condition. What is read is the tree alone, by the few
lines below, so any spaCy pipeline with the labels of English can be asked.
"""
