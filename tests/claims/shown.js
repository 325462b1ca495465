// What a person sees of a page: its characters as they are drawn, line by line from left to right.
() => {
  const drawn = [];
  const put = (said, r, raised) => { if (said) drawn.push({ said, raised, x: r.left, right: r.right, top: r.top, bottom: r.bottom }); };
  const flat = (e) => e.parentElement || (e.getRootNode().host ?? null);
  const chain = (e) => { const out = []; for (; e; e = flat(e)) out.push(e); return out; };
  const channels = (c) => { const n = (c.match(/[\d.]+/g) || []).map(Number); return n.length === 4 ? n : [...n, 1]; };
  const ground = (e) => {
    for (const one of chain(e)) {
      const s = getComputedStyle(one), c = channels(s.backgroundColor);
      if (s.backgroundImage !== "none") return null;
      if (c[3] > 0.5) return c;
    }
    return [255, 255, 255, 1];
  };
  const reached = (e, x, y) => {
    let at = document.elementFromPoint(x, y);
    while (at && at.shadowRoot && at.shadowRoot.elementFromPoint(x, y) && at.shadowRoot.elementFromPoint(x, y) !== at)
      at = at.shadowRoot.elementFromPoint(x, y);
    if (!at) return false;
    if (at === e || e.contains(at) || at.matches("a,label,button,summary,select") && at.contains(e)) return true;
    return getComputedStyle(e).display === "contents" && at.contains(e);
  };
  const letters = (node) => {
    const e = node.parentElement || node.parentNode.host, above = chain(e), s = getComputedStyle(e);
    if (s.visibility !== "visible" || above.some((one) => one.matches("option,select,textarea,iframe,object,video,audio,canvas,meter,progress"))) return;
    if (above.some((one) => getComputedStyle(one).textDecorationLine.includes("line-through"))) return;
    if (above.reduce((all, one) => all * getComputedStyle(one).opacity, 1) < 0.2) return;
    if (above.some((one) => getComputedStyle(one).filter !== "none")) return e.getBoundingClientRect().width && put("▯", e.getBoundingClientRect());
    const fill = channels(s.webkitTextFillColor), below = ground(e);
    if (fill[3] < 0.2 || below && fill.slice(0, 3).every((c, n) => Math.abs(c - below[n]) < 30)) return;
    const raised = above.filter((one) => ["super", "sub"].includes(getComputedStyle(one).verticalAlign) || one.matches("sup,sub")).length;
    const range = document.createRange();
    let at = 0;
    for (const letter of node.data) {
      range.setStart(node, at);
      range.setEnd(node, (at += letter.length));
      const r = [...range.getClientRects()].find((one) => one.width > 0.4 && one.height > 3);
      if (!r || /\s/.test(letter) || !reached(e, (r.left + r.right) / 2, (r.top + r.bottom) / 2)) continue;
      let said = letter;
      if (s.textTransform === "uppercase" || s.fontVariantCaps !== "normal") said = letter.toUpperCase();
      if (s.textTransform === "lowercase") said = letter.toLowerCase();
      if (s.webkitTextSecurity !== "none") said = "•";
      put(said, r, raised);
    }
  };
  const added = (e, which) => {
    const said = getComputedStyle(e, which).content, r = e.getBoundingClientRect();
    if (["open-quote", "close-quote"].includes(said) && r.height) {
      const wide = parseFloat(getComputedStyle(e).fontSize) * 0.6, all = e.getClientRects();
      const at = which === "::before" ? { ...all[0].toJSON(), right: all[0].left + wide } : { ...all[all.length - 1].toJSON(), left: all[all.length - 1].right - wide };
      return put("“", at);
    }
    if (!said || ["none", "normal", '""'].includes(said) || !r.height) return;
    if (getComputedStyle(e, which).display !== "none") put(said.replace(/["\\]/g, ""), which === "::before" ? { left: r.left - 1, right: r.left, top: r.top, bottom: r.top + 9 } : { left: r.right, right: r.right + 1, top: r.bottom - 9, bottom: r.bottom });
  };
  const field = (e) => {
    const r = e.getBoundingClientRect(), s = getComputedStyle(e);
    if (!r.width || !r.height || s.visibility !== "visible" || !reached(e, (r.left + r.right) / 2, (r.top + r.bottom) / 2) || chain(e).some((one) => getComputedStyle(one).opacity < 0.2)) return;
    const inner = { left: r.left + 9, right: r.right - 9, top: r.top, bottom: r.bottom };
    if (e.matches("select")) {
      const many = e.multiple || e.size > 1;
      for (const one of many ? e.querySelectorAll("optgroup,option") : e.selectedOptions) put(one.label, many ? { ...one.getBoundingClientRect().toJSON(), bottom: one.getBoundingClientRect().top + 9 } : inner);
    } else if (e.matches("iframe,object,embed")) {
      put(e.contentDocument ? e.contentDocument.body?.innerText : "▯", r);
    } else if (e.matches("img")) {
      if (!e.naturalWidth) put(e.alt, r);
    } else if (e.matches("textarea")) {
      put(e.value || e.placeholder, inner);
    } else if (!["hidden", "checkbox", "radio", "range", "color", "image", "submit", "reset", "button", "file", "password"].includes(e.type)) {
      const said = ["date", "time", "month", "week", "datetime-local"].includes(e.type) && e.value ? "▯" : e.value || e.placeholder;
      put(e.value && e.scrollWidth > e.clientWidth ? "▯" + said : said, inner);
    } else if (["submit", "reset", "button"].includes(e.type)) put(e.getAttribute("value") || "", inner);
  };
  const item = (e) => {
    const list = e.parentElement, s = getComputedStyle(e), r = e.getBoundingClientRect();
    let mark = s.listStyleType.startsWith('"') ? s.listStyleType.slice(1, -1) : "";
    if (list?.matches("ol") && s.listStyleType !== "none" && (list.hasAttribute("start") || list.reversed || list.querySelector(":scope > li[value]"))) {
      let number = list.start;
      if (list.reversed && !list.hasAttribute("start")) number = list.children.length;
      for (const one of list.children) {
        if (one.hasAttribute("value")) number = one.value;
        if (one === e) break;
        number += list.reversed ? -1 : 1;
      }
      mark = s.listStyleType === "decimal" ? `${number}.` : "▯";
    }
    if (mark && r.height) put(mark, { left: r.left - 20, right: r.left - 15, top: r.top, bottom: r.top + 16 });
  };
  const walk = (root) => {
    for (const e of root.querySelectorAll("*")) {
      if (e.matches("details")) e.open = true;
      added(e, "::before");
      added(e, "::after");
      if (e.matches("input,textarea,select,iframe,object,embed,img")) field(e);
      if (e.matches("li")) item(e);
      if (e.shadowRoot) walk(e.shadowRoot);
    }
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) letters(texts.currentNode);
  };
  for (const e of document.querySelectorAll("details")) e.open = true;
  walk(document.documentElement);
  drawn.sort((a, b) => a.bottom + a.top - b.bottom - b.top);
  const lines = [];
  for (const one of drawn) {
    const last = lines.at(-1), middle = (one.top + one.bottom) / 2;
    if (last && middle <= last.bottom) last.all.push(one);
    else lines.push({ bottom: one.bottom, all: [one] });
    const line = lines.at(-1);
    line.bottom = Math.max(line.bottom, one.raised ? 0 : one.bottom - 2);
  }
  return lines.map(({ all }) => {
    all.sort((a, b) => a.x - b.x);
    let said = "", right = null, level = 0;
    for (const one of all) {
      if (right !== null && one.x - right > 0.15 * (one.bottom - one.top)) said += " ";
      said += ((one.raised || 0) !== level && /\d/.test(one.said) && /[\d]$/.test(said) ? "^" : "") + one.said;
      right = one.right;
      level = one.raised || 0;
    }
    return said;
  }).join("\n");
}
