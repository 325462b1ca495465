"""Questions over records with known answers, and a model that hallucinates in half of its answers.

    python -m benchmarks.ask --data ../shared/data [--out FOLDER] [--half seen|unseen]
                             [--only records|model] [--json FILE] [--show]

94 questions of 16 kinds over the 301 records of `benchmarks.records`, by templates; half of them
in wordings that were written after the code (two of six of each kind). An answer is right if it has
all that is known and nothing else of its kind. Then a recorded model answers the questions that
have an answer in natural sentences, in half of them with a fault of one of nine sorts; the check
must leave out the faulty sentence and no other. Seconds are of CPU, warm. Open questions, of
abstracts and of the world at large, give the threshold of what bears: chosen on half, told of the
other.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from benchmarks.records import PEOPLE, Patent, faulty, write_files
from groundrules import api
from groundrules.checks.answers import BEARS, Ground, Response, ground, open_records, prompt
from groundrules.config import Config, LLMConfig
from groundrules.kb.records.questions import read_question, state
from groundrules.llm.client import Client
from groundrules.llm.replay import row

SEED = 66
#: How many wordings of each sort were written after the code, and not changed then.
FRESH = 2
NOW = datetime(2026, 1, 1, tzinfo=UTC)
FIELDS = ("grants.xml", "applications.xml")


_TOLD = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
SORTS: Mapping[str, dict[str, Any]] = _TOLD["sorts"]


@dataclass(frozen=True)
class Question:
    """A question, of which patent, what is known, and which half its wording is of."""

    sort: str
    text: str
    patent: Patent
    known: tuple[str, ...]
    claim: int = 0
    seen: bool = True


def shown(number: int) -> str:
    """Return a patent's number with commas."""
    return f"{number:,}"


def of_application(number: int) -> str:
    """Return an application's number as 14/897,520."""
    text = f"{number:08d}"
    return f"{text[:2]}/{text[2:5]},{text[5:]}"


def plain(claim: str) -> str:
    """Return the words of a claim on one line."""
    return " ".join(claim.split())


def draw_questions(patents: Sequence[Patent], rng: random.Random) -> list[Question]:
    """Return the questions, seeded: all sorts, wordings in turn."""
    good = [p for p in patents if not p.fault and not faulty(p.claims) and p.number % 7]
    citing: dict[int, list[int]] = {}
    for patent in patents:
        for number in patent.cites:
            citing.setdefault(number, []).append(patent.number)
    out = []
    for index, (sort, told) in enumerate(SORTS.items()):
        for turn in range(told.get("questions", 6)):
            patent = rng.choice(good)
            while (
                (sort == "cites" and not patent.cites)
                or (sort == "cited by" and not citing.get(patent.number))
                or (sort == "depends" and not dependent(patent))
            ):
                patent = rng.choice(good)
            claim = rng.randint(1, len(patent.claims))
            if sort == "depends":
                claim = rng.choice(dependent(patent))
            if sort == "claims":
                claim = rng.randint(1, min(5, len(patent.claims)))
            known_ = len(told["asks"]) - FRESH
            place = known_ + turn // 2 % FRESH if (turn + index) % 2 else (turn + index) % known_
            text = told["asks"][place].format(
                p=shown(patent.number), a=of_application(patent.application), c=claim,
                n=shown(patent.number + 1_200_000),
                m=of_application(patent.application + 3_000_000),
                w=_TOLD["world"][turn % len(_TOLD["world"])],
            )  # fmt: skip
            known = answer_of(sort, patent, claim, citing)
            out.append(Question(sort, text, patent, known, claim, place < known_))
    return out


def topic(patent: Patent) -> str:
    """Return a part of an abstract, which is no text of the claims."""
    return " ".join(patent.abstract.split()[4:22]).rstrip(".,;")


def dependent(patent: Patent) -> list[int]:
    """Return the claims that depend on one claim, as their words have it."""
    return [
        number
        for number, text in enumerate(patent.claims, 1)
        if text.startswith("The ") and len(re.findall(r"\bclaims?\s(\d{1,3})\b", text)) == 1
        and re.search(r"\bclaim \d", text[:120])
    ]  # fmt: skip


def answer_of(
    sort: str, patent: Patent, claim: int, citing: Mapping[int, Sequence[int]]
) -> tuple[str, ...]:
    """Return what is known."""
    if sort == "inventors":
        return tuple(" ".join(PEOPLE[who]) for who in patent.inventors)
    if sort in ("filed", "granted", "published", "priority"):
        return (str(getattr(patent, sort)),)
    if sort == "applicant":
        return (patent.firm,)
    if sort == "title":
        return (patent.title,)
    if sort == "cites":
        return tuple(f"US {one:,}" for one in sorted(patent.cites))
    if sort == "cited by":
        return tuple(f"US {one:,}" for one in sorted(citing[patent.number]))
    if sort == "count":
        return (str(len(patent.claims)),)
    if sort == "depends":
        return (re.findall(r"\bclaims?\s(\d{1,3})\b", patent.claims[claim - 1])[0],)
    if sort in ("claim", "claims"):
        return (plain(patent.claims[claim - 1]),)
    if sort == "application":
        return (of_application(patent.application),)
    if sort == "patent":
        return (shown(patent.number),)
    return ()


def right(question: Question, response: Response) -> bool:
    """Return whether an answer has what is known, and nothing else of its kind."""
    text = " ".join(said.text for said in response.kept)
    sort, known = question.sort, set(question.known)
    if sort == "absent":
        return bool(response.refusal)
    if response.refusal:
        return False
    if sort == "inventors":
        return {name for who in PEOPLE if (name := " ".join(who)) in text} == known
    if sort in ("filed", "granted", "published", "priority"):
        return set(re.findall(r"\d{4}-\d\d-\d\d", text)) == known
    if sort in ("cites", "cited by"):
        own = f"US {question.patent.number:,}"
        return set(re.findall(r"US \d,\d{3},\d{3}", text)) - {own} == known
    if sort == "count":
        return re.findall(r"has (\d+) claims?\b", text) == [*known]
    if sort == "depends":
        return set(re.findall(r"depends on claim (\d+)", text)) == known
    squeezed = plain(text).casefold()
    return all(squash(value) in squash(squeezed) for value in known)


def squash(text: str) -> str:
    """Return the letters and figures of a text, which wording does not change."""
    return re.sub(r"\W", "", text.casefold())


# ---------------------------------------------------------------- the model


def day(text: str, form: int) -> str:
    """Return a day in one of three writings."""
    when = date.fromisoformat(text)
    return (f"{when:%B} {when.day}, {when.year}", f"{when.day} {when:%B} {when.year}", text)[
        form % 3
    ]


def listed(values: Sequence[str]) -> str:
    """Return values as English lists them."""
    return values[0] if len(values) == 1 else f"{', '.join(values[:-1])} and {values[-1]}"


def spoil(question: Question, patents: Sequence[Patent], rng: random.Random) -> tuple[str, ...]:
    """Return values that are wrong, in the form of the right ones."""
    sort, patent, known = question.sort, question.patent, question.known
    if sort == "inventors":
        others = [" ".join(w) for w in PEOPLE if " ".join(w) not in known]
        return (*known[:-1], rng.choice(others))
    if sort in ("filed", "granted", "published", "priority"):
        days = {str(getattr(patent, one)) for one in ("filed", "granted", "published", "priority")}
        own = sorted(days - set(known))
        other = str(getattr(rng.choice(patents), sort))
        return (rng.choice([*own, other]) if rng.random() < 0.5 or other in known else other,)
    if sort == "applicant":
        return (rng.choice([p.firm for p in patents if p.firm != patent.firm]),)
    if sort == "title":
        return (rng.choice([p.title for p in patents if p.title != patent.title]),)
    if sort in ("cites", "cited by"):
        numbers = [p.number for p in patents if f"US {p.number:,}" not in known]
        return (*known[:-1], f"US {rng.choice(numbers):,}")
    if sort in ("count", "depends"):
        return (str(int(known[0]) + rng.choice([1, 2, 3])),)
    if sort == "claim":
        texts = [plain(c) for n, c in enumerate(patent.claims, 1) if n != question.claim]
        return (rng.choice(texts or [plain(rng.choice(patents).claims[0])]),)
    if sort == "claims":
        return (rng.choice(_TOLD["invented"]),)
    if sort == "application":
        return (of_application(rng.choice(patents).application + 1),)
    return (shown(rng.choice([p.number for p in patents if p.number != patent.number])),)


def say(
    question: Question, turn: int, values: Sequence[str], seen: bool, *, swap: bool = False
) -> str:
    """Return a sentence that a model would answer with."""
    forms: list[str] = SORTS[question.sort]["says"]
    form = forms[turn % (len(forms) - FRESH)] if seen else forms[turn % FRESH - FRESH]
    value = listed(values)
    if question.sort in ("filed", "granted", "published", "priority"):
        value = day(value, turn)
    if question.sort in ("cites", "cited by") and len(values) == 1:
        form = form.replace("{y} cite ", "{y} cites ").replace("{y} are", "{y} is")
        form = form.replace("patents that US {p} cites are", "patent that US {p} cites is")
        form = form.replace("patents that cite US {p} are", "patent that cites US {p} is")
    patent = shown(question.patent.number)
    if question.sort == "claims" and of_application(question.patent.application) in question.text:
        patent = of_application(question.patent.application)
    if swap:
        value, patent = f"US {patent}", values[0].removeprefix("US ")
        form = form.replace("{y} cite ", "{y} cites ").replace("{y} are", "{y} is")
        form = form.replace("patents that US {p} cites are", "patent that US {p} cites is")
        form = form.replace("patents that cite US {p} are", "patent that cites US {p} is")
    text = form.format(
        p=patent, a=of_application(question.patent.application), c=question.claim, y=value
    )
    if question.sort == "inventors" and len(values) == 1:
        text = text.replace("inventors of", "inventor of").replace(" are ", " is ")
        text = text.replace("as inventors", "as inventor")
    return text


def cited(question: Question, grounds: Sequence[Ground], values: Sequence[str]) -> list[int]:
    """Return the records that a model cites: those that have the value, else the first."""
    patent, application = str(question.patent.number), str(question.patent.application)
    if question.sort in ("claim", "claims", "depends"):
        whole = application if of_application(int(application)) in question.text else patent
        own = [
            g.number for g in grounds if str(g.thing).endswith(f"{whole}/claim/{question.claim}")
        ]
        return own or [grounds[0].number]
    ends = {"filed": application, "published": application, "priority": application}
    end = ends.get(question.sort, patent)
    if question.sort == "cited by":
        found = [
            g.number for g in grounds
            if any(str(g.thing).endswith(re.sub(r"\D", "", value)) for value in values)
        ]  # fmt: skip
        return found or [grounds[0].number]
    found = [g.number for g in grounds if str(g.thing).endswith(end)]
    return found or [grounds[0].number]


# ---------------------------------------------------------------- the run


def make_store(data: Path, folder: Path) -> tuple[Path, list[Patent]]:
    """Write the records, and build store and index of texts unless they are there."""
    files = folder / "files"
    files.mkdir(parents=True, exist_ok=True)
    _, patents = write_files(data, files, 1)
    store = folder / "store"
    if not (store / "texts.sqlite").exists():
        command = [sys.executable, "-m", "groundrules.cli.main", "kb"]
        names = [str(files / name) for name in FIELDS]
        subprocess.run([*command, "build", *names, "-o", str(store)], check=True)
        subprocess.run([*command, "index", str(store), "--texts"], check=True)
    return store, patents


def run_extractive(
    questions: Sequence[Question], config: Config, show: Callable[[str], None]
) -> dict[str, Any]:
    """Return how many answers are right by sort and by half, and the seconds of CPU."""
    api.ask(questions[0].text, config=config, now=NOW)
    good: Counter[tuple[str, bool]] = Counter()
    seconds = []
    for question in questions:
        start = time.process_time()
        response = api.ask(question.text, config=config, now=NOW)
        seconds.append(time.process_time() - start)
        if right(question, response):
            good[question.sort, question.seen] += 1
        else:
            said = " ".join(one.text for one in response.kept)[:200]
            show(f"WRONG {question.sort}: {question.text[:100]} | {question.known} | "
                 f"{response.refusal or said}")  # fmt: skip
    totals = Counter((one.sort, one.seen) for one in questions)
    return {
        "right": sum(good.values()),
        "questions": len(questions),
        "seen": [sum(n for (_, s), n in c.items() if s) for c in (good, totals)],
        "unseen": [sum(n for (_, s), n in c.items() if not s) for c in (good, totals)],
        "cpu_ms": {"mean": round(1000 * statistics.mean(seconds), 1),
                   "worst": round(1000 * max(seconds), 1)},
    }  # fmt: skip


def run_bearing(patents: Sequence[Patent], config: Config) -> dict[str, Any]:
    """Return the threshold that parts questions of the records from others, by half of them."""
    _, index = open_records(config, NOW)
    asked = [(topic(p), True) for p in patents if len(p.abstract.split()) >= 30][:48]
    asked += [(text, False) for text in _TOLD["worldly"]]
    found = []
    for text, bears in asked:
        hits = index.search(text, 10)
        found.append((max((hit.similarity or 0.0 for hit in hits), default=0.0), bears))
    halves = [found[0::2], found[1::2]]

    def balanced(rows: Sequence[tuple[float, bool]], least: float) -> float:
        kept = [score >= least for score, bears in rows if bears]
        refused = [score < least for score, bears in rows if not bears]
        return (sum(kept) / len(kept) + sum(refused) / len(refused)) / 2

    best = max(balanced(halves[0], n / 100) for n in range(10, 90))
    good = [n / 100 for n in range(10, 90) if balanced(halves[0], n / 100) == best]
    middle = good[len(good) // 2]
    return {
        "chosen": middle,
        "as good": [good[0], good[-1]],
        "shipped": BEARS,
        "balanced accuracy, other half": [balanced(halves[1], one) for one in (middle, BEARS)],
        "questions": len(found),
    }


def run_model(
    questions: Sequence[Question],
    patents: Sequence[Patent],
    config: Config,
    folder: Path,
    rng: random.Random,
    show: Callable[[str], None],
) -> dict[str, Any]:
    """Return how many faulty answers the check catches, and how many right ones it stops."""
    connection, index = open_records(config, NOW)
    rows, plans = [], []
    grounding = []
    for turn, question in enumerate([one for one in questions if "says" in SORTS[one.sort]]):
        start = time.process_time()
        asked = read_question(question.text, index, connection.graph.store)
        facts = state(asked, connection.source, connection.graph.store)
        grounds = ground(question.text, asked, facts, connection, index)
        grounding.append(time.process_time() - start)
        bad = (turn + turn // 2) % 2 == 0
        sort = SORTS[question.sort]["fault"] if bad else ""
        swap = sort == "swapped" and turn % 4 < 2
        values = question.known
        if bad and not swap:
            values = spoil(question, patents, rng)
            sort = "other number" if sort == "swapped" else sort
        text = say(question, turn, values, question.seen, swap=swap)
        numbers = cited(question, grounds, question.known)
        answer = {"held": True, "sentences": [{"text": text, "records": numbers}]}
        rows.append(row(prompt(question.text, grounds), answer, 800, 40))
        plans.append((question, text, sort))
    path = folder / "recorded.jsonl"
    path.write_text("".join(dict.fromkeys(rows)), encoding="utf-8")
    client = Client(LLMConfig(), answers=path)
    caught: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    cpu, stages = [], Counter[str]()
    for question, text, sort in plans:
        start = time.process_time()
        response = api.ask(question.text, config=config, client=client, now=NOW)
        cpu.append(time.process_time() - start)
        stages.update(dict(response.times))
        stopped = len(response.kept) < len(response.sentences) or bool(response.refusal)
        name = sort or "right"
        totals[name] += 1
        caught[name] += stopped
        if stopped != bool(sort):
            why = "; ".join(one.reason for one in response.sentences) or response.refusal
            show(f"{'MISSED' if sort else 'STOPPED'} {question.sort} {sort}: {text[:160]} | {why}")
    cpu = cpu[1:]  # the first reads models and ontology
    faulty_ = sum(n for name, n in totals.items() if name != "right")
    return {
        "faulty": faulty_,
        "caught": sum(n for name, n in caught.items() if name != "right"),
        "right": totals["right"],
        "stopped": caught["right"],
        "by fault": {name: [caught[name], n] for name, n in sorted(totals.items())},
        "cpu_ms": {
            "retrieve and ground": round(1000 * statistics.median(grounding), 1),
            "in all, median": round(1000 * statistics.median(cpu), 1),
            "in all, mean": round(1000 * statistics.mean(cpu), 1),
            "worst": round(1000 * max(cpu)),
        },
        "wall_ms by stage": {k: round(1000 * v / len(cpu), 1) for k, v in stages.items()},
    }


def main() -> None:
    """Run both and print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="the folder with the data")
    parser.add_argument("--out", type=Path, help="keep the store here, or use what is kept")
    parser.add_argument("--half", choices=("seen", "unseen"), help="of the wordings, one half")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--only", choices=("records", "model"), help="one of the two")
    parser.add_argument("--show", action="store_true", help="show what was wrong")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.out or Path(temporary)
        store, patents = make_store(options.data, folder)
        config = Config(kb=(str(store),))
        questions = draw_questions(patents, random.Random(SEED))
        if options.half:
            questions = [one for one in questions if one.seen == (options.half == "seen")]
        show: Callable[[str], None] = print if options.show else lambda _: None
        found: dict[str, Any] = {}
        if options.only != "model":
            found["bearing"] = run_bearing(patents, config)
            found["records"] = run_extractive(questions, config, show)
            print(json.dumps(found["bearing"], indent=1))
            print(json.dumps(found["records"], indent=1))
        if options.only != "records":
            rng = random.Random(SEED + 1)
            found["model"] = run_model(questions, patents, config, folder, rng, show)
            print(json.dumps(found["model"], indent=1))
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
