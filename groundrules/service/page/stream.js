// Requests: what the service answers, and its errors as one line.

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

function post(body, signal) {
  const headers = { "Content-Type": "application/json" };
  return { method: "POST", headers, body: JSON.stringify(body), signal };
}

/** Return what is shown of a check, and its report. */
export async function check(body, signal) {
  const answer = await ask("check?format=page", post(body, signal));
  try {
    return await answer.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Trouble(0, LOST);
  }
}
