"""The bodies of requests: what a client may send, and nothing else."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    field_validator,
    model_validator,
)

from groundrules.errors import did_you_mean
from groundrules.service.refusals import RefusedError
from groundrules.service.startup import ProxyOnFail
from groundrules.service.work import Given

#: The most sources of a request, and the longest name, question and list of rules.
MOST_SOURCES = 64
#: The longest place that is told of a body: its keys may be anything.
_LONGEST = 100
_NAME = StringConstraints(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]+$")
_WORD = StringConstraints(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_.-]+$")
_ID = StringConstraints(pattern=r"^sha256:[0-9a-f]{64}$")

Name = Annotated[str, _NAME]
Word = Annotated[str, _WORD]
Words = Annotated[list[Word], Field(max_length=100)]
Known = Annotated[list[Name], Field(max_length=16)]
Decision = Literal["pass", "retrieve_again", "review"]


class Body(BaseModel):
    """A body without unknown keys, whose faults do not repeat what was sent."""

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True, frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _known(cls, data: Any) -> Any:
        """Refuse the first unknown key alone: there may be a million of them."""
        names = {one.alias or name for name, one in cls.model_fields.items()}
        for key in data if isinstance(data, dict) else ():
            if key not in names:
                near = did_you_mean(key[:_LONGEST], names)
                raise ValueError(f"{key[:_LONGEST]!r} is no key here{near}")
        return data


class File(Body):
    """A document (txt, md, html, pdf, docx): its name tells the format and is no path."""

    name: Name = Field(examples=["lease.pdf"])
    base64: str = Field(min_length=1, examples=["VGhlIE90dGVyIHdhcyBidWlsdCBpbiAxOTk0Lg=="])

    @property
    def given(self) -> Given:
        """The document with its bytes; RefusedError where they are no base64."""
        try:
            return Given(self.name, data=base64.b64decode(self.base64, validate=True))
        except (binascii.Error, ValueError):
            raise RefusedError(400, f"{_shown(self.name)}: base64 cannot be decoded") from None


class Source(Body):
    """A source: a text, a file, or contexts that were indexed before.

    A text may be empty: where nothing was retrieved, a policy asks for sources.
    """

    name: Name = Field(default="source", examples=["lease.txt"])
    text: str | None = None
    base64: str | None = Field(default=None, min_length=1)
    index: Annotated[str, _ID] | None = None

    @model_validator(mode="after")
    def _one(self) -> Source:
        if sum(part is not None for part in (self.text, self.base64, self.index)) != 1:
            raise ValueError("expected one of text, base64 and index")
        return self

    @property
    def given(self) -> Given:
        """The source as a worker reads it; RefusedError where its base64 is none."""
        if self.base64 is not None:
            return File(name=self.name, base64=self.base64).given
        return Given(self.name, text=self.text)


Sources = Annotated[list[Source], Field(max_length=MOST_SOURCES)]


class Ruling(Body):
    """What a report decides: see docs/how-to/guard.md."""

    refuted: Decision = "review"
    doubted: Decision = "review"
    unsupported: Decision = "pass"
    unread: Decision = "review"
    unsettled: Decision = "review"
    fidelity: float | None = Field(default=None, ge=0, le=1)


class PolicyBody(Ruling):
    """What a report decides, and what is done with a text that does not pass."""

    on_fail: Literal["report", "fix", "filter", "refrain"] = "report"


class ProxyPolicy(Ruling):
    """What a report decides, and what is done with an answer that does not pass."""

    on_fail: ProxyOnFail = "report"


class ProxyField(Body):
    """What a request to the proxy says in its field `groundrules`.

    `report`: the whole report is wanted.
    """

    sources: Sources = []
    question: str = Field(default="", max_length=20_000)
    policy: ProxyPolicy = ProxyPolicy()
    report: bool = False


class CheckBody(Body):
    """A text, or a document, to be checked against sources, knowledge bases or both."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "text": "The Otter was built in 1996. It carries 80 passengers.",
                    "sources": [
                        {
                            "name": "register.txt",
                            "text": "The Otter was built in 1994. The Otter carries 80 passengers.",
                        }
                    ],
                }
            ]
        }
    )

    text: str | None = Field(default=None, min_length=1)
    document: File | None = None
    sources: Sources = []
    question: str = Field(default="", max_length=20_000)
    kb: Known = []
    ontology: Name | None = None
    select: Words = []
    disable: Words = []
    policy: PolicyBody | None = None

    @field_validator("text")
    @classmethod
    def _some(cls, text: str | None) -> str | None:
        if text is not None and not text.strip():
            raise ValueError("it is blank; expected at least a word")
        return text

    @model_validator(mode="after")
    def _one(self) -> CheckBody:
        if (self.text is None) == (self.document is None):
            raise ValueError("expected either text or document")
        return self


class IndexBody(Body):
    """Contexts to be read once, and checked against many times."""

    sources: Annotated[list[Source], Field(min_length=1, max_length=MOST_SOURCES)] = Field(
        examples=[[{"name": "register.txt", "text": "The Otter was built in 1994."}]]
    )


class ExtractBody(Body):
    """Documents whose values are to be extracted, by a schema that the service allows."""

    schema_: Name = Field(alias="schema", examples=["lease"])
    sources: Annotated[list[Source], Field(min_length=1, max_length=MOST_SOURCES)]


class AskBody(Body):
    """A question to the records of the service."""

    question: str = Field(min_length=1, max_length=20_000, examples=["Who invented US 9,800,001?"])


def given(sources: Iterable[Source]) -> tuple[Given, ...]:
    """Return the sources that are sent along; those that were indexed are not among them."""
    return tuple(source.given for source in sources if source.index is None)


def fault(errors: Sequence[Mapping[str, Any]], whole: str = "the body") -> str:
    """Return the first fault of a body as a line: where it is and what was expected."""
    first = errors[0]
    place = ".".join(str(part) for part in first["loc"] if part != "body")[:_LONGEST]
    if first["type"] == "json_invalid":
        return f"{whole} is no JSON: {first.get('ctx', {}).get('error', 'it cannot be read')}"
    what = str(first["msg"]).removeprefix("Value error, ")
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return f"{place or whole}: {what[:1].lower()}{what[1:]}{more}"


def _shown(name: str) -> str:
    return name if name.isprintable() else repr(name)
