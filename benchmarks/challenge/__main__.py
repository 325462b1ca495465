"""The command: see `benchmarks.challenge`."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path
from typing import Any

from spacy.tokens import Doc, Token

from groundrules.claims.facts.offline import EMBEDDED, load

HERE = Path(__file__).parent
_NO = frozenset(
    {"no", "neither", "nor", "never", "not", "n't", "n’t", "cannot", "nobody", "none", "nothing"}
)
_CONDITIONS = frozenset({"if", "unless", "when", "provided", "whenever", "once"})


def find(doc: Doc, word: str) -> Token | None:
    """Return the word so named; "rent#2" is the second "rent"."""
    text, _, number = word.partition("#")
    places = [token for token in doc if token.text == text]
    last = int(number or 1)
    return places[last - 1] if len(places) >= last else None


def subject(verb: Token) -> Token | None:
    """Return who does it: the subject, that of the verb it is joined to, or who a passive names."""
    passive = any(c.dep_ in {"nsubjpass", "auxpass"} for c in verb.children)
    if passive or (verb.dep_ == "conj" and verb.tag_ == "VBN" and _is_passive(verb.head)):
        for child in verb.children:
            if child.dep_ == "agent":
                return next((c for c in child.children if c.dep_ == "pobj"), None)
        return None
    return _nominal(verb, "nsubj")


def _is_passive(verb: Token) -> bool:
    return any(c.dep_ in {"nsubjpass", "auxpass"} for c in verb.children)


def _nominal(verb: Token, label: str) -> Token | None:
    for child in verb.children:
        if child.dep_ == label:
            return verb.head if _is_relative(child, verb) else child
    if verb.dep_ == "conj":
        return _nominal(verb.head, label)
    if (
        verb.dep_ == "relcl"
        and label == "nsubj"
        and not any(c.dep_ == "nsubj" for c in verb.children)
    ):
        return verb.head
    return None


def _is_relative(word: Token, verb: Token) -> bool:
    """Return whether a word stands for what the clause is about: "the rooms that it leases"."""
    return verb.dep_ == "relcl" and word.lower_ in {"that", "which", "who", "whom"}


def thing(verb: Token) -> Token | None:
    """Return the object, the predicate noun or adjective, or what a passive is said of."""
    if _is_passive(verb) or (verb.dep_ == "conj" and verb.tag_ == "VBN" and _is_passive(verb.head)):
        return _nominal(verb, "nsubjpass")
    for label in ("dobj", "attr", "acomp"):
        for child in verb.children:
            if child.dep_ == label:
                return verb.head if _is_relative(child, verb) else child
    if verb.dep_ == "relcl" and not any(
        c.tag_ in {"WDT", "WP", "WP$", "WRB"} for c in verb.children
    ):
        return verb.head  # "the rooms the school leases"
    return None


def negated(verb: Token) -> bool:
    """Return whether the clause is denied."""
    words = [verb, *verb.children]
    words += [c for child in verb.children if child.dep_ in _ARGUMENTS for c in child.children]
    return any(word.lower_ in _NO for word in words)


_ARGUMENTS = frozenset({"nsubj", "nsubjpass", "dobj", "attr"})


def condition(verb: Token) -> Token | None:
    """Return the verb of the clause that it depends on."""
    for child in verb.children:
        if child.dep_ == "advcl" and _CONDITIONS & {c.lower_ for c in child.children}:
            return child
        if child.dep_ == "prep" and child.lower_ in _CONDITIONS:  # "provided that …"
            return next((c for c in child.children if c.dep_ in {"pcomp", "ccomp"}), None)
    if verb.dep_ == "conj":
        return condition(verb.head)
    return None


def faults(doc: Doc, clauses: list[dict[str, Any]]) -> list[str]:
    """Return what is read otherwise than by hand."""
    out = []
    for clause in clauses:
        verb = find(doc, clause["verb"])
        if verb is None or verb.pos_ not in {"VERB", "AUX"}:
            out.append(f"verb {clause['verb']}")
            continue
        read = {"who": subject(verb), "what": thing(verb), "condition": condition(verb)}
        for role, token in read.items():
            if (find(doc, clause[role]) if clause[role] else None) != token:
                out.append(f"{clause['verb']}: {role} {clause[role]}, read {token}")
        if negated(verb) != clause["negated"]:
            out.append(f"{clause['verb']}: negated {clause['negated']}")
    verbs = {clause["verb"].partition("#")[0] for clause in clauses}
    if not clauses and any(t.tag_ in {"VBZ", "VBD", "VBP", "MD"} for t in doc):
        out.append(f"a verb where there is none: {verbs}")
    return out


def main() -> None:
    """Read the command line and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", default=EMBEDDED)
    parser.add_argument("--half", choices=("seen", "unseen"), action="append")
    parser.add_argument("--wrong", action="store_true", help="print what is read otherwise")
    options = parser.parse_args()
    nlp = load(options.model)
    for half in options.half or ("seen", "unseen"):
        rows = [
            json.loads(line) for line in (HERE / f"{half}.jsonl").read_text("utf-8").splitlines()
        ]
        kinds, right = Counter[str](), Counter[str]()
        clauses = good = 0
        for row in rows:
            found = faults(nlp(row["text"]), row["clauses"])
            kinds[row["kind"]] += 1
            right[row["kind"]] += not found
            clauses += len(row["clauses"])
            good += len(row["clauses"]) - len({f.split(":")[0] for f in found})
            if found and options.wrong:
                print(f"{row['kind']}: {row['text']}\n    " + "; ".join(found))
        print(f"{half}: {right.total() / len(rows):.3f} of {len(rows)} sentences, "
              f"{good / clauses:.3f} of {clauses} clauses")  # fmt: skip
        print("  " + ", ".join(f"{kind} {right[kind]}/{n}" for kind, n in sorted(kinds.items())))


if __name__ == "__main__":
    main()
