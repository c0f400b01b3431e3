// Filters of the templates, and their graphs, drawn when they come into sight.
(function () {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);

{% include "page.js" %}

  const BATCH = 10;
  const plural = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
  const filters = ["function", "relations", "level", "domain"].filter((name) => byId(name));
  const fits = {
    function: (template, value) => template.function === value,
    relations: (template, value) => String(template.relations) === value,
    level: (template, value) => value in template.levels,
    domain: (template, value) => template.domains.includes(value),
  };
  const texts = data.templates.map((template) => [
    template.text, template.form, ...template.domains,
    ...template.shown.flatMap(([id, pieces, answers]) => [id, pieces.map(([text]) => text).join(""), ...answers]),
  ].join("\n").toLowerCase());
  let found = [], shown = 0;

{% include "query_graph.js" %}

  // -- a card ----------------------------------------------------------------------------------------------------

  function questionItem([id, pieces, answers, more, level, wording]) {
    const item = element("li", { title: wording ? `${id}, ${wording}` : id });
    if (level) item.append(element("span", { class: "level" }, level));
    item.append(...pieces.map(([text, named]) => (named ? element("mark", {}, text) : text)));
    if (answers.length) item.append(element("span", { class: "answers" }, "↦ " + answers.join("; ") + (more ? `; ${more.toLocaleString("en")} more` : "")));
    return item;
  }

  function cardOf(place) {
    const template = data.templates[place], name = `template-${place}`;
    const levels = Object.entries(template.levels).map(([level, count]) => `${count.toLocaleString("en")} ${level}`);
    const kind = template.function === "none" ? "" : `, ${template.function}`;
    const said = [plural(template.questions, "question"), plural(template.wordings, "wording"), ...levels].join(" · ");
    const graph = element("div", { class: "graph", tabindex: "0", role: "region", "aria-label": "Graph" });
    graph.append(template.graph ? queryGraph(template.graph, name, "The graph of the template") : element("p", { class: "missing" }, `It cannot be drawn: ${template.not_drawn}`));
    return element("article", { class: "card template", "aria-labelledby": `${name}-name` },
      element("header", {},
        element("h3", { id: `${name}-name`, tabindex: "-1" }, plural(template.relations, "relation") + kind),
        ...template.domains.map((domain) => element("span", { class: "chip" }, domain)),
        element("span", { class: "said" }, said)),
      graph,
      element("ul", {}, ...template.shown.map(questionItem)),
      element("details", {}, element("summary", {}, "Its form"),
        element("p", {}, element("code", {}, template.form)), element("p", { class: "faint" }, element("code", {}, template.text))));
  }

  function showMore(focus) {
    const first = shown;
    for (; shown < Math.min(first + BATCH, found.length); shown += 1) byId("cards").append(cardOf(found[shown]));
    byId("more").hidden = shown >= found.length;
    byId("more").textContent = `Show ${Math.min(BATCH, found.length - shown)} more of ${(found.length - shown).toLocaleString("en")}`;
    if (focus && shown > first) byId("cards").children[first].querySelector("h3").focus();
  }

  function filterTemplates() {
    const words = byId("query").value.toLowerCase().trim();
    found = [];
    data.templates.forEach((template, place) => {
      const chosen = filters.every((name) => !byId(name).value || fits[name](template, byId(name).value));
      if (chosen && texts[place].includes(words)) found.push(place);
    });
    byId("found").textContent = `${plural(found.length, "template")} of ${data.templates.length.toLocaleString("en")}.`;
    byId("cards").replaceChildren();
    shown = 0;
    showMore(false);
  }

  startTheme();
  byId("controls").hidden = false;
  byId("controls").addEventListener("submit", (event) => event.preventDefault());
  byId("controls").addEventListener("input", filterTemplates);
  byId("more").addEventListener("click", () => showMore(true));
  filterTemplates();
  if ("IntersectionObserver" in window) {
    new IntersectionObserver((seen) => {
      if (seen.some((each) => each.isIntersecting) && !byId("more").hidden) showMore(false);
    }, { rootMargin: "600px" }).observe(byId("more"));
  }
})();
