"""What a text is checked against and by what: all that a check needs but the text itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from groundrules.align.cluster import check_clustering
from groundrules.align.kernel import graph_kernel
from groundrules.checks.chosen import packs_of
from groundrules.checks.inputs import MAX_CONTEXT_WORDS, MAX_WORDS, bound, question_of
from groundrules.checks.judge import Rules
from groundrules.claims.documents.document import Document, shortened
from groundrules.config import AlignConfig, Config, reader_folder
from groundrules.errors import ConfigError, SourceError
from groundrules.kb.sources.exchange import writer
from groundrules.llm.budget import Budget
from groundrules.ontology.load import Ontology, has_named_things, load
from groundrules.reserved import word_for
from groundrules.rules.packs import Pack, overrides_of
from groundrules.rules.rule import Param, Rule
from groundrules.terms import Triple

if TYPE_CHECKING:
    from groundrules.models.licences import Licensed
    from groundrules.models.readers import Reader

#: The packs that compare a text with documents.
_OF_DOCUMENTS = ("core", "values")


@dataclass(frozen=True, slots=True)
class Plan:
    """What texts are checked against, and by what.

    `given` are the contexts, `contexts` the same without words too long to be read, and without
    those that others supersede, which are `superseded`. `now` is what the present tense means.
    `readers` decide within their licences, the cheapest first. `budget` counts what asking readers
    at endpoints takes, None where there is none. Of a text that is `edited` from another what bears
    on the other is read of long contexts.
    """

    config: Config
    ontology: Ontology | None
    packs: tuple[Pack, ...]
    given: tuple[Document, ...]
    contexts: tuple[Document, ...]
    superseded: tuple[Document, ...]
    question: Document | None
    readers: tuple[Licensed, ...]
    budget: Budget | None
    now: datetime
    edited: Document | None = None

    @property
    def alone(self) -> bool:
        """Whether there is no document beside the knowledge bases, in which nothing is found."""
        return bool(self.config.kb) and not self.contexts

    @property
    def axioms(self) -> tuple[Triple, ...]:
        """The axioms of the ontology."""
        return self.ontology.axioms if self.ontology else ()


def make_plan(
    document: Document,
    contexts: Sequence[Document],
    config: Config,
    *,
    question: str = "",
    now: datetime | None = None,
    budget: Budget | None = None,
    bare: bool = False,
) -> Plan:
    """Return how a document is checked.

    `budget` is what asking may take, which a language model and readers at endpoints share. A
    `bare` text may have nothing that it is checked against.

    Raises:
        SourceError: what is given is too long, or there is nothing to check against.
        ConfigError, RuleError, ModelError: a setting, a rule pack or a model cannot be used.
    """
    _refuse_missing(config)
    ontology = load(config.ontology, config.base) if config.ontology else None
    if ontology and not (contexts or config.kb) and has_named_things(ontology):
        config = replace(config, kb=(word_for("kb", config.ontology),))
    packs = packs_of(config)
    if budget is None and config.readers:
        budget = Budget(config.llm)
    readers = _readers(config, budget)
    config = replace(config, rules=overrides_of(config.rules, packs, config.base))
    if not (contexts or config.kb or config.ontology or bare):
        raise SourceError(
            "there is nothing to check against; expected a context, a knowledge base (kb) or an "
            "ontology",
            path=document.name,
        )
    old = superseded(contexts, config)
    bound([document], MAX_WORDS)
    bound(contexts, MAX_CONTEXT_WORDS)
    return Plan(
        config=config,
        ontology=ontology,
        packs=packs,
        given=tuple(contexts),
        contexts=tuple(shortened(one)[0] for one in contexts if one.name not in old),
        superseded=tuple(shortened(one)[0] for one in contexts if one.name in old),
        question=question_of(question, {one.name for one in (document, *contexts)}),
        readers=readers,
        budget=budget,
        now=now or _moment(config),
    )


def _refuse_missing(config: Config) -> None:
    """Raise ConfigError for what is not installed, before anything is read."""
    align = config.align
    if align != AlignConfig():  # which needs nothing
        check_clustering(align.threshold, align.clustering)
        graph_kernel((), (), name=align.kernel, h=align.h)
    if config.kb:
        writer(config.kb_client)


def superseded(contexts: Sequence[Document], config: Config) -> frozenset[str]:
    """Return the names of the contexts whose place another context takes.

    ConfigError where that leaves none.
    """

    def named(word: str) -> list[str]:
        place = Path(config.base, word).resolve()
        return [o.name for o in contexts if o.name == word or Path(o.name).resolve() == place]

    table = config.supersedes.items()
    old = {
        name for newer, others in table if named(newer) for other in others for name in named(other)
    }
    if contexts and len(old) == len(contexts):
        raise ConfigError(
            "supersedes: each context is superseded by another; expected one that stands",
            path=config.file_of("supersedes"),
        )
    return frozenset(old)


def open_named(
    name: str,
    config: Config,
    origin: str = "",
    budget: Budget | None = None,
    *,
    download: bool = False,
) -> Reader:
    """Return a reader by its name: the URL of an endpoint, a folder, or a hub name.

    `origin` is the file that names it, empty where the user does: no file that comes with a text
    makes us ask an endpoint. A hub is asked only to `download`.

    Raises:
        ConfigError, ModelError: it cannot be opened.
        LLMError: an endpoint does not tell which model it has.
    """
    if "://" in name:
        from groundrules.claims.models.token_reader import token_reader
        from groundrules.llm.client import Client

        asked = replace(config.llm, model=name, origin=origin)
        return token_reader(Client(asked, budget=budget))
    from groundrules.models.readers import open_reader

    return open_reader(name, download=download)


def _readers(config: Config, budget: Budget | None) -> tuple[Licensed, ...]:
    """Return the readers that a configuration names, each by its licence, the cheapest first."""
    if not config.readers:
        return ()
    from groundrules.models.licences import file_of

    by_user = not config.file_of("readers")
    named = {file_of(one, config): one.endswith(".toml") and by_user for one in config.readers}
    found = [open_licensed(path, config, budget, named=one) for path, one in named.items()]
    return tuple(sorted(found, key=lambda one: one.licence.order))


def open_licensed(
    path: Path, config: Config, budget: Budget | None = None, *, named: bool = True
) -> Licensed:
    """Return the reader of a licence: no hub is asked, an endpoint where the user added it.

    So it is too where the user has `named` the file; what a project brings makes us ask nobody.

    Raises:
        ConfigError: the licence is none, or one of another reader than is here.
        ModelError: the model is not here.
        LLMError: an endpoint does not tell which model it has.
    """
    from groundrules.models.licences import Licensed, read_licence

    licence = read_licence(path)
    own = reader_folder()
    origin = "" if named or (own and own in path.parents) else str(path)
    llm = replace(config.llm, key_env="" if origin else licence.key_env)
    asked = replace(config, llm=llm)
    reader = open_named(licence.model, asked, origin, budget)
    if reader.digest != licence.digest:
        raise ConfigError(
            f"the reader {licence.model!r} is asked otherwise now, or has other weights; expected "
            f"it measured again: `groundrules readers add {licence.model}`",
            path=str(path),
        )
    return Licensed(reader, licence)


def _moment(config: Config) -> datetime:
    """Return the day of the run that is replayed to knowledge bases, else this moment."""
    if not config.kb:
        return datetime.now(UTC)
    from groundrules.kb.sources.connect import replayed

    return replayed(config.offline) or datetime.now(UTC)


def text_rules(plan: Plan) -> Rules:
    """Return the rules and shapes on what a text, its documents and the ontology say.

    Where knowledge bases judge alone nothing is to be found in documents.
    """
    return replace(_set(tuple(_of_texts(plan)), plan), shapes=_shapes(plan))


def _shapes(plan: Plan) -> tuple[Path, ...]:
    return tuple(path for pack in plan.packs for path in pack.shapes)


def kb_rules(plan: Plan) -> Rules:
    """Return the rules on what knowledge bases say, with the shapes where these judge alone."""
    judges = [rule for pack in plan.packs for rule in pack.rules if rule.verdict is not None]
    # what reads the likeness of the graphs has it only then
    graph_rules = [rule for rule in _of_texts(plan) if plan.alone and "WL" in rule.reads]
    return replace(_set((*judges, *graph_rules), plan), shapes=_shapes(plan) if plan.alone else ())


def _of_texts(plan: Plan) -> Iterator[Rule]:
    for pack in plan.packs:
        if plan.alone and pack.name in _OF_DOCUMENTS:
            continue
        for rule in pack.rules:
            if rule.traits.rests_on == "order" and not plan.superseded:
                continue
            # nothing is missing where there are no sources, nor has a model been asked
            told = plan.contexts or not rule.traits.misses or rule.traits.of_a_model
            if rule.verdict is None and told:
                yield rule


def _set(rules: tuple[Rule, ...], plan: Plan) -> Rules:
    """Return some of the rules of a plan as its configuration sets them."""
    config = plan.config
    return Rules(rules, _overrides(rules, plan), config.select)


def _overrides(rules: Sequence[Rule], plan: Plan) -> dict[str, Mapping[str, Param]]:
    """Return what is set of some rules; of a rule that no pack has it stays, to be refused."""
    others = {rule.id for pack in plan.packs for rule in pack.rules} - {rule.id for rule in rules}
    return {name: table for name, table in plan.config.rules.items() if name not in others}
