  // What every page shares. Text from the data reaches the page as text nodes and attributes only.
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

  function shortLabel(rule) {
    return rule.length <= data.geometry.longest ? rule : rule.slice(0, data.geometry.longest - 1) + "…";
  }

  // How the parts of a graph look: classes of nodes and links, further links [from, to, class] between neighbours, and
  // whether the numbers of slots stand on the lines.
  const PLAIN = { node: () => "plain", link: () => "", across: [], slots: true, area: [] };

  // Neighbours side by side, or further up, are joined from side to side; one that stands lower from below.
  function acrossLink(places, from, to, look) {
    const [left, right] = [places[from], places[to]], down = right.y > left.y;
    const x = down ? left.x : left.x + left.width / 2, y = left.y + left.height / (down ? 1 : 2);
    const toX = down ? right.x : right.x - right.width / 2, toY = down ? right.y : right.y + right.height / 2;
    return drawn("path", { class: `link across ${look}`, d: `M${x} ${y}L${toX} ${toY}` });
  }

  function graphPicture(graph, name, title, looks = PLAIN) {
    const [rules, edges, centres, layers, wide] = graph;
    const { character, padding, step, height } = data.geometry;
    const names = rules.map((rule) => data.rules[rule]);
    const places = names.map((rule, node) => ({
      x: centres[node] + 2, y: layers[node] * step + 2, width: shortLabel(rule).length * character + 2 * padding, height: height,
    }));
    const links = [], slots = [], told = [];
    for (let at = 0; at < edges.length; at += 3) {
      const parent = edges[at], child = edges[at + 1], slot = edges[at + 2];
      const x = places[parent].x, y = places[parent].y + height;
      const toX = places[child].x, toY = places[child].y, bend = (toY - y) / 2;
      links.push(drawn("path", { class: `link ${looks.link(parent, child)}`.trim(), d: `M${x} ${y}C${x} ${y + bend} ${toX} ${toY - bend} ${toX} ${toY}` }));
      if (looks.slots) slots.push(drawn("text", { class: "slot", x: (x + toX) / 2 + 5, y: (y + toY) / 2 + 3.5 }, String(slot)));
      told.push(`${names[parent]} has ${names[child]}${looks.slots ? ` in slot ${slot}` : ""}`);
    }
    for (const [from, to, look] of looks.across) {
      links.push(acrossLink(places, from, to, look));
      told.push(`${names[from]} stands before ${names[to]}`);
    }
    // The area of marked nodes: broad strokes along the lines between them, and broad boxes, behind all the rest.
    const area = [], inside = new Set(looks.area || []);
    for (let at = 0; at < edges.length; at += 3) {
      if (inside.has(edges[at]) && inside.has(edges[at + 1])) area.push(drawn("path", { class: "area", d: links[at / 3].getAttribute("d") }));
    }
    for (const node of inside) {
      const { x, y, width } = places[node];
      area.push(drawn("rect", { class: "area", x: x - width / 2 - 2, y: y - 2, width: width + 4, height: height + 4, rx: 8 }));
    }
    const nodes = names.map((rule, node) => {
      const { x, y, width } = places[node];
      return drawn("g", { class: `node ${looks.node(node)}`.trim() },
        drawn("title", {}, rule),
        drawn("rect", { x: x - width / 2, y: y, width: width, height: height, rx: 5 }),
        drawn("text", { x: x, y: y + 16 }, shortLabel(rule)));
    });
    const width = wide + 4, tall = Math.max(...layers) * step + height + 4;
    return drawn("svg", {
      class: "picture", role: "img", width: width, height: tall, viewBox: `0 0 ${width} ${tall}`,
      "aria-labelledby": `${name}-name ${name}-told`,
    }, drawn("title", { id: `${name}-name` }, title),
      drawn("desc", { id: `${name}-told` }, told.join("; ") || names[0]), ...area, ...links, ...slots, ...nodes);
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
