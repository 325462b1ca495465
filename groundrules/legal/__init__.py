"""Law as a domain: US contracts, courts and patents. Nothing imports it; it is registered."""

from __future__ import annotations

from pathlib import Path

from groundrules.domain import Domain
from groundrules.legal.citations import CITATION, find_values, read_cited
from groundrules.legal.contracts import read_contract
from groundrules.legal.duties import read_duties
from groundrules.legal.judgments import read_judgments
from groundrules.legal.jurisdiction import read_forums
from groundrules.legal.lawphrases import read_words
from groundrules.legal.listings import read_listings
from groundrules.legal.model_readings import read_heard
from groundrules.legal.namespace import LX
from groundrules.legal.papers import paper_names
from groundrules.legal.patents import read_patents
from groundrules.legal.provisions import imply_expiration, read_contracts
from groundrules.legal.reporters import read_citations
from groundrules.legal.structure import read_structure
from groundrules.legal.sums import read_amounts

_FOLDER = Path(__file__).parent
#: What a decision cites, of what its opinions cite; and applications by their publications.
_JOINS = f"""
PREFIX lx: <{LX}>
PREFIX owl: <http://www.w3.org/2002/07/owl#>
SELECT DISTINCT ?s (lx:cites AS ?p) ?o WHERE {{
  {{ ?part lx:cites ?other . ?part lx:partOf ?s . ?other lx:partOf ?o }}
  UNION
  {{ ?part lx:cites ?place . ?part lx:partOf ?s . ?o lx:hasCitation ?place
     FILTER NOT EXISTS {{ ?besides lx:hasCitation ?place FILTER(?besides != ?o) }} }}
  UNION
  {{ ?s lx:cites ?publication . ?publication owl:sameAs ?o }}
  FILTER(?s != ?o)
}}"""

DOMAIN = Domain(
    name="legal",
    ontology=_FOLDER / "legal.ttl",
    pack="legal",
    words=read_words(),
    kinds=(CITATION,),
    values=(find_values,),
    readers=(read_contract, read_cited),
    names=(paper_names,),
    term_readers=(
        read_citations,
        read_judgments,
        read_patents,
        read_structure,
        read_amounts,
        read_contracts,
        read_duties,
        read_listings,
        read_forums,
    ),
    last_readers=(imply_expiration, read_heard),
    questions=_FOLDER / "questions.toml",
    retrieval=_FOLDER / "retrieval.toml",
    wordings={
        f"{LX}grantDate": ("granted on", "issued on", "was granted", "was issued"),
        f"{LX}filingDate": ("was filed", "was filed on"),
        f"{LX}publicationDate": ("was published", "was published on"),
        f"{LX}decisionDate": ("was decided", "was decided on"),
    },
    joins=_JOINS,
    prefixes={"lx": str(LX)},
)
