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

from groundrules.config import LLMConfig
from groundrules.errors import ConfigError, LLMError
from groundrules.files import locked

#: How it begins what is said of a prompt that a limit kept from being sent.
NOT_ASKED = "not asked: "
#: What is said of a prompt whose time is over.
LATE = "no answer by the deadline"
_WIDTH = 256  # bytes of what a file says was spent
_TICK = 0.1  # seconds between two looks at what other processes have spent


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
    """What is set aside for a request: its cost and its tokens."""

    cost: float = 0.0
    tokens: int = 0


#: Nothing set aside.
NOTHING = Held()


class Budget:
    """What asking has cost so far, and what is set aside for requests under way, of all threads.

    `shared` is a file in which processes that have one budget count together; the limits hold for
    all of them. After `deadline`, a moment of time.monotonic(), no client of it asks. ConfigError
    if a cost is limited and no price is known.
    """

    def __init__(
        self,
        config: LLMConfig,
        shared: Path | None = None,
        deadline: float = math.inf,
    ) -> None:
        if config.max_cost and not (config.price_in or config.price_out):
            raise ConfigError("llm.max_cost needs llm.price_in or llm.price_out; neither is set")
        self._config = config
        self._shared = shared
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
        try:
            self._reserve(held.cost, until)
        except LLMError:
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
    def _spending(self) -> Iterator[_File]:
        """Give what was spent, by this process or by all that share its file, to be changed."""
        with self._lock:
            if self._shared:
                with _counted(self._shared) as file:
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


@dataclass(slots=True)
class _File:
    spent: Spent


@contextmanager
def _counted(path: Path) -> Iterator[_File]:
    """Give what a file says was spent; what it is set to is written when this is left."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
        try:
            with locked(handle):
                data = os.read(handle, _WIDTH)
                held = _File(Spent(**json.loads(data)) if data else Spent())
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
    with _counted(path) as file:
        spent = file.spent
        file.spent = Spent(spent.requests, spent.cost + spent.reserved)
