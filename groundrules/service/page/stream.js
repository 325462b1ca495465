// Requests: what the service answers, its events as they come, and its errors as one line.

/** A request that the service refused, or that did not come back. */
export class Trouble extends Error {
  constructor(status, message, after = 0) {
    super(message);
    this.status = status;
    this.after = after;
  }
}

/** The key of the client: in memory, and nowhere else. */
export const access = { key: "" };

const LOST = "The connection to the service was lost.";

async function ask(path, options = {}) {
  const headers = { ...options.headers };
  if (access.key) headers.Authorization = `Bearer ${access.key}`;
  let answer;
  try {
    answer = await fetch(path, { ...options, headers, cache: "no-store", credentials: "omit" });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Trouble(0, LOST);
  }
  if (answer.ok) return answer;
  let message = `The service answered ${answer.status}.`;
  try {
    message = (await answer.json()).error.message;
  } catch {
    // no answer of ours: its status is all there is
  }
  throw new Trouble(answer.status, message, Number(answer.headers.get("Retry-After")) || 0);
}

/** Return an answer that is JSON. */
export async function get(path) {
  return (await ask(path)).json();
}

/** Return the report of a check in one of its forms: its bytes and the name of a file. */
export async function download(body, form, signal) {
  const answer = await ask(`check?format=${encodeURIComponent(form)}`, post(body, signal));
  const named = /filename="([\w.-]+)"/.exec(answer.headers.get("Content-Disposition") || "");
  return [await answer.blob(), named ? named[1] : `report.${form}`];
}

function post(body, signal, accept) {
  const headers = { "Content-Type": "application/json" };
  if (accept) headers.Accept = accept;
  return { method: "POST", headers, body: JSON.stringify(body), signal };
}

/** Have a text checked; `told(name, data)` gets each event. Trouble where no report comes. */
export async function check(body, signal, told) {
  const answer = await ask("check", post(body, signal, "text/event-stream"));
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let left = "", whole = false;
  for (;;) {
    let part;
    try {
      part = await reader.read();
    } catch (error) {
      if (error.name === "AbortError") throw error;
      throw new Trouble(0, LOST);
    }
    if (part.done) break;
    left += part.value;
    const blocks = left.split("\n\n");
    left = blocks.pop();
    for (const block of blocks) {
      const [name, data] = eventOf(block);
      if (name === "error") throw new Trouble(data.status, data.message, data.after || 0);
      if (!name) continue;
      whole = whole || name === "report";
      told(name, data);
    }
  }
  if (!whole) throw new Trouble(0, LOST);
}

function eventOf(block) {
  let name = "", data = "";
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    else if (line.startsWith("data:")) data += line.slice(5).trim();
  }
  return name ? [name, JSON.parse(data)] : ["", null];
}
