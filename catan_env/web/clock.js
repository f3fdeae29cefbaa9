/** The time that the acting player has left, where the host limits turns. */
function clockOf(page) {
  const FEW = 10; // seconds
  const node = element("span", { id: "clock", hidden: true });
  node.setAttribute("role", "timer");
  $("turn").after(node);
  let ends = 0, ticking = null;

  function draw() {
    const left = Math.max(0, Math.ceil((ends - performance.now()) / 1000));
    setText(node, `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`);
    node.classList.toggle("few", left <= FEW);
    if (!left) stop();
  }
  function stop() {
    clearInterval(ticking);
    ticking = null;
  }
  function start({ seat, seconds }) {
    ends = performance.now() + 1000 * seconds;
    node.hidden = false;
    node.title = `time that ${page.data.players[seat]} has left in this turn`;
    node.setAttribute("aria-label", node.title);
    draw();
    if (seconds > 0) ticking ??= setInterval(draw, 250);
  }
  function hide() {
    stop();
    node.hidden = true;
  }
  /** True in the last second, and after it. */
  const isOut = () => !node.hidden && ends - performance.now() < 1000;
  return { start, hide, isOut };
}
