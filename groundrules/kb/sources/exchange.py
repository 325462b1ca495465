"""One exchange with a SPARQL endpoint: the request with who asks, and the rows of its answer.

Rows are of terms that the dataset of a check can hold.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import urllib.parse
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from rdflib.namespace import RDF, XSD
from rdflib.term import BNode, Literal, Node, URIRef

from groundrules.errors import ConfigError, did_you_mean
from groundrules.kb.sources.query import is_iri, is_language, is_text
from groundrules.kb.sources.source import Fault, Row, Status
from groundrules.net import is_local

if TYPE_CHECKING:
    import httpx

_HALVED_MILLISECONDS = 20_000
_LONGEST_URL = 6_000
_MOST_VALUES = 4_000_000  # in the JSON of a response
#: The variable of the environment that has the passwords of endpoints.
LOGIN = "GROUNDRULES_KB_LOGIN"
#: Who writes requests: we, or SPARQLWrapper (extra `[sparqlwrapper]`); all are sent by `net`.
BUILT_IN, SPARQL_WRAPPER = "built-in", "SPARQLWrapper"
CLIENTS = (BUILT_IN, SPARQL_WRAPPER)
JSON = ("application/sparql-results+json", "application/json")


class FaultError(Exception):
    """A request that failed: whether to ask again, after how many seconds, or for each half."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        again: bool = False,
        split: bool = False,
        wait: float | None = None,
        status: Status = Status.ERROR,
    ) -> None:
        super().__init__(message)
        self.fault = Fault(status, code, line_of(message))
        self.again = again
        self.split = split
        self.wait = wait


def split_url(url: str) -> urllib.parse.SplitResult:
    """Return the parts of the URL of an endpoint; ConfigError if it is none."""
    try:
        parts = urllib.parse.urlsplit(url)
        host, _ = (parts.hostname or "").encode("idna"), parts.port
    except ValueError:
        raise ConfigError(f"{line_of(url)!r} is not a URL") from None
    if parts.scheme not in ("http", "https") or not host or not is_iri(url) or not url.isascii():
        raise ConfigError(f"{line_of(url)!r} is not the URL of an endpoint; expected https://…")
    if "@" in parts.netloc or parts.fragment:
        raise ConfigError(f"the URL of {parts.hostname} has a password or fragment; leave it out")
    return parts


def login_of(url: str, told: str) -> tuple[str, str] | None:
    """Return the header with which an endpoint knows who asks, None where none is told for it.

    A line of what is `told` has the scheme and host of an endpoint, and USER:PASSWORD or a header,
    NAME: VALUE. ConfigError, which says nothing of the line, if that is none, or would be sent in
    the clear to another machine.
    """
    parts = urllib.parse.urlsplit(url)
    for number, line in enumerate(told.splitlines(), 1):
        host, _, secret = line.strip().partition(" ")
        if not host:
            continue
        header = re.fullmatch(r"([A-Za-z][A-Za-z0-9-]*):[ ]+([!-~][ -~]*)", secret)
        if not (header or re.fullmatch(r"[!-9;-~]+:[!-~]+", secret)) or "://" not in host:
            raise ConfigError(
                f"${LOGIN}, line {number}: expected https://HOST USER:PASSWORD or "
                "https://HOST NAME: VALUE"
            )
        if host.rstrip("/").lower() != f"{parts.scheme}://{parts.netloc}".lower():
            continue
        if parts.scheme != "https" and not is_local(parts.hostname or ""):
            raise ConfigError(f"{parts.hostname}: a password is sent over https:// alone")
        if header:
            return header[1], header[2]
        return "Authorization", "Basic " + base64.b64encode(secret.encode()).decode()
    return None


def agent_of(contact: str, *, required: bool, url: str) -> str:
    """Return the User-Agent; ConfigError if it lacks a contact or the contact is none."""
    from importlib.metadata import PackageNotFoundError, version

    if contact and not re.fullmatch(r"(?=[!-'*-~]*?(?:@|://).)[!-'*-~]+", contact):
        raise ConfigError(f"contact = {contact!r}; expected an e-mail address or a URL")
    if required and not contact:
        raise ConfigError(
            f"{urllib.parse.urlsplit(url).hostname} wants to know who asks; set `contact` in the "
            "configuration, or GROUNDRULES_CONTACT, to an e-mail address or URL"
        )
    try:
        name = f"groundrules/{version('groundrules')}"
    except PackageNotFoundError:  # run from a checkout
        name = "groundrules"
    return f"{name} ({contact})" if contact else name


def writer(client: str) -> Callable[[str, str, str, bool], httpx.Request]:
    """Return what writes the requests of a client; ConfigError if there is none of that name."""
    if client == BUILT_IN:
        return write_request
    if client != SPARQL_WRAPPER:
        raise ConfigError(
            f"unknown kb_client {client!r}; expected one of {', '.join(CLIENTS)}"
            + did_you_mean(client, CLIENTS)
        )
    if find_spec(SPARQL_WRAPPER) is None:
        raise ConfigError(f'kb_client = "{client}" needs groundrules[sparqlwrapper]')
    return write_by_sparqlwrapper


def write_by_sparqlwrapper(url: str, text: str, agent: str, slow: bool) -> httpx.Request:
    """Return the request that SPARQLWrapper writes for a SELECT, to be sent as all are."""
    import httpx
    from SPARQLWrapper import JSON as RESULTS
    from SPARQLWrapper import POST, SPARQLWrapper

    short = write_request(url, text, agent, slow)
    parts = urllib.parse.urlsplit(url)
    made = SPARQLWrapper(parts._replace(query="").geturl(), returnFormat=RESULTS, agent=agent)
    made.setOnlyConneg(True)
    made.setQuery(text)
    if short.method == "POST":
        made.setMethod(POST)
    for name, value in urllib.parse.parse_qsl(parts.query, keep_blank_values=True):
        made.addParameter(name, value)
    if slow:
        made.addParameter("maxQueryTimeMillis", str(_HALVED_MILLISECONDS))
    asked = made._createRequest()  # its `query` would follow a redirect to any host
    headers = {**asked.headers, "Accept-Encoding": "gzip", "Connection": "close"}
    return httpx.Request(short.method, asked.full_url, headers=headers, content=asked.data)


def write_request(url: str, text: str, agent: str, slow: bool = False) -> httpx.Request:
    """Return the request of the SPARQL 1.1 protocol for a SELECT.

    It is a GET, which is cached on the way, unless its URL would be too long; what the URL of the
    endpoint asks for besides goes with it. Of a `slow` endpoint a time limit is asked, as
    Blazegraph knows it. The form of the answer is asked for in the header Accept alone.
    """
    import httpx

    parts = urllib.parse.urlsplit(url)
    fields = urllib.parse.parse_qsl(parts.query, keep_blank_values=True)
    fields += [("maxQueryTimeMillis", str(_HALVED_MILLISECONDS))] if slow else []
    form = urllib.parse.urlencode([*fields, ("query", text)], safe="/")
    endpoint = parts._replace(query="").geturl()
    headers = {"User-Agent": agent, "Accept": JSON[0], "Accept-Encoding": "gzip",
               "Connection": "close"}  # fmt: skip
    if len(asked := f"{endpoint}?{form}") < _LONGEST_URL:
        return httpx.Request("GET", asked, headers=headers)
    headers["Content-Type"] = "application/x-www-form-urlencoded"
    return httpx.Request("POST", endpoint, headers=headers, content=form.encode("ascii"))


def line_of(text: str) -> str:
    """Return the start of a text as one line without control characters."""
    line = " ".join(text[:2_000].split())
    return "".join(character for character in line if character.isprintable())[:200]


def read_rows(body: bytes) -> tuple[Row, ...]:
    """Return the rows of a SPARQL 1.1 JSON result; the labels of blank nodes are made unique.

    Lexical forms stay as they are. A fault if it is none, or if a term of it is none.
    """
    if sum(body.count(sign) for sign in (b",", b"[", b"{")) > _MOST_VALUES:
        raise FaultError("TOO_LARGE", f"more than {_MOST_VALUES:,} values")
    try:
        bindings = json.loads(body.decode("utf-8-sig"))["results"]["bindings"]
    except (ValueError, TypeError, KeyError, RecursionError):
        bindings = None
    if not isinstance(bindings, list):
        raise FaultError("TRUNCATED", "not a SPARQL JSON result", again=True)
    scope = hashlib.sha256(body).hexdigest()
    known: dict[tuple[object, ...], Node] = {}

    def read(data: Any) -> Node:
        key = (data["type"], data["value"], data.get("xml:lang"), data.get("datatype"))
        if key not in known:
            known[key] = _term(*key, scope)
        return known[key]

    try:
        rows = ({_text(name): read(data) for name, data in row.items()} for row in bindings)
        return tuple(row for row in rows if row)  # one without a term says nothing
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        message = f"a bad term: {error}" if isinstance(error, ValueError) else "a bad row"
        # The next answer would be as bad; only the item that has it is lost.
        raise FaultError("TRUNCATED", message, split=True) from None


def _term(kind: object, value: object, language: object, datatype: object, scope: str) -> Node:
    """Return a term; ValueError if the dataset of a check could not hold it."""
    text = _text(value)
    if kind == "uri":
        if is_iri(text):
            return URIRef(text)
    elif kind == "bnode":
        return BNode("b" + hashlib.sha256(f"{scope} {text}".encode()).hexdigest()[:24])
    elif kind in ("literal", "typed-literal"):  # as in drafts of the standard, and in Virtuoso
        if language is not None:
            if is_language(_text(language)) and datatype in (None, str(RDF.langString)):
                return Literal(text, lang=_text(language).lower())
        elif datatype in (None, str(XSD.string)):
            return Literal(text)
        elif is_iri(_text(datatype)) and datatype != str(RDF.langString):
            return Literal(text, datatype=URIRef(_text(datatype)), normalize=False)
    raise ValueError(f"{kind} {text[:80]!r} {language or ''} {datatype or ''}")


def _text(value: object) -> str:
    if isinstance(value, str) and is_text(value):
        return value
    raise ValueError(f"{str(value)[:80]!r} is no text")
