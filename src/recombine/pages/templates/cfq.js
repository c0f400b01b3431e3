// Questions of the level that is chosen.
(function () {
  "use strict";
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);

{% include "page.js" %}

  function show() {
    const listed = data.levels[byId("level").value] || [];
    byId("browsed").replaceChildren(...listed.map(([question, answer]) => element("li", {}, answer ? `${question} ↦ ${answer}` : question)));
  }

  startTheme();
  if (byId("controls")) {
    for (const id of ["controls", "browsed"]) byId(id).hidden = false;
    byId("controls").addEventListener("submit", (event) => event.preventDefault());
    byId("level").addEventListener("change", show);
    show();
  }
})();
