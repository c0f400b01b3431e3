// Shows the results of one paper, of one state, or with some words.
(function () {
  "use strict";
  const byId = (id) => document.getElementById(id);

{% include "page.js" %}

  const results = [...document.querySelectorAll(".result")].map((node) => ({ node: node, text: node.textContent.toLowerCase() }));

  function show() {
    const paper = byId("paper").value, state = byId("state").value;
    const words = byId("query").value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const { node, text } of results) {
      const fits = (!paper || node.dataset.paper === paper) && (!state || node.dataset.state === state) && words.every((word) => text.includes(word));
      node.hidden = !fits;
      shown += fits;
    }
    for (const section of document.querySelectorAll(".paper")) section.hidden = !section.querySelector(".result:not([hidden])");
    byId("shown").textContent = `${shown} of ${results.length} results`;
  }

  startTheme();
  byId("controls").hidden = false;
  byId("controls").addEventListener("input", show);
  byId("controls").addEventListener("submit", (event) => event.preventDefault());
  show();
})();
