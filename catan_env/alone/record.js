/** The SHA-1 hash of some bytes, as bytes. */
function sha1(bytes) {
  const words = new Uint32Array(((bytes.length + 8 >> 6) + 1) * 16);
  bytes.forEach((byte, k) => { words[k >> 2] |= byte << 24 - 8 * (k & 3); });
  words[bytes.length >> 2] |= 0x80 << 24 - 8 * (bytes.length & 3);
  words[words.length - 1] = 8 * bytes.length;
  const turned = (n, by) => n << by | n >>> 32 - by;
  const sums = [0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0], w = new Int32Array(80);
  for (let start = 0; start < words.length; start += 16) {
    let [a, b, c, d, e] = sums;
    for (let k = 0; k < 80; k++) {
      w[k] = k < 16 ? words[start + k] : turned(w[k - 3] ^ w[k - 8] ^ w[k - 14] ^ w[k - 16], 1);
      const [mixed, constant] = k < 20 ? [b & c | ~b & d, 0x5A827999] : k < 40 ? [b ^ c ^ d, 0x6ED9EBA1]
        : k < 60 ? [b & c | b & d | c & d, 0x8F1BBCDC] : [b ^ c ^ d, 0xCA62C1D6];
      [a, b, c, d, e] = [turned(a, 5) + mixed + e + constant + w[k] | 0, a, turned(b, 30), c, d];
    }
    [a, b, c, d, e].forEach((n, k) => { sums[k] = sums[k] + n | 0; });
  }
  return sums.flatMap((n) => [24, 16, 8, 0].map((shift) => n >>> shift & 255));
}

/** The text of a table's record, as notation/writer.py writes it. */
function recordOf({ game: end, moments, players }, tables) {
  const { notation } = tables, { letters, card_codes: codes } = notation, ADMIN = "A", BANK = "B";
  const written = [];
  const say = (player, event, value = {}, more = {}) => ({ player, event, value, ...more });
  const encoder = new TextEncoder();
  function uuid(name) {
    const octets = sha1([...notation.namespace, ...encoder.encode(`${end.seed} ${name}`)]).slice(0, 16);
    octets[6] = octets[6] & 0x0F | 0x50;
    octets[8] = octets[8] & 0x3F | 0x80;
    const text = octets.map((n) => n.toString(16).padStart(2, "0")).join("");
    return text.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  }
  function add(batch) {
    batch.forEach((message, k) => {
      const sealed = { uuid: uuid(String(written.length)), ...message };
      if (batch.length > 1) sealed.batch = [k + 1, batch.length];
      written.push(sealed);
    });
    if (batch[0].event === "TO") offerId = written.at(-1).uuid;
  }

  // Cards

  const cards = (counts, sign = 1) => Object.fromEntries(counts.flatMap((n, k) => (n ? [[letters[k], sign * n]] : [])));
  const negative = (some) => Object.fromEntries(Object.entries(some).map(([letter, n]) => [letter, -n]));
  const swap = (one, gives, other, gets) => [{ player: one, ...negative(gives), ...gets }, { player: other, ...gives, ...negative(gets) }];
  const named = (seat) => (seat === null ? ADMIN : players[seat]);
  function gains(game, before) {
    const bank = [0, 0, 0, 0, 0], shares = [];
    before.forEach((old, seat) => {
      const gained = game.known(seat).map((n, k) => n - old[k]);
      if (!gained.some(Boolean)) return;
      gained.forEach((n, k) => { bank[k] += n; });
      shares.push({ player: players[seat], ...cards(gained) });
    });
    return shares.length ? [...shares, { player: BANK, ...cards(bank, -1) }] : [];
  }

  // Events

  const seats = players.length, first = end.field.first_seat[0];
  let offerId = "", placed = 0, round = 1, turnSeat = first, isAwake = false, longest = null, army = null, offer = [];
  const isSetup = () => placed <= 2 * seats;
  const wake = () => { isAwake = true; return say(ADMIN, "RA"); };
  const putDown = (event, card) => say(named(event.seat), "PD", { cCode: codes[card] });
  function roadNews(game) {
    const holder = game.orNull("longest_road");
    if (holder === longest) return [];
    longest = holder;
    return [say(named(holder), "LR", { length: holder === null ? 0 : game.field.road_length[holder] })];
  }
  function startingCards(seat, vertex, game) {
    const counts = [0, 0, 0, 0, 0];
    for (const tile of tables.geometry.vertex_tiles[vertex]) {
      if (game.field.terrain[tile] < tables.desert) counts[game.field.terrain[tile]]++;
    }
    return counts.some(Boolean) ? [say(ADMIN, "RP", { resources: swap(named(seat), {}, BANK, cards(counts)) })] : [];
  }
  function endPlacing(seat) {
    const said = [say(named(seat), "TE")];
    if (placed === seats) said.push(say(ADMIN, "RE", { round: 1 }), say(ADMIN, "RS", { round: 2 }));
    if (placed === 2 * seats) {
      placed++;
      said.push(say(ADMIN, "RE", { round: 2 }), say(ADMIN, "PE", { phase: "Deployment" }),
        say(ADMIN, "PS", { phase: "Play" }), say(ADMIN, "RS", { round: 1 }));
    }
    const step = placed < seats ? placed : placed < 2 * seats ? 2 * seats - 1 - placed : 0;
    return [...said, say(named((first + step) % seats), "TS")];
  }
  function beginTurn(game) {
    if (game.isOver) return [];
    const said = [], seat = game.onTurn;
    if ((seat - first + seats) % seats <= (turnSeat - first + seats) % seats) {
      said.push(say(ADMIN, "RE", { round }), say(ADMIN, "RS", { round: round + 1 }));
      round++;
    }
    turnSeat = seat;
    return [...said, say(named(seat), "TS")];
  }
  const TELL = {
    ROLL(event, before, game) {
      const total = event.outcome[0] + event.outcome[1];
      const roll = say(named(event.seat), "DR", { result: total }, { [notation.dice]: event.outcome });
      if (total === 7) return [roll, wake()];
      const shares = gains(game, before);
      return shares.length ? [roll, say(ADMIN, "RP", { resources: shares })] : [roll];
    },
    SETTLEMENT({ seat, action: { args: [vertex] } }, before, game) {
      const said = [say(named(seat), "BS", { intersection: notation.vertices[vertex] })];
      if (!isSetup()) return [...said, ...roadNews(game)];
      placed++;
      return placed > seats ? [...said, ...startingCards(seat, vertex, game)] : said;
    },
    ROAD({ seat, action: { args: [edge] } }, before, game) {
      const said = [say(named(seat), "BR", { path: tables.geometry.edge_vertices[edge].map((vertex) => notation.vertices[vertex]) })];
      return [...said, ...(isSetup() ? endPlacing(seat) : roadNews(game))];
    },
    CITY: ({ seat, action }) => [say(named(seat), "BC", { intersection: notation.vertices[action.args[0]] })],
    BUY_DEVELOPMENT_CARD: ({ seat, outcome }) => [say(named(seat), "BD", { cCode: codes[outcome] })],
    PLAY_KNIGHT(event, before, game) {
      const said = [putDown(event, 0)], holder = game.orNull("largest_army");
      if (holder !== null && holder !== army) {
        army = holder;
        said.push(say(named(holder), "LA", { strength: game.row("played", holder, 4)[0] }));
      }
      return game.isOver ? said : [...said, wake()];
    },
    PLAY_ROAD_BUILDING: (event) => [putDown(event, 1)],
    PLAY_YEAR_OF_PLENTY: (event, before, game) => [putDown(event, 2), say(named(event.seat), "YP", { resources: gains(game, before) })],
    PLAY_MONOPOLY(event) {
      const letter = letters[event.action.args[0]], total = event.outcome.reduce((a, b) => a + b, 0);
      const taken = event.outcome.flatMap((n, seat) => (seat === event.seat ? [] : [{ player: named(seat), [letter]: n ? -n : 0 }]));
      return [putDown(event, 3), say(named(event.seat), "MO", { resources: [{ player: named(event.seat), [letter]: total }, ...taken] })];
    },
    DISCARD: ({ seat, action }) => [say(named(seat), "CR", { resources: swap(named(seat), { [letters[action.args[0]]]: 1 }, BANK, {}) })],
    BANK_TRADE({ seat, action: { args: [give, get, rate] } }, before, game) {
      const gives = { [letters[give]]: rate || game.rates(seat)[give] };
      return [say(named(seat), "TB", { resources: swap(named(seat), gives, BANK, { [letters[get]]: 1 }) })];
    },
    MOVE_ROBBER(event) {
      const name = named(event.seat), victim = victimOf(event, seats), said = [say(name, "RM", { tile: tables.geometry.tile_coords[event.action.args[0]] })];
      if (victim !== null) {
        const nothing = [{ player: named(victim), [letters[0]]: 0 }, { player: name, [letters[0]]: 0 }];
        const stolen = event.outcome === null ? nothing : swap(named(victim), { [letters[event.outcome]]: 1 }, name, {});
        said.push(say(name, "RR", { resources: stolen }));
      }
      if (isAwake) said.push(say(ADMIN, "RD"));
      isAwake = false;
      return said;
    },
    OFFER(event) {
      const [, give, get] = event.action.args;
      offer = swap(named(event.seat), cards(give), named(victimOf(event, seats)), cards(get));
      return [say(named(event.seat), "TO", { resources: offer })];
    },
    ACCEPT: ({ seat }) => [say(named(seat), "TA", { uuid: offerId }), say(ADMIN, "TR", { uuid: offerId, resources: offer })],
    REJECT: ({ seat }) => [say(named(seat), "TD", { uuid: offerId })],
    END_TURN: ({ seat }, before, game) => [say(named(seat), "TE"), ...beginTurn(game)],
  };
  function tell(event, before, game) {
    const said = TELL[event.action.kind](event, before, game);
    if (!game.isOver) return said;
    return [...said, say(ADMIN, "RE", { round }), say(ADMIN, "PE", { phase: "Play" }), say(ADMIN, "PS", { phase: "End" }),
      say(named(event.winner), "GO"), say(ADMIN, "PE", { phase: "End" })];
  }

  // The whole

  function map({ tiles, harbours }) {
    const land = notation.hexes.map(({ tile, number }) => ({
      tile, tCode: number === null ? notation.sea : notation.terrains[tiles[number].terrain],
      rNumber: number === null ? null : tiles[number].token || null,
    }));
    const harbors = harbours.map(({ vertices, resource }) => ({
      path: vertices.map((vertex) => notation.vertices[vertex]), hCode: resource === null ? "HR" : `HR${letters[resource]}`,
    }));
    return { tiles: land, harbors };
  }
  const agreed = { rules: notation.rules, first_seat: first, seed: String(end.seed), layout: notation.layout };
  add([say(ADMIN, "PS", { phase: "Setup" }, { [notation.agreed]: agreed })]);
  for (const player of players) add([say(ADMIN, "PA", { player })]);
  add([say(ADMIN, "MD", map(end.board))]);
  add([say(ADMIN, "PE", { phase: "Setup" }), say(ADMIN, "PS", { phase: "Deployment" }), say(ADMIN, "RS", { round: 1 }), say(named(first), "TS")]);
  let known = [];
  for (const [events, game] of moments) {
    for (const event of events) add(tell(event, known, game));
    known = players.map((_, seat) => game.known(seat));
  }
  return `[\n${written.map((message) => JSON.stringify(message)).join(",\n")}\n]\n`;
}
