"""The laws of the index."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from groundrules.claims.documents.document import Document
from groundrules.service.access import ASKING
from groundrules.service.contexts import Contexts, digest, identity
from groundrules.service.work import Given

DOCUMENTS = st.lists(
    st.builds(Document, st.sampled_from("ab"), st.text("xyz", max_size=8)), max_size=3
)


@given(st.lists(DOCUMENTS, max_size=8), st.integers(0, 80))
def test_what_is_kept_is_within_its_bound_and_used_last(
    given_: list[list[Document]], most: int
) -> None:
    contexts = Contexts(most)
    for documents in given_:
        size = sum(4 * len(one.text) for one in documents)
        name = contexts.keep(documents)
        assert (name is None) is (size > most)
        assert contexts.bytes <= most
        if name is not None:
            assert contexts.get(name) == tuple(documents)


@given(DOCUMENTS, DOCUMENTS)
def test_contexts_have_one_id_where_they_are_the_same(
    one: list[Document], other: list[Document]
) -> None:
    assert (identity(one) == identity(other)) is (one == other)


def test_an_id_is_of_use_to_who_made_it_alone_and_nobody_else_can_reckon_it() -> None:
    contexts, documents = Contexts(99), [Document("a", "guess")]
    names = []
    for key in ("key of one", "key of another", ""):
        ASKING.set(key)
        names.append(str(contexts.keep(documents)))
        assert [bool(contexts.get(name)) for name in names] == [False] * (len(names) - 1) + [True]
    assert len(set(names)) == 3


def test_those_used_longest_ago_go_first() -> None:
    contexts = Contexts(8)
    first, second, third = (contexts.keep([Document(name, "x")]) for name in "abc")
    assert first
    assert second
    assert third
    assert contexts.get(first) is None
    contexts.get(second)
    contexts.keep([Document("d", "x")])
    assert contexts.get(third) is None
    assert contexts.get(second)


@given(st.text(max_size=4), st.text(max_size=4), st.text(max_size=4), st.text(max_size=4))
def test_sources_have_one_digest_where_they_are_the_same(a: str, b: str, c: str, d: str) -> None:
    assert (digest(Given(a, b)) == digest(Given(c, d))) is ((a, b) == (c, d))
