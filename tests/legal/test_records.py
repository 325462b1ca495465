"""Records in the true formats: what is read, what is refused, and that the rest is read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rdflib.namespace import OWL, RDF
from rdflib.term import Literal, URIRef

from groundrules.dataset import TripleStore
from groundrules.errors import SourceError
from groundrules.kb.link.aliases import AliasIndex
from groundrules.kb.records.formats import DCTERMS, RECORD, SCHEMA, day, read_records
from groundrules.kb.sources import triplestore
from groundrules.kb.sources.triplestore import GRAPH, build_store, open_graph, read_build
from groundrules.legal import courts, uspto
from groundrules.legal.courts import plain_text
from groundrules.legal.namespace import LX
from groundrules.terms import Triple
from tests.rows import each

DATA = Path(__file__).parents[1] / "kb" / "data" / "records"
USPTO, COURTS = uspto.USPTO.name, courts.COURTS.name
ALL = ("grants.xml", "applications.xml", "courts.json")
FORMS = {"grants.xml": USPTO, "applications.xml": USPTO, "courts.json": COURTS}
PUMP, APPLICATION = RECORD["us-patent/9800001"], RECORD["us-application/14897520"]


class Chunks:
    """Bytes that come in pieces."""

    def __init__(self, data: bytes, size: int = 1 << 20, name: str = "file.xml") -> None:
        self.path = Path(name)
        self._pieces = iter([data[n : n + size] for n in range(0, len(data), size)])

    def read(self, size: int = -1) -> bytes:
        return next(self._pieces, b"")

    def lines(self) -> Iterator[bytes]:
        yield from b"".join(self._pieces).splitlines(keepends=True)


def read(name: str) -> list[Triple]:
    found = []
    for said in read_records(Chunks((DATA / name).read_bytes(), name=name), FORMS[name]):
        assert not isinstance(said, str), said
        found += said
    return found


def refused(data: bytes | str, form: str = USPTO) -> list[str]:
    raw = data.encode() if isinstance(data, str) else data
    return [said for said in read_records(Chunks(raw), form) if isinstance(said, str)]


def objects(found: list[Triple], subject: URIRef, predicate: URIRef) -> set[str]:
    return {str(t.object) for t in found if t.subject == subject and t.predicate == predicate}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("records") / "store"
    build_store([DATA / name for name in ALL], out)
    return out


@pytest.mark.parametrize("name", ALL)
def test_the_golden_statements_of_each_format(
    name: str, golden: Callable[[str, str], None]
) -> None:
    lines = sorted({" ".join(term.n3() for term in (t.subject, t.predicate, t.object))
                    for t in read(name)})  # fmt: skip
    golden(f"records/{Path(name).stem}.nt", "".join(f"{line} .\n" for line in lines))


# ---------------------------------------------------------------- files of records


@given(st.integers(1, 4000), st.sampled_from(ALL))
def test_in_what_pieces_a_file_comes_changes_nothing(size: int, name: str) -> None:
    data = (DATA / name).read_bytes()
    whole = list(read_records(Chunks(data, name=name), FORMS[name]))
    assert list(read_records(Chunks(data, size, name=name), FORMS[name])) == whole


def test_json_records_are_read_from_an_array_an_object_lines_or_a_row() -> None:
    records = json.loads((DATA / "courts.json").read_text())["results"]
    whole = list(read_records(Chunks((DATA / "courts.json").read_bytes()), COURTS))
    for text in (
        json.dumps(records),
        json.dumps(records, indent=2),
        "\n".join(map(json.dumps, records)),
        json.dumps({"next": None, "count": 6, "results": records}),
    ):
        found = list(read_records(Chunks(text.encode(), 100), COURTS))
        assert [len(said) for said in found] == [len(said) for said in whole]


def test_the_same_files_give_the_same_store_in_steps_or_at_once(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [DATA / name for name in ALL]
    again = read_build(store)
    monkeypatch.setattr(triplestore, "_STATEMENTS", 40)
    stepwise = build_store(paths, tmp_path / "steps")
    assert stepwise == again
    assert set(map(str, TripleStore(tmp_path / "steps" / GRAPH).triples())) == set(
        map(str, TripleStore(store / GRAPH).triples())
    )


def test_what_cannot_be_read_is_told_and_the_rest_is_read(tmp_path: Path) -> None:
    whole = (DATA / "grants.xml").read_text()
    first, *others = whole.split('<?xml version="1.0" encoding="UTF-8"?>')[1:]
    broken = [
        first.replace("</us-patent-grant>", ""),
        first.replace("<date>20171031</date>", "<date>20171341</date>"),
        first.replace("<doc-number>09800001</doc-number>", "<doc-number>no number</doc-number>"),
        first.replace('num="00002"', 'num="00001"'),
        "<patent/>",
    ]
    documents = [others[1], *broken, first]
    path = tmp_path / "some.xml"
    path.write_text("".join(f'<?xml version="1.0"?>{text}' for text in documents))
    told: list[str] = []
    build = build_store([path], tmp_path / "store", fault=told.append)
    assert (build.dumps[0].done, build.dumps[0].faults) == (7, 5)
    for number, message in enumerate(
        ("not XML: ", "'20171341' is no day of the calendar", "'no number' is no number of a US",
         "two claims are numbered 1", "<patent>; expected <us-patent-grant>"),
        2,
    ):  # fmt: skip
        assert any(line.startswith(f"{path}: record {number}: {message}") for line in told), told
    graph = open_graph(tmp_path / "store").store
    assert list(graph.triples(PUMP, LX.grantDate))
    assert list(graph.triples(RECORD["us-patent/D800002"], LX.grantDate))


@pytest.mark.parametrize("text", [None, '{"sub_opinions": 0, "results": [{"a": 1}, {\'a\': 1}]}'])
def test_json_that_is_cut_short_or_none_is_an_error(tmp_path: Path, text: str | None) -> None:
    path = tmp_path / "courts.json"
    path.write_bytes(text.encode() if text else (DATA / "courts.json").read_bytes()[:-400])
    with pytest.raises(SourceError, match=r"courts\.json: not JSON: "):
        build_store([path], tmp_path / "store")


def test_what_is_no_number_is_a_fault_of_its_record_alone() -> None:
    item = '{"id": %s, "case_name": "", "docket": 1}'
    found = refused(f"[{item % 'NaN'}, {item % '1'}]", COURTS)
    assert ["NaN" in found[0], "case_name" in found[1]] == [True] * 2


def test_records_are_no_rdf_file(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="records become a store first: groundrules kb build"):
        open_graph(DATA / "grants.xml")


# ---------------------------------------------------------------- hostile XML


def test_nothing_outside_a_document_is_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("do not tell")
    text = (DATA / "grants.xml").read_text().split("<?xml")[1]
    hostile = "<?xml" + text.replace(
        "[ ]", f'[ <!ENTITY s SYSTEM "{secret.as_uri()}"> <!ENTITY t "told"> ]'
    ).replace("Self-priming", "&s;&t;")
    for said in read_records(Chunks(hostile.encode()), USPTO):
        assert "do not tell" not in str(said)


def test_entities_that_grow_without_bound_are_a_fault() -> None:
    bombs = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))
    text = (DATA / "grants.xml").read_text().split("<?xml")[1]
    hostile = text.replace("[ ]", f'[ <!ENTITY e0 "0123456789"> {bombs} ]')
    hostile = hostile.replace("Self-priming", "&e11;")
    assert "not XML" in refused("<?xml" + hostile)[0]


def test_depth_is_a_fault() -> None:
    assert "not XML" in refused('<?xml version="1.0"?>' + "<p>" * 5000 + "</p>" * 5000)[0]
    with pytest.raises(SourceError, match="nested too deep"):
        refused("[" * 100_000, COURTS)


@given(st.binary(max_size=300))
def test_any_bytes_are_a_fault_or_nothing(data: bytes) -> None:
    for said in read_records(Chunks(b'<?xml version="1.0"?>' + data), USPTO):
        assert isinstance(said, str)


# ---------------------------------------------------------------- patents


@each("name")
def test_a_patent_is_found_under_every_writing_of_its_number(store: Path, name: str) -> None:
    index = AliasIndex(store / "names.sqlite")
    assert [entity.iri for entity in index.named([name])[name]] == [PUMP]


@each("name")
def test_an_application_is_found_under_every_writing_of_its_numbers(store: Path, name: str) -> None:
    index = AliasIndex(store / "names.sqlite")
    assert [entity.iri for entity in index.named([name])[name]] == [APPLICATION]


def test_a_grant_and_its_application_meet_by_the_number_of_the_application(store: Path) -> None:
    graph = open_graph(store).store
    assert [t.object for t in graph.triples(PUMP, LX.grantedOn)] == [APPLICATION]


def test_claims_depend_on_what_they_refer_to_unless_they_are_of_another_category() -> None:
    found = read("grants.xml")
    claims = [URIRef(f"{PUMP}/claim/{n}") for n in range(6)]
    kinds = [objects(found, claim, RDF.type) for claim in claims]
    assert kinds[1:] == [
        {str(LX.IndependentClaim)}, {str(LX.DependentClaim)}, {str(LX.DependentClaim)},
        {str(LX.IndependentClaim)}, {str(LX.DependentClaim)},
    ]  # fmt: skip
    assert objects(found, claims[3], LX.dependsOnClaim) == {str(claims[1]), str(claims[2])}
    assert objects(found, claims[4], LX.dependsOnClaim) == set()
    assert objects(found, claims[4], LX.refersToClaim) == {str(claims[1])}


def test_canceled_claims_are_no_claims() -> None:
    found = read("applications.xml")
    numbers = {str(t.object) for t in found if t.predicate == LX.claimNumber}
    assert numbers == {"1", "3", "4"}  # 1 is of the other application


def test_a_continuation_has_no_priority_date_of_its_own() -> None:
    found = read("applications.xml")
    cutter = RECORD["us-application/14612898"]
    assert objects(found, cutter, LX.claimsPriorityOf) == {str(RECORD["us-application/12987585"])}
    assert objects(found, cutter, LX.priorityDate) == set()


def test_an_international_application_is_filed_on_its_international_date() -> None:
    filter_ = RECORD["us-application/15104321"]
    found = read("applications.xml")
    assert objects(found, filter_, LX.filingDate) == {"2014-12-17"}
    assert objects(found, filter_, LX.priorityDate) == {"2013-12-17"}


def test_a_publication_that_is_cited_is_its_application(store: Path) -> None:
    graph = open_graph(store).store
    cited = {t.object for t in graph.triples(PUMP, LX.cites)}
    paper, cutter = RECORD["us-publication/20150151444"], RECORD["us-application/14612898"]
    assert {paper, cutter} <= cited
    assert list(graph.triples(paper, OWL.sameAs, cutter))


def test_every_text_of_a_record_is_kept() -> None:
    found = read("grants.xml")
    texts = {str(t.object) for t in found if t.predicate in (SCHEMA.text, DCTERMS.abstract)}
    assert "1. A pump comprising: a housing (10); a rotor (12) of steel; and a valve (14)." in texts
    abstract = "A pump has a housing, a rotor of steel and a valve that keeps water in the housing."
    assert abstract in texts
    assert any(text.startswith("The pump has a housing 10, a rotor 12 and a valve 14.")
               for text in texts)  # fmt: skip


def test_dates_are_as_precise_as_they_are_written() -> None:
    assert day("20171031") == Literal("2017-10-31", datatype=URIRef(
        "http://www.w3.org/2001/XMLSchema#date"))  # fmt: skip
    assert str(day("19860400")) == "1986-04"
    assert str(day("19860000")) == "1986"
    assert str(day("2014-06-19T00:00:00")) == "2014-06-19"
    assert day("") is None


@given(st.text(max_size=12))
def test_a_date_is_read_or_refused_in_a_line(text: str) -> None:
    with suppress(ValueError):
        found = day(text)
        assert found is None or str(found)[:4] == text.strip()[:4]


# ---------------------------------------------------------------- decisions


def test_a_decision_cites_what_its_opinions_cite(store: Path) -> None:
    graph = open_graph(store).store
    base = "https://www.courtlistener.com/opinion/"
    first, second = URIRef(f"{base}5001/"), URIRef(f"{base}5002/")
    assert list(graph.triples(first, LX.cites, second))
    assert not list(graph.triples(second, LX.cites))
    opinion = URIRef("https://www.courtlistener.com/api/rest/v4/opinions/6001/")
    cited = {str(t.object) for t in graph.triples(opinion, LX.cites)}
    assert cited == {str(RECORD["citation/410_F.2d_100"]),
                     str(RECORD["citation/33_U.S.C._%C2%A7_1344"])}  # fmt: skip


def test_markup_becomes_lines_and_characters() -> None:
    assert plain_text("<p>One <i>v.</i> Two &amp; Co.</p><p>a &lt; b</p>") == (
        "One v. Two & Co.\na < b"
    )


@given(st.text(alphabet="<>/ap&;\n x", max_size=80))
def test_no_element_is_left_in_a_text(markup: str) -> None:
    assert "<p>" not in plain_text(markup.replace("&", ""))
