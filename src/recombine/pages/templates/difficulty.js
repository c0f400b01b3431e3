// The list of test examples and what is drawn of each. Text from the data reaches the page as text nodes and attributes only.
(function () {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const list = byId("list"), query = byId("query"), choice = byId("split"), heads = byId("heads");
  const SHOWN = 600;
  const RESULTS = { "1": ["right", "right"], "0": ["wrong", "wrong"], "-1": [data.undecided, "tie"] };
  let current = -1;
  let order = { key: "easiness", down: false };

{% include "page.js" %}

  const rows = data.rows.map(([program, split, easiness, label, right, unobserved, unseen, reason, places], number) => {
    const [id, source, target, length] = data.programs[program];
    const structure = reason < 0 ? "" : data.structures[data.reasons[reason][0]][0];
    const found = [id, source, target, structure].join("\n").toLowerCase();
    return { number, program, split, easiness, label, right, unobserved, unseen, reason, places, id, source, target, length, found };
  });
  const plural = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
  const code = (text, look) => element("code", look ? { class: look } : {}, text);

  // -- one example -----------------------------------------------------------------------------------------------

  // The nodes and links of a structure's occurrences; the structure says which of its nodes are joined, and how.
  function marks(structure, places, look, unseen) {
    const [, graph, across] = data.structures[structure];
    const nodes = new Set(places.flat()), links = new Set(), beside = [];
    for (const place of places) {
      for (let at = 0; at < graph[1].length; at += 3) links.add(`${place[graph[1][at]]} ${place[graph[1][at + 1]]}`);
      for (let at = 0; at < across.length; at += 2) beside.push([place[across[at]], place[across[at + 1]], look]);
    }
    return {
      node: (node) => `${nodes.has(node) ? look : node ? "plain" : "plain root"}${unseen(node) ? " unseen" : ""}`,
      link: (parent, child) => (links.has(`${parent} ${child}`) ? look : ""),
      across: beside,
      slots: false,
    };
  }

  const UNMARKED = { node: (node) => (node ? "plain" : "plain root"), link: () => "", across: [], slots: false };

  function programDrawing(program, name, looks) {
    return element("div", { class: "scroll drawing", role: "region", tabindex: "0", "aria-label": "Drawing of the program" },
      graphPicture(data.programs[program][4], name, "Tree of the program", looks));
  }

  // What is marked should be in sight without scrolling, where the drawing is wider than its place.
  function centre(drawing) {
    const marked = [...drawing.querySelectorAll(".node.marked, .node.known")];
    if (!marked.length) return;
    const boxes = marked.map((node) => node.getBoundingClientRect());
    const middle = (Math.min(...boxes.map((box) => box.left)) + Math.max(...boxes.map((box) => box.right))) / 2;
    const place = drawing.getBoundingClientRect();
    drawing.scrollLeft += middle - (place.left + place.width / 2);
  }

  function structurePicture(number, name, look) {
    const [text, graph, across] = data.structures[number];
    const beside = [];
    for (let at = 0; at < across.length; at += 2) beside.push([across[at], across[at + 1], look]);
    const picture = graphPicture(graph, name, text, { node: () => look, link: () => look, across: beside, slots: false });
    picture.classList.add("small");
    return picture;
  }

  function facts(row) {
    const made = element("dl", { class: "facts" });
    const add = (term, ...values) => made.append(element("div", {}, element("dt", {}, term), element("dd", {}, ...values)));
    const { name, models } = data.splits[row.split];
    add("target", code(row.target));
    add("easiness", row.easiness.toFixed(3));
    if (row.label !== null) {
      const told = models.length > 1 ? ` (${models.map((model, at) => `${model} ${row.right[at] ? "right" : "wrong"}`).join(", ")})` : "";
      const [word, look] = RESULTS[row.label];
      add("result", element("span", { class: `result-${look}` }, word), told);
    }
    if (row.unseen.length) add("unseen symbols", ...row.unseen.flatMap((symbol, at) => [at ? ", " : "", code(data.rules[symbol], "test")]));
    if (data.splits.length > 1) add("split", name);
    add("id", code(row.id));
    return made;
  }

  function trainExample([program, places], nearest, at) {
    const [id, source, target] = data.programs[program];
    const tree = element("details", {}, element("summary", {}, "its program as a tree"));
    tree.addEventListener("toggle", () => {
      if (!tree.open || tree.children.length > 1) return;
      const drawing = programDrawing(program, `shown-${at}`, marks(nearest, places, "known", () => false));
      tree.append(drawing);
      centre(drawing);
    });
    return element("li", {}, ...(source ? [element("p", {}, source)] : []), element("p", {}, code(target)), element("p", { class: "faint" }, `id ${id}`), tree);
  }

  function nearestObserved(row) {
    const [structure, nearest, mine, other, shown, examples] = data.reasons[row.reason];
    const more = row.unobserved - 1;
    const made = element("div", {},
      element("h4", { class: "test" }, "Least easy structure"),
      element("div", { class: "pair" }, structurePicture(structure, "structure", "marked"), code(data.structures[structure][0])));
    if (more) made.append(element("p", { class: "faint" }, `Train also lacks ${plural(more, "other structure")} of this program.`));
    if (nearest < 0) {
      made.append(element("h4", { class: "train" }, "Nearest observed structure: none"),
        element("p", {}, "Train shows no structure that differs from it in one symbol, or only with a symbol that shares none of its contexts."));
      return made;
    }
    made.append(element("h4", { class: "train" }, "Nearest observed structure"),
      element("div", { class: "pair" }, structurePicture(nearest, "nearest", "known"), code(data.structures[nearest][0])),
      element("p", {}, code(other), " in place of ", code(mine), `, similarity ${row.easiness.toFixed(3)}. Shown in ${plural(shown, "train example")}${shown > examples.length ? ", among them" : ""}:`),
      element("ol", { class: "shown" }, ...examples.map((example, at) => trainExample(example, nearest, at))));
    return made;
  }

  function show(number) {
    const row = rows[number];
    current = number;
    byId("detail-title").textContent = row.source || row.target;
    const symbols = data.programs[row.program][4][0];
    const unseen = (node) => row.unseen.includes(symbols[node]);
    const looks = row.reason < 0 ? UNMARKED : marks(data.reasons[row.reason][0], row.places, "marked", unseen);
    const drawing = programDrawing(row.program, "program", looks);
    const reason = row.reason < 0
      ? element("div", {}, element("h4", {}, "Nothing new"), element("p", {}, "Train shows every structure of this program."))
      : nearestObserved(row);
    byId("detail-body").replaceChildren(facts(row),
      element("div", { class: "explained" }, element("div", {}, element("h4", {}, "Program"), drawing), reason));
    centre(drawing);
    for (const line of list.children) {
      const here = Number(line.dataset.number) === number;
      if (here) line.setAttribute("aria-current", "true"); else line.removeAttribute("aria-current");
      line.querySelector("button").tabIndex = here ? 0 : -1;
    }
  }

  // -- the list --------------------------------------------------------------------------------------------------

  const collator = new Intl.Collator("en", { numeric: true });
  const compare = {
    easiness: (one, other) => one.easiness - other.easiness,
    length: (one, other) => one.length - other.length,
    id: (one, other) => collator.compare(one.id, other.id),
  };

  function matching() {
    const wanted = query.value.trim().toLowerCase(), split = Number(choice.value), only = byId("unobserved").checked;
    const result = document.querySelector("input[name=result]:checked").value;
    const found = rows.filter((row) => (split < 0 || row.split === split) && (!only || row.reason >= 0)
      && (result === "any" || row.label === Number(result)) && (!wanted || row.found.includes(wanted)));
    const sign = order.down ? -1 : 1;
    return found.sort((one, other) => sign * compare[order.key](one, other) || one.number - other.number);
  }

  function line(row) {
    const cell = (look, ...content) => element("td", { role: "cell", class: look }, ...content);
    const made = element("tr", { role: "row" },
      cell("easiness", row.easiness.toFixed(3)),
      ...(row.label === null ? [] : [cell(`result result-${RESULTS[row.label][1]}`, RESULTS[row.label][0])]),
      cell("length", String(row.length)),
      cell("id", row.id),
      ...(data.splits.length > 1 ? [cell("split", data.splits[row.split].name)] : []),
      cell("source", element("button", { type: "button", tabindex: "-1" }, row.source || row.target)));
    made.dataset.number = row.number;
    return made;
  }

  function refresh() {
    const found = matching();
    list.replaceChildren(...found.slice(0, SHOWN).map(line));
    const kept = data.rows.length, tested = data.splits.reduce((sum, split) => sum + split.tested, 0);
    const cut = found.length > SHOWN ? `, the first ${SHOWN} listed` : "";
    const whole = kept < tested ? ` of ${kept.toLocaleString("en")} kept in this page` : ` of ${kept.toLocaleString("en")}`;
    byId("found").textContent = `${found.length.toLocaleString("en")}${whole} found${cut}.`;
    for (const head of heads.querySelectorAll("[data-key]")) {
      if (head.dataset.key === order.key) head.setAttribute("aria-sort", order.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
    byId("rows").scrollTop = 0;
    if (found.length) show((found.slice(0, SHOWN).find((row) => row.number === current) || found[0]).number);
  }

  function sort(event) {
    const head = event.target.closest("[data-key]");
    if (!head) return;
    order = { key: head.dataset.key, down: order.key === head.dataset.key ? !order.down : false };
    current = -1;
    refresh();
  }

  function move(event) {
    const lines = [...list.children];
    const at = lines.findIndex((one) => one.contains(document.activeElement));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: lines.length - 1 }[event.key];
    if (at < 0 || to === undefined || !lines[to]) return;
    event.preventDefault();
    lines[to].querySelector("button").focus();
    show(Number(lines[to].dataset.number));
  }

  // A button of a table above fills in the filter that shows its examples.
  function follow(button) {
    query.value = button.dataset.query || "";
    choice.value = button.dataset.split || "-1";
    byId("unobserved").checked = false;
    document.querySelector("input[name=result][value=any]").checked = true;
    current = -1;
    refresh();
    byId("examples").scrollIntoView();
    byId("detail-title").focus({ preventScroll: true });
  }

  startTheme();
  for (const id of ["controls", "browser"]) byId(id).hidden = false;
  for (const button of document.querySelectorAll("[data-query], [data-split]")) {
    button.disabled = false;
    button.addEventListener("click", () => follow(button));
  }
  byId("controls").addEventListener("submit", (event) => event.preventDefault());
  byId("controls").addEventListener("input", refresh);
  heads.addEventListener("click", sort);
  list.addEventListener("keydown", move);
  list.addEventListener("click", (event) => {
    const chosen = event.target.closest("tr");
    if (!chosen) return;
    show(Number(chosen.dataset.number));
    chosen.querySelector("button").focus({ preventScroll: true });
  });
  refresh();
})();
