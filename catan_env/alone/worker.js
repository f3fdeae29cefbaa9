/** The worker of the page: it plays the table's part. */
async function inflated(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}
const numbersOf = (Kind, text) => new Kind(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);

/** A number of 16 bits as float. */
function fromHalf(bits) {
  const sign = bits & 0x8000 ? -1 : 1, exponent = bits >> 10 & 31, rest = bits & 1023;
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + rest / 1024) : 2 ** -14 * (rest / 1024));
}
/** The tables with their packed arrays unpacked. */
function unpacked(tables) {
  const { value, judge, network } = tables;
  tables.template = numbersOf(Uint8Array, tables.template);
  tables.offers = new Map(tables.actions.flatMap(({ kind, args }, index) => (kind === "OFFER" ? [[String(args), index]] : [])));
  value.weights = numbersOf(Float64Array, value.weights);
  judge.net = numbersOf(Float64Array, judge.net);
  unpackNetwork(network);
  return tables;
}
function unpackNetwork(network) {
  if (network.set_up) network.set_up.net = numbersOf(Float64Array, network.set_up.net);
  if (network.kind === "blend") unpackNetwork(network.network);
  if (network.kind !== "pointer") return;
  network.scale = numbersOf(Float32Array, network.scale);
  for (const name of ["moved", "images"]) network[name] = BigInt64Array.from(numbersOf(Int16Array, network[name]), BigInt);
}
/** The layers of a network from its weights. */
function layersOf({ type, shapes }, weights) {
  const isHalf = type === "float16", width = isHalf ? 2 : 4, planes = new Uint8Array(weights), count = planes.length / width;
  const bytes = planes.map((_, k) => planes[(k % width) * count + Math.floor(k / width)]).buffer;
  const all = isHalf ? new Uint16Array(bytes) : new Float32Array(bytes);
  const table = isHalf ? Float32Array.from({ length: 1 << 16 }, (_, bits) => fromHalf(bits)) : null;
  let from = 0;
  return shapes.map(([rows, columns]) => {
    const some = all.subarray(from, from += rows * columns);
    return isHalf ? Float32Array.from(some, (bits) => table[bits]) : some;
  });
}
/** The policy of a network and its weights, by its kind. */
function policyOf(engine, greedy, { set_up: setUp, ...network }, weights) {
  if (setUp) return new WithSetUp(engine, greedy, policyOf(engine, greedy, network, weights), setUp);
  if (network.kind === "blend") {
    const first = policyOf(engine, greedy, network.network, weights.slice(0, network.split));
    const second = policyOf(engine, greedy, network.reranker, weights.slice(network.split));
    return new Blend(engine, greedy, first, second, network);
  }
  const whole = { ...network, layers: layersOf(network, weights), actions: network.outputs };
  return network.kind === "rerank" ? new Reranker(engine, greedy, whole) : new Network(engine, whole);
}
/** The engine and its policies. */
async function opened(parts) {
  const tables = unpacked(JSON.parse(new TextDecoder().decode(await inflated(parts.tables))));
  const engine = await Engine.load(await inflated(parts.code), tables), greedy = new Greedy(engine), { network } = tables;
  const policy = network.kind ? policyOf(engine, greedy, network, await inflated(parts.weights)) : greedy;
  return { engine, policies: { policy, judge: new Judge(engine, policy, greedy) } };
}

/** The room of a page, where its game is played on; a new game if the journal cannot be played. */
function roomOf({ engine, policies }, page, send) {
  const begun = () => new Room(engine, policies, page, send), room = begun();
  try { room.restore(page.journal); } catch {
    send({ restarted: true });
    return begun();
  }
  return room;
}

if (typeof WorkerGlobalScope !== "undefined") {
  let room = null;
  const early = [];
  async function received(data) {
    if (data.parts) {
      room = roomOf(await opened(data.parts), data, postMessage.bind(null));
      early.splice(0).forEach((message) => room.received(message));
    } else if (room) room.received(data);
    else early.push(data);
  }
  // A promise that is rejected in a worker never reaches its page.
  onmessage = ({ data }) => received(data).catch((error) => postMessage({ failed: String(error) }));
}
