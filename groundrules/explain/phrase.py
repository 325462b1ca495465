"""Explanations worded by a language model, where every word can be answered for.

The second prompt of KEA Explain (Haskins and Adams 2025, arXiv:2507.03847) has a model tell the
edit operations, the contradictory pair and both texts as one contrast. Here it may say nothing
else: what its answer names, counts or dates is in what it was given, or the template stands.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from rdflib.term import Literal

from groundrules.claims.english.fillers import SENTENCE_OPENERS
from groundrules.claims.english.signals import COUNTING
from groundrules.claims.models.llm_prompts import record
from groundrules.claims.values.equivalence import compare
from groundrules.claims.values.value_reader import find_values
from groundrules.errors import LLMError
from groundrules.explain.contrast import explain
from groundrules.explain.findings import counted
from groundrules.explain.foil import added, differing, label, of_statement, opposes, parts_of
from groundrules.explain.place import cite, source_text
from groundrules.explain.words import WORDS
from groundrules.llm.prompt import Prompt
from groundrules.terms import Claim, Report, Severity, Span, Triple, Violation

if TYPE_CHECKING:
    from groundrules.llm.client import Client

#: Longest explanation, and how much of a text stands beside a claim or its evidence, in code
#: points.
LONGEST = 500
AROUND = 300
_PLACES = 3  # how much evidence is shown
_MOST = 24  # explanations that one answer has room for
_TELLING = 4  # letters of the shortest word that a statement can be about

_INSTRUCTIONS = str(WORDS["phrase"]["instructions"])
_ROW = record({"number": {"type": "integer"}, "explanation": {"type": "string"}})
_SCHEMA = record({"explanations": {"type": "array", "items": _ROW}})
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
#: What is before a word that opens a sentence, which may stand behind a quotation or begin one.
_ENDED = re.compile(r"[.?!][\"'”’)]*\s+[\"'“‘(]*\Z")
_MARKUP = re.compile(
    r"[<>\[\]{}|\\`*_~#^=]|://|\bwww\.|\w-*\.[a-z]{2,}\b|@|&\w+;|[^\S ]|^\s*[-+•]\s", re.I
)


def phrase(report: Report, client: Client) -> tuple[Report, tuple[str, ...]]:
    """Return the report with the explanations a language model words, and notes on the others.

    One question for all errors and warnings, the gravest where there are more than it has room
    for; an answer that does not stand is not kept.
    An answer stands if it is at most `LONGEST` code points of plain text, if each value in it
    equals one it was given of that fault, each other word with a digit, a capital or a letter
    beyond ASCII stands in what it was given, and if it names what is claimed and what stands
    against it; of a statement it has the words at fault. Otherwise, and where no answer came,
    `phrased` stays empty, and the template of `contrast.explain` is all there is.
    """
    wanted = [
        number
        for number, violation in enumerate(report.violations)
        if violation.claim is not None and violation.severity is not Severity.INFO
    ]
    wanted.sort(key=lambda number: report.violations[number].severity is not Severity.ERROR)
    asked = [(at, _described(report.violations[at], report)) for at in wanted[:_MOST]]
    if not asked:
        return report, ()
    texts = tuple((f"fault {n}", given) for n, (_, given) in enumerate(asked, 1))
    prompt = Prompt("phrase", _INSTRUCTIONS, texts, _SCHEMA)
    (answer,) = client.ask_all([prompt])
    kept: Counter[str] = Counter()
    if isinstance(answer, LLMError):
        kept[f"for which no answer came ({answer})"] = len(wanted)
        return report, _notes(0, kept)
    said = {row["number"]: str(row["explanation"]) for row in answer["explanations"]}
    phrased: dict[int, str] = {}
    for n, (at, given) in enumerate(asked, 1):
        text = " ".join(said.get(n, "").split(" ")).strip()
        if fault := find_fault(text, given) or _missing(text, report.violations[at], report):
            kept[f"whose wording {fault}"] += 1
        else:
            phrased[at] = text
    if wanted[_MOST:]:
        kept[f"beyond the first {_MOST}"] = len(wanted[_MOST:])
    violations = tuple(
        replace(violation, phrased=phrased.get(number, ""))
        for number, violation in enumerate(report.violations)
    )
    return replace(report, violations=violations), _notes(len(phrased), kept)


def _notes(phrased: int, kept: Mapping[str, int]) -> tuple[str, ...]:
    notes = []
    if phrased:
        notes.append(
            f"{counted(phrased, 'explanation')} worded by the language model, beside the template"
        )
    if total := sum(kept.values()):
        why = ", ".join(f"{count} {reason}" for reason, count in kept.items())
        notes.append(f"{counted(total, 'explanation')} by the template alone: {why}")
    return tuple(notes)


def _described(violation: Violation, report: Report) -> str:
    """Return what a model is told of a fault."""
    claim = violation.claim
    assert claim is not None
    why = explain(violation, report)
    edits = [
        f"{one.action} {_operation(one.triple, claim, report)}"
        for one in (violation.edit.operations if violation.edit else ())
    ]
    finding = [
        f"{violation.name}: {violation.message}",
        f"claimed: {why.fact}",
        *([f"rather: {why.foil}"] if why.foil else []),
        f"because: {why.because}",
    ]
    evidence = [
        f"{cite(item, report)}: {_around(item.span, report)}"
        for item in violation.evidence[:_PLACES]
    ]
    parts = (
        ("finding", finding),
        ("edits", edits or ["none"]),
        ("claimed", [_around(claim.span, report)]),
        ("evidence", evidence or ["none"]),
    )
    return "\n".join("\n    ".join([f"{name}:", *lines]) for name, lines in parts)


def _operation(triple: Triple, claim: Claim, report: Report) -> str:
    parts = [label(part, report.labels) for part in (triple.predicate, triple.object)]
    if triple.subject == claim.id:  # its polarity or modality
        return " ".join(parts)
    return " · ".join((label(triple.subject, report.labels), *parts))


def _around(span: Span | None, report: Report) -> str:
    """Return the words of a span on one line, those beside it too."""
    text = source_text(report, span.source) if span else None
    if span is None or text is None:
        return ""
    start, end = max(0, span.start - AROUND), min(span.end, span.start + 2 * AROUND) + AROUND
    return " ".join(text[start:end].split())


# --- what an answer may say -------------------------------------------------------------------


def find_fault(text: str, given: str) -> str:
    """Return why an explanation cannot stand beside what it was made from, empty if it can."""
    if not text:
        return "said nothing"
    if len(text) > LONGEST:
        return f"had more than {LONGEST} characters"
    if not text.isprintable() or _MARKUP.search(text):
        return "had markup, a link or characters that are no text"
    known = {word for part in _WORD.findall(given) for word in _forms(part)}
    values = find_values(given)
    valid: list[tuple[int, int]] = []
    for value in find_values(text):
        if any(compare(value.literal, other.literal) == "equal" for other in values):
            valid.append((value.start, value.end))
        elif value.kind != "NUMBER" or text[value.start : value.end].casefold() != "one":
            return "had a number or date that it was not given"
    for match in _WORD.finditer(text):
        word = match.group()
        if not (_forms(word) & known or _is_plain(word, text[: match.start()])) and not any(
            start <= match.start() and match.end() <= end for start, end in valid
        ):
            return "had a name or number that it was not given"
    return ""


def _forms(word: str) -> set[str]:
    """Return a word casefolded, with and without the 's of a possessor."""
    word = word.casefold().replace("’", "'")
    return {word, word.removesuffix("'s")}


def _is_plain(word: str, before: str) -> bool:
    """Return whether a word is no name and no number."""
    if not re.fullmatch(r"[A-Za-z]+(?:['’][A-Za-z]+)?", word):
        return False
    if word.islower():
        return word not in COUNTING
    opens = not before.strip() or bool(_ENDED.search(before))
    return opens and word.casefold() in SENTENCE_OPENERS


def _missing(text: str, violation: Violation, report: Report) -> str:
    """Return what is wrong where an explanation does not name both sides, empty if it does.

    Of a statement an exchange needs both the words and those in their place; a rule that names no
    words needs one that the statement is about.
    """
    claim, foil = violation.claim, added(violation)
    assert claim is not None
    row = dict(violation.bindings)
    if of_statement(violation) and "claimed" not in row:
        about = " ".join(w for w in _WORD.findall(str(claim.triple.object)) if len(w) >= _TELLING)
        return "" if _tells(text, about or str(claim.triple.object)) else "is about something else"
    if of_statement(violation):
        stated = [row["stated"]] if violation.edit and "stated" in row else []
        sides = [(str(words), True) for words in (row["claimed"], *stated)]
    else:
        nodes = [claim.triple.subject, claim.triple.object]
        if foil is not None and not opposes(violation):
            both = (parts_of(claim.triple), parts_of(foil))
            nodes = [of[n] for n in differing(claim.triple, foil) for of in both]
        sides = [(label(node, report.labels), isinstance(node, Literal)) for node in nodes]
    named = all(_has(text, words) or (not whole and _tells(text, words)) for words, whole in sides)
    return "" if named else "did not name both sides"


def _has(text: str, words: str) -> bool:
    """Return whether a text has some words in a row, or else each value in them."""
    pattern = r"\W+".join(map(re.escape, _WORD.findall(words)))
    if pattern and re.search(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE):
        return True
    values = [value.literal for value in find_values(words)]
    given = [value.literal for value in find_values(text)]
    return bool(values) and all(
        any(compare(one, other) == "equal" for other in given) for one in values
    )


def _tells(text: str, name: str) -> bool:
    """Return whether a text has a word that tells of a thing, or of another form of it."""
    own = {word.casefold() for word in _WORD.findall(name)}
    # labels have the base form: `premise` of "the Premises"
    stems = tuple(word[: max(3, len(word) - 2)] for word in own - SENTENCE_OPENERS or own)
    return any(word.casefold().startswith(stems) for word in _WORD.findall(text))
