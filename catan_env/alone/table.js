/** A live table of one person and policies, as web/table.py keeps it. */
class LiveTable {
  constructor(game, players, person, policy, names) {
    Object.assign(this, { game, players, person, policy, names });
    this.tables = game.tables;
    this.teller = tellerOf(players, names, this.tables);
    this.steps = new Steps(this.teller);
    this.moments = [];
    this.proposals = new Map();
    this.before = [];
    this.toAsk = [];
    this.further = [];
    this.write([...game.events]);
  }
  get step() { return this.steps.written.length; }
  get waitsForPolicy() { return !this.game.isOver && this.game.seat !== this.person; }
  get mayUndo() { return !this.game.isOver && this.before.at(-1)?.seat === this.game.seat; }
  get mayOffer() {
    const { game } = this;
    return game.phase === "MAIN" && Boolean(game.field.player_trade[0]) && game.hand(game.seat).some(Boolean);
  }

  write(events) {
    const { game, person } = this, look = lookAt(game);
    this.moments.push([events, game.copy()]);
    if (game.isOver) this.steps.add(events, game, [...Array(game.seats).keys()], look);
    else this.steps.add(events.map((event) => redacted(event, person, game.seats)), game, [person], look);
  }
  act(seat, action) {
    this.checkSeat(seat);
    const { game } = this;
    const before = game.copy(), count = game.events.length, event = game.play(action);
    if (this.tables.chance.includes(event.action.kind) || event.seat !== this.person) this.before = [];
    else this.before.push(before);
    this.write(game.events.slice(count));
    this.after(event, before);
  }
  checkSeat(seat) {
    if (this.game.isOver) throw new Refusal("the game is over");
    if (seat !== this.game.seat) throw new Refusal(`${this.players[this.game.seat]} decides now`);
  }
  /** Follow up an offer to all, and forget what is settled. */
  after(event, before) {
    this.dropProposals(event, before);
    this.further = [];
    if (event.action.kind === "REJECT" && this.toAsk.length) {
      const [next, ...rest] = this.toAsk;
      this.toAsk = [];
      this.act(before.onTurn, next);
      this.toAsk = rest;
    } else if (event.action.kind !== "OFFER") this.toAsk = [];
  }
  /** Forget the proposals that are settled, and those of a seat that was robbed, whatever it lost. */
  dropProposals(event, before) {
    const { kind } = event.action;
    if (kind === "ACCEPT") this.proposals.delete(event.seat);
    if (kind === "MOVE_ROBBER") this.proposals.delete(victimOf(event, this.game.seats));
    this.keepProposals(before.turn);
  }
  /** Forget the proposals of another turn, and those whose cards are gone. */
  keepProposals(turn) {
    if (this.game.turn !== turn) this.proposals.clear();
    for (const [seat, { give }] of [...this.proposals]) if (!this.holds(seat, give)) this.proposals.delete(seat);
  }
  offerToAll(seat, give, get) {
    const { game } = this, steps = [...Array(game.seats - 1).keys()].map((k) => k + 1);
    const [first, ...others] = steps.filter((k) => game.isPlaying((seat + k) % game.seats)).map((k) => game.offering(k, give, get));
    this.act(seat, first);
    this.toAsk = others;
  }
  propose(seat, give, get) {
    const { game } = this;
    if (game.isOver || game.turn === 0 || !game.field.player_trade[0]) throw new Refusal("no trade is possible now");
    if (seat === game.onTurn) throw new Refusal("it is your turn: make an offer instead");
    if (!give.some(Boolean)) { this.proposals.delete(seat); return; }
    if ([...give, ...get].some((n) => n < 0) || !get.some(Boolean)) throw new Refusal("a proposal names cards on both sides");
    const most = this.tables.cards_per_resource;
    if (Math.max(...get) > most) throw new Refusal(`a proposal asks for at most ${most} of a kind`);
    if (give.some((n, k) => n && get[k])) throw new Refusal("the same resource cannot be on both sides");
    if (!this.holds(seat, give)) throw new Refusal("you do not hold these cards");
    this.proposals.set(seat, { give, get });
  }
  holds(seat, cards) { return cards.every((n, k) => n <= this.game.hand(seat)[k]); }
  /** The offers that await an answer, as the seat that answers sees them. */
  get offers() {
    const pending = this.game.offer;
    if (pending === null) return [];
    return [{ give: pending.get, get: pending.give }, ...this.further.map(({ args: [, give, get] }) => ({ give: get, get: give }))];
  }
  answer(seat, number) {
    const { game } = this, offers = [null, ...this.further];
    if (game.phase !== "ANSWER" || !(number >= -1 && number < offers.length)) throw new Refusal("there is no such offer");
    if (seat === game.seat && number >= 0 && !this.holds(seat, this.offers[number].give)) {
      throw new Refusal("you do not hold these cards");
    }
    const offerer = game.onTurn, { accept, reject } = this.tables.answers;
    for (const offer of offers.slice(0, number < 0 ? offers.length : number + 1)) {
      if (offer === null) continue;
      this.act(seat, reject);
      this.act(offerer, offer);
    }
    this.act(seat, number < 0 ? reject : accept);
  }
  /** Let the acting policy play; it may announce the offers that follow if a person refuses one. */
  letPolicyAct() {
    const { seat } = this.game, ahead = this.game.copy(), chosen = this.policy.choose(ahead.view(seat));
    const asked = (action) => {
      const victim = victimOf({ seat, action }, ahead.seats);
      return action.kind === "OFFER" && victim === this.person ? victim : null;
    };
    const further = [];
    let action = ahead.action(chosen);
    const first = asked(action);
    while (first !== null && further.length < this.tables.most_bundled - 1) {
      ahead.play(action.index);
      ahead.play(this.tables.answers.reject);
      action = ahead.action(this.policy.choose(ahead.view(seat)));
      if (asked(action) !== first) break;
      further.push(action);
    }
    this.act(seat, chosen);
    this.further = further;
  }
  undo(seat) {
    this.checkSeat(seat);
    if (!this.mayUndo) throw new Refusal("chance or another seat has intervened since");
    const { turn } = this.game;
    this.game = this.before.pop();
    this.keepProposals(turn);
    this.toAsk = [];
    this.further = [];
    this.moments.pop();
    this.steps.rewind(this.step - 1);
  }
}
