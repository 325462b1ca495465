"""The dossier of an audit, `report.html`: what an auditor reads, checks by links, and signs.

All of it comes from what stands in the folder: `report.json`, `dossier.json`, `sample.csv` and
`sign-off.json`. So it is made anew where a sample was filled in or somebody has signed.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from groundrules.audit.bars import draw
from groundrules.audit.pages import BEHIND, group, link, write_pages
from groundrules.audit.sampling import SAMPLE, Reading, read_sample
from groundrules.audit.signoff import read_sign_off
from groundrules.audit.summary import KINDS, REPORT_JSON, Summary, told_counts
from groundrules.errors import SourceError
from groundrules.explain.findings import DECIDED, STANDINGS
from groundrules.explain.formats.html.markup import element, joined, plain_page, quoted
from groundrules.explain.listing import UNSETTLED_PAGE
from groundrules.files import write_atomically

DOSSIER, PAPER = "report.html", "report.pdf"
_ROWS = 50  # of a table
_BARS = 12  # of a picture
_STYLE = Path(__file__).with_name("dossier.css")
_LIMITS = (
    "What no source states is left open and is not held to be false; that nothing was found wrong "
    "says nothing beyond these sources.",
    "The sources are taken as they are: whether they are true, in force or complete was not "
    "checked.",
    "English is read. What is in another language or script is told as not checked.",
    "A verdict is that of fixed rules over what was read; the shares of wrong verdicts under "
    "Sampling are those of this audit, if a person filled the sample in.",
    "This is no legal advice, and no statement that a text or a process conforms to a law.",
)
Row = Sequence[str | Markup]


def write_dossier(
    out: Path, summary: Summary, keys: set[str], at: str, logged: Mapping[str, str] | None = None
) -> None:
    """Write `report.html` and the pages behind it for a folder that has its `report.json`.

    `logged` has the `log`, its `head`, and the files `key_file` and `public_key` by which it is
    signed and verified. SourceError where a report has changed.
    """
    behind = write_pages(out, keys, summary.kinds, at, _STYLE.read_text("utf-8"))
    behind["logged"] = dict(logged or {})
    write_atomically(out / BEHIND, (json.dumps(behind, indent=1) + "\n").encode())
    refresh(out)


def refresh(out: Path, *, paper: bool = False) -> None:
    """Write `report.html` anew from what the folder has, `report.pdf` too if wanted or there.

    SourceError where the folder has no dossier.
    """
    made = plain_page("Audit", *_parts(out), style=_STYLE.read_text("utf-8"))
    write_atomically(out / DOSSIER, made.encode(errors="backslashreplace"))
    if paper or (out / PAPER).exists():
        from groundrules.explain.formats.pdf import print_page

        write_atomically(out / PAPER, print_page(made))


def _load(path: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(path.read_bytes())
        return found
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror}", path=str(path)) from None
    except (ValueError, RecursionError):
        raise SourceError("is damaged; expected it as audit wrote it", path=str(path)) from None


def _parts(out: Path) -> Iterator[Markup]:
    """Yield the parts of the page."""
    data, behind = _load(out / REPORT_JSON), _load(out / BEHIND)
    sample = _sample(out)
    signed = read_sign_off(out)
    yield from _head(data, behind, signed)
    yield _unchecked(data, behind)
    for title, make in (
        ("What was asked", lambda: _asked(data, behind)),
        ("Outcomes", lambda: _outcomes(data, behind)),
        ("By rule", lambda: _rules(data, behind)),
        ("By source", lambda: _sources(data, behind)),
        ("Over time", lambda: _dates(data, behind)),
        ("Texts with most against them", lambda: _worst(data, behind)),
        ("Sampling", lambda: _sampling(sample, data, out)),
        ("What people decided", lambda: _decided(data, behind)),
        ("How to do it again", lambda: _again(data, behind)),
        ("Limits", lambda: [element("ul", *(element("li", one) for one in _LIMITS))]),
        ("Sign-off", lambda: _sign_off(data, behind, signed, out)),
    ):
        yield element("section", element("h2", title), *make(), id=title.replace(" ", "-").lower())


def _head(
    data: Mapping[str, Any], behind: Mapping[str, Any], signed: Mapping[str, Any]
) -> Iterator[Markup]:
    asked = data.get("asked") or {}
    texts = sum(data["counts"]["texts"].values())
    yield element("h1", quoted(asked.get("purpose") or "Audit"))
    who = f" for {asked['by']}" if asked.get("by") else ""
    began = f", begun {data['at']}" if data["at"] else ""
    yield element("p", f"{texts:,} texts checked by groundrules {data['version']}{who}{began}.")
    if data.get("redacted"):
        yield element("p", "The words of texts and sources are kept out of this copy.")
    yield element(
        "p",
        f"{told_counts(data['counts']['texts'], len(data['unchecked']['inputs']))} ",
        f"(exit code {data['exit_code']}).",
        class_="verdict",
    )
    state = signed.get("state", "")
    told = {
        "": "Not signed off.",
        "holds": f"Signed off by {signed.get('by', '')} on {signed.get('at', '')}.",
        "stale": "Was signed off, and has changed since: the signature is of another state.",
    }[state]
    yield element("p", element("a", told, href="#sign-off"))


def _unchecked(data: Mapping[str, Any], behind: Mapping[str, Any]) -> Markup:
    """Return what was not checked, which comes before all that was."""
    found = data["unchecked"]
    lists = (
        ("Inputs that are no texts", [(one["place"], one["message"]) for one in found["inputs"]]),
        ("Texts of which nothing could be checked",
         [(one["id"], one["reason"]) for one in found["texts"]]),
        ("Texts of which not all could be checked",
         [(one["id"], one["reason"]) for one in found["parts"]]),
    )  # fmt: skip
    parts = [element("h2", "What was not checked")]
    left = [one for one in ("error", "unverifiable") if data["counts"]["outcomes"][one]]
    if not left and not any(rows for _, rows in lists):
        parts.append(element("p", "Nothing: all that was given was read, and each statement put to "
                                  "its sources."))  # fmt: skip
        return element("section", *parts, class_="first none")
    for one in left:
        number = _number(data["counts"]["outcomes"][one], link(behind["groups"], "all", one))
        parts.append(element("p", f"Statements {STANDINGS[one]}: ", number))
    for title, rows in lists:
        if rows:
            parts.append(element("p", f"{title} ({len(rows):,}):"))
            parts.append(_table(("where", "why"), [(quoted(a), quoted(b)) for a, b in rows]))
    return element("section", *parts, class_="first")


def _asked(data: Mapping[str, Any], behind: Mapping[str, Any]) -> Iterator[Markup]:
    asked, where = data.get("asked") or {}, data.get("environment") or {}
    logged = behind.get("logged") or {}
    yield _facts(
        [
            ("purpose", quoted(asked.get("purpose", "")) if asked.get("purpose") else
             "not said (--purpose)"),
            ("by", quoted(asked["by"]) if asked.get("by") else "not said (--by)"),
            ("command", element("code", asked["command"]) if asked.get("command") else ""),
            ("on", quoted(", ".join(str(one) for one in where.values())) if where else ""),
            ("texts from", joined(*_listed(data["inputs"]))),
            ("against", joined(*_listed(data["contexts"])) if data["contexts"] else
             "the sources that each text names"),
            ("version", f"groundrules {data['version']}"),
            ("log", element("code", logged["log"]) if logged else "not logged (--log)"),
            ("head of the log", element("code", logged["head"]) if logged else ""),
        ]
    )  # fmt: skip
    settings = [
        (quoted(key), element("code", str(value))) for key, value in data["settings"].items()
    ]
    yield element("h3", "Settings that are not the default")
    yield _table(("setting", "value"), settings)
    yield element("h3", "Packs of rules, models and what they were asked with")
    rows: list[Row] = [
        ("pack", quoted(name), element("code", digest)) for name, digest in data["packs"].items()
    ]
    rows += [
        ("model", quoted(name), element("code", value)) for name, value in behind["models"].items()
    ]
    rows += [
        (quoted(one["role"]), quoted(one["name"]), element("code", one["sha256"]))
        for one in data["knowledge"]
    ]
    yield _table(("what", "name", "hash or value"), rows, most=len(rows))
    yield element("h3", "Thresholds")
    params = [(quoted(key), element("code", value)) for key, value in behind["params"].items()]
    yield _table(("name", "value"), params, most=len(params))


def _listed(names: Sequence[str]) -> Iterator[str | Markup]:
    for number, name in enumerate(names):
        yield joined(", " if number else None, quoted(name))


def _outcomes(data: Mapping[str, Any], behind: Mapping[str, Any]) -> Iterator[Markup]:
    groups, counts = behind["groups"], data["counts"]
    yield _picture("Statements", [("all texts", counts["outcomes"])])
    total = counts["statements"]
    rows: list[Row] = [
        (element("b", told, class_=one), _number(counts["outcomes"][one], link(groups, "all", one)),
         _percent(counts["outcomes"][one], total))
        for one, told in STANDINGS.items()
        if one not in DECIDED or counts["outcomes"][one]
    ]  # fmt: skip
    yield _table(("statements", "number", "share"), rows)
    texts = sum(counts["texts"].values())
    rows = [
        (why, _number(counts["texts"][kind], link(groups, group("kind", kind))),
         _percent(counts["texts"][kind], texts))
        for kind, why in KINDS.items()
    ]  # fmt: skip
    yield element("h3", "Texts")
    yield _table(("what came of it", "texts", "share"), rows)
    if open_ := [(quoted(one["id"]), quoted(one["open"])) for one in data["unsettled"]]:
        yield element("h3", "Not settled")
        yield element("p", "Too little of these is supported: ",
                      element("a", "what to do", href=UNSETTLED_PAGE), ".")  # fmt: skip
        yield _table(("text", "statements left open"), open_)
    if named := [tuple(map(quoted, one.values())) for one in data["renamed"]]:
        yield element("h3", "Ids given before")
        yield element("p", "An earlier text has the id of each of these.")
        yield _table(("text", "its id was", "where"), named)


def _rules(data: Mapping[str, Any], behind: Mapping[str, Any]) -> Iterator[Markup]:
    groups = behind["groups"]
    stated = {one["rule"]: groups.get(group("rule", one["rule"]), {}) for one in data["rules"]}
    counts = {rule: sum(of.values()) for rule, of in stated.items()}
    found = sorted(data["rules"], key=lambda one: (-counts[one["rule"]], one["rule"]))
    named = [(f"{one['rule']} {one['name']}", stated[one["rule"]]) for one in found
             if counts[one["rule"]]]  # fmt: skip
    yield _picture("Statements by rule", named[:_BARS])
    rows = [
        (quoted(f"{one['rule']} {one['name']}"), one["severity"],
         _number(counts[one["rule"]], link(groups, group("rule", one["rule"]))),
         f"{one['count']:,}", f"{one['overridden']:,}", f"{one['texts']:,}")
        for one in found
    ]  # fmt: skip
    yield element("p", "A rule may find several things in one statement, or one in a whole text.")
    yield _table(("rule", "severity", "statements", "found", "set aside", "texts"), rows)


def _sources(data: Mapping[str, Any], behind: Mapping[str, Any]) -> Iterator[Markup]:
    yield element("p", "Each statement counts for the source that is nearest to it.")
    found, groups, shown = data["sources"], behind["groups"], _shown(data)
    yield _picture(
        "Statements by source", [(one["name"] or "none", one["outcomes"]) for one in found[:_BARS]]
    )
    rows = []
    for one in found[:_ROWS]:
        sha256 = element("code", one["sha256"]) if one.get("sha256") else None
        name = joined(quoted(one["name"] or "none"), " ", sha256)
        of = group("source", f"{one['name']} {one['key']}")
        rows.append((name, *_cells(one["outcomes"], groups, of, shown)))
    head = ("source and its SHA-256", *_standings(data))
    yield _table(head, rows, more=len(found) - len(rows))


def _dates(data: Mapping[str, Any], behind: Mapping[str, Any]) -> Iterator[Markup]:
    found, groups, shown = data["dates"], behind["groups"], _shown(data)
    yield _picture("Statements by date", [(one["date"], one["outcomes"]) for one in found[-_BARS:]])
    rows = [
        (quoted(one["date"]), *_cells(one["outcomes"], groups, group("date", one["date"]), shown))
        for one in reversed(found[-_ROWS:])
    ]
    yield _table(("date", *_standings(data)), rows, more=len(found) - len(rows))


def _worst(data: Mapping[str, Any], behind: Mapping[str, Any]) -> Iterator[Markup]:
    bad = ("error", "refuted", "conflicting", "unverifiable")
    texts = [one for one in data["texts"] if any(one["outcomes"].get(name) for name in bad)]
    texts.sort(key=lambda one: (*(-one["outcomes"].get(name, 0) for name in bad), one["id"]))
    pages = behind["texts"]
    rows = [
        (element("a", quoted(one["id"]), href=pages[one["key"]]), quoted(one["place"]),
         *(_number(one["outcomes"].get(name, 0), pages[one["key"]]) for name in _shown(data)))
        for one in texts[:_ROWS]
    ]  # fmt: skip
    yield _table(("text", "where", *_standings(data)), rows, more=len(texts) - len(rows))


def _sample(out: Path) -> Reading | None:
    path = out / SAMPLE
    return read_sample(path) if path.exists() else None


def _sampling(found: Reading | None, data: Mapping[str, Any], out: Path) -> Iterator[Markup]:
    counts = data["counts"]["outcomes"]
    if found is not None and any(one.of != counts[told] for told, one in found.verdicts.items()):
        yield element("p", "A sample is there that was drawn when the counts were others.")
        return
    if found is None:
        command = shlex.join(["groundrules", "audit", "-o", str(out), "--sample", "100"])
        yield element(
            "p",
            "No sample was drawn. This draws one from every verdict: ",
            element("code", command),
        )
        return
    if not found.read:
        command = shlex.join(["groundrules", "audit", "--sample-read", str(out / SAMPLE)])
        yield element(
            "p", f"{found.blank:,} statements were drawn and nobody has read them yet. Fill in the "
            "column wrong, then: ", element("code", command),
        )  # fmt: skip
        return
    yield element(
        "p", "A person read statements drawn from each verdict and said whether the verdict is "
        "wrong. The intervals are those of Clopper and Pearson, 95 of 100.",
    )  # fmt: skip
    rows: list[Row] = [
        (element("b", STANDINGS[told], class_=told),
         *(f"{number:,}" for number in (one.of, one.read, one.wrong)),
         f"{one.wrong / one.read:.1%}" if one.read else "–", f"{one.low:.1%} to {one.high:.1%}")
        for told, one in found.verdicts.items()
    ]  # fmt: skip
    if (share := found.share) is not None:
        low, high = found.bounds
        rows.append(("all, by how many there are of each", f"{found.of:,}", f"{found.read:,}",
                     f"{found.wrong:,}", f"{share:.1%}", f"{low:.1%} to {high:.1%}"))  # fmt: skip
    yield _table(("verdict", "there are", "read", "wrong", "share wrong", "interval"), rows)
    if found.blank:
        yield element("p", f"{found.blank:,} of those drawn were not read.")


def _decided(data: Mapping[str, Any], behind: Mapping[str, Any]) -> Iterator[Markup]:
    found = behind["overrides"]
    if not found:
        yield element("p", "Nothing: every verdict is that of the check.")
        return
    rows = [
        (element("a", quoted(one["text"]), href=one["href"]), quoted(one["kind"]),
         quoted(one["outcome"].replace("_", " ") or "set aside"), quoted(one["by"]),
         quoted(one["at"][:10]), quoted(one["why"]))
        for one in found
    ]  # fmt: skip
    yield _table(("text", "how", "now counts as", "by", "on", "why"), rows[:_ROWS],
                 more=len(rows) - _ROWS)  # fmt: skip


def _again(data: Mapping[str, Any], behind: Mapping[str, Any]) -> Iterator[Markup]:
    asked, logged = data.get("asked") or {}, behind.get("logged") or {}
    if asked.get("command"):
        yield element("p", "With the same inputs in place, in the folder where it was run:")
        yield element("pre", asked["command"])
    if logged:
        verify = ["groundrules", "log", "verify", logged["log"], "--head", logged["head"]]
        if logged.get("public_key"):
            verify += ["--public-key", logged["public_key"]]
        yield element("p", "The log is as it was written, and every text comes out the same again:")
        yield element(
            "pre", f"{shlex.join(verify)}\n{shlex.join(['groundrules', 'replay', logged['log']])}"
        )
    if not asked.get("command") and not logged:
        yield element("p", "The command was not kept.")


def _sign_off(
    data: Mapping[str, Any], behind: Mapping[str, Any], signed: Mapping[str, Any], out: Path
) -> Iterator[Markup]:
    if signed.get("state") == "holds":
        verify = ["groundrules", "log", "verify", signed["log"], "--head", signed["head"]]
        if signed["public_key"]:
            verify += ["--public-key", signed["public_key"]]
        yield element(
            "div",
            _facts(
                [
                    ("signed off by", quoted(signed["by"])),
                    ("on", quoted(signed["at"])),
                    ("what was said", quoted(signed["why"])),
                    ("of report.json", element("code", signed["report"])),
                    (
                        "of sample.csv",
                        element("code", signed["sample"]) if signed["sample"] else "",
                    ),
                    ("in the log", element("code", signed["log"])),
                    ("line", element("code", signed["head"])),
                    (
                        "key",
                        element("code", signed["key"]) if signed["key"] else "not signed by a key",
                    ),
                    ("how to verify", element("code", shlex.join(verify))),
                ]
            ),
            class_="sign",
        )
        return
    logged = behind.get("logged") or {}
    command = ["groundrules", "log", "sign-off", logged.get("log", "LOG"), str(out), "--by", "NAME",
               "--why", "WHAT YOU SAY OF IT"]  # fmt: skip
    if logged.get("key_file"):
        command += ["--log-key", logged["key_file"]]
    lines = [
        element("div", element("div", class_="line"), element("span", told, class_="dim"))
        for told in ("name", "on", "signature", "what is said of it")
    ]
    how = "This fills it in and signs it: " if logged else (
        "An audit with --log can be signed off with a key: "
    )  # fmt: skip
    told = element("p", how, element("code", shlex.join(command)))
    yield element("div", element("div", *lines, class_="lines"), told, class_="sign")


# --- parts of a page --------------------------------------------------------------------------


def _picture(title: str, rows: Sequence[tuple[str, Mapping[str, int]]]) -> Markup:
    if not rows:
        return Markup()
    drawn = Markup(draw(title, rows))  # noqa: S704 - it escapes its names
    return element("figure", drawn, tabindex="0")


def _number(count: int, href: str) -> Markup:
    told = f"{count:,}"
    return element("a", told, href=href) if href and count else joined(told)


def _percent(count: int, total: int) -> str:
    return f"{count / total:.1%}" if total else "–"


def _shown(data: Mapping[str, Any]) -> list[str]:
    """Return the standings that some statement has: of the others a column says nothing."""
    return [one for one in STANDINGS if data["counts"]["outcomes"][one]]


def _standings(data: Mapping[str, Any]) -> list[str]:
    return [STANDINGS[one] for one in _shown(data)]


def _cells(
    counts: Mapping[str, int],
    groups: Mapping[str, Mapping[str, int]],
    name: str,
    shown: Sequence[str],
) -> list[Markup]:
    return [_number(counts[one], link(groups, name, one)) for one in shown]


def _facts(rows: Iterable[tuple[str, str | Markup]]) -> Markup:
    told = [joined(element("dt", name), element("dd", words)) for name, words in rows if words]
    return element("dl", *told)


def _table(head: Sequence[str], rows: Sequence[Row], *, most: int = _ROWS, more: int = 0) -> Markup:
    if not rows:
        return element("p", "None.")
    cells = [
        element(
            "tr", *(element("td", one, class_="figure" if _is_figure(one) else None) for one in row)
        )
        for row in rows[:most]
    ]
    top = element("tr", *map(_heading, head, rows[0]))
    more = max(more, len(rows) - most)
    rest = element("p", f"And {more:,} more, which {REPORT_JSON} has.") if more > 0 else None
    table = element("table", element("thead", top), element("tbody", *cells))
    return joined(element("div", table, class_="scroll", tabindex="0"), rest)


def _heading(name: str, below: str) -> Markup:
    figure = "figure" if _is_figure(below) else None
    return element("th", name, scope="col", class_=figure)


def _is_figure(cell: str) -> bool:
    plain = cell.rpartition("</a>")[0].rpartition(">")[2] if cell.endswith("</a>") else cell
    return bool(plain) and all(one in "0123456789,.%–" for one in plain)
