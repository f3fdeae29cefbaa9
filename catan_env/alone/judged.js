/** A judge's opinion of a game that has ended, as render/judged.py gives it to the page. */
class Judgement {
  constructor(table, judge) {
    const { moments, names, players, tables } = table;
    Object.assign(this, { moments, names, players, judge, tables, numbers: tables.judgement });
    this.trades = players.map(() => [0, 0]);
  }
  /** The page's data; others may use the engine between two positions. */
  async data() {
    const { tables, judge, trades } = this, odds = [], choices = [];
    let view = null, asked = null;
    for (const [step, [events, game]] of this.moments.entries()) {
      await new Promise((next) => setTimeout(next));
      if (view) choices.push(...this.choice(step, view, events[0]));
      if (asked && events[0].action.kind === "ACCEPT") this.addTrade(asked);
      odds.push(judge.outlook(game).map(shortened));
      view = chooserOf(game);
      asked = game.phase === "ANSWER" ? game : null;
    }
    const lessons = await this.lessons(choices.filter(({ better, played }) => better !== played));
    const best = await this.bestMoves(choices.filter(({ better, played }) => better === played));
    return { judge: tables.policy, odds, lessons, best, trades: trades.map(([count, won]) => [count, shortened(won)]) };
  }
  /** The choice that was made, with the judge's; empty if it has no flat index. */
  choice(step, view, { seat, action: { index: played } }) {
    if (seat !== view.seat || !view.legal().includes(played)) return [];
    return [{ step, seat, view, played, better: this.judge.policy.choose(view) }];
  }
  /** The odds that an accepted offer gave to both seats, compared with its refusal. */
  addTrade(asked) {
    const { accept, reject } = this.tables.answers;
    const [taken, left] = [accept, reject].map((answer) => {
      const game = asked.copy();
      game.play(answer);
      return this.judge.outlook(game, this.numbers.trade_futures);
    });
    for (const seat of [asked.seat, asked.onTurn]) {
      this.trades[seat][0] += 1;
      this.trades[seat][1] += taken[seat] - left[seat];
    }
  }
  /** The moves of each seat that lost most. */
  async lessons(choices) {
    const { first_look: first, second_look: second, looked_at_twice: again, marked, least } = this.numbers;
    const compared = (choice, worlds) => {
      const odds = new Map(this.judge.weigh(choice.view, [choice.played, choice.better], worlds));
      return { ...choice, odds: [odds.get(choice.played), odds.get(choice.better)] };
    };
    const lost = ({ odds: [played, better] }) => better - played;
    const worst = async (own) => {
      const looked = (await mostBy(own, (choice) => lost(compared(choice, first)))).slice(0, again);
      return looked.map((choice) => compared(choice, second)).sort((a, b) => lost(b) - lost(a)).slice(0, marked);
    };
    const found = await ofEachSeat(choices, worst);
    return found.filter((lesson) => lost(lesson) >= least).map(({ step, seat, better, odds }) => {
      const { index, kind, args } = { index: better, ...this.tables.actions[better] };
      return { step, seat, would: described({ index, kind, args }, this.names, this.tables, namesAfter(seat, this.players)), kind, args, odds: odds.map(shortened) };
    });
  }
  /** The move of each seat that gained most. */
  async bestMoves(choices) {
    const { first_look: first, second_look: second, marked, least, alternatives, forced } = this.numbers;
    const gain = (choice, worlds) => {
      const others = this.judge.likely(choice.view).filter((move) => move !== choice.played).slice(0, alternatives);
      const odds = new Map(this.judge.weigh(choice.view, [choice.played, ...others], worlds)), played = odds.get(choice.played);
      return { ...choice, odds: [played, others.length ? Math.max(...others.map((move) => odds.get(move))) : played] };
    };
    const gained = ({ odds: [played, next] }) => played - next;
    const best = async (own) => {
      const most = (await mostBy(own, (choice) => gained(gain(choice, first)))).slice(0, marked).map((choice) => gain(choice, second));
      return [most.reduce((a, b) => (gained(b) > gained(a) ? b : a))];
    };
    const notable = choices.filter(({ played }) => !forced.includes(this.tables.actions[played].kind));
    const found = await ofEachSeat(notable, best);
    return found.filter((move) => gained(move) >= least).map(({ step, seat, odds }) => ({ step, seat, odds: odds.map(shortened) }));
  }
}
/** The acting seat's view; null if there is no choice. */
function chooserOf(game) {
  if (game.isOver) return null;
  const view = game.view(game.seat);
  return view.legal().length > 1 ? view : null;
}
/** What `find` returns for the choices of each seat, together, by step. */
async function ofEachSeat(choices, find) {
  const found = [];
  for (const seat of new Set(choices.map((choice) => choice.seat))) found.push(...await find(choices.filter((choice) => choice.seat === seat)));
  return found.sort((a, b) => a.step - b.step);
}
/** The items, those of the greatest value first, the later of two that are equal. */
async function mostBy(items, value) {
  const valued = [];
  for (const [k, item] of items.entries()) {
    await new Promise((next) => setTimeout(next));
    valued.push([value(item), k]);
  }
  return valued.sort(([a, j], [b, k]) => b - a || k - j).map(([, k]) => items[k]);
}
const shortened = (x) => wholeOf(1000 * x) / 1000;
