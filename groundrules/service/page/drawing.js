// Drawing: the text with its statements marked, and the cards. All words are set as text.

import { cutter, parted, say, wordsOf } from "./words.js";

export const ORDER = ["error", "unverifiable", "refuted", "conflicting", "not_enough_info", "supported"];
export const NAMES = {
  error: "Could not be asked",
  unverifiable: "Not checkable",
  refuted: "Refuted",
  conflicting: "Conflicting",
  not_enough_info: "Open",
  supported: "Supported",
};
const MARKS = { error: "!", unverifiable: "–", refuted: "✗", conflicting: "≠", not_enough_info: "?", supported: "✓" };
const LEVELS = { error: "Error", warning: "Warning", info: "Note" };

/** Return an element; children that are no nodes are set as text. */
export function el(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key === "onclick") made.addEventListener("click", value);
    else made.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children.flat(2)) {
    if (child === null || child === undefined || child === false) continue;
    made.append(...(child instanceof Node ? [child] : say(child)));
  }
  return made;
}

export function markOf(outcome) {
  return el("span", { class: `mark ${outcome}`, "aria-hidden": "true" }, MARKS[outcome]);
}

export function counted(number, noun) {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** Return words of a text with ranges lit, and those that the other side lacks told apart. */
function lit(text, ranges, name, others) {
  const cut = cutter(text);
  const plain = (words) => others
    ? parted(words, others).map(([part, only]) => only ? el("span", { class: "only" }, part) : part)
    : words;
  const parts = [];
  let at = 0;
  for (const [start, end] of tidied(ranges)) {
    parts.push(plain(cut(at, start)), el("mark", { class: name }, cut(start, end)));
    at = end;
  }
  parts.push(plain(cut(at, Infinity)));
  return el("bdi", {}, parts);
}

function tidied(ranges) {
  const kept = [];
  for (const one of [...ranges].sort((a, b) => a[0] - b[0])) {
    if (one[0] < one[1] && (!kept.length || one[0] >= kept.at(-1)[1])) kept.push(one);
  }
  return kept;
}

// --- the text ------------------------------------------------------------------------------------

/**
 * Return the checked text, each statement a link to its card.
 * `statements` have start, end, outcome, number, wrong.
 */
export function marked(text, statements, changes, here) {
  const cut = cutter(text);
  const parts = [];
  let at = 0;
  for (const one of statements) {
    if (one.start < at) continue;
    parts.push(cut(at, one.start), statementMark(one, cut, changes, here));
    at = one.end;
  }
  parts.push(cut(at, Infinity));
  return el("div", { class: "text" }, parts);
}

function statementMark(one, cut, changes, here) {
  const inside = changes.filter(([start, end]) => start >= one.start && end <= one.end);
  const events = [
    ...inside.map(([start, end, words]) => [start, end, words]),
    ...(one.wrong || []).filter(([a, b]) => !inside.some(([c, d]) => a < d && b > c)),
  ];
  const parts = [];
  let at = one.start;
  for (const [start, end, words] of tidied(events)) {
    parts.push(cut(at, start));
    if (words === undefined) parts.push(el("mark", {}, cut(start, end)));
    else parts.push(el("del", {}, cut(start, end)), words ? el("ins", {}, words) : null);
    at = end;
  }
  parts.push(cut(at, one.end));
  const told = NAMES[one.outcome];
  return el(
    "a",
    {
      class: `statement ${one.outcome}${one.number === here ? " here" : ""}`,
      href: `#s${one.number}`,
      id: `t${one.number}`,
      "data-number": one.number,
    },
    parts,
    el("span", { class: "unseen" }, ` (${told}${inside.length ? ", edited" : ""})`),
  );
}

// --- the cards -----------------------------------------------------------------------------------

/** Return the cards in groups, those first that could not be checked. */
export function cards(found, text, edits) {
  const cut = cutter(text);
  const groups = [];
  for (const outcome of ORDER) {
    const own = found.statements.filter((one) => one.outcome === outcome);
    if (!own.length) continue;
    groups.push(el(
      "section",
      { class: "group", id: `g-${outcome}` },
      el("h3", {}, `${NAMES[outcome]} (${own.length})`),
      own.map((one) => card(one, cut(one.start, one.end), edits)),
    ));
  }
  if (found.elsewhere.length) {
    groups.push(el(
      "section",
      { class: "group" },
      el("h3", {}, `Findings in no statement (${found.elsewhere.length})`),
      found.elsewhere.map((one) => other(one, edits)),
    ));
  }
  return groups;
}

function badge(outcome) {
  return el("span", { class: `badge ${outcome}` }, markOf(outcome), ` ${NAMES[outcome]}`);
}

function card(one, said, edits) {
  const [first, ...others] = one.findings;
  const wrong = one.wrong.map(([a, b]) => [a - one.start, b - one.start]);
  const body = el("div", { class: "body", id: `s${one.number}` });
  body.append(el("p", { class: "sentence" }, lit(said, wrong, "lit")));
  if (first) body.append(finding(first, { said, one, edits, why: one.why }));
  else if (one.held) body.append(...sources(said, [one.held]));
  if (others.length) {
    const names = others.map((other) => `${other.rule} ${other.name}`).join(", ");
    const seen = new Set([editKey(first.edit)]);
    body.append(el(
      "details",
      { class: "also" },
      el("summary", {}, `Also: ${names}`),
      others.map((other) => finding(other, { said, one, edits, seen, why: one.why })),
    ));
  }
  body.append(el(
    "p",
    { class: "facts" },
    el("a", { href: `#t${one.number}` }, "in the text"),
  ));
  return el(
    "details",
    { class: `card ${one.outcome}`, "data-number": one.number },
    el(
      "summary",
      {},
      badge(one.outcome),
      el("span", { class: "number" }, String(one.number + 1)),
      el("span", { class: "said" }, el("bdi", {}, said)),
      one.why
        ? el("span", { class: "why" }, one.why)
        : null,
    ),
    body,
  );
}

function other(one, edits) {
  return el(
    "details",
    { class: `card level-${one.severity}` },
    el(
      "summary",
      {},
      el("span", { class: `badge level-${one.severity}` }, `! ${LEVELS[one.severity]}`),
      el("span", { class: "said" }, one.message),
      el("span", { class: "why" }, el("b", {}, one.rule), ` ${one.name}`),
    ),
    el("div", { class: "body" }, finding(one, { said: "", one: null, edits, why: one.message })),
  );
}

function finding(found, { said, one, edits, seen, why }) {
  const rule = [el("b", {}, found.rule), ` ${found.name}`];
  return el(
    "section",
    { class: "finding" },
    el(
      "h4",
      {},
      el("span", { class: `level ${found.severity}` }, LEVELS[found.severity]),
      " ",
      found.page
        ? el("a", { class: "rule", href: found.page, target: "_blank", rel: "noreferrer noopener" }, rule)
        : el("span", { class: "rule" }, rule),
    ),
    found.message === why || found.passages.length ? null : el("p", {}, found.message),
    sources(said, found.passages),
    found.rows.length
      ? el(
        "dl",
        { class: "rows" },
        found.rows.map(([name, words, by]) => row(name, [words, by ? el("span", { class: "dim" }, ` (${by})`) : null])),
      )
      : null,
    edit(found, one, edits, seen),
  );
}

function row(name, words) {
  return el("div", {}, el("dt", {}, name), el("dd", {}, words));
}

/** Return passages, those words underlined on a look that the sentence lacks. */
function sources(said, passages) {
  const mine = wordsOf(said);
  return passages.map((one) => el(
    "figure",
    { class: "source" },
    el("figcaption", {}, el("b", {}, one.title), " ", place(one)),
    el("blockquote", {}, lit(one.text, one.lit, "lit", mine), one.cut ? " …" : null),
  ));
}

function place(one) {
  const where = el("bdi", {}, `${one.source}, line ${one.line}`);
  return one.heading ? [where, " · ", el("b", {}, el("bdi", {}, one.heading))] : where;
}

/** Return what an edit is known by: the same words in the same place are one edit. */
export function editKey(found) {
  return found && found.changes.length ? JSON.stringify(found.changes) : "";
}

function edit(found, one, edits, seen) {
  if (!found.edit) return null;
  const key = editKey(found.edit);
  if (seen) {
    if (!key || seen.has(key)) return null;
    seen.add(key);
  }
  const standing = el("p", { class: "dim" }, `Edit: ${found.edit.words} (${found.edit.standing})`);
  if (!key || !one) return el("div", { class: "edit" }, standing);
  const button = el("button", { type: "button", class: `accept${found.edit.safe ? " safe" : ""}`, "data-edit": key });
  edits.register(key, found.edit, button);
  return el(
    "div",
    { class: "edit" },
    el("p", { class: "decide" }, button, el("span", {}, found.edit.words, el("span", { class: "dim" }, ` (${found.edit.standing})`))),
  );
}

/** Return what is shown of a statement where a pointer rests on it. */
export function peek(one, said) {
  const passages = one.findings.flatMap((found) => found.passages).slice(0, 1);
  const passage = passages[0] || one.held;
  const mine = wordsOf(said);
  return [
    el("p", {}, badge(one.outcome), one.why ? el("span", { class: "dim" }, ` ${one.why}`) : null),
    passage
      ? el(
        "figure",
        { class: "source comparing" },
        el("figcaption", {}, el("b", {}, passage.title), " ", place(passage)),
        el("blockquote", {}, lit(passage.text, passage.lit, "lit", mine), passage.cut ? " …" : null),
      )
      : null,
  ];
}
