"""What is given becomes one task a text; what is none is told with its place, and nothing stops."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.audit.tasks import Fault, Task, Text, count_tasks, read_tasks
from groundrules.claims.documents.document import Document
from groundrules.errors import SourceError

HARD = '{"answer": "a", "context": "c", "id": "one", "question": "q?", "date": "2026-03-01"}\n'


def read(*inputs: Path | str, **more: Any) -> list[Task | Fault]:
    return list(read_tasks([str(one) for one in inputs], "settings", **more))


def tasks(*inputs: Path | str, **more: Any) -> list[Task]:
    found = read(*inputs, **more)
    assert not [one for one in found if isinstance(one, Fault)]
    return [one for one in found if isinstance(one, Task)]


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_a_row_of_json_lines_is_a_task(tmp_path: Path) -> None:
    kept: list[Document] = []
    (task,) = tasks(write(tmp_path / "a.jsonl", HARD), keep=kept.append)
    assert (task.id, task.place) == ("one", f"{tmp_path}/a.jsonl:1")
    assert (task.answer.words, task.question, task.date) == ("a", "q?", "2026-03-01")
    assert [one.text for one in kept] == ["c"]
    assert [one.name for one in task.contexts] == [kept[0].name]


def test_tables_of_all_kinds_give_the_same_tasks(tmp_path: Path) -> None:
    row = {"id": "x", "answer": "The rent is $5.", "context": "It is $6.", "date": "2026-01-02"}
    write(tmp_path / "a.jsonl", json.dumps(row) + "\n")
    with (tmp_path / "c.csv").open("w", encoding="utf-8-sig", newline="") as file:
        table = csv.DictWriter(file, list(row))
        table.writeheader()
        table.writerow(row)
    found = [tasks(tmp_path / name) for name in ("a.jsonl", "c.csv")]
    assert len({one.key for (one,) in found}) == 1


def test_a_folder_gives_its_texts_and_tables_in_the_order_of_their_names(tmp_path: Path) -> None:
    write(tmp_path / "in" / "b.txt", "second")
    write(tmp_path / "in" / "a.md", "first")
    write(tmp_path / "in" / "deep" / "c.jsonl", HARD)
    write(tmp_path / "in" / ".hidden.txt", "not asked for")
    lease = write(tmp_path / "lease.txt", "The lease.")
    found = tasks(tmp_path / "in", contexts=[str(lease)])
    assert [Path(one.id).name for one in found] == ["a.md", "b.txt", "one"]
    assert found[0].answer.words is None
    assert all(one.contexts[-1].name == str(lease) for one in found)


def test_a_file_in_a_folder_that_is_no_text_is_told(tmp_path: Path) -> None:
    write(tmp_path / "in" / "a.png", "?")
    (fault,) = read(tmp_path / "in")
    assert str(fault) == (
        f"{tmp_path}/in/a.png: is not read; expected txt, md, html, pdf, docx or a table"
    )


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("nonsense", "not JSON: Expecting value"),
        ("[1]", "not an object; expected answer"),
        ('{"answr": "a"}', "no answer; expected a text in answer; it has answr"),
        ('{"answer": 5}', "no answer"),
        ('{"answer": " "}', "its answer is empty; expected a text"),
        ('{"answer": "a\\ud800"}', "lone surrogate"),
        ('{"answer": "a", "id": ["x"]}', "id is"),
        ('{"answer": "a", "id": "' + "x" * 1001 + '"}', "id is longer than 1,000 characters"),
        ('{"answer": "a", "context": 7}', "context is no text"),
        ('{"answer": "a", "sources": ["../secret.txt"]}', "expected a file in the folder"),
        ('{"answer": "a", "sources": ["/etc/passwd"]}', "expected a file in the folder"),
        ('{"answer": "a", "sources": ["none.txt"]}', "which cannot be read: No such file"),
        ("[" * 100_000, "not JSON"),
    ],
)  # fmt: skip
def test_a_bad_row_is_told_with_its_line_and_the_others_are_read(
    tmp_path: Path, line: str, why: str
) -> None:
    write(tmp_path / "secret.txt", "a secret")
    table = write(tmp_path / "in" / "a.jsonl", f"{HARD}{line}\n\n{HARD.replace('one', 'two')}")
    first, bad, last = read(table)
    assert isinstance(first, Task)
    assert isinstance(last, Task)
    assert isinstance(bad, Fault)
    assert bad.place == f"{table}:2"
    assert why in bad.message


def test_a_link_out_of_the_folder_of_a_table_is_no_source(tmp_path: Path) -> None:
    secret = write(tmp_path / "secret.txt", "a secret")
    table = write(tmp_path / "in" / "a.jsonl", '{"answer": "a", "sources": "link.txt"}\n')
    (table.parent / "link.txt").symlink_to(secret)
    (fault,) = read(table)
    assert isinstance(fault, Fault)


def test_a_link_out_of_an_audited_folder_is_told_and_left_alone(tmp_path: Path) -> None:
    write(tmp_path / "secret.txt", "a secret")
    write(tmp_path / "secret.jsonl", HARD)
    folder = write(tmp_path / "in" / "a.txt", "A text.").parent
    (folder / "b.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "c.jsonl").symlink_to("../secret.jsonl")
    (folder / "d").symlink_to(tmp_path)
    (folder / "e.txt").symlink_to("e.txt")
    task, *faults = sorted(read(folder), key=lambda one: isinstance(one, Fault))
    assert isinstance(task, Task)
    assert task.id == f"{folder}/a.txt"
    assert sorted(map(str, faults)) == [
        f"{folder}/b.txt: leads out of the folder, and is left alone",
        f"{folder}/c.jsonl: leads out of the folder, and is left alone",
        f"{folder}/d: is a link to a folder; links are not followed",
        f"{folder}/e.txt: is a link that leads to itself",
    ]


def test_a_link_within_an_audited_folder_is_read_as_a_copy_would_be(tmp_path: Path) -> None:
    folder = write(tmp_path / "in" / ".data" / "a.txt", "A text.").parent.parent
    (folder / "b.txt").symlink_to(".data/a.txt")
    (task,) = tasks(folder)
    assert task.id == f"{folder}/b.txt"


@pytest.mark.parametrize("name", ["a.txt", "a.jsonl", "a.csv"])
def test_a_pipe_in_an_audited_folder_is_told_and_nobody_waits_for_it(
    tmp_path: Path, name: str
) -> None:
    os.mkfifo(tmp_path / name)
    told = f"{tmp_path / name}: is a named pipe and no regular file"
    assert [str(one) for one in read(tmp_path)] == [told]
    assert str(next(iter(read(tmp_path / name)))) == told
    table = write(tmp_path / "t" / "t.jsonl", f'{{"answer": "a", "sources": "{name}"}}\n')
    (tmp_path / name).rename(table.parent / name)
    assert "is a named pipe" in str(read(table)[0])


def test_a_file_that_is_swapped_for_a_link_while_it_is_opened_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "secret" / "a.txt", "a secret")
    folder = write(tmp_path / "in" / "sub" / "a.txt", "A text.").parent.parent
    real = os.open

    def swapped(path: Any, *more: Any, **named: Any) -> int:
        if str(path).endswith("a.txt") and not (folder / "sub").is_symlink():
            (folder / "sub").rename(folder / ".gone")
            (folder / "sub").symlink_to(tmp_path / "secret")
        return real(path, *more, **named)

    monkeypatch.setattr(os, "open", swapped)
    (fault,) = read(folder)
    assert "leads out of the folder" in str(fault)


def test_a_folder_that_cannot_be_listed_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "shut" / "a.txt", "A text.")
    real = os.scandir

    def scandir(path: Any) -> Any:
        if str(path).endswith("shut"):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert [str(one) for one in read(tmp_path)] == [
        f"{tmp_path}/shut: cannot be read: Permission denied"
    ]


def test_bytes_that_are_no_utf8_spoil_their_row_alone(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_bytes(b'{"answer": "\xff"}\n' + HARD.encode())
    (tmp_path / "b.csv").write_bytes(b"id,answer\nx,\xff\ny,fine\n")
    found = read(tmp_path / "a.jsonl", tmp_path / "b.csv")
    assert [type(one) for one in found] == [Fault, Task, Fault, Task]


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_a_row_of_latin_1_says_what_it_looks_like_and_how_it_becomes_utf8(
    tmp_path: Path, suffix: str
) -> None:
    text = '{"answer": "Le café"}\n' if suffix == "jsonl" else "id,answer\nx,Le café\n"
    (tmp_path / f"a.{suffix}").write_bytes(text.encode("latin-1"))
    (fault,) = read(tmp_path / f"a.{suffix}")
    assert isinstance(fault, Fault)
    assert "it looks like Windows-1252 or Latin-1: `iconv -f WINDOWS-1252" in fault.message
    assert "surrogate" not in fault.message


def test_a_file_that_is_damaged_is_told_and_the_next_is_read(tmp_path: Path) -> None:
    write(tmp_path / "b.csv", "question\nx\n")
    write(tmp_path / "d.jsonl", HARD.replace("one", "last"))
    found = read(*(tmp_path / name for name in ("b.csv", "d.jsonl")))
    told = {Path(one.place).name: one.message for one in found if isinstance(one, Fault)}
    assert told["b.csv"].startswith("has no column answer; it has question")
    assert isinstance(found[-1], Task)


def test_a_row_of_csv_names_several_files(tmp_path: Path) -> None:
    write(tmp_path / "a.txt", "A")
    write(tmp_path / "b.txt", "B")
    table = write(tmp_path / "t.csv", "answer,sources\nx,a.txt; b.txt\n")
    (task,) = tasks(table)
    assert [one.name for one in task.contexts] == ["a.txt", "b.txt"]


def test_texts_of_one_id_are_told_apart_by_their_place_and_the_same_text_twice_is_told(
    tmp_path: Path,
) -> None:
    other = HARD.replace('"a"', '"b"')
    found = read(write(tmp_path / "a.jsonl", HARD + other + HARD))
    assert [one.id for one in found if isinstance(one, Task)] == [
        "one",
        f"one ({tmp_path / 'a.jsonl'}:2)",
    ]
    assert str(found[2]).endswith("is the same as an earlier text, 'one'; checked once")


@given(st.lists(st.sampled_from(["a", "b"]), max_size=12))
def test_no_two_texts_have_one_name_whatever_ids_are_given(ids: list[str]) -> None:
    import tempfile

    rows = [json.dumps({"id": one, "answer": f"text {n}"}) for n, one in enumerate(ids)]
    with tempfile.TemporaryDirectory() as folder:
        found = tasks(write(Path(folder, "a.jsonl"), "\n".join(rows)))
    assert [one.id.partition(" ")[0] for one in found] == ids
    assert len({one.id for one in found}) == len(found)
    for one in found:
        assert one.answer.name == one.id  # so report, log and store have it


@given(st.sampled_from(["answer", "context", "question", "date", "id"]), st.text("abc", min_size=1))
def test_the_key_changes_with_each_part_of_a_text(part: str, more: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        row = json.loads(HARD)
        (before,) = tasks(write(Path(folder, "a.jsonl"), json.dumps(row)))
        row[part] += more
        (after,) = tasks(write(Path(folder, "a.jsonl"), json.dumps(row)))
    assert before.key != after.key


def test_the_key_of_a_file_changes_with_it_and_not_with_the_order_of_contexts(
    tmp_path: Path,
) -> None:
    answer = write(tmp_path / "a.txt", "answer")
    one, two = (str(write(tmp_path / f"{n}.txt", n)) for n in ("one", "two"))
    (first,) = tasks(answer, contexts=[one, two])
    (second,) = tasks(answer, contexts=[two, one])
    write(Path(two), "three")
    (third,) = tasks(answer, contexts=[one, two])
    assert first.key == second.key != third.key


def test_an_input_that_is_not_there_is_told_with_the_nearest(tmp_path: Path) -> None:
    write(tmp_path / "answers.jsonl", HARD)
    with pytest.raises(SourceError, match=r"no such file or folder; did you mean '.*answers"):
        read(tmp_path / "answer.jsonl")
    with pytest.raises(SourceError, match="cannot be read: No such file"):
        read(tmp_path / "answers.jsonl", contexts=["none.txt"])


def test_keys_are_counted_and_faults_listed(tmp_path: Path) -> None:
    table = write(tmp_path / "a.jsonl", HARD + "x\n")
    keys, faults = count_tasks(read(table))
    assert (len(keys), len(faults)) == (1, 1)
    assert Text("n", "s").words is None
