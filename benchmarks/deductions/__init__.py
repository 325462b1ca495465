"""What propositions decide alone, of pairs of a source and one statement near its words.

    python -m benchmarks.deductions --data ../shared/data [--wrong] [--write docs/reading.md]

`cases/sound` and FraCaS are looked at while laws are written, and so are `seen.jsonl`, 200 pairs of
twenty kinds, `seen-2.jsonl`, 320 of sixteen, `seen-3.jsonl`, 240 of sixteen, `seen-4.jsonl`, 240,
and `seen-5.jsonl`, 160, by five writers who had not seen the code. `unseen.jsonl` is by another
such writer: its figures are taken at the end of a change, and its rows are not read. Of MED (Yanaka
and others 2019) each fifth pair is asked whether it follows. Misses of what follows are told apart
by what stopped them.
"""
