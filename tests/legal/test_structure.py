"""Sections, references to them and defined terms."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.namespace import RDF

from groundrules.claims.documents.document import from_text
from groundrules.claims.facts.offline import Extraction
from groundrules.legal.namespace import LX
from groundrules.legal.structure import read_structure
from groundrules.ontology.read.assertions import Assertions

LEASE = """LEASE

1. PREMISES

1.1 The Landlord leases the Premises to the Tenant.

1.2 The Tenant has seen the Premises.

2. TERM

2.1 The term is five years, subject to Section 3.2.

2.2 The Tenant may renew:
(a) once, by notice;
(b) a second time, by deed; and
(c) with consent, ever again.

3. RENT

3.1 Rent is due monthly.

3.2 Rent is paid as set out in Section 2.2(b).

IN WITNESS WHEREOF the parties have signed.
"""


def stated(text, *, name="lease"):
    assertions = Assertions(Extraction(from_text(text, name), (), (), (), {}))
    read_structure(assertions)
    return assertions


def values(text, predicate):
    claims = stated(text).claims()
    return {str(c.triple.object) for c in claims if c.triple.predicate == predicate}


def test_numbered_headings_and_their_items_are_sections():
    assert values(LEASE, LX.hasSection) >= {
        "1", "1.1", "1.2", "2", "2.1", "2.2", "2.2(a)", "2.2(b)", "2.2(c)", "3", "3.1", "3.2",
    }  # fmt: skip


def test_a_signed_document_lists_its_sections_to_the_last():
    assert values(LEASE, LX.listsSections) == {"", "1.", "2.", "3.", "2(", "2.2("}


def test_an_excerpt_lists_nothing_past_its_end():
    assert values(LEASE[: LEASE.index("IN WITNESS")], LX.listsSections) == {
        "1.",
        "2.",
        "2(",
        "2.2(",
    }


def test_a_gap_in_the_numbers_may_be_a_heading_that_was_not_read():
    assert "1." not in values(LEASE.replace("1.2 The", "1.3 The"), LX.listsSections)


@pytest.mark.parametrize(
    ("words", "numbers"),
    [
        ("See Section 12.3.", {"12.3", "12"}),
        ("See Sections 4 and 5 hereof.", {"4", "5"}),
        ("See Sections 4.1, 4.2 or 4.3 of this Agreement.", {"4", "4.1", "4.2", "4.3"}),
        ("Article IX applies.", {"9"}),
        ("under clause 7(b) above", {"7(b)", "7"}),
        ("under Section 4.02 of the Lease", {"4.2", "4"}),
        ("as shown on Exhibit B", {"Exhibit B"}),
        ("as shown on Exhibit “C” hereto", {"Exhibit C"}),
        ("Section 365 of the Bankruptcy Code", set()),
        ("Section 16 of the Act", set()),
        ("Section 5 of the Master Agreement", set()),
        ("Sections 13(a) or 15(d) of the U.S. Exchange Act", set()),
        ("Section 4 and Section 5 of the Credit Agreement", set()),
        ("Code Section 42", set()),
        ("Section 409A", set()),
        ("Section 17.B of the manual", set()),
        ("12.3 percent and sections of the road", set()),
    ],
)
def test_references_are_to_sections_of_the_contract_itself(words, numbers):
    assert values(f"The parties agree. {words}", LX.refersToSection) == numbers


def test_an_amendment_refers_to_sections_of_another_contract():
    text = "FIRST AMENDMENT\n\nSection 4.2 is replaced. The Tenant pays under Section 9."
    assert values(text, LX.refersToSection) == set()


def test_a_heading_is_no_reference():
    text = "Section 1 Premises\n\nSection 2 Term\n\nThe term is that of Section 1."
    assert values(text, LX.refersToSection) == {"1"}


def test_an_exhibit_counts_its_own_sections():
    text = f"{LEASE}\nEXHIBIT A\n\n1. Work is done as in Section 77.\n"
    assert "77" not in values(text, LX.refersToSection)


def test_a_section_subject_to_itself_is_told_from_this_section():
    whole = LEASE.replace("subject to Section 3.2", "subject to Section 2.1")
    assert values(whole, LX.subjectToSection) == {"2.1"}
    assert values(LEASE, LX.subjectToSection) == set()


def test_a_definition_is_told_by_its_words_and_a_pointer_is_none():
    text = "“Rent” means the sum due monthly. “Fee” means the meaning given in Section 3."
    claims = stated(text).claims()
    assert [str(c.triple.object) for c in claims if c.triple.predicate == LX.definition] == [
        "the sum due monthly"
    ]
    assert [c.triple.object for c in claims if c.triple.predicate == RDF.type] == [LX.DefinedTerm]


@given(
    st.text(
        alphabet=string.ascii_letters + string.digits + ' \n.,;:()"“”[]§$-',
        max_size=400,
    )
)
def test_any_text_is_read_and_the_places_are_in_it(text):
    if not text.strip():
        return
    for claim in stated(text).claims():
        assert 0 <= claim.span.start <= claim.span.end <= len(text)


@given(st.integers(1, 30), st.integers(1, 30))
def test_a_reference_is_broken_exactly_if_it_is_past_the_last_section(last, wanted):
    text = "\n\n".join(f"{n}. HEADING\n\nWords of section {n} here." for n in range(1, last + 1))
    text += f"\n\nAs said in Section {wanted}.\n\nIN WITNESS WHEREOF"
    listed = "" in values(text, LX.listsSections)
    assert listed == (last >= 3)
    assert (str(wanted) in values(text, LX.hasSection)) == (wanted <= last)
