"""The files of a new domain: a package that registers an ontology, a reader and a rule."""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Mapping
from importlib.util import find_spec

_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")

_PROJECT = """\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "@NAME"
version = "0.1.0"
dependencies = ["groundrules"]

# Other doors: groundrules.record_formats, groundrules.sources, groundrules.formats.
[project.entry-points."groundrules.domains"]
@NAME = "@PACKAGE:DOMAIN"

[project.entry-points."groundrules.packs"]
@NAME = "@PACKAGE.rules"

# In src the package is told from the folder of the project, wherever its tests are run.
[tool.setuptools.packages.find]
where = ["src"]

[tool.setuptools.package-data]
"*" = ["*.toml", "*.ttl"]
"""

_DOMAIN = '''\
"""@NAME as a domain of groundrules."""

from pathlib import Path

from groundrules.domain import Domain

from @PACKAGE.readers import read_weights

_FOLDER = Path(__file__).parent

DOMAIN = Domain(
    name="@NAME",
    ontology=_FOLDER / "@NAME.ttl",  # its lexicon, @NAME.lexicon.toml, is found beside it
    pack="@NAME",
    term_readers=(read_weights,),
    prefixes={"own": "@SPACE"},
)
'''

_READERS = '''\
"""What texts say of lots, in the terms of the ontology."""

import re

from rdflib.namespace import XSD, Namespace
from rdflib.term import Literal

OWN = Namespace("@SPACE")

_WEIGHT = re.compile(r"(?P<lot>[Ll]ot [0-9]{1,6}) weighs (?P<weight>[0-9]{1,6}) kg")


def read_weights(assertions):
    """State what lots weigh."""
    for found in _WEIGHT.finditer(assertions.extraction.document.text):
        lot = assertions.thing(*found.span("lot"))
        weight = Literal(found["weight"], datatype=XSD.integer)
        assertions.state(lot, OWN.weight, weight, assertions.span(*found.span()))
'''

_ONTOLOGY = """\
@prefix own: <@SPACE> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

own:Lot a owl:Class ; rdfs:label "lot"@en .
own:Store a owl:Class ; rdfs:label "store"@en ; owl:disjointWith own:Lot .
own:weight a owl:DatatypeProperty ; rdfs:label "weight"@en ;
  rdfs:domain own:Lot ; rdfs:range xsd:integer .
own:ships a owl:ObjectProperty ; rdfs:label "ships"@en ; rdfs:domain own:Store .
"""

_LEXICON = """\
# How texts word the terms; no Python is needed for what fits a pattern: see docs/ontology.

[prefixes]
own = "@SPACE"

[[sentence]]
property = "own:ships"
pattern  = '(?P<subject>NAME) is a supplier of (?P<object>NAME)'

[[test]]
text   = "Acme Corp. is a supplier of Birch Holdings."
expect = ["Acme Corp own:ships Birch Holdings"]
"""

_RULES = '"""The rules of @NAME."""\n'

_RULE = """\
id       = "@ID"
name     = "weighs-nothing"
summary  = "A lot weighs nothing"
severity = "error"
message  = "{s} weighs {o} kg"
because  = "what is there has a weight"

why = \"\"\"
A weight of nought is a slip, or stands for one that is not known.
\"\"\"

select = '''
SELECT ?claim ?s ?p ?o WHERE {
  ?claim rdf:subject ?s ; rdf:predicate ?p ; rdf:object ?o ; gr:polarity ?polarity .
  FILTER (?p = own:weight && ?o <= 0 && ?polarity = "positive")
}
'''

[edit]
delete        = "?claim"
applicability = "unsafe"

[prefixes]
own = "@SPACE"

[[test]]
name   = "a lot of nought kilograms"
claims = ":lot own:weight 0 ."
expect = [{ s = ":lot", o = "0" }]
fixed  = ""

[[test]]
name   = "a lot of forty kilograms"
claims = ":lot own:weight 40 ."
expect = []
"""

_TEST = '''\
"""@NAME, as it is installed: `pip install -e .` first."""

from groundrules import Config, check
from groundrules.cli.main import main

CONFIG = Config(ontology="@NAME")


def test_a_fault_is_found():
    report = check("Lot 7 weighs 0 kg. Lot 8 weighs 40 kg.", config=CONFIG)

    assert [found.message for found in report.violations] == ["Lot 7 weighs 0 kg"]


def test_what_the_lexicon_words_is_read():
    report = check("Acme Corp. is a supplier of Birch Holdings.", config=CONFIG)

    assert any("@NAME: 1 assertions" in note for note in report.run.notes)


def test_the_rules_pass_their_tests():
    assert main(["test", "@NAME"]) == 0
'''

_FILES: Mapping[str, str] = {
    "pyproject.toml": _PROJECT,
    "src/@PACKAGE/__init__.py": _DOMAIN,
    "src/@PACKAGE/readers.py": _READERS,
    "src/@PACKAGE/@NAME.ttl": _ONTOLOGY,
    "src/@PACKAGE/@NAME.lexicon.toml": _LEXICON,
    "src/@PACKAGE/rules/__init__.py": _RULES,
    "src/@PACKAGE/rules/weighs-nothing.toml": _RULE,
    "tests/test_@PACKAGE.py": _TEST,
}


def is_name(name: str) -> bool:
    """Return whether a word can be the name of a domain, and of a package that hides no other."""
    package = _package(name)
    taken = keyword.iskeyword(package) or package in sys.stdlib_module_names or package == "tests"
    if not _NAME.fullmatch(name) or taken:
        return False
    found = find_spec(package)
    return found is None or found.origin is None  # a mere folder, which hides no package


def files(name: str, taken: frozenset[str] = frozenset()) -> dict[str, str]:
    """Return the text of each file of a new domain, by its path in the folder of that name.

    `taken` are the letters that the ids of other packs begin with.
    """
    letters = re.sub(r"[^A-Z]", "", name.upper())[:4].ljust(2, "X")
    values = {
        "@NAME": name,
        "@PACKAGE": _package(name),
        "@SPACE": f"https://example.org/{name}#",
        "@ID": f"{letters}X001" if letters in taken else f"{letters}001",
    }

    def filled(text: str) -> str:
        return re.sub("|".join(values), lambda found: values[found[0]], text)

    return {filled(path): filled(text) for path, text in _FILES.items()}


def _package(name: str) -> str:
    return name.replace("-", "_")
