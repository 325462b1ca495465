"""Records of patents in the formats of the USPTO: import, rules, planted faults.

    python -m benchmarks.records --data ../shared/data [--copies 1] [--out FOLDER] [--json FILE]

From the claims of 100 real patents (patents/patenteval_c2a) two records each are made, the grant
and the published application as XML; their numbers, dates, people and citations are drawn. Tables
of expiries, claims and statutes come with them. One fault of each kind is planted in records of its
own. `kb build` reads all in a process of its own, whose CPU time and memory are measured; `kb
check` must find every planted fault and flag nothing else, but for claims of the data that refer to
themselves. With `--copies` the same claims serve for more patents, without faults.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from benchmarks.alone import GROUNDRULES, done, run

SOURCE = "patents/patenteval_c2a.json.gz"
FIRST, SEED = 9_700_000, 6
PEOPLE = (("Ada", "Lindqvist"), ("Ben", "Okafor"), ("Clara", "Brandt"), ("Dai", "Morimoto"),
          ("Eva", "Novak"), ("Finn", "Ames"), ("Grace", "Ortega"), ("Hugo", "Petit"))  # fmt: skip
PLACES = (("Akron", "OH", "US"), ("Malmö", "", "SE"), ("Austin", "TX", "US"), ("Kyoto", "", "JP"))
FIRMS = ("Rotor Works AB", "Kestrel Inc.", "Dunmore plc", "Harbor Mills LLC", "Lift Care Ltd.")
#: What is planted, and the rules that it breaks, of which one at least must say so.
KINDS: Mapping[str, frozenset[str]] = {
    "granted before it was filed": frozenset({"LAW050"}),
    "published before it was filed": frozenset({"LAW050"}),
    "filed before its priority": frozenset({"LAW050"}),
    "priority lapsed": frozenset({"LAW051"}),
    "runs too long": frozenset({"LAW052"}),
    "depends on a later claim": frozenset({"LAW053"}),
    "depends on no claim": frozenset({"LAW053"}),
    "depends on itself": frozenset({"LAW053", "OWL111", "OWL112", "OWL113", "OWL109", "OWL110"}),
    "independent, but depends": frozenset({"LAW054", "OWL102", "OWL115"}),
    "two grants on one application": frozenset({"OWL108"}),
    "two filing dates": frozenset({"OWL103"}),
    "a firm invents": frozenset({"LAW056"}),
    "in force before enacted": frozenset({"LAW042"}),
    "amends a later law": frozenset({"LAW043"}),
    "force ends before it begins": frozenset({"OWL125"}),
}
#: What the claims of the data bear already: some refer to themselves, or to a later one.
OF_DATA = KINDS["depends on itself"] | {"OWL102", "OWL115", "LAW054"}


@dataclass(frozen=True)
class Patent:
    """What is drawn of a patent; the fault, if any, is what `KINDS` calls it."""

    number: int
    application: int
    publication: int
    filed: date
    priority: date
    published: date
    granted: date
    title: str
    abstract: str
    claims: tuple[str, ...]
    inventors: tuple[int, ...]
    firm: str
    cites: tuple[int, ...] = ()
    fault: str = ""
    parents: Mapping[int, int] = field(default_factory=dict)
    refiled: date | None = None


def read_claims(data: Path) -> list[tuple[tuple[str, ...], str]]:
    """Return the claims of each patent of the data, with an abstract."""
    with gzip.open(data / SOURCE, "rt", encoding="utf-8") as file:
        rows = json.load(file)
    found: dict[str, str] = {}
    for row in rows:
        found.setdefault(row["input_claim"], row["output1"])
    return [(tuple(split_claims(text)), abstract) for text, abstract in found.items()]


def split_claims(text: str) -> Iterator[str]:
    """Yield the claims of a text in the order of their numbers, without these."""
    start = re.match(r"\s*1\s*\.\s*", text)
    position = start.end() if start else 0
    number = 2
    while True:
        item = rf"(?:(?<=[.;:\n])\s*|\s){number}\s*\.\s*(?=[A-Z]|an?\s)"
        following = re.compile(item).search(text, position)
        yield " ".join(text[position : following.start() if following else None].split())
        if following is None:
            return
        position, number = following.end(), number + 1


def faulty(claims: Sequence[str]) -> bool:
    """Return whether a claim refers to itself, to a later one or to none, whoever wrote it."""
    return any(
        int(parent) >= number
        for number, text in enumerate(claims, 1)
        for parent in re.findall(r"\bclaims?\s(\d{1,3})\b", text)
    )


def draw(texts: list[tuple[tuple[str, ...], str]], copies: int) -> list[Patent]:
    """Return patents of those claims, seeded."""
    rng = random.Random(SEED)
    patents: list[Patent] = []
    for place in range(len(texts) * copies):
        claims, abstract = texts[place % len(texts)]
        filed = date(2012, 1, 2) + timedelta(days=rng.randrange(1500))
        head = re.split(r"\b(?:comprising|including|the method)\b|[,:;]", claims[0])[0]
        title = re.sub(r"^(?:An?|The)\s", "", head.strip())[:90].strip().capitalize()
        earlier = [p.number for p in patents if p.granted < filed]
        patents.append(
            Patent(
                FIRST + place, 13_400_000 + place, 20_140_000_000 + place, filed,
                filed - timedelta(days=rng.randrange(30, 360)), filed + timedelta(days=180),
                filed + timedelta(days=rng.randrange(700, 1400)), title or "Invention", abstract,
                claims, tuple(rng.sample(range(len(PEOPLE)), rng.randint(1, 3))),
                rng.choice(FIRMS), tuple(rng.sample(earlier, min(len(earlier), 5))),
            )
        )  # fmt: skip
    return patents


def plant(patents: list[Patent]) -> dict[str, str]:
    """Put one fault of each kind into patents of their own; return which number bears which."""
    long = [n for n, p in enumerate(patents) if len(p.claims) >= 6 and not faulty(p.claims)]
    places = iter(long)

    def spoil(fault: str, **changes: Any) -> int:
        place = next(places)
        patents[place] = replace(patents[place], fault=fault, **changes)
        return patents[place].number

    def of(offset: str, days: int) -> date:
        return getattr(patents[long[len(found)]], offset) + timedelta(days=days)

    found: dict[str, str] = {}

    def put(fault: str, **changes: Any) -> None:
        found[fault] = str(spoil(fault, **changes))

    put("granted before it was filed", granted=of("filed", -40))
    put("published before it was filed", published=of("filed", -10))
    put("filed before its priority", priority=of("filed", 30))
    put("priority lapsed", priority=of("filed", -500))
    put("depends on a later claim", parents={3: 5})
    put("depends on no claim", parents={4: 77})
    put("depends on itself", parents={5: 5})
    put("two grants on one application")
    put("two filing dates", refiled=of("filed", 9))
    put("a firm invents")
    put("runs too long")
    put("independent, but depends")
    return found


# ---------------------------------------------------------------- the formats


def _id(number: str, day: date | None, kind: str = "", country: str = "US") -> str:
    lines = [f"<country>{country}</country>", f"<doc-number>{number}</doc-number>"]
    if kind:
        lines.append(f"<kind>{kind}</kind>")
    if day:
        lines.append(f"<date>{day:%Y%m%d}</date>")
    return "<document-id>\n" + "\n".join(lines) + "\n</document-id>"


def _parties(patent: Patent) -> str:
    lines = ["<us-parties>", "<us-applicants>",
             '<us-applicant sequence="001" app-type="applicant" designation="us-only" '
             'applicant-authority-category="assignee">',
             f"<addressbook>\n<orgname>{escape(patent.firm)}</orgname>\n</addressbook>",
             "</us-applicant>", "</us-applicants>", "<inventors>"]  # fmt: skip
    for number, who in enumerate(patent.inventors, 1):
        given, family = PEOPLE[who]
        city, state, country = PLACES[who % len(PLACES)]
        lines += [f'<inventor sequence="{number:03d}" designation="us-only">', "<addressbook>"]
        if patent.fault == "a firm invents" and number == 1:
            lines.append(f"<orgname>{escape(patent.firm)}</orgname>")
        else:
            lines += [f"<last-name>{family}</last-name>", f"<first-name>{given}</first-name>"]
        lines += ["<address>", f"<city>{city}</city>"]
        lines += [f"<state>{state}</state>"] if state else []
        lines += [f"<country>{country}</country>", "</address>", "</addressbook>", "</inventor>"]
    return "\n".join([*lines, "</inventors>", "</us-parties>"])


def _claims(patent: Patent) -> str:
    lines = ['<claims id="claims">']
    for number, text in enumerate(patent.claims, 1):
        shown = escape(text)
        if number in patent.parents:
            shown = f"The thing of claim {patent.parents[number]}, wherein it is of steel."
        shown = re.sub(
            r"\bclaim (\d{1,3})\b",
            lambda m: f'<claim-ref idref="CLM-{int(m[1]):05d}">claim {m[1]}</claim-ref>',
            shown,
        )
        parts = shown.split("; ")
        body = "\n".join([parts[0], *(f"<claim-text>{part};</claim-text>" for part in parts[1:])])
        lines += [f'<claim id="CLM-{number:05d}" num="{number:05d}">',
                  f"<claim-text>{number}. {body}</claim-text>", "</claim>"]  # fmt: skip
    return "\n".join([*lines, "</claims>"])


def _description(patent: Patent) -> str:
    texts = [f"This is about: {patent.title}.", patent.abstract, *patent.claims]
    lines = ['<description id="description">', '<?DETDESC description="Detailed" end="lead"?>',
             '<heading id="h-0001" level="1">DETAILED DESCRIPTION</heading>']  # fmt: skip
    for number, text in enumerate(texts, 1):
        lines.append(f'<p id="p-{number:04d}" num="{number:04d}">{escape(text)}</p>')
    return "\n".join([*lines, '<?DETDESC description="Detailed" end="tail"?>', "</description>"])


def _priority(patent: Patent) -> str:
    return (
        '<priority-claims>\n<priority-claim sequence="01" kind="national">\n'
        f"<country>DE</country>\n<doc-number>10 {patent.number}</doc-number>\n"
        f"<date>{patent.priority:%Y%m%d}</date>\n</priority-claim>\n</priority-claims>"
    )


def grant_xml(patent: Patent) -> str:
    """Return the record of a grant, us-patent-grant v4.5."""
    number = f"{patent.number:08d}"
    cited = "\n".join(
        f'<us-citation>\n<patcit num="{n:05d}">\n{_id(str(one), None, "B2")}\n</patcit>\n'
        "<category>cited by examiner</category>\n</us-citation>"
        for n, one in enumerate(patent.cites, 1)
    )
    filed = patent.refiled or patent.filed
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE us-patent-grant SYSTEM "us-patent-grant-v45-2014-04-03.dtd" [ ]>
<us-patent-grant lang="EN" dtd-version="v4.5 2014-04-03" file="US{number}.XML" \
status="PRODUCTION" id="us-patent-grant" country="US" date-publ="{patent.granted:%Y%m%d}">
<us-bibliographic-data-grant>
<publication-reference>
{_id(number, patent.granted, "B2")}
</publication-reference>
<application-reference appl-type="utility">
{_id(str(patent.application), filed)}
</application-reference>
{_priority(patent)}
<invention-title id="d2e43">{escape(patent.title)}</invention-title>
<us-references-cited>
{cited}
</us-references-cited>
<number-of-claims>{len(patent.claims)}</number-of-claims>
{_parties(patent)}
</us-bibliographic-data-grant>
<abstract id="abstract">
<p id="p-0000" num="0000">{escape(patent.abstract)}</p>
</abstract>
{_description(patent)}
<us-claim-statement>What is claimed is:</us-claim-statement>
{_claims(patent)}
</us-patent-grant>
"""


def application_xml(patent: Patent) -> str:
    """Return the record of a published application, us-patent-application v4.4."""
    plain = replace(patent, parents={}, fault="")
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE us-patent-application SYSTEM "us-patent-application-v44-2014-04-03.dtd" [ ]>
<us-patent-application lang="EN" dtd-version="v4.4 2014-04-03" status="PRODUCTION" \
id="us-patent-application" country="US" date-publ="{patent.published:%Y%m%d}">
<us-bibliographic-data-application lang="EN" country="US">
<publication-reference>
{_id(str(patent.publication), patent.published, "A1")}
</publication-reference>
<application-reference appl-type="utility">
{_id(str(patent.application), patent.filed)}
</application-reference>
{_priority(patent)}
<invention-title id="d0e43">{escape(patent.title)}</invention-title>
{_parties(plain)}
</us-bibliographic-data-application>
<abstract id="abstract">
<p id="p-0000" num="0000">{escape(patent.abstract)}</p>
</abstract>
{_description(plain)}
{_claims(plain)}
</us-patent-application>
"""


TURTLE = """\
@prefix lx: <https://w3id.org/groundrules/legal#> .
@prefix us: <https://w3id.org/groundrules/record/us-patent/> .
@prefix ex: <https://example.org/statute/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""


def statutes(faults: dict[str, str]) -> Iterator[str]:
    """Yield statutes in Turtle, the last three with a fault each."""
    for number in range(1, 21):
        year = 1980 + number
        before = f"act-{number - 1}" if number > 1 else ""
        yield _statute(
            f"act-{number}", f"{year}-03-01", f"{year}-07-01", f"{year + 9}-12-31", before
        )
    yield _statute("early", "2010-03-01", "2009-07-01")
    yield _statute("amending", "1990-03-01", "1990-07-01", amends="act-19")
    yield _statute("short", "2010-03-01", "2010-07-01", "2010-05-01")
    faults["in force before enacted"] = "early"
    faults["amends a later law"] = "amending"
    faults["force ends before it begins"] = "short"


def _statute(code: str, enacted: str, begins: str, ends: str = "", amends: str = "") -> str:
    title = code.replace("-", " ").title()
    days = (("enactmentDate", enacted), ("inForceDate", begins), ("endOfForceDate", ends))
    said = [f'lx:{name} "{day}"^^xsd:date' for name, day in days if day]
    said += [f"lx:amends ex:{amends}"] if amends else []
    return f'ex:{code} a lx:Statute ; rdfs:label "{title}" ; {" ; ".join(said)} .'


def write_files(data: Path, folder: Path, copies: int) -> tuple[dict[str, str], list[Patent]]:
    """Write the records to files; return which bears which fault, and the patents.

    The faults are those of `KINDS`, by the last part of the IRI of their record.
    """
    patents = draw(read_claims(data), copies)
    faults = plant(patents) if copies == 1 else {}
    with (folder / "grants.xml").open("w", encoding="utf-8") as grants:
        for patent in patents:
            grants.write(grant_xml(patent))
            if patent.fault == "two grants on one application":
                again = replace(patent, number=patent.number + 50_000, fault="", cites=())
                grants.write(grant_xml(again))
    with (folder / "applications.xml").open("w", encoding="utf-8") as applications:
        applications.writelines(map(application_xml, patents))
    more = []
    for patent in patents:
        years = 25 if patent.fault == "runs too long" else 20
        expires = patent.filed + timedelta(days=int(365.2 * years))
        more.append(f'us:{patent.number} lx:expirationDate "{expires}"^^xsd:date .')
        number = 2 if patent.fault == "independent, but depends" else 1
        claim = f"<https://w3id.org/groundrules/record/us-patent/{patent.number}/claim/{number}>"
        more.append(f"{claim} a lx:IndependentClaim ; lx:claimNumber {number} .")
    told: dict[str, str] = {}
    more += statutes(told)
    faults |= told if copies == 1 else {}
    (folder / "more.ttl").write_text(TURTLE + "\n".join(more) + "\n", encoding="utf-8")
    return faults, patents


# ---------------------------------------------------------------- what is measured


def measure(data: Path, folder: Path, copies: int) -> dict[str, Any]:
    """Write the records, build a store of them, check it, and compare with what was planted."""
    faults, patents = write_files(data, folder, copies)
    store = str(folder / "store")
    files = [str(folder / name) for name in ("grants.xml", "applications.xml")]
    built = done([*GROUNDRULES, "kb", "build", *files, "-o", store])
    done([*GROUNDRULES, "kb", "build", str(folder / "more.ttl"), "-o", store])
    told = done([*GROUNDRULES, "kb", "info", store, "--output-format", "json"])
    info = json.loads(told.out)
    found: dict[str, Any] = {
        "patents": len(patents),
        "records": sum(dump["done"] for dump in info["from"]),
        "uspto_records": sum(dump["done"] for dump in info["from"] if "USPTO" in dump["form"]),
        "statements": info["statements"],
        "store_bytes": info["bytes"],
        "input_bytes": sum(Path(name).stat().st_size for name in files),
        "build_cpu_s": built.cpu,
        "build_mib": built.mib,
    }
    if faults:
        ran = run([*GROUNDRULES, "kb", "check", store, "--output-format", "json"])
        found |= {"check_cpu_s": ran.cpu, "check_mib": ran.mib}
        known = {str(patent.number) for patent in patents if faulty(patent.claims)}
        found |= compare(faults, known, json.loads(ran.out)["findings"])
    return found


def compare(
    faults: dict[str, str], known: set[str], findings: list[dict[str, Any]]
) -> dict[str, Any]:
    """Return which planted faults were found, and what was flagged besides.

    `known` are the patents whose claims had a fault before.
    """
    bearers: dict[str, list[str]] = {}
    for fault, name in faults.items():
        bearers.setdefault(name, []).append(fault)
    twin = {str(int(faults["two grants on one application"]) + 50_000)}
    caught: set[str] = set()
    seen: set[str] = set()
    others = []
    for one in (found | found["violation"] for found in findings):
        names = set(re.findall(r"[\w-]+", one["record"] + " " + one["message"]))
        names |= {str(int(name) - 50_000) for name in names & twin}
        # A patent and its application are numbered alike here.
        names |= {str(int(n) - 13_400_000 + FIRST) for n in names if re.fullmatch(r"134\d{5}", n)}
        blamed = [f for name in names for f in bearers.get(name, []) if one["rule"] in KINDS[f]]
        caught.update(blamed)
        if names & known and one["rule"] in OF_DATA:
            seen |= names & known
        elif not blamed:
            others.append(f"{one['record']} {one['rule']} {one['message']}")
    return {
        "planted": len(faults),
        "found": len(caught),
        "missed": sorted(set(faults) - caught),
        "faulty_in_data": len(known),
        "found_in_data": len(seen),
        "others": len(others),
        "first_others": others[:5],
    }


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--copies", type=int, default=1)
    parser.add_argument("--out", type=Path, help="a folder to leave the files and the store in")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    if not (args.data / SOURCE).is_file():
        sys.exit(f"{args.data / SOURCE} is not there; nothing to measure")
    with tempfile.TemporaryDirectory() as temporary:
        folder = args.out or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        found = measure(args.data, folder, args.copies)
    for key, value in found.items():
        print(f"{key:>14}  {value:,.1f}" if isinstance(value, float) else f"{key:>14}  {value}")
    if args.json:
        args.json.write_text(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
