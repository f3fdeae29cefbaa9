/** What this browser keeps under a key; null if nothing, or if the page may not keep anything. */
function stored(key, storage = "localStorage") {
  try { return window[storage].getItem(key); } catch { return null; }
}
/** Keep a value under a key, as far as the browser's settings and its space allow it. */
function store(key, value, storage = "localStorage") {
  try { window[storage].setItem(key, value); } catch (error) { console.info(error); }
}
