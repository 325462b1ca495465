"""Change good inputs of every parser until one fails: `python -m tests.fuzz --minutes 3`.

What fails is made small by hypothesis and written to build/fuzz, with the line that puts it into
the corpus, which the tests run.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import io
import json
import os
import random
import re
import shutil
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

import hypothesis
from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import strategies as st

from tests.fuzz.forged import forged_answers, hold_forged
from tests.fuzz.parsers import PARSERS, hold, kept, seeds

#: What parsers trip over.
WORDS = (
    b"\0", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"\\", b'"', b"'", b"'''", b'"""', b"\r",
    b"\n\n", b"[", b"]", b"{", b"}", b"(", b")", b"<", b">", b"</", b"<!--", b"&x;", b"&#x110000;",
    b"#", b"@", b",", b";", b":", b".", b"=", b"-", b"--", b"*", b"?", b"|", b"%", b"^", b"$", b"~",
    b"_:", b"^^", b"NaN", b"Infinity", b"-0", b"1e999", b"9" * 400, b"9" * 5000, b"0x10", b"null",
    b"true", b"[[", b"]]", b"\\u0000", b"\\ud800", b"\\U00110000", b"\xf0\x9f\x94\xa5",
    b"\xe2\x80\xae", b"inf", b"nan", b"1979-05-27", b"07:32:00", b"-1", b"2147483648", b"0.1",
    b"\t", b"a" * 3000, b"http://", b"file:///",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 0.5, -0.0, float("nan"), float("inf"), 10**400, 2**63, 1e308,
    "", " ", "x", "0", "\0", "\ud800", "\u202e", "9" * 5000, "http://a", "http://a b", "2021-02-30",
    [], {}, [[]], [None], {"": None}, {"a": 1}, [0, 1], "a.b", "../a",
)  # fmt: skip

#: A value of JSON, the innermost lists and objects among them.
_VALUE = re.compile(
    rb'"(?:[^"\\]|\\.)*"(?!\s*:)|-?\d[\d.eE+-]*|true|false|null|\[[^][{}]*\]|\{[^][{}]*\}'
)


@st.composite
def changed_bytes(draw: st.DrawFn, seeds: tuple[bytes, ...]) -> bytes:
    """A seed with some words put in, taken out, doubled or exchanged."""
    data = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.sampled_from((0, 0, 1, 2, 5, 20, 200))))
        match draw(st.integers(0, 3)):
            case 0:
                data = data[:start] + draw(st.sampled_from(WORDS)) + data[end:]
            case 1:
                data = data[:start] + data[end:]
            case 2:
                data = data[:end] + data[start:end] * draw(st.integers(1, 50)) + data[end:]
            case _:
                data = data[:start] + draw(st.binary(max_size=6)) + data[end:]
    return data[:100_000]


@st.composite
def changed_json(draw: st.DrawFn, seeds: tuple[bytes, ...]) -> bytes:
    """A seed of JSON, or of a value a line, with other values, or lists of its own, in places."""
    data = draw(st.sampled_from(seeds))
    for _ in range(draw(st.integers(1, 3))):
        if not (found := [*_VALUE.finditer(data)]):
            return draw(changed_bytes(seeds))
        old = draw(st.sampled_from(found))
        other = json.dumps(draw(st.sampled_from(VALUES))).encode()
        new = draw(st.sampled_from((other, b"[%b]" % old[0], b'{"a": %b}' % old[0])))
        data = data[: old.start()] + new + data[old.end() :]
    return data


@st.composite
def changed_docx(draw: st.DrawFn, seeds: tuple[bytes, ...]) -> bytes:
    """A docx one part of which is changed, the archive whole."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(seeds[0])) as old, zipfile.ZipFile(out, "w") as new:
        chosen = draw(st.sampled_from(old.namelist()))
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, draw(changed_bytes((data,))) if name == chosen else data)
    return out.getvalue()


def strategy(kind: str) -> st.SearchStrategy[bytes]:
    """Return what changes the inputs of a parser, those of the corpus too."""
    good = seeds(kind)
    every = (*good, *(path.read_bytes() for path in kept(kind)))
    found = changed_bytes(every)
    if kind == "docx":
        return found | changed_docx(good)
    if any(seed.lstrip()[:1] in (b"{", b"[") for seed in good):
        return found | changed_json(every) | changed_json(every)
    return found


def tried(kind: str, count: int, seed: int) -> tuple[Exception, Any] | None:
    """Run a law on so many inputs; return how it failed, and on what, made small."""
    failing: list[Any] = []

    @hypothesis.seed(seed)
    @settings(
        max_examples=count, deadline=None, database=None, verbosity=Verbosity.quiet,
        phases=(Phase.generate, Phase.shrink), suppress_health_check=list(HealthCheck),
        report_multiple_bugs=False,
    )  # fmt: skip
    @given(strategy(kind) if kind in PARSERS else forged_answers())
    def law(data: Any) -> None:
        try:
            hold(kind, data) if kind in PARSERS else hold_forged(data)
        except Exception:
            failing.append(data)  # the last is the smallest
            raise

    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            law()
    except Exception as error:
        return error, failing[-1]
    return None


def main() -> int:
    """Fuzz for some minutes; 1 if something failed."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--minutes", type=float, default=3)
    options.add_argument("--out", type=Path, default=Path("build/fuzz"))
    options.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    options.add_argument("--only", help="one parser")
    args = options.parse_args()
    os.environ["GROUNDRULES_CACHE"] = "off"
    shutil.rmtree(args.out, ignore_errors=True)
    kinds = [args.only] if args.only else [*PARSERS, "forged"]
    end = time.monotonic() + 60 * args.minutes
    seen: dict[str, str] = {}
    rounds = 0
    print(f"seed {args.seed}, {len(kinds)} parsers, {args.minutes:g} minutes")
    while time.monotonic() < end:
        for kind in kinds:
            if time.monotonic() > end or kind in seen:
                continue
            slow = kind in ("answer", "response", "kept", "forged")
            found = tried(kind, 8 if slow else 60, args.seed + rounds)
            if found is not None:
                error, data = found
                seen[kind] = said = f"{type(error).__name__}: {str(error)[:200]}"
                print(f"{kind}: {said}\n  {written(kind, data, args.out)}", flush=True)
        rounds += 1
        if len(seen) == len(kinds):
            break
    print(f"{rounds} rounds, {len(seen)} of {len(kinds)} failed")
    return bool(seen)


def written(kind: str, data: Any, out: Path) -> str:
    """Write a failing input; return the line that puts it into the corpus."""
    body = data if isinstance(data, bytes) else json.dumps(data).encode()
    path = out / kind / hashlib.sha256(body).hexdigest()[:12]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(body)
    return f"mkdir -p tests/fuzz/corpus/{kind} && cp {path} tests/fuzz/corpus/{kind}/"


if __name__ == "__main__":
    sys.exit(main())
