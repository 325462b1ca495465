"use strict";
(() => {
  const all = (where, what) => Array.from(where.querySelectorAll(what));
  const cards = () => all(document, "details.card").filter((one) => !one.hidden);
  const help = document.querySelector("dialog");
  const wide = window.matchMedia("(min-width: 68rem)");
  let here = null;

  function select(card, scroll) {
    if (here) here.classList.remove("here");
    all(document, ".statement.here").forEach((one) => one.classList.remove("here"));
    here = card;
    if (!card) return;
    card.classList.add("here");
    const mark = markOf(card);
    if (mark) mark.classList.add("here");
    beside(card, mark);
    card.querySelector("summary").focus({ preventScroll: true });
    if (!scroll) return;
    if (mark && wide.matches) mark.scrollIntoView({ block: "nearest" });
    card.scrollIntoView({ block: "nearest" });
  }

  function markOf(card) {
    const body = card.querySelector(".body");
    const link = body && body.querySelector(".facts a[href^='#']");
    return link && document.getElementById(link.getAttribute("href").slice(1));
  }

  // the source beside the text: what decides a statement stands at its height
  function beside(card, mark) {
    const link = card.querySelector("figcaption a[href^='#']");
    const passage = link && document.getElementById(link.getAttribute("href").slice(1));
    const pane = passage && passage.closest(".sources");
    if (!pane || !wide.matches) return;
    all(document, ".beside").forEach((one) => one.classList.remove("beside"));
    passage.classList.add("beside");
    const level = mark ? mark.getBoundingClientRect().top : 0;
    const top = Math.max(level, pane.getBoundingClientRect().top + 40);
    pane.scrollTop += passage.getBoundingClientRect().top - Math.min(top, innerHeight * 0.7);
  }

  let waiting = false;
  function follow() {
    waiting = false;
    const seen = all(document, ".reading .statement").filter((one) => {
      const top = one.getBoundingClientRect().top;
      return top > 60 && top < innerHeight;
    });
    const mark = seen.find((one) => one.classList.contains("here")) || seen[0];
    if (mark) beside(document.getElementById(mark.getAttribute("href").slice(1)).closest("details.card"), mark);
  }
  window.addEventListener("scroll", () => {
    if (!waiting) requestAnimationFrame(follow);
    waiting = true;
  }, { passive: true });

  function reveal() {
    const name = decodeURIComponent(location.hash.slice(1));
    const found = name && document.getElementById(name);
    const card = found && found.closest("details.card");
    if (!card) return;
    if (card.hidden) clear(card.closest(".report"));
    card.open = true;
    select(card, false);
    card.scrollIntoView({ block: "start" });
  }

  function filter(report) {
    const bar = report.querySelector(".filters");
    const value = (name) => {
      const field = bar.querySelector("[name=" + name + "]");
      return field ? field.value : "";
    };
    const verdict = value("verdict"), rule = value("rule");
    const words = value("words").trim().toLowerCase();
    let left = 0, total = 0;
    all(report, "details.card").forEach((card) => {
      const data = card.dataset;
      const fits = (!verdict || data.outcome === verdict)
        && (!rule || (data.rules || "").split(" ").includes(rule))
        && (!words || card.textContent.toLowerCase().includes(words));
      card.hidden = !fits;
      total += 1;
      left += fits ? 1 : 0;
      const mark = markOf(card);
      if (mark) mark.classList.toggle("away", !fits);
    });
    all(report, ".group").filter((group) => group.querySelector("details.card")).forEach((group) => {
      group.hidden = !group.querySelector("details.card:not([hidden])");
    });
    bar.querySelector(".shown").textContent = left < total ? left + " of " + total + " shown" : "";
    if (here && here.hidden) select(null, false);
  }

  function clear(report) {
    all(report, ".filters select, .filters input").forEach((field) => { field.value = ""; });
    filter(report);
  }

  function step(by) {
    const shown = cards();
    if (!shown.length) return;
    const at = shown.indexOf(here);
    const next = at < 0 ? (by > 0 ? 0 : shown.length - 1) : at + by;
    select(shown[Math.max(0, Math.min(shown.length - 1, next))], true);
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || (help && help.open)) return;
    const field = event.target.closest("input, select, textarea");
    if (event.key === "Escape") {
      if (field) field.blur();
      if (here && here.open && !field) here.open = false;
      else all(document, ".report").forEach(clear);
      return;
    }
    if (field) return;
    if (event.key === "j") step(1);
    else if (event.key === "k") step(-1);
    else if (event.key === "Enter" && here && !event.target.closest("a, button, summary")) here.open = !here.open;
    else if (event.key === "t" && here && markOf(here)) markOf(here).scrollIntoView({ block: "center" });
    else if (event.key === "?" && help) help.showModal();
    else if (event.key === "/") {
      const report = (here && here.closest(".report")) || document;
      const search = report.querySelector(".filters [name=words]");
      if (search) search.focus();
    } else return;
    event.preventDefault();
  });

  all(document, ".report").forEach((report) => {
    const bar = report.querySelector(".filters");
    bar.hidden = false;
    bar.addEventListener("input", () => filter(report));
    bar.querySelector(".keys").addEventListener("click", () => help.showModal());
  });
  document.addEventListener("click", (event) => {
    const head = event.target.closest("summary");
    if (head) select(head.parentElement, false);
    const link = event.target.closest("a[href^='#']");
    if (link && link.getAttribute("href") === location.hash) reveal();
  });
  help.querySelector("button").addEventListener("click", () => help.close());
  window.addEventListener("hashchange", reveal);
  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = all(document, "details.card:not([open])");
    closed.forEach((one) => { one.open = true; });
  });
  window.addEventListener("afterprint", () => closed.forEach((one) => { one.open = false; }));
  reveal();
})();
