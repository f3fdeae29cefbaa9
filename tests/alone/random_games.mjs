// Hashes of random games, and their speed: node random_games.mjs PAGE.json GAMES
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const [file, count] = process.argv.slice(2);
const { worker, parts } = JSON.parse(readFileSync(file, "utf-8")), games = Number(count);
const { opened, Game } = new Function(`${worker}; return { opened, Game };`)();
const { engine } = await opened(parts);
const box = engine.games(1), one = engine.games(1), template = new Game(engine, engine.tables.template.slice());
template.field.seed[0] = 11n;
box.view().set(template.bytes);
const results = [engine.array(Int8Array, games), engine.array(Int32Array, games), engine.array(Int32Array, games)];
const hash = createHash("sha256");
for (let k = 0; k < games; k++) {
  engine.call("core_batch_play_out", one, box, 1000, ...results, k, k + 1);
  hash.update(one.view());
}
for (const { view } of results) hash.update(new Uint8Array(view().buffer, view().byteOffset, view().byteLength));
const begun = process.cpuUsage();
engine.call("core_batch_play_out", one, box, 1000, ...results, 0, games);
const { user, system } = process.cpuUsage(begun);
console.log(JSON.stringify({ hash: hash.digest("hex"), speed: Math.round(games / (user + system) * 1e6) }));
