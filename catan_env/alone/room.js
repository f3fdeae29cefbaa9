/** The table's side of the conversation with the page: web/room.py and web/play.py for one person. */
class Room {
  constructor(engine, policies, { seed, person }, send) {
    const { tables } = engine, { players } = tables;
    const names = players.map((_, seat) => players[(seat - person + players.length) % players.length]);
    const game = Game.begin(engine, seed);
    const places = namesOf(game.board, tables);
    Object.assign(this, { engine, tables, send, seed, person, judge: policies.judge, timer: null });
    this.table = new LiveTable(game, names, person, policies.policy, places);
    this.said = "[]";
    this.judgement = null;
  }
  received(message) {
    if (message.type === "sit") return this.welcome();
    if (message.type === "rematch") return this.send({ type: "seated", secret: this.nextSecret(), key: "" });
    try {
      this.play(message);
      if (message.type !== "ask") this.send({ kept: message });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.send({ type: "refused", reason: error.message });
    }
  }
  /** Play what was played before the page was loaded again; Refusal if this game does not allow it. */
  restore(journal) {
    const { send, table } = this;
    this.send = () => {};
    try {
      for (const message of journal) {
        while (table.step < message.step && table.waitsForPolicy) table.letPolicyAct();
        this.play(message);
      }
    } finally {
      clearTimeout(this.timer);
      this.send = send;
      this.said = "[]";
    }
  }
  play(message) {
    const { table, person } = this, count = table.step;
    if (message.step !== count) throw new Refusal("the table has moved on");
    if (message.type === "ask") { this.advise(); return; }
    if (message.type === "undo") {
      table.undo(person);
      this.send({ type: "rewind", number: table.step });
      this.sendProposals();
      this.invite();
      return;
    }
    if (message.type === "propose") { table.propose(person, message.give, message.get); this.sendProposals(); return; }
    if (message.type === "answer") table.answer(person, message.number);
    else if (message.type === "offer" && message.to === 0) table.offerToAll(person, message.give, message.get);
    else if (message.type === "offer") table.act(person, table.game.offering(message.to, message.give, message.get));
    else table.act(person, message.index);
    this.movedOn(count);
  }
  welcome() {
    const { table, tables, person } = this, { game, names } = table, { board } = game;
    const data = {
      players: table.teller.named, viewer: person, colours: tables.colours.slice(0, game.seats),
      vertices: tables.vertices, edges: tables.edges, tiles: tables.tiles,
      tokens: board.tiles.map(({ token }) => token), terrains: board.tiles.map(({ terrain }) => tables.terrains[terrain]),
      corners: names.corners, sides: names.sides, tile_names: names.tiles, code: codeOf(board, tables.code),
      rules: tables.preset,
      first: game.field.first_seat[0], goal: game.field.points_to_win[0],
    };
    this.fixed = data;
    const live = { live: true, costs: tables.costs, trades: Boolean(game.field.player_trade[0]) };
    this.send({ type: "welcome", seat: person, board: pictureOf(board, tables), data: { ...data, ...live, steps: table.steps.written } });
    this.said = "[]";
    this.sendProposals();
    this.invite();
    this.wait();
  }
  /** Tell the page about the steps after the first `count`. */
  movedOn(count) {
    this.table.steps.written.slice(count).forEach((step, k) => this.send({ type: "step", number: count + k, step }));
    this.sendProposals();
    this.invite();
    this.wait();
  }
  sendProposals() {
    const proposals = [...this.table.proposals].sort(([a], [b]) => a - b).map(([seat, trade]) => ({ seat, ...trade }));
    const said = JSON.stringify(proposals);
    if (said === this.said) return;
    this.said = said;
    this.send({ type: "proposals", proposals });
  }
  /** The person's choices, or the end. */
  invite() {
    const { table, person } = this, { game } = table;
    if (game.isOver) {
      this.send(this.over());
      if (this.judgement) this.send({ type: "judged", data: this.judgement });
      this.studied ??= this.study();
    } else if (game.seat === person) this.send(this.choices());
  }
  choices() {
    const { table } = this, { game } = table, hand = game.hand(game.seat);
    const { why, hints } = reasonsOf(table);
    const actions = game.legal().map((index) => game.action(index)).filter(({ kind }) => kind !== "OFFER");
    const offers = table.offers.map(({ give, get }) => ({ give, get, lacks: give.map((n, k) => Math.max(n - hand[k], 0)) }));
    return {
      type: "choices", step: table.step, actions: actions.map((action) => this.choice(action, why)), rates: game.rates(game.seat),
      may_offer: table.mayOffer, may_undo: table.mayUndo, may_ask: true, hints: hints(), offers, owed: game.field.owed[game.seat],
    };
  }
  /** An action as the page shows it. */
  choice(action, why) {
    const { table: { game, names, players }, tables } = this;
    return { ...action, label: described(action, names, tables, namesAfter(game.seat, players)), why: why(action) };
  }
  advise() {
    const { table, judge, person } = this, { game } = table;
    if (game.seat !== person || game.isOver) throw new Refusal("no adviser can be asked now");
    const view = game.view(person), likely = judge.likely(view), { why } = reasonsOf(table);
    const moves = judge.weigh(view, likely).map(([move, odds]) => ({ choice: this.choice(game.action(move), why), odds }));
    const action = this.choice(game.action(likely[0]), why);
    this.send({ type: "advice", step: table.step, policy: this.tables.policy, action, moves, outlook: judge.outlook(view) });
  }
  /** Let the policies act, `pace` seconds after the last step. */
  wait() {
    clearTimeout(this.timer);
    if (!this.table.waitsForPolicy) return;
    this.timer = setTimeout(() => {
      const count = this.table.step;
      this.table.letPolicyAct();
      this.movedOn(count);
    }, 1000 * this.tables.pace);
  }
  /** Judge the game that has ended, and replace its plain replay by a judged one. */
  async study() {
    this.judgement = await new Judgement(this.table, this.judge).data();
    this.invite();
  }
  /** The end: the record, and what the page makes a replay of. */
  over() {
    const { table } = this, steps = new Steps(table.teller), everybody = table.players.map((_, seat) => seat);
    for (const [events, game] of table.moments) steps.add(events, game, everybody);
    const data = { ...this.fixed, viewer: null, steps: steps.written, board: boardText(table.game.board), ...this.judgement };
    const record = recordOf(table, this.tables);
    return { type: "over", replay: { data, board: pictureOf(table.game.board, this.tables) }, record, again: true };
  }
  nextSecret() { return `${BigInt.asUintN(63, this.seed + 1n)}.${(this.person + 1) % this.table.players.length}`; }
}

/** A board as a Python expression. */
function boardText({ tiles, harbours }) {
  const listed = (some) => `[${some.join(", ")}]`;
  const land = tiles.map(({ terrain, token }) => `(${terrain}, ${token})`);
  return `Board(${listed(land)}, ${listed(harbours.map(({ vertices: [a, b], resource, rate }) => `((${a}, ${b}), ${resource ?? "None"}, ${rate})`))})`;
}
