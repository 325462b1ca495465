"""What the routes share: the settings, the workers, the index and the rules."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from groundrules.claims.documents.document import Document
from groundrules.errors import did_you_mean
from groundrules.guardrail import Policy
from groundrules.llm.budget import Totals
from groundrules.pool import Pool, PooledWorker, PoolError
from groundrules.processes import Process
from groundrules.rules.packs import built_in, load_packs
from groundrules.rules.rule import Rule
from groundrules.service.bodies import CheckBody, IndexBody, Source, given
from groundrules.service.contexts import Contexts, digest
from groundrules.service.counters import Counters
from groundrules.service.jobs import Worker
from groundrules.service.refusals import RefusedError, refusal_of
from groundrules.service.startup import Settings
from groundrules.service.work import Check, Checked, Given, Index


class Service:
    """Reads what a body asks for by the settings, and has a worker do it."""

    def __init__(self, settings: Settings) -> None:
        self._folder: TemporaryDirectory[str] | None = None
        if settings.config.asks:
            self._folder = TemporaryDirectory(prefix="groundrules-")
            counted = Path(self._folder.name, "tokens.json")
            totals = Totals(counted, settings.tokens_hour, settings.tokens_day)
            settings = replace(settings, totals=totals)
        self.settings = settings
        begin = partial(Process, partial(Worker, settings))
        self.pool = Pool(begin, settings.workers, settings.queue, settings.seconds)
        self.contexts = Contexts(settings.index)
        self.counters = Counters(self.pool, self.contexts, settings.totals)
        config = settings.config
        packs = load_packs(tuple(dict.fromkeys((*config.packs, *built_in()))), config.base)
        self.rules: Mapping[str, Rule] = {
            rule.id: rule for rule in sorted((r for p in packs for r in p.rules), key=_id)
        }

    async def start(self) -> None:
        """Start the workers."""
        await self.pool.start()

    def close(self) -> None:
        """Forget what was counted."""
        if self._folder is not None:
            self._folder.cleanup()

    # --- what a body asks for -----------------------------------------------------------------

    def check_of(self, body: CheckBody, form: str = "json") -> tuple[Check, str]:
        """Return what a body asks for, and the id of the contexts that it names.

        RefusedError where it names what the service does not have.
        """
        sent = given(body.sources)
        known, context = self.known(body.sources, sent)
        for name in body.kb:
            refuse_unknown(name, self.settings.bases, "knowledge base")
        if body.ontology:
            refuse_unknown(body.ontology, self.settings.ontologies, "ontology")
        policy = Policy(**body.policy.model_dump()) if body.policy else None
        if policy and form != "json":
            raise RefusedError(400, "a policy is answered in json alone")
        text = body.document.given if body.document else Given("text", text=body.text)
        check = Check(
            text,
            sent,
            known,
            body.question,
            tuple(body.kb),
            body.ontology or "",
            tuple(self._prefixes(body.select)),
            tuple(self._prefixes(body.disable)),
            policy,
            form,
        )
        return check, context

    def known(
        self, sources: Sequence[Source], sent: Sequence[Given]
    ) -> tuple[tuple[Document, ...], str]:
        """Return the indexed contexts among sources, and what all sources are known by."""
        found: list[Document] = []
        names = dict.fromkeys(source.index for source in sources if source.index is not None)
        for name in names:
            held = self.contexts.get(name)
            if held is None:
                raise RefusedError(404, f"no context {name} is in the index, or not any more")
            found += held
        return tuple(found), " ".join((*names, *map(digest, sent)))

    def _prefixes(self, words: Sequence[str]) -> Sequence[str]:
        for word in words:
            if not any(rule.is_meant_by(word) for rule in self.rules.values()):
                near = did_you_mean(word, self.rules)
                raise RefusedError(400, f"no rule starts with {word!r} or has that name{near}")
        return words

    # --- what is done -------------------------------------------------------------------------

    async def _ask(self, worker: PooledWorker, task: Any) -> Any:
        found = await self.pool.ask(worker, task)
        if isinstance(found, RefusedError):
            raise found
        if not isinstance(found, Checked):
            return found
        self.counters.count(found.counts, found.decision)
        return found.body

    def refuse(self) -> RefusedError:
        """Return the refusal of a request for which there is no room."""
        return refusal_of(self.pool.refuse(), self.settings.seconds)

    @asynccontextmanager
    async def _hold(
        self, context: str = "", *, patient: bool = False
    ) -> AsyncIterator[PooledWorker]:
        try:
            async with self.pool.hold(context, patient=patient) as worker:
                yield worker
        except PoolError as error:
            raise refusal_of(error, self.settings.seconds) from None

    async def do(self, task: Any, context: str = "", *, patient: bool = False) -> Any:
        """Have a worker do one task."""
        async with self._hold(context, patient=patient) as worker:
            return await self._ask(worker, task)

    async def index(self, body: IndexBody) -> tuple[str, tuple[Document, ...]]:
        """Have contexts read, and keep them; return their id."""
        sent = given(body.sources)
        known, _ = self.known(body.sources, sent)
        async with self._hold() as worker:
            documents = (*known, *await self._ask(worker, Index(sent)))
            name = self.contexts.keep(documents)
            if name is None:
                raise RefusedError(413, "the contexts are larger than the index")
            worker.note(name)
        return name, documents


def refuse_unknown(name: str, names: Mapping[str, object], what: str) -> None:
    """Raise RefusedError where a name is none of those that the service has."""
    if name not in names:
        expected = f"expected {', '.join(names)}" if names else "this service has none"
        raise RefusedError(400, f"no such {what}; {expected}")


def _id(rule: Rule) -> str:
    return rule.id
