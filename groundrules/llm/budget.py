"""The budget of a client: what asking has cost, and what may still be asked."""

from __future__ import annotations

import json
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
_WIDTH = 256  # bytes of what a file says was spent
_TICK = 0.1  # seconds between two looks at what other processes have spent


@dataclass(frozen=True, slots=True)
class Usage:
    """What asking has cost.

    `calls` are prompts asked, and asked once more where the answer was malformed; `cached` those
    answered from the cache; `retries` the requests repeated because they gave no answer. Tokens are
    those that the server counts, else estimated. `repaired` counts answers that were not JSON as
    they came, or were cut off.
    """

    calls: int = 0
    cached: int = 0
    retries: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    repaired: int = 0


class Budget:
    """What asking has cost so far, and what is set aside for requests under way, of all threads.

    `shared` is a file in which processes that have one budget count together; the limits hold for
    all of them. ConfigError if a cost is limited and no price is known.
    """

    def __init__(self, config: LLMConfig, shared: Path | None = None) -> None:
        if config.max_cost and not (config.price_in or config.price_out):
            raise ConfigError("llm.max_cost needs llm.price_in or llm.price_out; neither is set")
        self._config = config
        self._shared = shared
        self._changed = threading.Condition()
        self._reserved = 0.0
        self._flying = 0
        self.usage = Usage()

    def reserve(self, sent: int, received: int) -> float:
        """Return the most that a request may cost, set aside; LLMError if that is too much."""
        cost = self._cost(sent, received)
        if self._shared:
            self._reserve_shared(self._shared, cost)
            return cost
        with self._changed:
            while not self._take(cost, self._spent()):
                # What is under way mostly costs less than was set aside.
                self._changed.wait()
            self._reserved += cost
            self._flying += 1
        return cost

    def _spent(self) -> Spent:
        usage = self.usage
        requests = usage.calls + usage.retries + self._flying
        return Spent(requests, usage.cost, self._reserved, self._flying)

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

    def _reserve_shared(self, path: Path, cost: float) -> None:
        deadline = time.monotonic() + self._config.timeout
        while True:
            with _counted(path) as file:
                spent = file.spent
                if time.monotonic() > deadline:  # who set it aside is no more
                    spent = replace(spent, flying=0)
                if self._take(cost, spent):
                    file.spent = Spent(
                        spent.requests + 1, spent.cost, spent.reserved + cost, spent.flying + 1
                    )
                    return
            time.sleep(_TICK)

    def settle(self, reserved: float, sent: int, received: int, **counts: int) -> None:
        """Count what a request has cost and free what was set aside for it."""
        cost = self._cost(sent, received)
        requests = counts.get("calls", 0) + counts.get("retries", 0)
        if self._shared and requests:
            with _counted(self._shared) as file:
                spent = file.spent
                file.spent = Spent(
                    spent.requests,
                    spent.cost + cost,
                    max(0.0, spent.reserved - reserved),
                    max(0, spent.flying - requests),
                )
        with self._changed:
            if not self._shared:
                self._reserved -= reserved
                self._flying -= requests
            more = {name: getattr(self.usage, name) + count for name, count in counts.items()}
            self.usage = replace(
                self.usage,
                prompt_tokens=self.usage.prompt_tokens + sent,
                completion_tokens=self.usage.completion_tokens + received,
                cost=self.usage.cost + cost,
                **more,
            )
            self._changed.notify_all()

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
