// Words: code points and UTF-16, what cannot be seen made visible, and which words two texts share.

/** Return where a code point of a text stands in UTF-16, which is what strings count. */
export function places(text) {
  if (!/[\ud800-\udfff]/.test(text)) return (offset) => offset;
  const found = [];
  let at = 0;
  for (const character of text) {
    found.push(at);
    at += character.length;
  }
  found.push(at);
  return (offset) => found[Math.min(offset, found.length - 1)];
}

/** Return a function that cuts a text by code points. */
export function cutter(text) {
  const at = places(text);
  return (start, end) => text.slice(at(start), at(end));
}

// Joiners between letters and emoji are spelling; all else of these kinds hides or turns words.
const HIDDEN = /(?![\u200c\u200d\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}]/gu;

/** Return nodes that show a text as it is; a character that nobody sees by its code point. */
export function say(text) {
  const nodes = [];
  const clean = String(text).replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, "\n");
  let at = 0;
  for (const found of clean.matchAll(HIDDEN)) {
    if (found.index > at) nodes.push(document.createTextNode(clean.slice(at, found.index)));
    const code = found[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0");
    const shown = document.createElement("span");
    shown.className = "hidden-character";
    shown.textContent = `U+${code}`;
    nodes.push(shown);
    at = found.index + found[0].length;
  }
  if (at < clean.length) nodes.push(document.createTextNode(clean.slice(at)));
  return nodes;
}

const WORD = /[\p{L}\p{N}]+(?:[.,’'-][\p{L}\p{N}]+)*|[£$€%]/gu;

/** Return the words of a text as they are compared. */
export function wordsOf(text) {
  return new Set((text.match(WORD) || []).map((word) => word.toLowerCase()));
}

/** Return the parts of a text: [words, whether a word that the others lack]. */
export function parted(text, others) {
  const parts = [];
  let at = 0;
  for (const found of text.matchAll(WORD)) {
    if (others.has(found[0].toLowerCase())) continue;
    if (found.index > at) parts.push([text.slice(at, found.index), false]);
    parts.push([found[0], true]);
    at = found.index + found[0].length;
  }
  if (at < text.length) parts.push([text.slice(at), false]);
  return parts;
}

/** Return a text with changes made: [start, end, words], in code points, none over another. */
export function corrected(text, changes) {
  const cut = cutter(text);
  let made = "", at = 0;
  for (const [start, end, words] of [...changes].sort((a, b) => a[0] - b[0])) {
    made += cut(at, start) + words;
    at = end;
  }
  made += cut(at, Infinity);
  // where a whole sentence is taken out, its space goes with it
  return changes.some((one) => !one[2]) ? made.replace(/ {2,}/g, " ").trim() : made;
}
