/** The rules and policies as WebAssembly; `tables` are those of tables.py. */
class Engine {
  static async load(code, tables) {
    const { instance } = await WebAssembly.instantiate(code, {});
    return new Engine(instance.exports, tables);
  }
  constructor(exports, tables) {
    this.exports = exports;
    this.tables = tables;
    this.free = exports.__heap_base.value;
    this.state = this.array(Uint8Array, tables.size);
    this.five = [this.array(Int8Array, 5), this.array(Int8Array, 5)];
  }
  /** New memory, as arguments of an entry point: its place, and its lengths. */
  array(Kind, ...lengths) {
    const count = lengths.reduce((a, b) => a * b, 1), place = (this.free + 63) & ~63;
    this.free = place + count * Kind.BYTES_PER_ELEMENT;
    const missing = this.free - this.exports.memory.buffer.byteLength;
    if (missing > 0) this.exports.memory.grow(Math.ceil(missing / 65536));
    const view = () => new Kind(this.exports.memory.buffer, place, count);
    return { view, place, lengths: lengths.map(BigInt) };
  }
  /** Memory for that many games. */
  games(n) {
    const { view, place } = this.array(Uint8Array, n * this.tables.size);
    return { view, place, lengths: [BigInt(n)] };
  }
  /** Memory with these numbers in it. */
  filled(numbers, ...lengths) {
    const made = this.array(numbers.constructor, ...(lengths.length ? lengths : [numbers.length]));
    made.view().set(numbers);
    return made;
  }
  /** Call an entry point with arrays and whole numbers. */
  call(name, ...given) {
    const plain = given.flatMap((one) => (typeof one === "object" ? [one.place, ...one.lengths] : [BigInt(one)]));
    const result = this.exports[`wasm_catan_${name}`](...plain);
    return result === undefined ? undefined : Number(result);
  }
  /** Call an entry point of one game, which is changed in place. */
  on(game, name, ...given) {
    const memory = this.state.view();
    memory.set(game.bytes);
    const result = this.call(name, { place: this.state.place, lengths: [1n] }, 0, ...given);
    game.bytes.set(this.state.view());
    return result;
  }
}
