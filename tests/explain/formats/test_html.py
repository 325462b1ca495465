"""The html format: one file that no text can break, complete and the same for the same report."""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundrules.explain.formats import Look
from groundrules.explain.formats.html import render
from groundrules.explain.formats.html.markup import shown, within
from groundrules.explain.headings import heading, where
from groundrules.terms import (
    Input,
    Logged,
    Outcome,
    Override,
    Report,
    Run,
    Severity,
    Span,
    Statement,
)
from tests.explain import cases
from tests.explain.formats.test_json import reports
from tests.explain.rewritten import rewritten
from tests.strategies import examples

HOSTILE = (
    "<script>document.title = 'owned'</script>",
    "</style></script><img src=x onerror=alert(1)>",
    "\"><a href='javascript:alert(1)'>",
    "' onmouseover='alert(1)",
    "<!--", "]]>", "&lt;b&gt;", "\x00\x1b[2J", "\u202egnp.exe\u2066", "\u2028</title>",
)  # fmt: skip
_VOID = {"meta", "input", "br"}
_TAGS = set(
    """html head meta title style body script main nav header footer article section h1 h2 h3 h4 p
    ul li dl div dt dd table thead tbody tr th td a b s em code pre span bdi mark del ins details
    summary figure figcaption blockquote br label select option input button dialog kbd
    svg defs pattern path circle rect text""".split()
)


class Page(HTMLParser):
    """The tags, attributes and words of a page; an assertion fails where it is not well formed."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        assert len(dict(attrs)) == len(attrs), attrs
        if tag not in _VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] not in ("style", "script"):
            self.words.append(data)

    def values(self, name: str) -> list[str]:
        """Return the values of an attribute, in order."""
        return [attributes[name] or "" for _, attributes in self.found if name in attributes]

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def page(*reports: Report, redact: bool = False) -> str:
    return render(reports, Look(redact=redact))


def record() -> Report:
    """The report of a record: claims with verdicts, and no statement."""
    return replace(cases.lease(), statements=())


KINDS = {**cases.CASES, "record": record}


@pytest.mark.parametrize("name", KINDS)
def test_each_kind_of_report_is_a_whole_page_whose_links_lead_somewhere(name: str) -> None:
    made = page(KINDS[name]())
    found = Page(made)
    ids = found.values("id")

    assert {tag for tag, _ in found.found} <= _TAGS
    assert len(set(ids)) == len(ids)
    assert {link[1:] for link in found.values("href") if link.startswith("#")} <= set(ids)
    assert [one for one in found.values("class") if one is None] == []
    made.encode("utf-8")


def guarded(made: str) -> None:
    """Assert that what a report says has made no tag, script, style, address or hidden letter."""
    found = Page(made)
    tags = [tag for tag, _ in found.found]
    assert set(tags) <= _TAGS
    assert (tags.count("script"), tags.count("style"), tags.count("title")) == (
        1, 1, 1 + made.count("<svg viewBox") - made.count('aria-hidden="true"><path'),
    )  # fmt: skip
    for tag, attributes in found.found:
        assert not {name for name in attributes if name.startswith("on") or name == "style"}
        assert not {"src", "action", "formaction", "srcdoc"} & attributes.keys(), tag
        assert (attributes.get("href") or "#").startswith(("#", "https://", "http://"))
    assert [c for c in made if unicodedata.category(c) in ("Cc", "Cs", "Cn", "Co") and c != "\n"
            and c != "\t"] == []  # fmt: skip
    assert not re.search("[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]", made)


@pytest.mark.parametrize("hostile", HOSTILE)
@pytest.mark.parametrize("name", ["lease", "policy", "wide", "long"])
def test_no_text_opens_a_tag_or_leaves_an_attribute(name: str, hostile: str) -> None:
    report = rewritten(
        replace(cases.CASES[name](), unasked=("x",), overrides=overridden(cases.lease()).overrides),
        lambda text: f"{text}{hostile}",
        lambda text: f"{text}'onclick='alert(1)",
    )

    guarded(page(report))
    guarded(page(report, report))


@given(reports)
@examples(20)
def test_any_report_is_a_page(report: Report) -> None:
    made = page(report)

    guarded(made)
    assert page(report) == made


@given(st.text())
def test_any_text_is_text_in_an_element_and_in_an_attribute(text: str) -> None:
    made = within("p", text, text or "none")

    assert [tag for tag, _ in Page(made).found if tag != "span"] == ["p"]
    assert made.count("<p ") == 1


def test_what_hides_is_shown_by_its_code_point_and_what_spells_is_not() -> None:
    assert "U+202E" in shown("a\u202eb")
    assert "U+200B" in shown("a\u200bb")
    assert "U+E0041" in shown("\U000e0041")
    assert shown("👩\u200d👧 و\u200cها") == "👩\u200d👧 و\u200cها"
    assert shown("a\r\nb\rc\u2028d\x0ce") == "a\nb\nc\nd\ne"


def test_the_order_of_labels_and_sources_does_not_change_a_byte() -> None:
    report = cases.lease()
    turned = replace(
        report,
        labels=dict(reversed(report.labels.items())),
        sources={"z.txt": "z", **report.sources},
        run=replace(report.run, inputs=()),
    )
    straight = replace(
        report,
        sources={**report.sources, "z.txt": "z"},
        run=replace(report.run, inputs=(), times=(("total", 9.0),)),
    )

    assert page(turned) == page(straight)


def test_the_policy_lets_in_only_the_style_and_the_script_of_the_page() -> None:
    made = page(cases.lease())
    (policy,) = (a["content"] for t, a in Page(made).found if "http-equiv" in a and t == "meta")

    for tag in ("style", "script"):
        (inner,) = re.findall(f"<{tag}>(.*?)</{tag}>", made, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(inner.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in str(policy)
    assert str(policy).startswith("default-src 'none'; ")


def test_what_could_not_be_checked_stands_before_the_verdict() -> None:
    text = Page(page(cases.policy())).text

    assert text.index("What could not be checked") < text.index("Does not pass")
    assert "policy.txt: page 3 has no text" in text
    assert "1 statement: could not be read: German" in text


def unread() -> Report:
    report = cases.policy()
    german = report.statements[-1]
    return replace(report, statements=(german,), violations=(), metrics=(), unread=())


@pytest.mark.parametrize("report", [unread(), cases.empty()], ids=["unread", "empty"])
def test_a_text_of_which_nothing_was_read_never_seems_to_pass(report: Report) -> None:
    text = Page(page(report)).text

    assert "Could not be fully checked" in text
    assert "nothing is known of it" in text
    assert not re.search(r"\bPasses\b|[Cc]ompliant|\bpass(ed|es)\b", text)


def test_a_text_that_conforms_tells_what_was_left_open() -> None:
    report = cases.policy()
    kept = tuple(
        one
        for one in report.statements
        if one.outcome in (Outcome.SUPPORTED, Outcome.NOT_ENOUGH_INFO)
    )
    passing = replace(report, statements=kept, violations=(), unread=(), policy=(), settled=0.0)
    text = Page(page(passing)).text

    assert "✓ Passes" in text
    assert "1 statement is left open: no source supports it." in text


def test_each_statement_is_marked_in_the_text_and_leads_to_its_card() -> None:
    report = cases.policy()
    found = Page(page(report))
    every = [a for t, a in found.found if t == "a" and "statement" in (a.get("class") or "")]
    marks = [one for one in every if one["id"][0] == "t"]

    assert [one["href"] for one in marks] == [f"#s{s.number}" for s in report.statements]
    assert [one["class"] for one in marks] == [f"statement {s.outcome}" for s in report.statements]
    assert {f"s{s.number}" for s in report.statements} <= set(found.values("id"))


@pytest.mark.parametrize("kind", ["text", "whole text"])
def test_text_and_sources_are_on_the_page_word_for_word(kind: str) -> None:
    report = cases.policy()
    made = re.findall(rf'<div class="{kind}">(.*?)</div>', page(report), re.DOTALL)
    told = [re.sub(r'<span class="unseen">.*?</span>', "", text) for text in made]
    others = [text for name, text in sorted(report.sources.items()) if name != report.source]

    assert ["".join(Page(one).words) for one in told] == (
        [report.text] if kind == "text" else others
    )


def test_what_decides_is_lit_in_its_source_which_a_copy_kept_from_its_words_does_not_show() -> None:
    made = page(cases.policy())
    (sources,) = re.findall(r'<section class="sources".*</section>', made, re.DOTALL)
    passages = re.findall(r'<a href="#s2" id="(p[^"]+)"[^>]*>(.*?)</a>', sources)

    assert [("<mark>£11,400</mark>" in words) for _, words in passages] == [True]
    assert f'<a href="#{passages[0][0]}">in the source</a>' in made
    assert 'class="sources"' not in page(cases.policy(), redact=True)


def test_a_card_sets_both_texts_beside_each_other_with_the_words_lit_that_decide() -> None:
    made = page(cases.policy())
    card = made[made.index('id="s2"') : made.index('id="s4"')]

    assert '<mark class="lit">£14,100</mark>' in card
    assert '<mark class="lit">£11,400</mark>' in card
    assert "replace “£14,100” by “£11,400”" in card
    assert "safe: the changed sentence was checked again and is supported" in Page(made).text


@pytest.mark.parametrize("name", ["lease", "policy", "wide"])
def test_a_sentence_stands_once_in_its_card(name: str) -> None:
    report = cases.CASES[name]()
    made = page(report)
    for one in report.statements:
        body = made[made.index(f'id="s{one.number}"') :].split('<details class="card')[0]
        words = re.sub(r"\s+", " ", unescape(re.sub("<[^>]+>", "", body.split("<summary>")[0])))

        copied = any(one.text in text for text in report.sources.values())
        assert words.count(" ".join(one.text.split())) <= 1 + copied


def test_the_text_comes_before_the_figures_and_hashes() -> None:
    report = cases.lease()
    before, record_ = page(report).split("Record of the check</h2>")

    assert before.index("Does not pass") < before.index('<div class="text">')
    for one in (*(i.sha256 for i in report.run.inputs), report.statements[0].fingerprint, ">EG<"):
        assert one not in before.partition("<main>")[2]
        assert one in record_


def test_a_card_has_the_clause_of_the_evidence() -> None:
    lease = "1. PARTIES\n\n1.1 Ann lets the house.\n\n2. RENT\n\n2.1 The rent is $500. It is due.\n"

    assert heading(lease, lease.index("The rent")) == "2. RENT, 2.1"
    assert heading(lease, lease.index("It is due")) == "2. RENT, 2.1"
    assert heading(lease, lease.index("Ann")) == "1. PARTIES, 1.1"
    assert heading("No clause here.", 3) == heading("", 0) == ""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("Ann lets", "section 1.1"),
        ("They", "line 9 (“LAST OF THE LLC”)"),
        ("Lease", "line 1 of a.txt"),
    ],
)
def test_a_passage_is_told_where_it_stands_as_one_says_it(words: str, said: str) -> None:
    text = "A Lease of a house, made by Ann.\n\n1. PARTIES\n\n1.1 Ann lets the house.\n\n"
    text += "LAST OF THE LLC\n\nThey sign it.\n"
    report = Report("b.txt", "", sources={"docs/a.txt": text})
    at = Span("docs/a.txt", text.index(words), len(text))

    assert where(at, report) == said
    several = replace(report, sources={**report.sources, "c.txt": ""})
    assert where(at, several) == (re.sub(r"(?: of a\.txt)?(?= \(|$)", " of a.txt", said, count=1))


def overridden(report: Report) -> Report:
    about = report.statements[1]
    finding = next(one for one in report.violations if one.rule == "GR205")
    return replace(
        report,
        overrides=(
            Override(about.fingerprint, "override", "the annex moves it", "A. Judge",
                     "2026-03-02T10:00:00Z", Outcome.SUPPORTED),
            Override(finding.fingerprint, "baseline", "known since March"),
        ),
    )  # fmt: skip


def test_what_was_overridden_stays_visible_with_who_why_and_when() -> None:
    report = overridden(cases.lease())
    made = page(report)
    body = made[made.index('<div class="body" id="s1"') :].split('<details class="claims')[0]
    card = Page(f"{body}</div>")

    assert "the statement counts as supported. By A. Judge , 2026-03-02T10:00:00Z" in card.text
    assert "Why: the annex moves it" in card.text
    assert "<s>Refuted</s> Supported" in made
    assert 'class="statement supported overridden"' in made
    assert "known since March" in Page(made).text
    assert Page(made).text.count("(does not count: see 7)") == 2


def test_several_reports_have_an_index_that_begins_with_what_was_not_checked() -> None:
    made = page(cases.lease(), cases.empty(), cases.policy())
    found = Page(made)
    index = [link for link in found.values("href") if link.endswith("-top")]

    assert index == ["#r2-top", "#r3-top", "#r1-top"]
    assert len(set(found.values("id"))) == len(found.values("id"))
    assert "Check of 3 texts" in found.text


def test_the_ten_sections_say_what_is_unknown() -> None:
    text = Page(page(cases.lease())).text
    titles = re.findall(
        r"\b(\d{1,2}\. (?:[A-Z][a-z]+)(?: [a-z]+){0,3})", text[text.index("Record of") :]
    )

    assert {title.split(".")[0] for title in titles} >= {str(n) for n in range(1, 11)}
    for told in (
        "recall of the reading unknown", "log not logged",
        "no legal advice",
    ):  # fmt: skip
        assert told in text


@pytest.mark.parametrize(
    ("key", "said"), [("", "not signed"), ("ab" * 32, f"signed by {'ab' * 32}")]
)
def test_where_it_was_logged_is_told(key: str, said: str) -> None:
    logged = Logged("audit <1>.log", "cd" * 32, key)
    text = Page(page(replace(cases.lease(), logged=logged))).text
    verify = f"groundrules log verify 'audit <1>.log' --head {'cd' * 32}"
    for told in ("log audit <1>.log", f"head of the log {'cd' * 32}", verify, said):
        assert told in text


def test_hashes_versions_packs_models_and_settings_are_told() -> None:
    report = cases.lease()
    text = Page(page(report)).text

    for one in report.run.inputs:
        assert one.sha256 in text
    for name, digest in (*report.run.packs, *report.run.models):
        assert f"{name} {digest}" in text
    assert 'packs = ["core"]' in text
    assert "Who leases what?" in text
    assert "checked at 2026-03-01T09:30:00Z" in text


def test_an_address_is_a_link_only_where_it_is_one() -> None:
    report = cases.lease()
    first = report.violations[0]
    pins = ("https://example.org/statement/1, revision 7", "javascript:alert(1), 7", "https://a b")
    found = []
    for pin in pins:
        evidence = tuple(replace(item, span=None, pin=pin) for item in first.evidence)
        made = page(replace(report, violations=(replace(first, evidence=evidence),)))
        found.append([link for link in Page(made).values("href") if "rules" not in link
                      and not link.startswith("#")])  # fmt: skip

    assert found == [["https://example.org/statement/1"], [], []]


def test_only_a_rule_that_ships_has_a_page() -> None:
    report = cases.lease()
    own = replace(report.violations[0], rule="ACME1", name="own-rule")
    links = Page(page(replace(report, violations=(report.violations[0], own)))).values("href")

    assert any(link.endswith("/rules/date-mismatch.html") for link in links)
    assert not any("own-rule" in link for link in links)


def test_a_finding_of_the_whole_text_has_a_card() -> None:
    text = Page(page(cases.lease())).text

    assert "Findings in no statement (1)" in text
    assert "CFI is 0.55: EG 0.90, RP 0.20" in text


def test_what_is_found_in_no_statement_is_marked_too_and_claims_are_listed() -> None:
    found = Page(page(record()))
    marks = [a for t, a in found.found if t == "a" and "statement" in (a.get("class") or "")]

    assert [(one["href"], one["class"]) for one in marks] == [
        ("#f0", "statement level-error"),
        ("#f1", "statement level-error"),
        ("#f2", "statement level-error"),
        ("#f3", "statement level-error"),
    ]
    assert "5 claims: 3 refuted, 1 open, 1 supported" in found.text
    assert "Claims (5)" in found.text


def test_statements_over_each_other_or_outside_the_text_are_no_fault() -> None:
    report = cases.policy()
    one = report.statements[0]
    spans = [(0, 30), (10, 50), (10, 20), (500_000, 500_010), (49, 49)]
    statements = tuple(
        replace(
            one, number=n, id=type(one.id)(f"urn:s:{n}"), span=replace(one.span, start=a, end=b)
        )
        for n, (a, b) in enumerate(spans)
    )
    made = page(replace(report, statements=statements, violations=()))
    (text,) = re.findall(r'<div class="text">(.*?)</div>', made, re.DOTALL)

    assert "".join(Page(re.sub(r'<span class="unseen">.*?</span>', "", text)).words) == report.text


def twenty_pages() -> Report:
    """A report of a text of 60,000 characters, 250 statements and a finding on most."""
    base = cases.policy()
    text, statements, violations = "", [], []
    for number in range(36):
        shift = len(text)
        for one in base.statements:
            span = replace(one.span, start=one.span.start + shift, end=one.span.end + shift)
            node = type(one.id)(f"{one.id}-{number}")
            new = replace(one, id=node, number=one.number + 7 * number, span=span)
            statements.append(new)
            for found in base.violations:
                if found.claim and found.claim.sentence == one.number:
                    row = dict(found.bindings)
                    at = {key: type(value)(int(str(value)) + shift) for key, value in row.items()
                          if key in ("start", "end")}  # fmt: skip
                    claim = replace(found.claim, id=node, span=span, sentence=new.number)
                    violations.append(
                        replace(found, claim=claim, bindings=tuple((row | at).items()))
                    )
        text += base.text + "And what the Society has said of this before is quoted. " * 25 + "\n"
    assert len(text) > 60_000
    return replace(base, text=text, statements=tuple(statements), violations=tuple(violations))


def test_a_text_of_twenty_pages_takes_less_than_a_megabyte_and_a_half() -> None:
    assert len(page(twenty_pages()).encode()) < 1_500_000


def test_a_run_that_kept_nothing_is_said_to_have_kept_nothing() -> None:
    text = Page(page(replace(cases.policy(), run=Run()))).text

    assert "checked at unknown : the run kept no time" in text
    assert "version unknown" in text
    assert "policy.txt , SHA-256 unknown" in text


def test_an_input_without_a_hash_says_so() -> None:
    run = Run(inputs=(Input("https://example.org/sparql", "knowledge base"),))
    text = Page(page(replace(cases.policy(), run=run))).text

    assert "https://example.org/sparql no hash is given" in text


def test_notes_alone_give_a_supported_statement_no_fault() -> None:
    report = cases.policy()
    first: Statement = report.statements[0]
    made = page(replace(report, statements=(first,), violations=()))

    assert Severity.ERROR.value not in Page(made).values("data-outcome")
    assert 'data-outcome="supported"' in made


def test_what_was_decided_is_counted_by_itself_as_an_audit_counts_it() -> None:
    report = cases.lease()
    refuted = next(one for one in report.statements if one.outcome is Outcome.REFUTED)
    before = sum(one.outcome is Outcome.REFUTED for one in report.statements)
    known = Override(refuted.fingerprint, "baseline", "known before")
    made = page(replace(report, overrides=(known,)))
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", made))
    assert "1 hidden by a baseline" in text
    assert f"{before - 1} refuted" in text
    assert "Hidden by a baseline (1)" in text
    assert f"Refuted ({before - 1})" in text
