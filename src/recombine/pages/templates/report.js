// The example browser and the theme button. Text from the data reaches the page as text nodes and attributes only.
(function () {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const list = byId("list"), query = byId("query"), choice = byId("split");
  const SHOWN = 600;
  let current = -1;

{% include "page.js" %}

  function show(number, part) {
    const [id, source, target, graphs, marked] = data.examples[number];
    current = number;
    byId("detail-title").textContent = source;
    const facts = element("dl");
    for (const [term, value] of [["target", target], ["part", part], ["id", id]]) {
      const inner = term === "part" ? element("span", { class: part === "train" ? "train" : "test" }, value) : element("code", {}, value);
      facts.append(element("dt", {}, term), element("dd", {}, inner));
    }
    const body = [facts];
    graphs.forEach((graph, at) => {
      if (!graph) return;
      const title = data.titles[at];
      const drawing = element("div", { class: "scroll drawing", role: "region", tabindex: "0", "aria-label": `Drawing: ${title}` });
      body.push(element("h4", {}, title));
      if (graph[5]) body.push(...wholeGraph(graph, at, title, marked, drawing));
      else drawing.append(graphPicture(graph, `graph-${at}`, title));
      body.push(drawing);
    });
    if (!graphs.length) body.push(element("p", { class: "faint" }, "This example has no derivation, and the language of its program is not known."));
    byId("detail-body").replaceChildren(...body);
    for (const button of list.querySelectorAll("button")) {
      const here = Number(button.dataset.number) === number;
      if (here) button.setAttribute("aria-current", "true"); else button.removeAttribute("aria-current");
      button.tabIndex = here ? 0 : -1;
    }
    if (!list.querySelector("[tabindex='0']") && list.querySelector("button")) list.querySelector("button").tabIndex = 0;
  }

  // The graph of all rule applications: kinds by colour, and a choice of compounds to mark in it.
  function wholeGraph(graph, at, title, marked, drawing) {
    const kinds = graph[5], [, , centres, layers] = graph;
    const draw = (area) => {
      drawing.replaceChildren(graphPicture(graph, `graph-${at}`, title,
        { ...PLAIN, slots: false, node: (node) => `kind-${data.kinds[kinds[node]]}`, area: area }));
      // The marked nodes come into sight, else the root; what is not on the page yet cannot be scrolled.
      const root = layers.indexOf(Math.min(...layers));
      requestAnimationFrame(() => {
        const left = area.length ? Math.min(...area.map((node) => centres[node])) - 200 : centres[root] - drawing.clientWidth / 2;
        drawing.scrollLeft = Math.max(0, left);
      });
    };
    const keys = element("p", { class: "keys" });
    for (const number of [...new Set(kinds)].sort((one, other) => one - other)) {
      const sample = drawn("svg", { width: 22, height: 16, "aria-hidden": "true" },
        drawn("g", { class: `node kind-${data.kinds[number]}` }, drawn("rect", { x: 1, y: 1, width: 20, height: 14, rx: 4 })));
      keys.append(element("span", { class: "key" }, sample, `${data.kinds[number]} (${kinds.filter((kind) => kind === number).length})`));
    }
    if (!marked || !marked.length) {
      draw([]);
      return [keys];
    }
    const chosen = element("select", { id: "marked" }, element("option", { value: "-1" }, "none"));
    marked.forEach(([name], place) => chosen.append(element("option", { value: String(place) }, shortened(name))));
    chosen.value = "0";
    const mark = () => {
      const place = Number(chosen.value);
      draw(place < 0 ? [] : marked[place][1]);
    };
    chosen.addEventListener("change", mark);
    mark();
    return [keys, element("p", { class: "field" }, element("label", { for: "marked" }, "Held-out compound that is marked"), chosen)];
  }

  function shortened(name) {
    return name.length <= 110 ? name : name.slice(0, 60) + " … " + name.slice(-45);
  }

  // -- the list --------------------------------------------------------------------------------------------------

  function matching() {
    const wanted = query.value.trim().toLowerCase();
    const part = Number(document.querySelector("input[name=part]:checked").value);
    const rows = [];
    data.splits[Number(choice.value)].parts.forEach((listed, at) => {
      if (part >= 0 && part !== at) return;
      for (const number of listed.examples) {
        const [id, source, target] = data.examples[number];
        if (!wanted || [id, source, target].some((text) => text.toLowerCase().includes(wanted))) rows.push([number, listed.name]);
      }
    });
    return rows;
  }

  function refresh() {
    const rows = matching();
    list.replaceChildren(...rows.slice(0, SHOWN).map(([number, part]) => {
      const button = element("button", { type: "button", tabindex: "-1" },
        element("span", { class: `part ${part === "train" ? "train" : "test"}` }, part), element("span", {}, data.examples[number][1]));
      button.dataset.number = number;
      button.dataset.part = part;
      return element("li", {}, button);
    }));
    const parts = data.splits[Number(choice.value)].parts;
    const sampled = parts.map((part) => `${part.examples.length.toLocaleString("en")} of ${part.size.toLocaleString("en")} in ${part.name}`).join(", ");
    const cut = rows.length > SHOWN ? `, the first ${SHOWN} listed` : "";
    byId("found").textContent = `${rows.length.toLocaleString("en")} ${rows.length === 1 ? "example" : "examples"} found${cut}; kept in this page: ${sampled}.`;
    const kept = rows.find(([number]) => number === current);
    if (rows.length) show(...(kept || rows[0]));
  }

  function move(event) {
    const buttons = [...list.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (at < 0 || to === undefined || !buttons[to]) return;
    event.preventDefault();
    buttons[to].focus();
    show(Number(buttons[to].dataset.number), buttons[to].dataset.part);
  }

  // A link to an example may point to any split's; the first that has it is chosen.
  function followLink() {
    const found = /^#example-([0-9]+)$/.exec(location.hash);
    if (!found) return;
    const number = Number(found[1]);
    const has = (split) => split.parts.some((part) => part.examples.includes(number));
    if (!has(data.splits[Number(choice.value)])) choice.value = String(Math.max(0, data.splits.findIndex(has)));
    query.value = "";
    document.querySelector("input[name=part][value='-1']").checked = true;
    current = number;
    refresh();
    const button = list.querySelector("[aria-current]");
    if (button) list.scrollTop = button.offsetTop - list.offsetTop - 60;
    byId("examples").scrollIntoView();
    byId("detail-title").focus({ preventScroll: true });
  }

  startTheme();
  for (const id of ["controls", "browser"]) byId(id).hidden = false;
  byId("controls").addEventListener("submit", (event) => event.preventDefault());
  byId("controls").addEventListener("input", refresh);
  list.addEventListener("keydown", move);
  list.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) show(Number(button.dataset.number), button.dataset.part);
  });
  window.addEventListener("hashchange", followLink);
  refresh();
  followLink();
})();
