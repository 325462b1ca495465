// The page: what is given, the text as it is read, what was found, and what is made of it.

import { ORDER, NAMES, cards, counted, editKey, el, marked, markOf, peek } from "./drawing.js";
import { Trouble, access, check, download, get } from "./stream.js";
import { corrected, cutter } from "./words.js";

const $ = (name) => document.getElementById(name);
const wide = window.matchMedia("(min-width: 68rem)");
const FORMS = {
  html: "Page (HTML)", markdown: "Markdown", json: "JSON", jsonl: "JSON lines",
  sarif: "SARIF (code scanning)", junit: "JUnit (tests)", text: "Plain text", full: "Plain text, in full",
  concise: "Plain text, a line each", github: "GitHub annotations",
  turtle: "RDF (Turtle)", trig: "RDF (TriG)", jsonld: "RDF (JSON-LD)",
};
const BUSY_TRIES = 20;
const MIB = 2 ** 20;

let settings = null;
let textFile = null; // {name, base64, size} in place of what is typed
let sources = []; // {name, text} that are typed, {name, base64, size} that are files
let running = null; // AbortController of the check at work
let told = null; // what is known of the text: {text, statements}
let found = null; // the cards of the whole report
let report = null;
let body = null; // the request of what is shown
let accepted = new Map(); // edits by their key
let since = 0; // when the last check began
let buttons = new Map(); // buttons and the edit of each key
let here = null; // the card that keys are about

// --- what is given -------------------------------------------------------------------------------

function addSource(one) {
  // a first field that nobody wrote in gives way to files
  if (one.base64) sources = sources.filter((other) => other.base64 || other.text.trim());
  sources.push(one);
  drawSources();
}

function drawSources() {
  if (!sources.length) sources.push({ name: "source 1", text: "" });
  const single = sources.length === 1 && !sources[0].base64;
  $("sources").replaceChildren(...sources.map((one, number) => {
    const remove = el("button", {
      type: "button",
      "aria-label": `Remove ${one.name}`,
      onclick: () => { sources.splice(number, 1); drawSources(); $("add-source").focus(); },
    }, "Remove");
    if (one.base64) return el("div", { class: "source-one" }, chip(one, remove));
    const text = el("textarea", {
      rows: single ? 11 : 6, spellcheck: "false", "aria-label": `Text of source ${number + 1}`,
      placeholder: "Paste a source here, or drop files",
    });
    text.value = one.text;
    text.addEventListener("input", () => { one.text = text.value; });
    if (single && /^source \d+$/.test(one.name)) return el("div", { class: "source-one" }, text);
    const name = el("input", { type: "text", "aria-label": `Name of source ${number + 1}`, maxlength: "200" });
    name.value = one.name;
    name.addEventListener("input", () => { one.name = nameOf(name.value) || `source ${number + 1}`; });
    return el("div", { class: "source-one" }, el("div", { class: "line" }, name, remove), text);
  }));
}

function chip(one, remove) {
  return el("div", { class: "chip" }, el("b", {}, el("bdi", {}, one.name)), el("span", { class: "dim" }, sizeOf(one.size)), remove);
}

function sizeOf(bytes) {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

function nameOf(name) {
  return name.replace(/[\u0000-\u001f\u007f]/g, "_").slice(0, 200);
}

function drawText() {
  $("text").hidden = Boolean(textFile);
  $("text-chip").replaceChildren(...(textFile ? [chip(textFile, el("button", {
    type: "button",
    "aria-label": `Remove ${textFile.name}`,
    onclick: () => { textFile = null; drawText(); $("text").focus(); },
  }, "Remove"))] : []));
}

async function readFile(file) {
  if (!file.size) throw new Trouble(400, `${file.name} is empty.`);
  const most = settings ? settings.limits.body_bytes : 16 * MIB;
  if (file.size * 4 / 3 > most) throw new Trouble(413, `${file.name} is larger than the service takes (${sizeOf(most * 3 / 4)}).`);
  const url = await new Promise((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.onerror = () => failed(new Trouble(0, `${file.name} could not be opened.`));
    reader.readAsDataURL(file);
  });
  return { name: nameOf(file.name), base64: url.slice(url.indexOf(",") + 1), size: file.size };
}

async function take(files, isText) {
  hideProblem();
  try {
    for (const file of files) {
      const one = await readFile(file);
      if (isText) {
        textFile = one;
        drawText();
        isText = false; // of several files that are dropped on the text the others are its sources
      } else addSource(one);
    }
  } catch (error) {
    showProblem(error.message);
  }
}

function takesDrops(box, isText) {
  box.addEventListener("dragover", (event) => { event.preventDefault(); box.classList.add("over"); });
  box.addEventListener("dragleave", () => box.classList.remove("over"));
  box.addEventListener("drop", (event) => {
    box.classList.remove("over");
    if (!event.dataTransfer.files.length) return; // dragged words go where they are dropped
    event.preventDefault();
    take([...event.dataTransfer.files], isText);
  });
}

function requested() {
  const asked = {
    sources: sources
      .filter((one) => one.base64 || one.text.trim())
      .map((one) => one.base64 ? { name: one.name, base64: one.base64 } : { name: one.name, text: one.text }),
  };
  if (textFile) asked.document = { name: textFile.name, base64: textFile.base64 };
  else asked.text = $("text").value;
  if ($("question").value.trim()) asked.question = $("question").value.trim();
  const kb = [...document.querySelectorAll("#bases input:checked")].map((one) => one.value);
  if (kb.length) asked.kb = kb;
  if ($("ontology").value) asked.ontology = $("ontology").value;
  return asked;
}

async function loadSettings() {
  settings = await get("settings");
  $("version").textContent = settings.version;
  $("kept").textContent = settings.keep ? "" : "Nothing is kept on the server.";
  $("bases").hidden = !settings.kb.length;
  $("bases").replaceChildren($("bases").querySelector("legend"), ...settings.kb.map((name) => {
    const box = el("input", { type: "checkbox", value: name });
    return el("label", {}, box, el("bdi", {}, name));
  }));
  $("ontology-row").hidden = !settings.ontologies.length;
  $("more-ontology").textContent = settings.ontologies.length ? ", an ontology" : "";
  $("ontology").replaceChildren(el("option", { value: "" }, "none"), ...settings.ontologies.map((name) => el("option", { value: name }, name)));
  $("key-row").hidden = !access.key;
}

// --- problems ------------------------------------------------------------------------------------

function hideProblem() {
  $("problem").replaceChildren();
}

function showProblem(line, actions = [], calm = false) {
  $("problem").replaceChildren(el(
    "div",
    { class: `problem${calm ? " calm" : ""}` },
    el("p", {}, line),
    actions.map(([name, act]) => el("button", { type: "button", onclick: act }, name)),
  ));
}

function needKey(line) {
  $("key-row").hidden = false;
  showForm();
  showProblem(line);
  $("key").focus();
}

function explain(error, again) {
  if (error.name === "AbortError") return;
  if (!(error instanceof Trouble)) {
    showProblem("This page failed; what you gave is still here.", [["Try again", again]]);
    throw error;
  }
  if (error.status === 401) needKey(access.key ? "That key is not one of this service." : "This service needs a key.");
  else if (error.status === 504) tookTooLong(error);
  else if (error.status === 0) showProblem(`${error.message} What you gave is still here.`, [["Try again", again], ["Change it", showForm]]);
  else {
    const named = /^[^ ]+:/.test(error.message); // the name of a file stays as it is
    const sentence = named ? error.message : error.message.charAt(0).toUpperCase() + error.message.slice(1);
    showProblem(/[.!?]$/.test(sentence) ? sentence : `${sentence}.`, [["Try again", again], ["Change it", showForm]]);
  }
}

/** Say that a check did not end, what it took, and what helps: the same again would end the same. */
function tookTooLong(error) {
  const seconds = Math.round((Date.now() - since) / 1000);
  const limit = /(\d[\d.]*) seconds/.exec(error.message);
  const step = limit ? `, as one step of it took longer than the ${limit[1]} seconds that this service allows` : "";
  showProblem(
    `The check was ended after ${counted(seconds, "second")}${step}. The same again would end the same: check a part of the text, or fewer sources. What you gave is still here.`,
    [["Change it", showForm]],
  );
}

// --- the check -----------------------------------------------------------------------------------

function showForm() {
  document.body.classList.remove("checked");
  $("form").hidden = false;
  $("given-bar").hidden = true;
  hideProblem();
}

function start() {
  if (running) return;
  hideProblem();
  access.key = $("key").value.trim();
  const asked = requested();
  if (asked.text !== undefined && !asked.text.trim()) {
    showProblem("There is no text yet: paste one, open a file, or try the example.");
    $("text").focus();
    return;
  }
  if (!asked.sources.length && !asked.kb) {
    showProblem(settings && settings.kb.length
      ? "Nothing to check it against: add a source, or pick a knowledge base."
      : "Nothing to check it against: add a source.");
    $("sources").querySelector("textarea, button").focus();
    return;
  }
  run(asked);
}

async function run(asked) {
  const most = settings ? settings.limits.body_bytes : 16 * MIB;
  const size = new Blob([JSON.stringify(asked)]).size;
  if (size > most) {
    showProblem(`Text and sources are ${sizeOf(size)} together; the service takes ${sizeOf(most)}.`);
    return;
  }
  const mine = new AbortController();
  running = mine;
  body = asked;
  told = found = report = null;
  accepted = new Map();
  since = Date.now();
  here = null;
  hideProblem();
  document.body.classList.add("checked");
  $("form").hidden = true;
  $("given-bar").hidden = false;
  $("change").hidden = true;
  $("given-told").replaceChildren(...el("p", {}, givenTold(asked)).childNodes);
  $("results").hidden = true;
  $("results").replaceChildren();
  const clock = startClock(asked);
  try {
    if (!settings) await loadSettings();
    for (let tries = 1; ; tries += 1) {
      try {
        ({ cards: found, report } = await check(asked, mine.signal));
        break;
      } catch (error) {
        if (!(error instanceof Trouble) || error.status !== 429 || tries === BUSY_TRIES) throw error;
        await wait(Math.min(60, error.after || 2), mine.signal);
        phase("Asking again …", true);
      }
    }
    finish();
  } catch (error) {
    say(error.name === "AbortError" ? "Cancelled" : "");
    explain(error, () => run(asked));
    if (error.name === "AbortError") {
      showForm();
      $("results").hidden = true;
      showProblem("Cancelled. What you gave is still here.", [], true);
      $("check").focus();
    } else if (!told && error.status !== 0) showFormBelow();
  } finally {
    clearInterval(clock);
    $("progress").hidden = true;
    $("change").hidden = false;
    running = null;
  }
}

function showFormBelow() {
  document.body.classList.remove("checked");
  $("form").hidden = false;
  $("given-bar").hidden = true;
}

function givenTold(asked) {
  const text = asked.document ? asked.document.name : counted(asked.text.trim().split(/\s+/).length, "word");
  const names = [...asked.sources.map((one) => one.name), ...(asked.kb || [])];
  const shown = names.length > 3 ? `${names.slice(0, 3).join(", ")} and ${names.length - 3} more` : names.join(", ");
  return `${text}, checked against ${shown}`;
}

function startClock(asked) {
  const began = Date.now();
  $("progress").hidden = false;
  $("bar").removeAttribute("value");
  $("seconds").textContent = "";
  phase("Reading the text and its sources …", true);
  return setInterval(() => {
    const seconds = Math.round((Date.now() - began) / 1000);
    $("seconds").textContent = `${seconds} s`;
    if (seconds === 2) phase(asking(asked), Boolean(asked.kb));
  }, 1000);
}

function asking(asked) {
  return asked.kb ? `Asking ${asked.kb.join(", ")} …` : "Checking the text …";
}

function phase(line, aloud) {
  $("phase").replaceChildren(...el("b", {}, line).childNodes);
  if (aloud) say(line);
}

function say(line) {
  $("status").textContent = line;
}

function wait(seconds, signal) {
  return new Promise((done, failed) => {
    let left = Math.ceil(seconds);
    const tell = () => phase(`The service is busy: trying again in ${left} s …`, false);
    say(`The service is busy: trying again in ${left} seconds`);
    tell();
    const clock = setInterval(() => {
      left -= 1;
      if (left > 0) { tell(); return; }
      clearInterval(clock);
      done();
    }, 1000);
    signal.addEventListener("abort", () => {
      clearInterval(clock);
      failed(new DOMException("cancelled", "AbortError"));
    });
  });
}

function finish() {
  told = { text: report.text, statements: found.statements };
  draw();
  $("results").hidden = false;
  say(`${found.conclusion}. ${summary()}`);
  $("results").focus({ preventScroll: true });
  window.scrollTo({ top: 0 });
}

// --- what was found ------------------------------------------------------------------------------

function tallied() {
  return ORDER.map((outcome) => [outcome, found.statements.filter((one) => one.outcome === outcome).length])
    .filter(([, number]) => number);
}

function summary() {
  return tallied().map(([outcome, number]) => `${number} ${NAMES[outcome].toLowerCase()}`).join(", ") || "No statement";
}

function draw() {
  buttons = new Map();
  const edits = {
    register(key, edit, button) {
      if (!buttons.has(key)) buttons.set(key, { edit, buttons: [] });
      buttons.get(key).buttons.push(button);
      button.addEventListener("click", () => toggle(key));
    },
  };
  const groups = cards(found, told.text, edits);
  const unchecked = found.unchecked.length
    ? el(
      "section",
      { class: "unchecked" },
      el("h2", {}, "What could not be checked"),
      el("ul", {}, found.unchecked.map((one) => el(
        "li",
        {},
        one.what,
        one.statement === null ? null : el("a", { href: `#s${one.statement}` }, one.why),
      ))),
    )
    : null;
  const outcome = el(
    "section",
    { class: `outcome ${found.name}` },
    el("h2", { class: "conclusion" }, el("span", { class: `verdict ${found.name}` }, el("span", { class: "mark", "aria-hidden": "true" }, found.mark), ` ${found.conclusion}`)),
    el("p", {}, found.why),
    found.page ? el("p", {}, el("a", { href: found.page, target: "_blank", rel: "noreferrer noopener" }, "What to do about it")) : null,
    el("ul", { class: "legend" }, tallied().map(([name, number]) => el(
      "li",
      {},
      el("a", { href: `#g-${name}` }, markOf(name), el("b", {}, ` ${number} `), NAMES[name].toLowerCase()),
    ))),
  );
  const help = el("button", { type: "button", class: "keys", title: "Keyboard (?)", onclick: () => $("help").showModal() }, "Keys");
  $("results").replaceChildren(
    el("div", { class: "top" }, unchecked, outcome),
    el(
      "div",
      { class: "columns" },
      el(
        "section",
        { class: "reading" },
        el("h2", {}, "The text"),
        el("div", { id: "marked" }),
        el("section", { class: "corrected", id: "corrected", "aria-labelledby": "corrected-title", hidden: true }),
        downloads(),
      ),
      el(
        "section",
        { class: "cards", tabindex: "0", "aria-label": "Statement by statement" },
        el("div", { class: "box-head" }, el("h2", {}, "Statement by statement"), help),
        el("div", { class: "toolbar", id: "edits" }),
        ...groups,
        groups.length ? null : el("p", {}, "No statement was found in the text."),
      ),
    ),
  );
  $("results").hidden = false;
  const first = $("results").querySelector("details.card");
  if (first && !first.classList.contains("supported")) first.open = true;
  drawEdits();
}

function drawMarked() {
  const number = here ? Number(here.dataset.number) : null;
  $("marked").replaceChildren(marked(told.text, told.statements, changesMade(), number));
}

// --- edits ---------------------------------------------------------------------------------------

function changesMade() {
  return [...accepted.values()].flatMap((edit) => edit.changes);
}

function overlaps(edit) {
  const made = changesMade();
  return edit.changes.some(([a, b]) => made.some(([c, d]) => a < d && b > c));
}

function toggle(key) {
  const { edit } = buttons.get(key);
  if (accepted.has(key)) {
    accepted.delete(key);
    say(`Undone: ${edit.words}`);
  } else if (!overlaps(edit)) {
    accepted.set(key, edit);
    say(`Accepted: ${edit.words}`);
  }
  drawEdits();
}

function acceptSafe() {
  for (const [key, { edit }] of buttons) {
    if (edit.safe && !accepted.has(key) && !overlaps(edit)) accepted.set(key, edit);
  }
  say(`${counted(accepted.size, "edit")} accepted`);
  drawEdits();
  $("copy").focus();
}

function drawEdits() {
  drawMarked();
  for (const [key, { edit, buttons: own }] of buttons) {
    const done = accepted.has(key);
    const blocked = !done && overlaps(edit);
    for (const button of own) {
      button.textContent = done ? "Undo the edit" : edit.safe ? "Accept the edit" : "Accept it all the same";
      button.setAttribute("aria-pressed", String(done));
      button.disabled = blocked;
      button.title = blocked ? "An edit of the same words is accepted" : "";
    }
  }
  const safe = [...buttons.values()].filter((one) => one.edit.safe).length;
  const left = [...buttons].filter(([key, one]) => one.edit.safe && !accepted.has(key) && !overlaps(one.edit)).length;
  $("edits").replaceChildren(...(safe
    ? [
      left ? el("button", { type: "button", onclick: acceptSafe }, `Accept ${left === 1 ? "the safe edit" : `all ${left} safe edits`}`) : "",
      el("span", { class: "dim" }, "Safe: the changed sentence was checked again and is supported."),
    ].filter(Boolean)
    : []));
  drawStates();
  drawCorrected();
}

/** Return the accepted edits in a statement. */
function editsIn(one) {
  return [...accepted.values()].filter((edit) => edit.changes.some(([a, b]) => a < one.end && b >= one.start));
}

/** Say on each card what its accepted edits make of its verdict. */
function drawStates() {
  for (const one of found.statements) {
    const card = document.getElementById(`s${one.number}`)?.closest("details.card");
    if (!card) continue;
    card.querySelector(".edited")?.remove();
    const made = editsIn(one);
    card.classList.toggle("changed", made.length > 0);
    if (!made.length) continue;
    const words = made.every((edit) => edit.safe) ? "edited: supported when checked again" : "edited: not checked again";
    card.querySelector("summary .badge").after(el("span", { class: "edited" }, words));
  }
}

/** Return what speaks against the corrected text still, and what in it nobody has checked. */
function stillWrong() {
  const left = found.statements.filter((one) => ["refuted", "conflicting"].includes(one.outcome) && !editsIn(one).length);
  const unread = found.statements.filter((one) => editsIn(one).some((edit) => !edit.safe));
  const links = (some) => some.flatMap((one, n) => [n ? ", " : " ", el("a", { href: `#s${one.number}` }, String(one.number + 1))]);
  return el(
    "p",
    { id: "still" },
    left.length ? [`Still refuted in it: ${counted(left.length, "statement")},`, ...links(left), ". "] : "No other statement of it is refuted. ",
    unread.length ? [`Not checked again: ${counted(unread.length, "statement")},`, ...links(unread), "."] : "",
  );
}

function drawCorrected() {
  const box = $("corrected");
  box.hidden = !accepted.size;
  if (!accepted.size) { box.replaceChildren(); return; }
  const words = corrected(told.text, changesMade());
  const copied = el("span", { class: "dim", id: "copied" });
  box.replaceChildren(
    el("h2", { id: "corrected-title" }, `Corrected text (${counted(accepted.size, "edit")})`),
    stillWrong(),
    el("div", { class: "text", id: "corrected-text" }, words),
    el(
      "div",
      { class: "toolbar" },
      el("button", { type: "button", id: "copy", class: "safe", onclick: () => copy(words, copied) }, "Copy"),
      el("button", { type: "button", id: "recheck", onclick: () => recheck(words) }, "Check it again"),
      el("button", { type: "button", onclick: () => { accepted.clear(); say("All edits undone"); drawEdits(); } }, "Undo all"),
      copied,
    ),
  );
}

async function copy(words, place) {
  try {
    await navigator.clipboard.writeText(words);
    place.textContent = "Copied.";
    say("The corrected text is copied");
  } catch {
    // no clipboard outside of https and localhost: select it instead
    window.getSelection().selectAllChildren($("corrected-text"));
    place.textContent = "It is selected: copy it with Ctrl C.";
    say(place.textContent);
  }
}

function recheck(words) {
  textFile = null;
  $("text").value = words;
  drawText();
  const asked = { ...body, text: words };
  delete asked.document;
  run(asked);
}

// --- downloads -----------------------------------------------------------------------------------

function downloads() {
  const select = el("select", { id: "form-name" }, [...settings.formats]
    .sort((a, b) => rank(a) - rank(b))
    .map((name) => el("option", { value: name }, FORMS[name] || name)));
  const state = el("span", { class: "dim", role: "status" });
  const button = el("button", { type: "button", id: "download" }, "Download");
  button.addEventListener("click", async () => {
    button.disabled = true;
    state.textContent = "Making it …";
    try {
      const [blob, name] = select.value === "json"
        ? [new Blob([`${JSON.stringify(report, null, 2)}\n`], { type: "application/json" }), "report.json"]
        : await download(body, select.value);
      const link = el("a", { href: URL.createObjectURL(blob), download: name });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
      state.textContent = `${name} is saved.`;
    } catch (error) {
      state.textContent = error instanceof Trouble ? error.message : "It could not be made.";
    } finally {
      button.disabled = false;
    }
  });
  return el("div", { class: "download" }, el("label", { for: "form-name" }, "The report to keep", select), button, state);
}

function rank(name) {
  const at = Object.keys(FORMS).indexOf(name);
  return at < 0 ? Infinity : at;
}

// --- from card to text and back ------------------------------------------------------------------

function allCards() {
  return [...document.querySelectorAll("#results details.card")];
}

function choose(card, scroll) {
  here?.classList.remove("here");
  document.querySelector(".statement.here")?.classList.remove("here");
  here = card;
  if (!card) return;
  card.classList.add("here");
  const mark = $(`t${card.dataset.number}`);
  mark?.classList.add("here");
  if (!scroll) return;
  card.querySelector("summary").focus({ preventScroll: true });
  if (mark && wide.matches) mark.scrollIntoView({ block: "nearest" });
  card.scrollIntoView({ block: "nearest" });
}

function open(number) {
  const card = document.querySelector(`#results details.card[data-number="${number}"]`);
  if (!card) return;
  card.open = true;
  choose(card, false);
  card.querySelector("summary").focus({ preventScroll: true });
  card.scrollIntoView({ block: wide.matches ? "nearest" : "start" });
}

function step(by) {
  const shown = allCards();
  if (!shown.length) return;
  const at = shown.indexOf(here);
  const next = at < 0 ? (by > 0 ? 0 : shown.length - 1) : at + by;
  choose(shown[Math.max(0, Math.min(shown.length - 1, next))], true);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='#']");
  if (link) {
    event.preventDefault();
    const name = link.getAttribute("href").slice(1);
    hidePeek();
    if (name.startsWith("s") && found) open(name.slice(1));
    else if (name.startsWith("t")) {
      $(name)?.scrollIntoView({ block: "center" });
      $(name)?.focus({ preventScroll: true });
    } else $(name)?.scrollIntoView({ block: "start" });
    return;
  }
  const head = event.target.closest(".card > summary");
  if (head) choose(head.parentElement, false);
});

document.addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter" && !$("form").hidden) {
    event.preventDefault();
    start();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
  if (event.key === "Escape") {
    if (!$("peek").hidden) hidePeek();
    else if (here?.open) { here.open = false; here.querySelector("summary").focus(); }
    return;
  }
  if (event.target.closest("input, select, textarea")) return;
  if (event.key === "?") $("help").showModal();
  else if (!found || $("results").hidden) return;
  else if (event.key === "j") step(1);
  else if (event.key === "k") step(-1);
  else if (event.key === "e") here?.querySelector("button.accept:not(:disabled)")?.click();
  else if (event.key === "t" && here) $(`t${here.dataset.number}`)?.scrollIntoView({ block: "center" });
  else return;
  event.preventDefault();
});

// --- a look at the passage, where a pointer or the focus rests on a statement ------------------------

let soon = 0;

function showPeek(mark) {
  const one = told?.statements[told.statements.findIndex((other) => other.number === Number(mark.dataset.number))];
  if (!one || !found) return;
  const said = cutter(told.text)(one.start, one.end);
  const box = $("peek");
  box.replaceChildren(...peek(one, said).filter(Boolean));
  box.hidden = false;
  // beside the text, where it hides no line of it
  const { top } = mark.getClientRects()[0];
  const lowest = Math.max(4, window.innerHeight - box.offsetHeight - 4);
  box.style.top = `${Math.min(top, lowest) + window.scrollY}px`;
  box.style.left = `${$("marked").getBoundingClientRect().right + 8}px`;
}

function hidePeek() {
  clearTimeout(soon);
  $("peek").hidden = true;
}

function later(act, milliseconds) {
  clearTimeout(soon);
  soon = setTimeout(act, milliseconds);
}

document.addEventListener("pointerover", (event) => {
  if (event.pointerType !== "mouse") return;
  const mark = event.target.closest("#marked .statement");
  if (mark) later(() => showPeek(mark), 250);
  else if (event.target.closest("#peek")) clearTimeout(soon);
  else if (!$("peek").hidden) later(hidePeek, 250);
  else clearTimeout(soon);
});
document.addEventListener("focusin", (event) => {
  const mark = event.target.closest("#marked .statement");
  if (mark?.matches(":focus-visible")) showPeek(mark);
  else hidePeek();
});

// --- which reader to choose ------------------------------------------------------------------------

function table({ columns, rows, note }) {
  // what stands between backticks is code
  const words = (text) => text.split("`").map((part, n) => n % 2 ? el("code", {}, part) : part);
  const head = columns.map((one) => el("th", { scope: "col" }, words(one)));
  const lines = rows.map((row) => el("tr", {}, row.map((one) => el("td", {}, words(one)))));
  return [
    el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, lines)),
    el("p", {}, words(note)),
  ];
}

// --- start ---------------------------------------------------------------------------------------

$("form").addEventListener("submit", (event) => { event.preventDefault(); start(); });
$("cancel").addEventListener("click", () => running?.abort());
$("change").addEventListener("click", () => { showForm(); $("text").focus(); });
$("open-text").addEventListener("click", () => $("text-file").click());
$("open-sources").addEventListener("click", () => $("source-files").click());
$("add-source").addEventListener("click", () => {
  addSource({ name: `source ${sources.length + 1}`, text: "" });
  $("sources").querySelector(".source-one:last-child textarea").focus();
});
for (const [name, isText] of [["text-file", true], ["source-files", false]]) {
  $(name).addEventListener("change", async (event) => {
    await take([...event.target.files], isText);
    event.target.value = "";
  });
}
takesDrops($("text-box"), true);
takesDrops($("source-box"), false);
// a file that misses its box is not opened in place of the page
for (const name of ["dragover", "drop"]) {
  window.addEventListener(name, (event) => {
    if (event.dataTransfer?.types.includes("Files")) event.preventDefault();
  });
}
$("example").addEventListener("click", async () => {
  hideProblem();
  try {
    const example = await get("page/example.json");
    textFile = null;
    drawText();
    $("text").value = example.text;
    $("question").value = example.question || "";
    sources = example.sources.map((one) => ({ ...one }));
    drawSources();
    start();
  } catch (error) {
    explain(error, () => $("example").click());
  }
});
$("readers").addEventListener("toggle", async () => {
  const box = $("readers").querySelector("div");
  if (box.firstChild) return;
  try {
    box.replaceChildren(...table(await get("page/readers.json")));
  } catch (error) {
    box.replaceChildren(el("p", {}, error.message));
  }
});
$("help-close").addEventListener("click", () => $("help").close());
let closed = [];
window.addEventListener("beforeprint", () => {
  closed = allCards().filter((one) => !one.open);
  closed.forEach((one) => { one.open = true; });
});
window.addEventListener("afterprint", () => closed.forEach((one) => { one.open = false; }));

async function begin() {
  hideProblem();
  try {
    await loadSettings();
  } catch (error) {
    if (error.status === 401) {
      $("key-row").hidden = false;
    } else explain(error, begin);
  }
}

drawSources();
begin();
