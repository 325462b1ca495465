"""The budget of a client: what asking has cost, and what may still be asked."""

from __future__ import annotations

import json
import math
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Generic, TypeVar

from groundrules.config import LLMConfig
from groundrules.errors import ConfigError, LLMError
from groundrules.files import locked

#: How it begins what is said of a prompt that a limit kept from being sent.
NOT_ASKED = "not asked: "
#: What is said of a prompt whose time is over.
LATE = "no answer by the deadline"
_WIDTH = 256  # bytes of what a file says was spent
_TICK = 0.1  # seconds between two looks at what other processes have spent
_HOUR, _DAY = 3_600, 86_400


@dataclass(frozen=True, slots=True)
class Usage:
    """What asking has cost.

    `calls` are prompts asked, and asked once more where the answer was malformed; `cached` those
    answered from the cache; `retries` the requests repeated because they gave no answer. Tokens are
    those that the server counts, else estimated.
    """

    calls: int = 0
    cached: int = 0
    retries: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class Held:
    """What is set aside for a request: its cost, its tokens, and the hour in which it began."""

    cost: float = 0.0
    tokens: int = 0
    hour: int = 0


#: Nothing set aside.
NOTHING = Held()


class Budget:
    """What asking has cost so far, and what is set aside for requests under way, of all threads.

    `shared` is a file in which processes that have one budget count together; the limits hold for
    all of them. `totals` are those of the tokens of more runs than this one; after `deadline`, a
    moment of time.monotonic(), no client of it asks. ConfigError if a cost is limited and no price
    is known.
    """

    def __init__(
        self,
        config: LLMConfig,
        shared: Path | None = None,
        totals: Totals | None = None,
        deadline: float = math.inf,
    ) -> None:
        if config.max_cost and not (config.price_in or config.price_out):
            raise ConfigError("llm.max_cost needs llm.price_in or llm.price_out; neither is set")
        self._config = config
        self._shared = shared
        self._totals = totals
        self.deadline = deadline
        self._lock = threading.RLock()
        self._spent = Spent()
        self._tokens = 0
        self.usage = Usage()

    def reserve(self, sent: int, received: int, until: float = math.inf) -> Held:
        """Return the most that a request may cost, set aside; LLMError if that is too much.

        What is under way mostly costs less than was set aside: where it alone stands in the way, it
        is waited for, `until` a moment of time.monotonic().
        """
        self._take_tokens(sent + received)
        held = Held(self._cost(sent, received), sent + received)
        if self._totals:
            latest = min(until, time.monotonic() + self._config.timeout)
            held = self._totals.reserve(held.cost, sent + received, latest)
        try:
            self._reserve(held.cost, until)
        except LLMError:
            if self._totals:
                self._totals.settle(held, 0, 0, 0)
            with self._lock:
                self._tokens -= sent + received
            raise
        return held

    def _take_tokens(self, tokens: int) -> None:
        """Set tokens aside of those that this process may use; LLMError where they are too many."""
        most = self._config.max_tokens
        with self._lock:
            spent = self.usage.prompt_tokens + self.usage.completion_tokens + self._tokens
            if most and spent + tokens > most:
                raise LLMError(
                    f"{NOT_ASKED}{spent:,} tokens are spent or under way, the next call may take "
                    f"{tokens:,}, and max_tokens = {most:,}",
                    "budget",
                )
            self._tokens += tokens

    @contextmanager
    def _spending(self) -> Iterator[_File[Spent]]:
        """Give what was spent, by this process or by all that share its file, to be changed."""
        with self._lock:
            if self._shared:
                with _counted(self._shared, Spent) as file:
                    yield file
            else:
                own = _File(self._spent)
                yield own
                self._spent = own.spent

    def _reserve(self, cost: float, until: float) -> None:
        patience = time.monotonic() + self._config.timeout
        while True:
            with self._spending() as file:
                spent = file.spent
                if self._shared and time.monotonic() > min(until, patience):
                    spent = replace(spent, flying=0)  # who set it aside is no more
                if self._take(cost, spent):
                    file.spent = Spent(
                        spent.requests + 1, spent.cost, spent.reserved + cost, spent.flying + 1
                    )
                    return
            if time.monotonic() >= until:
                raise LLMError(LATE, "budget")
            time.sleep(_TICK)

    def _take(self, cost: float, spent: Spent) -> bool:
        """Return whether a request may be sent, False where it may be later; LLMError if never."""
        config = self._config
        if config.max_calls and spent.requests >= config.max_calls:
            raise LLMError(f"{NOT_ASKED}max_calls = {config.max_calls} is reached", "budget")
        if not config.max_cost or spent.cost + spent.reserved + cost <= config.max_cost:
            return True
        if not spent.flying or spent.cost + cost > config.max_cost:
            raise LLMError(
                f"{NOT_ASKED}{spent.cost:.4f} are spent, the next call may cost "
                f"{cost:.4f}, and max_cost = {config.max_cost:g}",
                "budget",
            )
        return False

    def settle(self, held: Held, sent: int, received: int, **counts: int) -> None:
        """Count what a request has cost and free what was set aside for it."""
        cost = self._cost(sent, received)
        requests = counts.get("calls", 0) + counts.get("retries", 0)
        if self._totals and requests:
            self._totals.settle(held, sent, received, requests)
        if requests:
            with self._spending() as file:
                spent = file.spent
                file.spent = Spent(
                    spent.requests,
                    spent.cost + cost,
                    max(0.0, spent.reserved - held.cost),
                    max(0, spent.flying - requests),
                )
        with self._lock:
            self._tokens -= held.tokens
            more = {name: getattr(self.usage, name) + count for name, count in counts.items()}
            self.usage = replace(
                self.usage,
                prompt_tokens=self.usage.prompt_tokens + sent,
                completion_tokens=self.usage.completion_tokens + received,
                cost=self.usage.cost + cost,
                **more,
            )

    def _cost(self, sent: int, received: int) -> float:
        return (sent * self._config.price_in + received * self._config.price_out) / 1e6


# --- processes that share a budget ----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Spent:
    """What was spent: requests, those under way with them, their cost, and what is set aside."""

    requests: int = 0
    cost: float = 0.0
    reserved: float = 0.0
    flying: int = 0


@dataclass(frozen=True, slots=True)
class Used:
    """The requests and tokens of all runs, and the tokens of one hour and one day of UTC.

    `hour` counts the hours since 1970. `flying` requests are under way, whose tokens count at their
    most in the hour in which they began; `refused` were not sent.
    """

    hour: int = 0
    of_hour: int = 0
    of_day: int = 0
    flying: int = 0
    requests: int = 0
    refused: int = 0
    sent: int = 0
    received: int = 0

    def at(self, hour: int) -> Used:
        """Return what is used in an hour: nothing of it yet, where that is another."""
        if hour == self.hour:
            return self
        same_day = hour * _HOUR // _DAY == self.hour * _HOUR // _DAY
        return replace(self, hour=hour, of_hour=0, of_day=self.of_day * same_day, flying=0)


@dataclass(frozen=True, slots=True)
class Totals:
    """How many tokens processes may use together in an hour and in a day of UTC; 0 is no limit.

    They count in a file, in which what a killed process has set aside stays spent.
    """

    path: Path
    most_hour: int = 0
    most_day: int = 0

    def reserve(self, cost: float, tokens: int, until: float) -> Held:
        """Set tokens aside; LLMError if they are too many."""
        while True:
            with _counted(self.path, Used) as file:
                used = file.spent.at(_now())
                why, never = self._refusal(used, tokens)
                if not why:
                    file.spent = replace(
                        used,
                        of_hour=used.of_hour + tokens,
                        of_day=used.of_day + tokens,
                        flying=used.flying + 1,
                    )
                    return Held(cost, tokens, used.hour)
                ends = never or not used.flying or time.monotonic() >= until
                if ends:
                    file.spent = replace(used, refused=used.refused + 1)
            if ends:
                raise LLMError(why, "budget")
            time.sleep(_TICK)

    def _refusal(self, used: Used, tokens: int) -> tuple[str, bool]:
        """Return why tokens may not be used, empty if they may, and whether they never may be."""
        for name, spent, most in (
            ("hour", used.of_hour, self.most_hour),
            ("day", used.of_day, self.most_day),
        ):
            if most and spent + tokens > most:
                why = f"{NOT_ASKED}{spent:,} of the {most:,} tokens of this {name} are spent, "
                return f"{why}and the next call may take {tokens:,}", tokens > most
        return "", False

    def settle(self, held: Held, sent: int, received: int, requests: int) -> None:
        """Count the tokens that a request took in the place of those set aside for it."""
        more = sent + received - held.tokens
        with _counted(self.path, Used) as file:
            used = file.spent.at(_now())
            same_day = held.hour * _HOUR // _DAY == used.hour * _HOUR // _DAY
            file.spent = replace(
                used,
                of_hour=used.of_hour + more * (held.hour == used.hour),
                of_day=used.of_day + more * same_day,
                flying=max(0, used.flying - (held.hour == used.hour)),
                requests=used.requests + requests,
                sent=used.sent + sent,
                received=used.received + received,
            )

    def used(self) -> Used:
        """Return what was used until now."""
        with _counted(self.path, Used) as file:
            return file.spent.at(_now())


def _now() -> int:
    return int(time.time()) // _HOUR


_S = TypeVar("_S", Spent, Used)


@dataclass(slots=True)
class _File(Generic[_S]):
    spent: _S


@contextmanager
def _counted(path: Path, kind: type[_S]) -> Iterator[_File[_S]]:
    """Give what a file says was spent; what it is set to is written when this is left."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
        try:
            with locked(handle):
                data = os.read(handle, _WIDTH)
                held = _File(kind(**json.loads(data)) if data else kind())
                before = held.spent
                yield held
                if held.spent != before:
                    os.lseek(handle, 0, os.SEEK_SET)
                    # in one piece and of one width: whoever is killed leaves the old or the new
                    os.write(handle, json.dumps(asdict(held.spent)).encode().ljust(_WIDTH))
        finally:
            os.close(handle)
    except OSError as error:
        raise ConfigError(f"cannot be written: {error.strerror}", path=str(path)) from None
    except (ValueError, TypeError):
        raise ConfigError("is damaged; expected what was spent", path=str(path)) from None


def settle_all(path: Path) -> None:
    """Count as spent what processes that are no more have set aside."""
    with _counted(path, Spent) as file:
        spent = file.spent
        file.spent = Spent(spent.requests, spent.cost + spent.reserved)
