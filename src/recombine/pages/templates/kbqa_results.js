// Wrong answers: filters, and both graphs side by side.
(function () {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);

{% include "page.js" %}

{% include "query_graph.js" %}

  const BATCH = 6;
  const plural = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

  function side(section, heading, number, name) {
    const [text, graph, why, answers, more, without] = section.forms[number];
    const box = element("div", { class: "graph", tabindex: "0", role: "region", "aria-label": heading });
    box.append(graph ? queryGraph(graph, name, heading) : element("p", { class: "missing" }, why === "there is no output" ? "There is no output." : `It cannot be drawn: ${why}`));
    const said = answers.length ? "↦ " + answers.join("; ") + (more ? `; ${more.toLocaleString("en")} more` : "") : text ? (without ? `no answers: ${without}` : "↦ nothing") : "";
    return element("div", {}, element("h4", {}, heading), box,
      ...(text ? [element("code", {}, text)] : []), element("p", { class: "answers" }, said));
  }

  function cardOf(section, place, row) {
    const [system, id, question, level, kind, gold, output] = section.wrong[row], name = `wrong-${place}-${row}`;
    return element("article", { class: "card wrong", "aria-labelledby": `${name}-name` },
      element("header", {},
        element("h3", { id: `${name}-name`, tabindex: "-1", title: id }, question),
        element("span", { class: "chip class" }, kind), element("span", { class: "chip" }, level)),
      element("p", { class: "system" }, section.systems[system]),
      side(section, "Gold", gold, `${name}-gold`), side(section, "Output", output, `${name}-output`));
  }

  function start(section, place) {
    const controls = byId(`controls-${place}`), cards = byId(`cards-${place}`), more = byId(`more-${place}`);
    if (!controls) return;
    const field = (name) => byId(`${name}-${place}`);
    let found = [], shown = 0;

    function showMore(focus) {
      const first = shown;
      for (; shown < Math.min(first + BATCH, found.length); shown += 1) cards.append(cardOf(section, place, found[shown]));
      more.hidden = shown >= found.length;
      more.textContent = `Show ${Math.min(BATCH, found.length - shown)} more of ${(found.length - shown).toLocaleString("en")}`;
      if (focus && shown > first) cards.children[first].querySelector("h3").focus();
    }

    function filter() {
      const system = field("system").value, level = field("level").value, kind = field("class").value;
      const words = field("query").value.toLowerCase().trim();
      found = [];
      section.wrong.forEach(([own, id, question, its, name, gold, output], row) => {
        const fits = (!system || String(own) === system) && (!level || its === level) && (!kind || name === kind);
        const text = `${id}\n${question}\n${section.forms[gold][0]}\n${section.forms[output][0]}`.toLowerCase();
        if (fits && text.includes(words)) found.push(row);
      });
      byId(`found-${place}`).textContent = `${plural(found.length, "wrong answer")} of the ${section.wrong.length.toLocaleString("en")} that the page has.`;
      cards.replaceChildren();
      shown = 0;
      showMore(false);
    }

    controls.hidden = false;
    controls.addEventListener("submit", (event) => event.preventDefault());
    controls.addEventListener("input", filter);
    more.addEventListener("click", () => showMore(true));
    filter();
  }

  startTheme();
  data.sections.forEach(start);
})();
