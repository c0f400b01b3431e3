// Filters of the examples, and the objects of a step marked in the pictures beside it.
(function () {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);

{% include "page.js" %}

  const plural = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
  const articles = [...byId("details").children];
  const buttons = [...byId("list").querySelectorAll("button")];
  const texts = articles.map((article) => article.textContent.toLowerCase());
  const answers = articles.map((article) => [...article.querySelectorAll(".said")].map((one) => one.dataset.answer));
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
    const words = byId("query").value.toLowerCase(), template = byId("template").value, answer = byId("answer").value;
    const found = [];
    buttons.forEach((button, at) => {
      const fits = texts[at].includes(words) && (!template || button.dataset.template === template) && (!answer || answers[at].includes(answer));
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

  function mark(step, on) {
    const twin = step.closest(".twin"), keys = new Set(JSON.parse(step.dataset.objects));
    step.classList.toggle("lit", on);
    twin.classList.toggle("dim", on);
    for (const one of twin.querySelectorAll(".object")) one.classList.toggle("lit", on && keys.has(one.dataset.key));
  }

  startTheme();
  for (const id of ["controls", "list"]) byId(id).hidden = false;
  byId("controls").addEventListener("submit", (event) => event.preventDefault());
  byId("controls").addEventListener("input", filterExamples);
  filterExamples();
  byId("list").addEventListener("keydown", move);
  byId("list").addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) show(Number(button.dataset.place));
  });
  for (const [kind, on] of [["mouseover", true], ["focusin", true], ["mouseout", false], ["focusout", false]]) {
    byId("details").addEventListener(kind, (event) => {
      const step = event.target.closest(".step");
      if (step) mark(step, on);
    });
  }
})();
