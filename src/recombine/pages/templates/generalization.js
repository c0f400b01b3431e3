// The examples of a number, in a dialog.
(function () {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);

{% include "page.js" %}

  function pictureOf(name) {
    const caption = element("figcaption", { class: "faint" }, name);
    if (!data.pictures[name]) return element("figure", {}, caption);
    return element("figure", {}, element("img", { src: data.pictures[name], alt: `Image ${name}` }), caption);
  }

  function asked([place, output, correct]) {
    const example = data.examples[place];
    const list = element("dl", {},
      element("dt", {}, "right answer"), element("dd", {}, example.gold),
      element("dt", {}, "output"), element("dd", { class: correct ? "right" : "wrong" }, output || "nothing"),
      element("dt", {}, "program"), element("dd", {}, element("code", {}, example.target)));
    if (example.template) list.append(element("dt", {}, "template"), element("dd", {}, example.template));
    list.append(element("dt", {}, "id"), element("dd", { class: "faint" }, example.id));
    const images = element("div", { class: "images" }, ...example.images.map(pictureOf));
    return element("article", { class: "asked" }, element("h3", {}, example.source), images, list);
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
