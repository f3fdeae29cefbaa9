/** The value function: of the actions worth trying, it takes the one with the best result. */
class Greedy {
  constructor(engine) {
    const { most, places, vertices, weights } = engine.tables.value;
    this.engine = engine;
    this.weights = engine.filled(weights);
    this.scratch = [engine.games(places), engine.array(Float64Array, vertices),
      engine.array(BigInt64Array, most), engine.array(Float64Array, most)];
    this.views = engine.games(1);
    this.moves = engine.array(BigInt64Array, 1, most);
    this.scores = engine.array(Float64Array, 1, most);
  }
  /** The moves worth trying, with one offer at most, the best first. */
  valued(view) {
    this.views.view().set(view.bytes);
    this.engine.call("value_doors_rank_actions", this.views, this.weights, ...this.scratch, this.moves, this.scores, 0, 1);
    return [...this.moves.view()].map(Number).filter((move) => move >= 0);
  }
  choose(view) { return this.valued(view)[0]; }
}

/** A network of the kind "pointer"; `layers` are arrays of rows, the last row a bias. */
class Network {
  constructor(engine, { layers, shapes, scale, actions, moved, images }) {
    const { inputs, places, size, actions: all } = engine.tables.network;
    this.engine = engine;
    this.weights = layers.map((layer, k) => engine.filled(layer, ...shapes[k]));
    this.about = [engine.filled(scale), actions, moved.length / inputs, engine.filled(moved), engine.filled(images)];
    const [hidden, local] = [shapes[0][1], shapes[2][1]];
    this.scratch = [[2, inputs], [2, hidden], [places, local], [3, all]].map((lengths) => engine.array(Float32Array, ...lengths));
    this.observation = engine.array(Int8Array, 1, size);
    this.out = engine.array(Float32Array, 1, all);
  }
  /** The outputs for what the acting seat knows. */
  outputs(view) {
    this.engine.on(view, "core_doors_observe_game", view.seat, this.observation);
    this.engine.call("network_forward_write_outputs", this.observation, ...this.weights, ...this.about, ...this.scratch, this.out, 0, 1);
    return this.out.view();
  }
  choose(view) {
    const outputs = this.outputs(view);
    return view.legal().reduce((best, index) => (outputs[index] > outputs[best] ? index : best));
  }
}

/** The value function's best moves, reordered by a network of the positions that they lead to. */
class Reranker {
  constructor(engine, greedy, { layers: [units, shares], shapes: [[rows, columns]], line }) {
    Object.assign(this, { engine, greedy, line });
    const wide = (numbers, ...lengths) => engine.filled(Float64Array.from(numbers), ...lengths);
    this.network = [wide(line), wide(units, rows, columns), wide(shares), engine.array(Float64Array, columns),
      engine.array(Float64Array, rows - 1), engine.array(Float64Array, rows - 1)];
    this.action = engine.array(BigInt64Array, 1);
  }
  choose(view) {
    const { views, weights, scratch } = this.greedy;
    views.view().set(view.bytes);
    this.engine.call("rerank_doors_choose_reranked", views, ...this.network, weights, ...scratch, this.action, 0, 1);
    return Number(this.action.view()[0]);
  }
}

/** The sum of what two networks prefer, as policies/blend has it. */
class Blend {
  constructor(engine, greedy, network, reranker, { candidates, share, least, nearest, most_log_odds, won }) {
    Object.assign(this, { engine, greedy, network, reranker, candidates, share, least, nearest, most: most_log_odds, won });
    this.siblings = engine.array(BigInt64Array, candidates);
    this.logOdds = engine.array(Float64Array, candidates);
    this.wins = engine.array(Float64Array, candidates);
  }
  choose(view) {
    const moves = this.greedy.valued(view).slice(0, this.candidates), values = [...this.greedy.scores.view()];
    if (moves.length === 1 || values[0] >= this.won) return moves[0];
    const after = this.logOddsAfter(moves, values), likely = this.logProbabilities(view, moves);
    const ratings = moves.map((_, k) => after[k] + this.share * likely[k]);
    return moves[ratings.indexOf(Math.max(...ratings))];
  }
  /** The log odds of winning after each move; the first move stands in for missing ones. */
  logOddsAfter(moves, values) {
    const { greedy, reranker, most, nearest } = this, [slope, offset] = reranker.line, [tries, vertexScores] = greedy.scratch;
    const filled = Array.from({ length: this.candidates }, (_, k) => (k < moves.length ? k : 0));
    this.siblings.view().set(filled.map((k) => BigInt(moves[k])));
    this.logOdds.view().set(filled.map((k) => Math.min(Math.max(offset + slope * values[k], -most), most)));
    this.engine.call("rerank_doors_rate_siblings", greedy.views, 0, this.siblings, this.logOdds, this.wins,
      ...reranker.network.slice(1), greedy.weights, tries, vertexScores);
    const wins = [...this.wins.view()].map((win) => Math.min(Math.max(win, nearest), 1 - nearest));
    return wins.map((win) => Math.log(win) - Math.log1p(-win));
  }
  logProbabilities(view, moves) {
    const outputs = this.network.outputs(view), legal = view.legal().map((index) => outputs[index]), most = Math.max(...legal);
    const whole = Math.log(legal.reduce((sum, output) => sum + Math.exp(output - most), 0));
    return moves.map((move) => Math.max(outputs[move] - most - whole, this.least));
  }
}

/** Places the first settlements by a network, as policies/set_up does; another policy plays on. */
class WithSetUp {
  constructor(engine, greedy, policy, { net, shape, candidates, ways, spread }) {
    Object.assign(this, { engine, greedy, policy, candidates });
    this.network = [ways, spread, engine.filled(net, ...shape), engine.array(Float64Array, shape[0] - 2), engine.array(Float64Array, shape[1])];
    this.ends = engine.games(1);
    this.siblings = engine.array(BigInt64Array, candidates);
    this.wins = engine.array(Float64Array, candidates);
  }
  choose(view) {
    const { greedy } = this;
    if (view.phase !== "PLACE_SETTLEMENT") return this.policy.choose(view);
    const moves = greedy.valued(view).slice(0, this.candidates);
    this.siblings.view().set(Array.from({ length: this.candidates }, (_, k) => BigInt(moves[k < moves.length ? k : 0])));
    this.engine.call("set_up_doors_rate_placements", greedy.views, 0, this.ends, this.siblings, this.wins,
      ...this.network, greedy.weights, ...greedy.scratch);
    const wins = [...this.wins.view()].slice(0, moves.length);
    return moves[wins.indexOf(Math.max(...wins))];
  }
}

const CRC = Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? n >>> 1 ^ 0xEDB88320 : n >>> 1;
  return n >>> 0;
});
const crc32 = (bytes) => ~bytes.reduce((sum, byte) => CRC[(sum ^ byte) & 255] ^ sum >>> 8, -1) >>> 0;

/** Weighs moves and positions by playouts, as policies/judge does. */
class Judge {
  constructor(engine, policy, greedy) {
    const { net, net_shape, features, candidates, worlds, futures, rounds, games } = engine.tables.judge;
    Object.assign(this, { engine, policy, greedy, candidates, count: worlds, futures, rounds });
    this.worlds = engine.games(games);
    this.network = [engine.filled(net, ...net_shape), engine.array(Float64Array, features), engine.array(Float64Array, net_shape[1])];
    this.views = engine.games(1);
    this.moves = engine.array(BigInt64Array, 2 * candidates);
    this.sums = engine.array(Float64Array, 2 * candidates);
  }
  /** The policy's move, followed by other promising moves. */
  likely(view) { return [...new Set([this.policy.choose(view), ...this.greedy.valued(view).slice(0, this.candidates)])]; }
  /** The moves with their odds of winning, the best first. */
  weigh(view, moves, worlds = this.count) {
    const memory = this.begin(view);
    this.moves.view().set(moves.map(BigInt));
    this.engine.call("search_playouts_try_candidates", this.views, this.worlds, this.moves, moves.length, this.sums,
      seedFor(view), 0, worlds, this.rounds * view.seats, ...memory);
    const odds = [...this.sums.view()].map((sum) => sum / worlds);
    return moves.map((move, k) => [move, odds[k]]).sort((a, b) => b[1] - a[1]);
  }
  /** Each seat's odds of winning. */
  outlook(view, futures = this.futures) {
    if (view.isOver) return Array.from({ length: view.seats }, (_, seat) => Number(seat === view.winner));
    const memory = this.begin(view);
    this.engine.call("judge_futures_play_futures", this.views, this.worlds, this.sums, seedFor(view), futures,
      this.rounds * view.seats, ...memory);
    const sums = [...this.sums.view()].slice(0, view.seats), total = sums.reduce((a, b) => a + b, 0);
    return sums.map((sum) => sum / total);
  }
  begin(view) {
    this.views.view().set(view.bytes);
    this.sums.view().fill(0);
    return [...this.network, this.greedy.weights, ...this.greedy.scratch];
  }
}
const seedFor = (view) => BigInt(crc32(view.bytes)) << 16n;
