"""Corpora: documents read once are checked against as their files are."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from groundrules import api
from groundrules.checks import extractions
from groundrules.claims.documents.document import read
from groundrules.claims.facts import corpus
from groundrules.claims.facts.corpus import read_corpus, write_corpus
from groundrules.claims.facts.outline import outline
from groundrules.errors import SourceError
from groundrules.terms import Report

LEASE = Path(__file__).parents[2] / "examples" / "lease"


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    (tmp_path / "lease.md").write_bytes((LEASE / "lease.txt").read_bytes())
    (tmp_path / "note.txt").write_text("Karim Lund owns Amber Glass. He paid $40 for it in 1990.")
    return [tmp_path / "lease.md", tmp_path / "note.txt"]


def same(report: Report) -> Report:
    return replace(report, run=replace(report.run, times=(), at=""))


@pytest.mark.slow
@pytest.mark.parametrize("whole", [0, 10**9])
def test_verdicts_are_those_of_the_files(
    whole: int, files: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extractions, "WHOLE_WORDS", whole)
    write_corpus(files, tmp_path / "index")
    text = (LEASE / "answer.txt").read_text("utf-8") + " Karim Lund paid $50 for Amber Glass."
    assert same(api.check(text, context=tmp_path / "index")) == same(api.check(text, context=files))


def test_a_corpus_holds_what_is_read_of_its_files(files: list[Path], tmp_path: Path) -> None:
    write_corpus(files, tmp_path / "a" / "index")
    found = read_corpus(tmp_path / "a" / "index")
    assert [volume.document for volume in found] == [read(path) for path in files]
    for volume in found:
        assert volume.outline.sentences == outline(volume.document).sentences
        assert volume.outline.values == outline(volume.document).values


def test_a_corpus_stands_without_its_files(files: list[Path], tmp_path: Path) -> None:
    documents = write_corpus(files, tmp_path / "index")
    for path in files:
        path.unlink()
    assert tuple(volume.document for volume in read_corpus(tmp_path / "index")) == documents


def test_a_file_that_has_changed_makes_it_stale(files: list[Path], tmp_path: Path) -> None:
    write_corpus(files, tmp_path / "index")
    files[1].write_text("Karim Lund owns nothing.")
    with pytest.raises(
        SourceError, match=r"index: is stale, .*note\.txt has changed; expected the file"
    ):
        read_corpus(tmp_path / "index")
    write_corpus(files, tmp_path / "index")
    assert read_corpus(tmp_path / "index")[1].document.text == "Karim Lund owns nothing."


@pytest.mark.parametrize("damage", ["contents", "shape", "volume", "missing", "swapped"])
def test_a_damaged_corpus_is_one_clear_line(damage: str, files: list[Path], tmp_path: Path) -> None:
    folder = tmp_path / "index"
    write_corpus(files, folder)
    first, second = folder / "1.kept", folder / "2.kept"
    if damage == "contents":
        (folder / corpus.CONTENTS).write_text("{")
    elif damage == "shape":
        (folder / corpus.CONTENTS).write_text('{"groundrules": "x", "documents": [1]}')
    elif damage == "volume":
        first.write_bytes(first.read_bytes()[:-9] + b"x" * 9)
    elif damage == "missing":
        first.unlink()
    else:
        first.write_bytes(second.read_bytes())
    with pytest.raises(
        SourceError, match=r"index: is damaged; expected an index as it was"
    ) as error:
        api.check("Karim Lund paid $40.", context=folder)
    assert "\n" not in str(error.value)


def test_a_corpus_of_another_release_is_built_again(files: list[Path], tmp_path: Path) -> None:
    folder = tmp_path / "index"
    write_corpus(files, folder)
    contents = json.loads((folder / corpus.CONTENTS).read_text())
    (folder / corpus.CONTENTS).write_text(json.dumps({**contents, "groundrules": "0.0.1"}))
    with pytest.raises(SourceError, match=r"was built by groundrules 0\.0\.1; expected"):
        read_corpus(folder)


def test_no_other_folder_is_written_over(files: list[Path], tmp_path: Path) -> None:
    with pytest.raises(
        SourceError, match="is no index of documents; expected a new or an empty folder"
    ):
        write_corpus(files, tmp_path)
    assert all(path.exists() for path in files)


def test_a_file_that_cannot_be_read_leaves_nothing(files: list[Path], tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    with pytest.raises(SourceError, match="no such file"):
        write_corpus([*files, tmp_path / "none.txt"], tmp_path / "index")
    assert sorted(tmp_path.iterdir()) == before
