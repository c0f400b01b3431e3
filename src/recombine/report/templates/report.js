// The example browser and the theme button. Text from the data reaches the page as text nodes and attributes only.
(function () {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const list = byId("list"), query = byId("query"), choice = byId("split");
  const SHOWN = 600;
  let current = -1;

  function element(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  function drawn(tag, attributes, ...children) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes || {})) made.setAttribute(name, value);
    made.append(...children);
    return made;
  }

  // -- derivations -----------------------------------------------------------------------------------------------

  function shortLabel(rule) {
    return rule.length <= data.geometry.longest ? rule : rule.slice(0, data.geometry.longest - 1) + "…";
  }

  function graphPicture(graph, name, title) {
    const [rules, edges, centres, layers, wide] = graph;
    const { character, padding, step, height } = data.geometry;
    const names = rules.map((rule) => data.rules[rule]);
    const links = [], slots = [], told = [];
    for (let at = 0; at < edges.length; at += 3) {
      const parent = edges[at], child = edges[at + 1], slot = edges[at + 2];
      const x = centres[parent] + 2, y = layers[parent] * step + 2 + height;
      const toX = centres[child] + 2, toY = layers[child] * step + 2, bend = (toY - y) / 2;
      links.push(drawn("path", { class: "link", d: `M${x} ${y}C${x} ${y + bend} ${toX} ${toY - bend} ${toX} ${toY}` }));
      slots.push(drawn("text", { class: "slot", x: (x + toX) / 2 + 5, y: (y + toY) / 2 + 3.5 }, String(slot)));
      told.push(`${names[parent]} has ${names[child]} in slot ${slot}`);
    }
    const nodes = names.map((rule, node) => {
      const width = shortLabel(rule).length * character + 2 * padding;
      const x = centres[node] + 2, y = layers[node] * step + 2;
      return drawn("g", { class: "node plain" },
        drawn("title", {}, rule),
        drawn("rect", { x: x - width / 2, y: y, width: width, height: height, rx: 5 }),
        drawn("text", { x: x, y: y + 16 }, shortLabel(rule)));
    });
    const width = wide + 4, tall = Math.max(...layers) * step + height + 4;
    return drawn("svg", {
      class: "picture", role: "img", width: width, height: tall, viewBox: `0 0 ${width} ${tall}`,
      "aria-labelledby": `${name}-name ${name}-told`,
    }, drawn("title", { id: `${name}-name` }, title),
      drawn("desc", { id: `${name}-told` }, told.join("; ") || names[0]), ...links, ...slots, ...nodes);
  }

  function show(number, part) {
    const [id, source, target, graphs] = data.examples[number];
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
      body.push(element("h4", {}, title),
        element("div", { class: "scroll drawing", role: "region", tabindex: "0", "aria-label": `Drawing: ${title}` }, graphPicture(graph, `graph-${at}`, title)));
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

  // -- the theme -------------------------------------------------------------------------------------------------

  function startTheme() {
    const button = byId("theme"), root = document.documentElement;
    const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
    const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : prefersDark.matches);
    const name = () => { byId("theme-name").textContent = isDark() ? "Light theme" : "Dark theme"; };
    button.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; name(); });
    prefersDark.addEventListener("change", name);
    button.hidden = false;
    name();
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
