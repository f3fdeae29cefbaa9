/** The table runs in a worker of this page; `openLine` opens the counterpart of a live table's WebSocket. */
const openLine = (() => {
  const random = () => crypto.getRandomValues(new BigUint64Array(1))[0] >> 1n;
  const [seed, person] = location.hash.slice(1).split(".");
  const isSeat = /^\d$/.test(person ?? "") && Number(person) < ALONE.seats;
  if (!/^\d+$/.test(seed) || !isSeat) history.replaceState(null, "", `#${random()}.0`);
  const secret = location.hash.slice(1), [number, seat] = secret.split(".");
  const key = `catan-moves-${ALONE.id}-${secret}`, journal = journalOf(stored(key, "sessionStorage"));
  let line = null;

  function journalOf(text) {
    try { return JSON.parse(text ?? "[]"); } catch { return []; }
  }
  function fail(reason) {
    document.body.prepend(element("p", { role: "alert", textContent: `The table has failed: ${reason}` }));
  }

  const worker = new Worker(URL.createObjectURL(new Blob([ALONE.worker], { type: "text/javascript" })));
  worker.postMessage({ parts: ALONE, seed: BigInt(number), person: Number(seat), journal });
  worker.onmessage = ({ data }) => {
    if (data.failed) fail(data.failed);
    else if (data.restarted) journal.length = 0;
    else if (data.kept) {
      journal.push(data.kept);
      store(key, JSON.stringify(journal), "sessionStorage");
    } else line?.onmessage({ data: JSON.stringify(data.type === "over" ? withLinks(data) : data) });
  };
  worker.onerror = (event) => fail(event.message);

  // The replay has the scripts and the style of this page that come before those of a live table.
  const title = document.title, [style] = document.querySelectorAll("style"), [, shared] = document.scripts;
  const linkTo = (text, type) => URL.createObjectURL(new Blob([text], { type }));
  function withLinks({ replay, record, ...over }) {
    const parts = {
      title, style: style.textContent, board: replay.board, choices: "", script: shared.textContent + ALONE.replay,
      data: JSON.stringify(replay.data).replaceAll("<", "\\u003c"),
    };
    const page = ALONE.template.replace(/<!--(\w+)-->/g, (_, name) => parts[name]);
    return { ...over, replay: linkTo(page, "text/html"), record: linkTo(record, "application/json") };
  }

  return () => {
    const opened = {
      readyState: WebSocket.OPEN,
      send: (text) => worker.postMessage(JSON.parse(text)),
      close() { opened.readyState = WebSocket.CLOSED; },
    };
    line = opened;
    setTimeout(() => opened.onopen());
    return opened;
  };
})();
