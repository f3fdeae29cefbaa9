
// A replay: what a whole record has and a live table has not.
(() => {
  const data = JSON.parse($("data").textContent);
  const page = window.replay = openPage(data);

  // The position as Python makes it

  const bySeat = (some) => `{${some.map((value, seat) => `${seat}: ${JSON.stringify(value)}`).join(", ")}}`;
  const python = (value) => (value === null ? "None" : value === true ? "True" : value === false ? "False" : value);
  function position({ turn, phase, seat, on, ...frame }) {
    const facts = {
      board: data.board, seats: data.players.length, rules: `"${data.rules}"`, first_seat: data.first,
      settlements: bySeat(frame.settlements), cities: bySeat(frame.cities), roads: bySeat(frame.roads), robber: frame.robber,
      hands: bySeat(frame.hands), known: bySeat(frame.known),
    };
    if (turn) Object.assign(facts, {
      cards: bySeat(frame.cards), played: bySeat(frame.played.map((counts) => [...counts, 0])),
      new_cards: JSON.stringify(frame.fresh), longest_road_seat: python(frame.longest), largest_army_seat: python(frame.army),
      phase: `"${phase.toLowerCase()}"`, turn_seat: on, turn, roll: frame.roll, card_played: python(frame.used),
    }, frame.free ? { free_roads: frame.free } : {},
    frame.gone.length ? { left: `{${frame.gone.join(", ")}}` } : {},
    phase === "DISCARD" ? { discards: bySeat(frame.owed) } : {},
    phase === "ANSWER" ? { offer: `(${frame.offer.map((part) => JSON.stringify(part)).join(", ")})` } : {});
    else facts.phase = `"${phase.toLowerCase()}"`;
    return `Game.from_position(${Object.entries(facts).map(([name, value]) => `${name}=${value}`).join(", ")})`;
  }
  $("copy").hidden = data.viewer !== null || !data.rules;
  // At the steps at which the table places, no seat decides: they lack what a position needs.
  const allowCopy = () => { $("copy").disabled = page.frame.phase === "OVER" || !page.frame.fresh; };
  document.addEventListener("moved", allowCopy);
  allowCopy();
  $("copy").onclick = () => copy(position(page.frame), $("copy"));
  page.position = () => position(page.frame);

  // Play on from here

  $("play-on").hidden = !data.source;
  const isServed = location.protocol !== "file:" && data.source?.path;
  const command = () => `catan-env table --from ${data.source.file} --step ${page.step} --seat ${$("play-as").value}`;
  $("play-as").replaceChildren(...data.players.map((textContent, value) => element("option", { value, textContent })));
  function sayHow() {
    $("command").textContent = command();
    $("why-not").textContent = "";
    const isOver = page.frame.phase === "OVER";
    $("sit-down").disabled = isOver;
    $("sit-down").textContent = isOver ? "The game is over here" : "Sit down";
  }
  $("play-on").onclick = () => {
    $("play-as").value = page.frame.seat;
    sayHow();
    $("sit-down").hidden = !isServed;
    $("command-line").hidden = Boolean(isServed);
    $("from-here").showModal();
  };
  $("play-as").onchange = sayHow;
  $("copy-command").onclick = () => copy(command(), $("copy-command"));
  $("sit-down").onclick = () => {
    continueFrom(data.source.path, page.step, Number($("play-as").value), (reason) => { $("why-not").textContent = reason; });
  };
})();
