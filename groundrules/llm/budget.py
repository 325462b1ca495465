"""The budget of a client: what asking has cost, and what may still be asked."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace

from groundrules.config import LLMConfig
from groundrules.errors import ConfigError, LLMError


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

    ConfigError if a cost is limited and no price is known.
    """

    def __init__(self, config: LLMConfig) -> None:
        if config.max_cost and not (config.price_in or config.price_out):
            raise ConfigError("llm.max_cost needs llm.price_in or llm.price_out; neither is set")
        self._config = config
        self._changed = threading.Condition()
        self._reserved = 0.0
        self._flying = 0
        self.usage = Usage()

    def reserve(self, sent: int, received: int) -> float:
        """Return the most that a request may cost, set aside; LLMError if that is too much."""
        config = self._config
        cost = self._cost(sent, received)
        with self._changed:
            while True:
                usage = self.usage
                if config.max_calls and usage.calls + usage.retries + self._flying >= (
                    config.max_calls
                ):
                    raise LLMError(
                        f"not asked: max_calls = {config.max_calls} is reached", "budget"
                    )
                if not config.max_cost or usage.cost + self._reserved + cost <= config.max_cost:
                    self._reserved += cost
                    self._flying += 1
                    return cost
                if not self._flying or usage.cost + cost > config.max_cost:
                    raise LLMError(
                        f"not asked: {usage.cost:.4f} are spent, the next call may cost "
                        f"{cost:.4f}, and max_cost = {config.max_cost:g}",
                        "budget",
                    )
                # What is under way mostly costs less than was set aside.
                self._changed.wait()

    def settle(self, reserved: float, sent: int, received: int, **counts: int) -> None:
        """Count what a request has cost and free what was set aside for it."""
        with self._changed:
            self._reserved -= reserved
            self._flying -= counts.get("calls", 0) + counts.get("retries", 0)
            more = {name: getattr(self.usage, name) + count for name, count in counts.items()}
            self.usage = replace(
                self.usage,
                prompt_tokens=self.usage.prompt_tokens + sent,
                completion_tokens=self.usage.completion_tokens + received,
                cost=self.usage.cost + self._cost(sent, received),
                **more,
            )
            self._changed.notify_all()

    def _cost(self, sent: int, received: int) -> float:
        return (sent * self._config.price_in + received * self._config.price_out) / 1e6
