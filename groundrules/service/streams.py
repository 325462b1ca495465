"""What is known of an answer that comes in pieces, choice by choice."""

from __future__ import annotations

from dataclasses import dataclass, field

from groundrules.service.completions import calls_tools, strip_completion
from groundrules.service.replies import Json, Wanted

#: The fields of a chunk that are the same in all chunks of a stream.
_SAME = ("id", "object", "created", "model", "system_fingerprint", "service_tier")


@dataclass(slots=True)
class Choice:
    """What of a choice of a stream has been `said`.

    `key` is where its text stands, `last` the chunk that ends it, and `finish` why it ends, where
    that is not as the upstream says.
    """

    index: int
    said: str = ""
    key: str = "refusal"
    calls: bool = False
    finish: str = ""
    last: Json | None = None
    gone: list[str] = field(default_factory=list)

    def take(self, delta: Json, *, held: bool) -> None:
        """Note what a delta says, which loses its text where that is held back."""
        self.calls = self.calls or calls_tools(delta)
        texts = {key: delta[key] for key in ("content", "refusal") if delta.get(key)}
        if "content" in texts:
            self.key = "content"
        if held:
            for key in texts:
                del delta[key]
            if texts and delta.get("role"):
                delta["content"] = ""
        self.said += "".join(texts.values())


@dataclass(slots=True)
class Streamed:
    """What is known of a stream: its choices by index, the tokens counted, what was left out.

    `same` are the fields that all its chunks have; `counted`: the tokens stand in a chunk of their
    own.
    """

    wanted: Wanted
    states: dict[int, Choice] = field(default_factory=dict)
    same: Json = field(default_factory=dict)
    usage: Json | None = None
    counted: bool = False
    gone: list[str] = field(default_factory=list)

    def take(self, chunk: Json) -> Json | None:
        """Note what a chunk says, and return what of it may be passed on now, if anything."""
        top, gone = strip_completion(chunk, "delta")
        self.gone += top
        self.same = self.same or {key: chunk[key] for key in _SAME if key in chunk}
        if chunk.get("usage"):
            self.usage, self.counted = chunk["usage"], not chunk["choices"]
        rest = []
        for choice, names in zip(chunk["choices"], gone, strict=True):
            state = self.state(choice["index"])
            state.gone += names
            state.take(choice["delta"], held=self.wanted.held)
            if choice.get("finish_reason") is not None:
                state.last = {**chunk, "choices": [choice]}
            elif choice["delta"]:
                rest.append(choice)
        return {**chunk, "choices": rest} if rest else None

    def state(self, index: int) -> Choice:
        """Return what is known of a choice."""
        return self.states.setdefault(index, Choice(index))

    def left_out(self, state: Choice) -> list[str]:
        """Return the names of what of a choice a client does not get."""
        return [*self.gone, *state.gone]

    def begin_again(self) -> None:
        """Forget what the first answer said: another takes its place."""
        self.gone = []
        for state in self.states.values():
            state.gone, state.calls = [], False

    def whole(self) -> Json:
        """Return the answer as if it had come whole."""
        choices = []
        for index, state in sorted(self.states.items()):
            message: Json = {"role": "assistant", state.key: state.said}
            if state.calls:
                message["tool_calls"] = [{}]
            choices.append({"index": index, "message": message, "finish_reason": "stop"})
        return {"choices": choices, "usage": self.usage}

    def chunk(self, state: Choice, delta: Json) -> Json:
        """Return a chunk with a delta."""
        choice = {"index": state.index, "delta": delta, "finish_reason": None}
        return {**self.same, "choices": [choice]}

    def last(self, state: Choice) -> Json:
        """Return the chunk that ends a choice."""
        last = state.last or self.chunk(state, {})
        (choice,) = last["choices"]
        choice["finish_reason"] = state.finish or choice["finish_reason"] or "stop"
        return {**last, "usage": self.usage} if last.get("usage") else last
