"""Pages made from rules, ontologies and the code: `python -m tools.docs` writes docs/.

`python -m tools.docs --check` exits 1 where a page is out of date.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from groundrules.cli.rule import kind, page
from groundrules.cli.settings import every_pack, rules
from groundrules.config import Config
from groundrules.files import read_whole
from groundrules.rules.rule import Rule
from tools import architecture, ontology_pages
from tools.budget import ROOT

#: What `benchmarks.prose` counts, from the root of the project.
PRECISION = Path("docs/reference/rules/precision.json")


def table(rules: Sequence[Rule], root: str = "") -> str:
    """Return a Markdown table of the rules, each linked to its file; `root` leads to the project.

    In the site the links lead to the pages of the rules: see docs/conf.py.
    """
    lines = ["| rule | fault | severity | edit |", "|---|---|---|---|"]
    for rule in rules:
        edit = rule.edit.applicability if rule.edit else ""
        link = f"[{rule.id} {rule.name}]({root}{Path(rule.path).relative_to(ROOT).as_posix()})"
        lines.append(f"| {link} | {rule.summary} | {kind(rule)} | {edit} |")
    return "\n".join(lines)


def index(rules: Sequence[Rule]) -> str:
    """Return the text of docs/reference/rules/README.md: all rules, each linked to its file."""
    note = "Made from the rules by `python -m tools.docs`."
    return f"# Rules\n\n{note}\n\n{table(rules, '../../../')}\n"


def _between(text: str, marks: str, made: str) -> str:
    """Return a page with what is made for it between two marks; ValueError where it has none."""
    begin = f"<!-- {marks}: begin -->"
    at, to = text.index(begin), text.index(f"<!-- {marks}: end -->")
    return f"{text[:at]}{begin}\n{made}{text[to:]}"


def with_queries(text: str) -> str:
    """Return a page with the queries that ship between its two marks, each with an answer."""
    from groundrules.audit.store import named_queries

    place = "../../groundrules/audit/queries"
    parts = (
        f"## {one.name}\n\n{one.question} ([query]({place}/{one.name}.rq))\n\n{one.example}"
        for one in named_queries().values()
    )
    return _between(text, "queries", "\n" + "\n\n".join(parts) + "\n\n")


def with_commands(text: str) -> str:
    """Return a page with the commands and their options."""
    from groundrules.cli.main import COMMANDS, command

    rows = ["| command | what it does | options |", "|---|---|---|"]
    for name, said in COMMANDS.items():
        found = (one.option_strings[-1:] for one in command(name).parser()._actions)
        options = " ".join(f"`{one}`" for names in found for one in names if one != "--help")
        rows.append(f"| `{name}` | {said} | {options} |")
    return _between(text, "commands", "\n".join([*rows, ""]))


def with_bounds(text: str) -> str:
    """Return a page with the bounds on what is read between its two marks, as the code has them."""
    from groundrules.audit import overrides, settings
    from groundrules.checks import inputs
    from groundrules.claims.documents import document
    from groundrules.claims.documents.formats import bounds, docx, pdf
    from groundrules.claims.evidence import schemas
    from groundrules.ontology import load

    told = (
        ("a document, or stdin", "bytes", document.MAX_BYTES),
        ("a docx", "bytes, unpacked", docx.MAX_UNPACKED),
        ("", "files in it", docx.MAX_MEMBERS),
        ("", "times that a file in it may grow", docx.MAX_RATIO),
        ("", "paragraphs and cells", docx.MAX_PARAGRAPHS),
        ("a docx or html", "elements", bounds.MAX_ELEMENTS),
        ("a PDF", "pages", pdf.MAX_PAGES),
        ("", "pieces of text and pictures on one page", pdf.MAX_PIECES_OF_PAGE),
        ("", "pieces of text and pictures in all", pdf.MAX_PIECES),
        ("", "operators of a page; one with more is unread", pdf.MAX_OPERATORS_OF_PAGE),
        ("a text", "words", inputs.MAX_WORDS),
        ("", "characters of a word; a longer one is unread", document.LONGEST_WORD),
        ("the contexts of a text", "words in all", inputs.MAX_CONTEXT_WORDS),
        ("an ontology with its imports", "bytes", load.MOST_BYTES),
        ("", "files", load.MOST_FILES),
        ("", "statements", load.MOST_TRIPLES),
        ("", "elements or brackets in each other", load.MOST_DEPTH),
        ("a JSON Schema", "bytes", schemas.MAX_BYTES),
        ("a file of overrides", "bytes", overrides.MOST_BYTES),
        ("a thing that an audit log keeps", "bytes", settings.MOST_BYTES),
        ("", "files", settings.MOST_FILES),
    )
    rows = "".join(f"| {of} | {what} | {most:,} |\n" for of, what, most in told)
    return _between(text, "bounds", f"| of | what | at most |\n|---|---|---|\n{rows}")


def with_choices(text: str) -> str:
    """Return a page with the table of readers between its two marks, as `groundrules readers`."""
    from groundrules.models.choices import markdown

    return _between(text, "choices", f"\n{markdown()}\n\n")


def with_map(text: str, root: Path) -> str:
    """Return a page with the map of the packages of a checkout between its two marks."""
    return _between(text, "map", f"\n{architecture.section(architecture.read_map(root))}\n\n")


def limits_page() -> str:
    """Return limits.md: the thresholds by which texts are compared, as the code has them."""
    from groundrules.align import limits

    parts = [f"# Limits\n\n{(limits.__doc__ or '').strip()}"]
    source = read_whole(Path(limits.__file__)).decode("utf-8")
    said: list[str] = []  # of the limit that comes next
    for line in source.splitlines():
        if line.startswith("# ---"):
            heading = line.lstrip("# -")
            parts.append(f"## {heading}\n\n| limit | value | what it bounds |\n|---|--:|---|")
        elif line.startswith("#: "):
            said.append(line[3:])
        elif said:
            name = line.partition(":")[0]
            parts[-1] += f"\n| `{name}` | {getattr(limits, name):g} | {' '.join(said)} |"
            said = []
    return "\n\n".join(parts) + "\n"


def write_pages(folder: Path, rules: Sequence[Rule]) -> None:
    """Write the page of each rule into a folder, and remove those of no rule; for the site."""
    kept = folder / PRECISION.name
    measured = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else None
    wanted = {folder / f"{rule.name}.md": page(rule, measured) for rule in rules}
    for path in set(folder.glob("*.md")) - wanted.keys() - {folder / "README.md"}:
        path.unlink()
    for path, text in wanted.items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:  # else it is read anew
            path.write_text(text, encoding="utf-8")


def write(root: Path, rules: Sequence[Rule]) -> list[Path]:
    """Write what is made from the rules, the ontologies and the code under a root.

    That is the page of the ontology, the list of rules, limits.md, the marked parts of queries.md,
    security.md, commands.md and readers.md and the map in architecture.md. Return what changed.
    """
    wanted = _wanted(root, rules)
    changed = stale(root, rules)
    for path in changed:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(wanted[path], encoding="utf-8")
    return changed


def stale(root: Path, rules: Sequence[Rule]) -> list[Path]:
    """Return the pages under a root that are missing or out of date, sorted."""
    return sorted(
        path
        for path, text in _wanted(root, rules).items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    )


def _wanted(root: Path, rules: Sequence[Rule]) -> dict[Path, str]:
    wanted = {root / "docs" / "reference" / "rules" / "README.md": index(rules)}
    wanted[root / "docs" / "reference" / "limits.md"] = limits_page()
    wanted |= {root / name: text for name, text in ontology_pages.pages().items()}
    filled = {"reference/queries": with_queries, "reference/security": with_bounds,
              "reference/commands": with_commands, "how-to/readers": with_choices,
              "explanation/architecture": lambda text: with_map(text, root)}  # fmt: skip
    for name, fill in filled.items():
        if (page := root / "docs" / f"{name}.md").exists():
            wanted[page] = fill(page.read_text(encoding="utf-8"))
    return wanted


def shipped() -> list[Rule]:
    """Return the rules of the packs that ship."""
    return rules(every_pack(Config()))


def main(arguments: Sequence[str]) -> int:
    """Write or, with `--check`, compare the pages of the packs that are shipped."""
    root = Path.cwd()
    rules = shipped()
    if "--check" in arguments:
        late = stale(root, rules)
        for path in late:
            print(f"{path.relative_to(root)} is out of date; run python -m tools.docs")
        return 1 if late else 0
    for path in write(root, rules):
        print(path.relative_to(root))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
