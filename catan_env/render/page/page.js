/** The page over `data`: the board, the players, the log and the curves, moved to and fro. */
function openPage(data) {
  const EVERYTHING = -1;
  const seats = data.players.map((_, seat) => seat);

  // A step says only what changed: put together, frame k is the whole position after step k.
  const frames = [];
  let last = 0, turns = 0;
  let starts = []; // the first frame of each turn; of turn 0, the set-up
  function putTogether(from) {
    frames.length = from;
    for (const step of data.steps.slice(from)) frames.push({ ...frames[frames.length - 1], ...step });
    last = frames.length - 1;
    turns = frames[last].turn;
    starts = [];
    frames.forEach((frame, k) => { starts[frame.turn] ??= k; });
    // A record that begins after the placing has no frame of turn 0.
    for (let turn = 0; turn <= turns; turn++) starts[turn] ??= turn ? starts[turn - 1] : 0;
  }
  putTogether(0);

  let at = 0, sight = data.viewer === null ? EVERYTHING : data.viewer, timer = null;
  const isLaidOpen = (frame) => data.live && frame.phase === "OVER";
  const sees = (seat, frame) => sight === EVERYTHING || sight === seat || isLaidOpen(frame);
  const textOf = (line) =>
    line.seers === undefined || sight === EVERYTHING || line.seers.includes(sight)
      ? line.text : line.others;
  const goTo = (step) => { pause(); go(step); };

  const board = boardOf(data);
  const players = playersOf(data, { sees });
  const motion = motionOf(data, players.handOf);
  const log = logOf(data, frames, textOf, goTo);
  const curves = curvesOf(data, frames, { pointsOf: players.pointsOf, goTo });

  // Moving

  const lessonAt = (step) => data.lessons?.find((lesson) => lesson.step === step);
  function lessonText(lesson) {
    if (!lesson) return "";
    const [odds, better] = lesson.odds;
    return `−${percent(better - odds)}: ${data.judge} would ${lesson.would} (${percent(better)}, not ${percent(odds)})`;
  }
  function show() {
    const frame = frames[at], before = at ? frames[at - 1] : null, lesson = lessonAt(at);
    board.draw(frame, before, lesson);
    players.drawNow(frame, at === 0, textOf, lessonText(lesson));
    players.draw(frame, before);
    curves.draw(at);
    if ($("words").open) drawWords();
    $("scrub").value = at;
    set($("scrub"), "aria-valuetext", `${$("turn").textContent}, step ${at} of ${last}`);
    if (document.activeElement !== $("jump-to")) $("jump-to").value = frame.turn;
    for (const id of ["first", "back", "turn-back"]) $(id).disabled = at === 0;
    for (const id of ["last", "forward", "turn-on"]) $(id).disabled = at === last;
    log.draw(at); // the last: where it scrolls to is a question of layout
    document.dispatchEvent(new CustomEvent("moved"));
    motion.show(frame, before, at);
  }
  function drawWords() {
    const hands = seats.map((seat) => players.handOf(frames[at], seat));
    $("in-words").replaceChildren(...board.words(frames[at], hands, (seat) => players.pointsOf(frames[at], seat))
      .map((textContent) => element("p", { textContent })));
  }
  $("words").addEventListener("toggle", () => { if ($("words").open) drawWords(); });

  function go(step) {
    at = Math.min(Math.max(step, 0), last);
    if (at === last) pause();
    show();
    if (timer === null) rememberStep();
  }
  /** One step on or back; over refused offers where they are skipped. */
  function move(by) {
    const run = $("skip-offers").checked ? log.foldAt(at + by) : undefined;
    go(!run ? at + by : by > 0 ? run[1] + 1 : run[0] - 1);
  }
  function goTurn(turn) { go(starts[Math.min(Math.max(turn, 0), turns)]); }
  function turnBack() {
    const { turn } = frames[at];
    goTurn(at > starts[turn] ? turn : turn - 1);
  }
  function turnOn() {
    const { turn } = frames[at];
    if (turn === turns) go(last); else goTurn(turn + 1);
  }

  // A link to a step; browsers allow a page only so many changes of its address.
  let remembering = null;
  const hasAddress = !data.live && location.protocol !== "about:"; // a notebook's frame has none
  function rememberStep() {
    if (hasAddress) remembering ??= setTimeout(() => {
      remembering = null;
      history.replaceState(null, "", `#step=${at}`);
    }, 250);
  }
  const linked = () => Number(/^#step=(\d+)$/.exec(location.hash)?.[1] ?? NaN);
  if (!data.live) window.addEventListener("hashchange", () => { if (!Number.isNaN(linked())) goTo(linked()); });

  function play() {
    if (timer !== null) return;
    if (at === last) go(0);
    timer = setInterval(() => move(1), 1000 / Number($("speed").value));
    drawPlay();
  }
  function pause() {
    if (timer === null) return;
    clearInterval(timer);
    timer = null;
    drawPlay();
    rememberStep();
  }
  const PLAY = "M7 4v16l13-8z", PAUSE = "M6 4h4v16H6zM14 4h4v16h-4z";
  function drawPlay() {
    const isPlaying = timer !== null;
    $("play").querySelector("path").setAttribute("d", isPlaying ? PAUSE : PLAY);
    $("play").setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    $("headline").setAttribute("aria-live", isPlaying ? "off" : "polite"); // nobody hears ten a second
  }
  const toggle = () => (timer === null ? play() : pause());
  function setSpeed(step) {
    const { options, selectedIndex } = $("speed");
    $("speed").selectedIndex = Math.min(Math.max(selectedIndex + step, 0), options.length - 1);
    if (timer !== null) { pause(); play(); }
  }
  function setSight(value) {
    if (![...$("sight").options].some((option) => Number(option.value) === value)) return;
    sight = value;
    $("sight").value = value;
    log.write(starts);
    curves.write(starts);
    show();
  }

  const byHand = (action) => () => { pause(); action(); };
  $("first").onclick = byHand(() => go(0));
  $("last").onclick = byHand(() => go(last));
  $("back").onclick = byHand(() => move(-1));
  $("forward").onclick = byHand(() => move(1));
  $("turn-back").onclick = byHand(turnBack);
  $("turn-on").onclick = byHand(turnOn);
  $("play").onclick = toggle;
  $("scrub").oninput = () => goTo(Number($("scrub").value));
  $("speed").onchange = () => setSpeed(0);
  $("sight").onchange = () => setSight(Number($("sight").value));
  $("jump").onsubmit = (event) => {
    event.preventDefault();
    pause();
    $("jump-to").blur();
    goTurn(Math.round(Number($("jump-to").value)) || 0);
  };

  const KEYS = {
    " ": toggle, Home: byHand(() => go(0)), End: byHand(() => go(last)),
    ArrowLeft: byHand(() => move(-1)), ArrowRight: byHand(() => move(1)),
    "Shift+ArrowLeft": byHand(turnBack), "Shift+ArrowRight": byHand(turnOn),
    "+": () => setSpeed(1), "=": () => setSpeed(1), "-": () => setSpeed(-1),
    0: () => setSight(EVERYTHING), 1: () => setSight(0), 2: () => setSight(1),
    3: () => setSight(2), 4: () => setSight(3),
  };
  const PRESSED_BY_SPACE = "button, input:not([type=range]), summary, a, [role=button]";
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (target.id === "jump-to" || target.tagName === "SELECT" || target.closest("#choices, dialog")) return;
    if (target.classList.contains("choice")) return;
    if (event.key === " " && target.closest(PRESSED_BY_SPACE)) return; // #play among them
    const isArrow = event.key.startsWith("Arrow");
    const action = KEYS[event.shiftKey && isArrow ? `Shift+${event.key}` : event.key];
    if (!action) return;
    event.preventDefault();
    action();
  });

  const sights = data.viewer === null
    ? data.live ? [[EVERYTHING, data.live === "full" ? "everything" : "what all saw"]]
      : [[EVERYTHING, "everything"], ...seats.map((seat) => [seat, `what ${data.players[seat]} knew`])]
    : [[data.viewer, `what ${data.players[data.viewer]} knew`]];
  $("sight").replaceChildren(...sights.map(([value, text]) => element("option", { value, textContent: text })));
  if (data.code) {
    const [code, button] = $("board-code").children;
    code.textContent = data.code;
    button.onclick = () => copy(data.code, button);
    $("board-code").hidden = false;
  }
  measure();
  if (!data.live && linked() <= last) at = linked();
  setSight(sight);

  /** How far the scrubber and the turns go. */
  function measure() {
    $("scrub").max = last;
    $("jump-to").max = turns;
    $("turns").textContent = `of ${turns}`;
  }

  let redrawing = null; // curves are drawn anew when the page is idle
  function redrawCurves() {
    redrawing ??= setTimeout(() => { redrawing = null; curves.write(starts); show(); }, 400);
  }

  /** Take the first `count` steps of `data.steps` as known, and the rest as new; follow the end. */
  function grow(count) {
    const isFollowing = at >= last, known = Math.min(count, frames.length);
    putTogether(known);
    measure();
    log.write(starts, known);
    if (isFollowing || at > last) at = last;
    show();
    redrawCurves();
  }

  /** For whoever drives the page from outside: where it is, and what it knows there. */
  const page = {
    data, grow, redrawCurves, drawCard: curves.drawCard,
    get live() { return frames[last]; },
    get step() { return at; }, get last() { return last; }, get turns() { return turns; },
    get frame() { return frames[at]; }, get sight() { return sight; },
    get isPlaying() { return timer !== null; }, go, goTurn,
  };
  document.documentElement.dataset.ready = Math.round(performance.now());
  return page;
}
