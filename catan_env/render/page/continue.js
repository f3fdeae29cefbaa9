let continuing = null; // the line that asks for a table, until the page is left for it
addEventListener("pagehide", () => { continuing = null; });

/** Sit down at a new table that continues a stored game from a step; `report` receives "", then the reason if it fails. */
function continueFrom(path, step, seat, report) {
  if (continuing) return;
  report("");
  const socket = continuing = new WebSocket(`ws://${location.host}/`);
  let reason = "The server does not answer.";
  socket.onopen = () => socket.send(JSON.stringify({ type: "resume", path, step, seat }));
  socket.onmessage = (event) => {
    const message = JSON.parse(event.data);
    if (message.type === "seated") { reason = null; location.assign(`/#${message.secret}`); } else reason = message.reason;
  };
  socket.onclose = () => {
    if (!reason) return;
    continuing = null;
    report(reason);
  };
}
