// The examples of a number, in a dialog.
(function () {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);

{% include "page.js" %}

  // The boxes of regions over a picture, the stronger the more it was looked at.
  function boxesOver(regions) {
    const made = (tag, attributes) => {
      const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
      for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
      return node;
    };
    const drawing = made("svg", { class: "boxes", viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" });
    for (const [x0, y0, x1, y1, score] of regions) {
      const box = made("rect", { x: 100 * x0, y: 100 * y0, width: 100 * (x1 - x0), height: 100 * (y1 - y0), "stroke-opacity": 0.12 + 0.88 * score, "fill-opacity": 0.3 * score });
      const title = made("title", {});
      title.textContent = score.toFixed(2);
      box.append(title);
      drawing.append(box);
    }
    return drawing;
  }

  function pictureOf(name, regions) {
    const caption = element("figcaption", { class: "faint" }, name);
    if (!data.pictures[name]) return element("figure", {}, caption);
    const frame = element("div", { class: "frame" }, element("img", { src: data.pictures[name], alt: `Image ${name}` }));
    if (regions) frame.append(boxesOver(regions));
    return element("figure", {}, frame, caption);
  }

  function asked([place, output, correct]) {
    const example = data.examples[place];
    const list = element("dl", {},
      element("dt", {}, "right answer"), element("dd", {}, example.gold),
      element("dt", {}, "output"), element("dd", { class: correct ? "right" : "wrong" }, output || "nothing"),
      element("dt", {}, "program"), element("dd", {}, element("code", {}, example.target)));
    if (example.template) list.append(element("dt", {}, "template"), element("dd", {}, example.template));
    list.append(element("dt", {}, "id"), element("dd", { class: "faint" }, example.id));
    const looked = example.regions;
    const images = element("div", { class: "images" },
      ...example.images.map((name) => pictureOf(name, looked ? looked.images[name] : null)));
    const about = looked ? [element("p", { class: "note about" }, looked.about)] : [];
    return element("article", { class: "asked" }, element("h3", {}, example.source), images, ...about, list);
  }

  // What a number stands for: its row and its column.
  function titleOf(button) {
    const row = button.closest("tr"), table = button.closest("table");
    const column = table.tHead.rows[0].cells[button.closest("td").cellIndex].textContent.trim();
    const name = row.cells[0].firstChild.textContent.trim();
    return `${name}, ${column}: ${button.textContent.trim()} %`;
  }

  startTheme();
  document.addEventListener("click", (event) => {
    const button = event.target.closest(".open");
    if (!button) return;
    byId("opened-title").textContent = titleOf(button);
    byId("opened-list").replaceChildren(...data.cells[button.dataset.cell].map(asked));
    byId("opened").showModal();
    byId("opened").scrollTop = 0;
  });
  byId("close").addEventListener("click", () => byId("opened").close());
})();
