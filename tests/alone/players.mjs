// A person who plays at the page's table at random: node players.mjs PAGE.json SEED GAMES
// PAGE.json is {worker, parts}; one line of JSON per game: {seed, person, said, heard, record, replay}.
import { readFileSync } from "node:fs";

const [file, first, games] = process.argv.slice(2);
const { worker, parts } = JSON.parse(readFileSync(file, "utf-8"));
const { opened, Room } = new Function(`${worker}; return { opened, Room };`)();
const { engine, policies } = await opened(parts);

/** A small generator of random numbers. */
function chanceFrom(seed) {
  let state = seed + 1;
  return () => { state = Math.imul(state ^ state >>> 15, 0x2C1B3C6D) + 0x9E3779B9 | 0; return (state >>> 0) / 2 ** 32; };
}
const pick = (chance, some) => some[Math.floor(chance() * some.length)];
function randomOffer(chance, hand, seats) {
  const give = [0, 0, 0, 0, 0], held = [0, 1, 2, 3, 4].filter((k) => hand[k]);
  if (held.length) give[pick(chance, held)] = 1;
  const most = chance() < 0.1 ? 25 : 3; // more than a table allows
  return { give, get: give.map((n) => (n ? 0 : Math.floor(most * chance()))), to: Math.floor(chance() * seats) };
}
function next(chance, room, choices, step) {
  const { game } = room.table, hand = game.hand(room.person), { give, get, to } = randomOffer(chance, hand, game.seats);
  const hasSpokenLast = room.table.before.at(-1)?.seat === room.person;
  if (!choices && hasSpokenLast && chance() < 0.2) return chance() < 0.5 ? { type: "propose", give, get, step } : { type: "undo", step };
  if (!choices) return chance() < 0.02 ? { type: "propose", give, get, step } : null;
  if (choices.offers.length) return { type: "answer", number: Math.floor(chance() * (choices.offers.length + 1)) - 1, step };
  if (choices.may_offer && chance() < 0.1) return { type: "offer", to, give, get, step };
  if (choices.may_undo && chance() < 0.1) return { type: "undo", step };
  if (chance() < 0.02) return { type: "ask", step };
  if (chance() < 0.01) return { type: "act", index: Math.floor(848 * chance()), step };
  return { type: "act", index: pick(chance, choices.actions).index, step };
}
for (let seed = Number(first); seed < Number(first) + Number(games); seed++) {
  const chance = chanceFrom(seed), person = seed % engine.tables.players.length, said = [], heard = [];
  const room = new Room(engine, policies, { seed: BigInt(seed), person }, (message) => { if (!message.kept) heard.push(structuredClone(message)); });
  room.wait = () => {};
  if (seed > Number(first)) room.study = async () => {}; // it takes seconds
  const say = (message) => { said.push([message, heard.length]); room.received(message); };
  say({ type: "sit", secret: "ann" });
  while (!room.table.game.isOver && room.table.step < 3000) {
    const isMine = room.table.game.seat === person, { step } = room.table;
    const message = next(chance, room, isMine ? heard.findLast(({ type }) => type === "choices") : null, step);
    if (message) say(message);
    else {
      said.push([null, heard.length]);
      room.table.letPolicyAct();
      room.movedOn(step);
    }
  }
  const over = heard.find(({ type }) => type === "over") ?? {};
  await room.studied;
  console.log(JSON.stringify({ seed, person, said, heard: heard.filter(({ type }) => type !== "over"), ...over }));
}
