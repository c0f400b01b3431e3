  // -- the graph of a query: nodes and lines with their places, as `template_graph.py` works them out ----------------

  // Where the line from the middle of one node to that of another leaves the box of the first.
  function edgeOf(from, to) {
    const [, , , , x, y, width] = from, height = data.height;
    const dx = to[4] - x, dy = to[5] - y;
    if (!dx && !dy) return [x, y + height / 2];
    const scale = Math.min(dx ? width / 2 / Math.abs(dx) : Infinity, dy ? height / 2 / Math.abs(dy) : Infinity);
    return [x + dx * scale, y + height / 2 + dy * scale];
  }

  function tip([x, y], [fromX, fromY]) {
    const long = Math.hypot(x - fromX, y - fromY) || 1, ux = (x - fromX) / long, uy = (y - fromY) / long;
    const back = [x - 8 * ux, y - 8 * uy];
    return drawn("path", { class: "tip", d: `M${x} ${y}L${back[0] - 4 * uy} ${back[1] + 4 * ux}L${back[0] + 4 * uy} ${back[1] - 4 * ux}Z` });
  }

  function queryGraph(graph, name, title) {
    const [nodes, edges, width, height] = graph, told = [], lines = [], boxes = [];
    for (const [start, end, text, title] of edges) {
      const from = edgeOf(nodes[start], nodes[end]), to = edgeOf(nodes[end], nodes[start]);
      const x = (from[0] + to[0]) / 2 + 7, y = (from[1] + to[1]) / 2 + 4;
      lines.push(drawn("g", {}, drawn("title", {}, title),
        drawn("path", { class: "line", d: `M${from[0]} ${from[1]}L${to[0]} ${to[1]}` }), tip(to, from),
        drawn("text", { class: "relation", x: x, y: y }, text)));
      told.push(`${nodes[start][1]}, ${text}, ${nodes[end][1]}`);
    }
    for (const [kind, text, note, functionText, x, y, wide, title] of nodes) {
      const round = { asked: 6, class: 6, entity: data.height / 2 }[kind] || 0;
      const first = drawn("text", { class: "name", x: x, y: y + (note ? 18 : 25) });
      if (functionText) first.append(drawn("tspan", { class: "function" }, functionText + " "));
      first.append(text);
      boxes.push(drawn("g", {}, drawn("title", {}, title),
        drawn("rect", { class: `shape ${kind}`, x: x - wide / 2, y: y, width: wide, height: data.height, rx: round }),
        first, ...(note ? [drawn("text", { class: "small", x: x, y: y + 32 }, note)] : [])));
    }
    const tall = height + 6;
    return drawn("svg", {
      class: "picture", role: "img", width: width + 6, height: tall, viewBox: `-3 -3 ${width + 6} ${tall}`,
      "aria-labelledby": `${name}-title ${name}-told`,
    }, drawn("title", { id: `${name}-title` }, title),
      drawn("desc", { id: `${name}-told` }, told.join("; ") || nodes[0][1]), ...lines, ...boxes);
  }
