// Hashes of random games, and their speed: node random_games.mjs PAGE.json GAMES BOXES.json
// BOXES.json has the bytes of games before their start by name, as base64; the games take turns.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const [file, count, boxes] = process.argv.slice(2);
const read = (path) => JSON.parse(readFileSync(path, "utf-8"));
const { worker, parts } = read(file), games = Number(count), MOST_TURNS = 400;
const { opened } = new Function(`${worker}; return { opened };`)();
const { engine } = await opened(parts);
const filled = Object.entries(read(boxes)).map(([name, text]) => {
  const box = engine.games(1);
  box.view().set(Buffer.from(text, "base64"));
  return [name, box];
});
const one = engine.games(1);
const results = [engine.array(Int8Array, games), engine.array(Int32Array, games), engine.array(Int32Array, games)];
const ends = [...Array(games).keys()].map((k) => {
  const [name, box] = filled[k % filled.length];
  engine.call("core_batch_play_out", one, box, MOST_TURNS, ...results, k, k + 1);
  const [winner, , decisions] = results.map(({ view }) => view()[k]);
  return `${name} ${decisions} ${winner} ${createHash("sha256").update(one.view()).digest("hex")}`;
});
const begun = process.cpuUsage();
engine.call("core_batch_play_out", one, filled[0][1], MOST_TURNS, ...results, 0, games);
const { user, system } = process.cpuUsage(begun);
console.log(JSON.stringify({ ends, speed: Math.round(games / (user + system) * 1e6) }));
