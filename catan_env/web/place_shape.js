/** The shape of the place that an action names: an edge, a corner or a tile. */
function placeShape(data, { kind, args: [number] }) {
  if (kind === "ROAD") {
    const [x, y, angle] = data.edges[number];
    return drawn("rect", { x: -24, y: -8, width: 48, height: 16, rx: 8, transform: `translate(${x} ${y}) rotate(${angle})` });
  }
  const [cx, cy] = kind === "MOVE_ROBBER" ? data.tiles[number] : data.vertices[number];
  return drawn("circle", { cx, cy, r: { CITY: 24, MOVE_ROBBER: 40 }[kind] ?? 15 });
}
