/** A position with everything in it, as render/steps.py gives it to the page. */
function lookAt(game) {
  const seats = [...Array(game.seats).keys()], { field } = game, { offer } = game;
  return {
    turn: game.turn, phase: game.phase, seat: game.seat, on: game.onTurn, robber: field.robber[0], roll: field.roll[0],
    bank: game.bank, deck: field.deck_size[0],
    hands: seats.map((seat) => game.hand(seat)), known: seats.map((seat) => game.known(seat)),
    sizes: seats.map((seat) => field.hand_size[seat]), cards: seats.map((seat) => game.row("cards", seat)),
    counts: seats.map((seat) => field.card_count[seat]), played: seats.map((seat) => game.row("played", seat, 4)),
    points: seats.map((seat) => field.points[seat]), lengths: seats.map((seat) => field.road_length[seat]),
    longest: game.orNull("longest_road"), army: game.orNull("largest_army"),
    roads: seats.map((seat) => game.roads(seat)), settlements: seats.map((seat) => game.settlements(seat)),
    cities: seats.map((seat) => game.cities(seat)), gone: seats.filter((seat) => !game.isPlaying(seat)), winner: game.winner,
    fresh: [...field.new_cards], used: field.card_played[0] !== 0, free: field.free_roads[0],
    owed: seats.map((seat) => field.owed[seat]),
    offer: offer && [(offer.to - offer.seat + game.seats) % game.seats, offer.give, offer.get],
  };
}
const FOR_A_COPY = ["fresh", "used", "free", "owed", "offer"];
const NAMED = ["ROLL", "OFFER", "ACCEPT", "REJECT"];

/** The steps of a game from one perspective: what changed in each, and its log lines. */
class Steps {
  constructor(teller) {
    this.teller = teller;
    this.written = [];
    this.frames = [];
    this.standings = [];
  }
  /** The step that these events made; `shown` are the seats whose cards are visible. */
  add(events, game, shown, look = lookAt(game)) {
    const now = { ...look };
    if (shown.length < game.seats) {
      for (const name of ["hands", "cards"]) now[name] = look[name].map((some, seat) => (shown.includes(seat) ? some : null));
      for (const name of FOR_A_COPY) delete now[name];
    }
    const roll = events.find((event) => event.action.kind === "ROLL");
    if (roll) now.dice = roll.outcome;
    const standing = { known: look.known, turn: look.turn, longest: look.longest, army: look.army };
    const before = this.standings.at(-1) ?? { ...standing, turn: 0 };
    now.income = this.income(events, before, standing);
    const last = this.frames.at(-1) ?? {};
    const isNew = ([name, value]) => !(name in last) || JSON.stringify(last[name]) !== JSON.stringify(value);
    const step = Object.fromEntries(Object.entries(now).filter(isNew));
    step.log = events.map((event) => this.line(event, before, game));
    this.written.push(step);
    this.frames.push(now);
    this.standings.push(standing);
  }
  rewind(count) { for (const kept of [this.written, this.frames, this.standings]) kept.length = count; }
  /** The cards that the tiles have produced so far, by seat. */
  income(events, before, now) {
    const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
    const income = [...(this.frames.at(-1)?.income ?? now.known.map(() => 0))];
    if (!events.length || !["ROLL", "SETTLEMENT"].includes(events[0].action.kind)) return income;
    return income.map((n, seat) => n + Math.max(sum(now.known[seat]) - sum(before.known[seat]), 0));
  }
  line(event, before, game) {
    const seats = [...Array(game.seats).keys()];
    const line = { seat: event.seat, text: this.teller.tell(event, before, game) };
    if (NAMED.includes(event.action.kind)) line.kind = event.action.kind;
    const isSeen = (seat) => redacted(event, seat, game.seats) === event || event.outcome === HIDDEN;
    const seers = seats.filter(isSeen);
    if (seers.length < game.seats) {
      const away = seats.find((seat) => !seers.includes(seat));
      line.others = this.teller.tell(redacted(event, away, game.seats), before, game);
      line.seers = seers;
    }
    return line;
  }
}
