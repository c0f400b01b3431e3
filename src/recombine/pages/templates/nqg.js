// Filters of the rules and of the examples, and the link between the two trees of a derivation.
(function () {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);

{% include "page.js" %}

  const chosen = (name) => document.querySelector(`input[name=${name}]:checked`).value;
  const plural = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

  // -- rules -----------------------------------------------------------------------------------------------------

  const rules = [...byId("rules").rows].map((row) => ({
    row, slots: row.dataset.slots, text: `${row.cells[0].textContent} ### ${row.cells[1].textContent}`.toLowerCase(),
  }));

  function filterRules() {
    const words = byId("rule-query").value.toLowerCase(), slots = chosen("slots");
    let shown = 0;
    for (const rule of rules) {
      rule.row.hidden = !rule.text.includes(words) || (slots !== "any" && rule.slots !== slots);
      shown += rule.row.hidden ? 0 : 1;
    }
    byId("rules-found").textContent = `${plural(shown, "rule")} of ${rules.length.toLocaleString("en")} shown.`;
  }

  // -- examples --------------------------------------------------------------------------------------------------

  const articles = [...byId("details").children];
  const buttons = [...byId("list").querySelectorAll("button")];
  const texts = articles.map((article) => [article.querySelector("h3"), ...article.querySelectorAll("code")].map((one) => one.textContent).join("\n").toLowerCase());
  let current = -1;

  function show(place) {
    current = place;
    articles.forEach((article, at) => { article.hidden = at !== place; });
    buttons.forEach((button, at) => {
      if (at === place) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
  }

  function filterExamples() {
    const words = byId("query").value.toLowerCase(), kind = chosen("result");
    const found = [];
    buttons.forEach((button, at) => {
      const fits = texts[at].includes(words) && (kind === "any" || button.dataset.kind === kind);
      button.parentNode.hidden = !fits;
      if (fits) found.push(at);
    });
    byId("found").textContent = `${plural(found.length, "example")} of ${buttons.length.toLocaleString("en")} found.`;
    show(found.includes(current) ? current : found.length ? found[0] : -1);
  }

  function move(event) {
    const shown = buttons.filter((button) => !button.parentNode.hidden), at = shown.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: shown.length - 1 }[event.key];
    if (at < 0 || to === undefined || !shown[to]) return;
    event.preventDefault();
    shown[to].focus();
    show(Number(shown[to].dataset.place));
  }

  // -- the two trees ---------------------------------------------------------------------------------------------

  function light(event) {
    const article = event.target.closest("article"), rule = event.target.closest("[data-node]");
    if (!article) return;
    for (const one of article.querySelectorAll("[data-node]")) one.classList.toggle("lit", Boolean(rule) && one.dataset.node === rule.dataset.node);
    article.classList.toggle("dim", Boolean(rule));
  }

  function unlight(event) {
    const article = event.target.closest("article");
    if (!article || (event.relatedTarget && event.relatedTarget.closest && event.relatedTarget.closest("[data-node]"))) return;
    for (const one of article.querySelectorAll(".lit")) one.classList.remove("lit");
    article.classList.remove("dim");
  }

  startTheme();
  for (const id of ["rule-controls", "controls", "list"]) byId(id).hidden = false;
  byId("list").parentNode.classList.add("chosen");
  for (const [id, refresh] of [["rule-controls", filterRules], ["controls", filterExamples]]) {
    byId(id).addEventListener("submit", (event) => event.preventDefault());
    byId(id).addEventListener("input", refresh);
    refresh();
  }
  byId("list").addEventListener("keydown", move);
  byId("list").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) show(Number(button.dataset.place));
  });
  for (const [kind, act] of [["mouseover", light], ["focusin", light], ["mouseout", unlight], ["focusout", unlight]]) byId("details").addEventListener(kind, act);
})();
