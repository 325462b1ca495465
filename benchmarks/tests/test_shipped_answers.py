"""The answers that ship are what the script makes, of passages that no training reads."""

from __future__ import annotations

import gzip

from benchmarks import measured


def test_the_file_that_ships_is_made_again_to_the_byte_and_its_hash_is_told() -> None:
    shipped = measured.MEASURED.read_bytes()
    page = (measured.TRAINING.parent / "benchmarks/reports/readers.md").read_text("utf-8")

    assert gzip.decompress(measured.made()) == gzip.decompress(shipped)
    assert measured.hashlib.sha256(shipped).hexdigest() in page
