/** A request that is impossible; nothing has changed. */
class Refusal extends Error {}

const ARRAYS = { int8: Int8Array, int32: Int32Array, int64: BigInt64Array, uint64: BigUint64Array };
const HIDDEN = "hidden";

/** The numbers of the bits that are set, ascending. */
function members(word, from = 0) {
  const found = [];
  for (let bits = BigInt.asUintN(64, word), k = from; bits; bits >>= 1n, k++) if (bits & 1n) found.push(k);
  return found;
}

/** A game with everything in it; its fields are those of core.state.GAME. */
class Game {
  constructor(engine, bytes, events = []) {
    this.engine = engine;
    this.tables = engine.tables;
    this.bytes = bytes;
    this.events = events;
    this.field = {};
    for (const [name, [type, count, offset]] of Object.entries(engine.tables.fields)) {
      this.field[name] = new ARRAYS[type](bytes.buffer, offset, count);
    }
  }
  static begin(engine, seed) {
    const game = new Game(engine, engine.tables.template.slice());
    game.field.seed[0] = seed;
    engine.on(game, "core_doors_begin_game");
    game.letTableDecide();
    return game;
  }
  copy() { return new Game(this.engine, this.bytes.slice(), [...this.events]); }
  /** What a seat knows, in a game of its own. */
  view(seat) {
    const view = new Game(this.engine, this.bytes.slice());
    this.engine.on(view, "core_doors_redact", seat);
    return view;
  }

  // The position

  get seats() { return this.field.seats[0]; }
  get seat() { return this.field.seat[0]; }
  get onTurn() { return this.field.turn_seat[0]; }
  get turn() { return this.field.turn[0]; }
  get phase() { return this.tables.phases[this.field.phase[0]]; }
  get isOver() { return this.phase === "OVER"; }
  get winner() { return this.orNull("winner"); }
  get seed() { return this.field.seed[0]; }
  get bank() { return [...this.field.bank].map((n) => Math.min(Math.max(n, 0), this.tables.cards_per_resource)); }
  get offer() {
    const to = this.orNull("offer_to");
    return to === null ? null : { seat: this.onTurn, to, give: [...this.field.offer_give], get: [...this.field.offer_get] };
  }
  orNull(name) { return this.field[name][0] < 0 ? null : this.field[name][0]; }
  row(name, seat, width = 5) { return [...this.field[name].subarray(width * seat, width * (seat + 1))]; }
  hand(seat) { return this.row("hand", seat); }
  known(seat) { return this.row("known", seat); }
  rates(seat) { return this.row("rates", seat); }
  isPlaying(seat) { return !(this.field.gone[0] >> seat & 1); }
  settlements(seat) { return members(this.field.settlements[seat]); }
  cities(seat) { return members(this.field.cities[seat]); }
  roads(seat) {
    const [low, high] = this.row("roads", seat, 2);
    return [...members(low), ...members(high, this.tables.half)];
  }
  get board() {
    const { terrain, token } = this.field;
    const tiles = [...terrain].map((kind, k) => ({ terrain: kind, token: token[k] }));
    const harbours = [...Array(this.field.harbours.length / 4).keys()].map((k) => this.row("harbours", k, 4))
      .filter(([, , , rate]) => rate > 0)
      .map(([a, b, kind, rate]) => ({ vertices: [a, b], resource: kind === this.tables.generic ? null : kind, rate }));
    return { tiles, harbours };
  }
  /** The flat indices of the legal actions, ascending. */
  legal() { return this.tables.word_starts.flatMap((start, k) => members(this.field.mask[k], start)); }

  // Playing

  action(index) { return { index, ...this.tables.actions[index] }; }
  /** An offer, with its flat index if it has one. */
  offering(to, give, get) {
    const args = [to, give, get], index = this.tables.offers.get(String(args)) ?? null;
    return { index, kind: "OFFER", args };
  }
  /** Play a flat index of the mask, or an offer. */
  play(chosen) {
    if (this.isOver) throw new Refusal(`the game is over (seat ${this.winner} won)`);
    const action = typeof chosen === "number" ? this.action(chosen) : chosen;
    const why = action.kind === "OFFER" ? this.refusalOfOffer(action) : "";
    const isLegal = action.kind === "OFFER" && this.phase === "MAIN" ? !why : this.legal().includes(action.index);
    if (!isLegal) throw new Refusal(`seat ${this.seat} cannot do this in phase ${this.phase}${why ? `: ${why}` : ""}`);
    const event = this.carryOut(action);
    this.letTableDecide();
    return event;
  }
  refusalOfOffer({ args: [to, give, get] }) {
    if (!this.field.player_trade[0]) return "there is no trade between seats under these rules";
    if (!(to >= 1 && to < this.seats)) return `there is no seat ${to} places on at a table of ${this.seats}`;
    if (!give.some(Boolean) || !get.some(Boolean)) return "cards cannot be given away: each side needs at least one (C123)";
    const most = this.tables.cards_per_resource, count = Math.max(...get);
    if (count > most) return `a count of ${count} cards; allowed are 0..${most}`;
    if (give.some((n, k) => n && get[k])) return "a resource is on both sides (C124, C125)";
    if (give.some((n, k) => n > this.hand(this.seat)[k])) return "the seat does not hold these cards (C127)";
    return "";
  }
  carryOut(action) {
    const { engine, seat } = this, { draw, nothing } = this.tables;
    let code = nothing;
    if (action.index !== null) code = engine.on(this, "core_doors_play", action.index, draw);
    else {
      const [to, ...sides] = action.args;
      sides.forEach((counts, k) => engine.five[k].view().set(counts));
      engine.on(this, "core_doors_play_offer", to, ...engine.five);
    }
    const event = { seat, action, outcome: this.outcome(action.kind, code), winner: this.winner };
    this.events.push(event);
    return event;
  }
  /** What chance decided, from the engine's code. */
  outcome(kind, code) {
    if (code === this.tables.nothing) return null;
    if (kind === "ROLL") return [Math.floor(code / 6) + 1, code % 6 + 1];
    if (kind === "PLAY_MONOPOLY") return [...Array(this.seats).keys()].map((seat) => Math.floor(code / 256 ** seat) % 256);
    return code === this.tables.hidden ? HIDDEN : code;
  }
  letTableDecide() {
    for (let index; (index = this.engine.on(this, "core_doors_next_table_action")) >= 0;) this.carryOut(this.action(index));
  }
}

/** The seat that a robber's move or an offer names, or null. */
function victimOf({ seat, action: { kind, args } }, seats) {
  const step = kind === "MOVE_ROBBER" ? args[1] : kind === "OFFER" ? args[0] : null;
  return step === null ? null : (seat + step) % seats;
}
/** An event as a seat sees it; for a spectator, `viewer` is null. */
function redacted(event, viewer, seats) {
  const { seat, action: { kind }, outcome } = event;
  const isSecret = outcome !== null && viewer !== seat
    && (kind === "BUY_DEVELOPMENT_CARD" || (kind === "MOVE_ROBBER" && viewer !== victimOf(event, seats)));
  return isSecret || (viewer === null && outcome !== null && ["MOVE_ROBBER", "BUY_DEVELOPMENT_CARD"].includes(kind))
    ? { ...event, outcome: HIDDEN } : event;
}
