"""What is known of an answer that comes in pieces."""

from __future__ import annotations

from dataclasses import dataclass, field

from groundrules.service.completions import calls_tools, strip_completion
from groundrules.service.replies import Json

#: The fields of a chunk that are the same in all chunks of a stream.
_SAME = ("id", "object", "created", "model", "system_fingerprint", "service_tier")


@dataclass(slots=True)
class Streamed:
    """What of a stream has been `said`, which is `held` back or passed on as it comes.

    `key` is where its text stands, `last` the chunk that ends it, and `finish` why it ends, where
    that is not as the upstream says. `same` are the fields that all its chunks have; `usage` are
    the tokens, `counted` if they stand in a chunk of their own; `gone` names what was left out.
    """

    held: bool
    said: str = ""
    key: str = "refusal"
    calls: bool = False
    finish: str = ""
    last: Json | None = None
    same: Json = field(default_factory=dict)
    usage: Json | None = None
    counted: bool = False
    gone: list[str] = field(default_factory=list)

    def take(self, chunk: Json) -> Json | None:
        """Note what a chunk says, and return what of it may be passed on now, if anything."""
        self.gone += strip_completion(chunk, "delta")
        self.same = self.same or {key: chunk[key] for key in _SAME if key in chunk}
        if chunk.get("usage"):
            self.usage, self.counted = chunk["usage"], not chunk["choices"]
        if not chunk["choices"]:
            return None
        (choice,) = chunk["choices"]
        self._note(choice["delta"])
        if choice.get("finish_reason") is not None:
            self.last = chunk
            return None
        return chunk if choice["delta"] else None

    def _note(self, delta: Json) -> None:
        """Note what a delta says, which loses its text where that is held back."""
        self.calls = self.calls or calls_tools(delta)
        texts = {key: delta[key] for key in ("content", "refusal") if delta.get(key)}
        if "content" in texts:
            self.key = "content"
        self.said += "".join(texts.values())
        if self.held:
            for key in texts:
                del delta[key]
            if texts and delta.get("role"):
                delta["content"] = ""

    def whole(self) -> Json:
        """Return the answer as if it had come whole."""
        message: Json = {"role": "assistant", self.key: self.said}
        if self.calls:
            message["tool_calls"] = [{}]
        return {"choices": [{"message": message, "finish_reason": "stop"}], "usage": self.usage}

    def chunk(self, delta: Json) -> Json:
        """Return a chunk with a delta."""
        return {**self.same, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]}

    def end(self) -> Json:
        """Return the chunk that ends the answer."""
        last = self.last or self.chunk({})
        (choice,) = last["choices"]
        choice["finish_reason"] = self.finish or choice["finish_reason"] or "stop"
        return {**last, "usage": self.usage} if last.get("usage") else last
