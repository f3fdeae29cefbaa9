/** The names of a board's places, as render/place_names.py gives them, and its picture. */
function namesOf(board, tables) {
  const { geometry, resources } = tables;
  const tiles = board.tiles.map(({ terrain, token }) => (terrain >= tables.desert ? `the ${tables.terrains[terrain]}` : `${token} ${resources[terrain]}`));
  /** Those of the tiles that are land; all of them at sea. */
  function land(touched) {
    const found = touched.filter((tile) => board.tiles[tile].terrain <= tables.desert);
    return found.length ? found : touched;
  }
  const vertexTiles = geometry.vertex_tiles.map(land), edgeTiles = geometry.edge_tiles.map(land);
  const times = (names) => {
    const found = new Map();
    for (const name of names) found.set(name, (found.get(name) ?? 0) + 1);
    return found;
  };
  /** The names, numbered where two are equal. */
  function numbered(names) {
    const all = times(names), seen = new Map();
    return names.map((name) => {
      seen.set(name, (seen.get(name) ?? 0) + 1);
      return all.get(name) > 1 ? `${name} (${seen.get(name)})` : name;
    });
  }
  function harbour(vertex) {
    const found = board.harbours.find(({ vertices }) => vertices.includes(vertex));
    if (!found) return "";
    return ` (${found.rate}:1 ${found.resource === null ? "" : `${resources[found.resource]} `}harbour)`;
  }
  function corners() {
    const names = vertexTiles.map((touched) => `the corner of ${[...touched].sort((a, b) => a - b).map((tile) => tiles[tile]).join(", ")}`);
    const all = times(names);
    return numbered(names.map((name, vertex) => {
      if (all.get(name) === 1) return name;
      const direction = tables.corner_names[geometry.tile_vertices[vertexTiles[vertex][0]].indexOf(vertex)];
      return name.replace("the corner", `the ${direction} corner`);
    })).map((name, vertex) => name + harbour(vertex));
  }
  function sides() {
    const names = edgeTiles.map((touched) => `between ${touched.map((tile) => tiles[tile]).join(" and ")}`);
    const all = times(names);
    return numbered(names.map((name, edge) => {
      const touched = edgeTiles[edge];
      if (all.get(name) === 1 && touched.length > 1) return name;
      const side = tables.side_names[geometry.tile_edges[touched[0]].indexOf(edge)];
      return `on the ${side} side of ${tiles[touched[0]]}`;
    }));
  }
  return { tiles, corners: corners(), sides: sides() };
}

/** An action as text, with names of places; `others` are the other players' names, clockwise. */
function described({ index, kind, args }, names, tables, others = []) {
  if (kind === "SETTLEMENT") return `build a settlement at ${names.corners[args[0]]}`;
  if (kind === "CITY") return `build a city at ${names.corners[args[0]]}`;
  if (kind === "ROAD") return `build a road ${names.sides[args[0]]}`;
  const words = tables.words[index], named = (text, step) => text.replace(tables.seat_names[step], others[step - 1] ?? tables.seat_names[step]);
  if (kind === "OFFER") return named(words, args[0]);
  return kind === "MOVE_ROBBER" ? named(words.replace(`tile ${args[0]}`, names.tiles[args[0]]), args[1]) : words;
}

/** The board's code, as game/board_code.py gives it; null if its harbours are not those of its map. */
function codeOf({ tiles, harbours }, { tiles: land, frame, letters, any, desert, rates }) {
  const placed = new Map(harbours.map((harbour) => [String([...harbour.vertices].sort((a, b) => a - b)), harbour]));
  const around = frame.map((ends) => placed.get(String(ends)));
  const isUsual = (harbour) => harbour && harbour.rate === rates[Number(harbour.resource === null)];
  if (harbours.length !== frame.length || !around.every(isUsual)) return null;
  const words = land.map((tile) => (letters[tiles[tile].terrain] ?? desert) + (tiles[tile].token || ""));
  return `${words.join("")}-${around.map(({ resource }) => (resource === null ? any : letters[resource])).join("")}`;
}

/** The names of the other players, clockwise from the one at that seat. */
const namesAfter = (seat, names) => [...names.slice(seat + 1), ...names.slice(0, seat)];

/** The empty board: its parts were drawn by render/svg.py. */
function pictureOf(board, { picture }) {
  const tiles = board.tiles.map(({ terrain, token }, k) =>
    (token ? picture.tiles[k][terrain].replace("</title>", `, ${token}</title>`) : picture.tiles[k][terrain]));
  const slots = board.harbours.map(({ vertices, resource }) => {
    const slot = picture.harbours.find(({ ends }) => String(ends) === String(vertices));
    return { piers: slot.piers, ship: slot.ships[resource ?? slot.ships.length - 1] };
  });
  const tokens = board.tiles.map(({ token }, k) => (token ? picture.tokens[k][token] : ""));
  return [picture.begin, ...tiles, ...slots.map(({ piers }) => piers), ...slots.map(({ ship }) => ship), ...tokens, picture.end].join("");
}
