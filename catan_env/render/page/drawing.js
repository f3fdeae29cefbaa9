"use strict";

/** What every part of the page draws with. */
const RESOURCES = ["brick", "grain", "lumber", "ore", "wool"];
const TERRAINS = ["hills", "fields", "forest", "mountains", "pasture"];
const TINTS = ["#e8b294", "#f6e19b", "#a5cda9", "#ccd1d8", "#d5ecb2"];
const CARDS = ["knight", "road building", "year of plenty", "monopoly", "victory point"];
const SVG = "http://www.w3.org/2000/svg";
const REACH = 80; // a tile's corners are nearer to its centre than this, all others are not
const WHITE = "#ffffff", BLACK = "#26252c"; // seats whose stripe needs an edge, by the page's colour
const $ = (id) => document.getElementById(id);

function element(name, properties = {}, ...children) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}
function drawn(name, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}
/** Make a node what another is; what looks alike stays, for layout and paint are what costs. */
function become(node, made) {
  if (node.isEqualNode(made)) return;
  if (node.nodeName !== made.nodeName || !node.attributes) { node.replaceWith(made); return; }
  for (const { name } of [...node.attributes]) if (!made.hasAttribute(name)) node.removeAttribute(name);
  for (const { name, value } of made.attributes) set(node, name, value);
  const [old, fresh] = [[...node.childNodes], [...made.childNodes]];
  if (old.length !== fresh.length) node.replaceChildren(...fresh);
  else old.forEach((child, k) => become(child, fresh[k]));
}
/** An attribute, or the text, of a node that need not be laid out where it has it already. */
function set(node, name, value) {
  if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}
function setText(node, text) {
  if (node.textContent !== String(text)) node.textContent = text;
}
const shape = (id, x, y, angle = 0) => drawn("use", {
  href: `#catan-${id}`, transform: `translate(${x} ${y}) rotate(${angle})`,
});
const picture = (id, box) => drawn("svg", { viewBox: box, "aria-hidden": "true" }, shape(id, 0, 0));
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const percent = (share) => `${Math.round(100 * share)}\u00a0%`; // a line ends before the number or after the sign
/** Give a node a seat's stripe. */
function stripe(node, colour) {
  node.style.setProperty("--seat", colour);
  node.classList.toggle("white", colour === WHITE);
  node.classList.toggle("black", colour === BLACK);
}
const turnName = (turn) => (turn ? `turn ${turn}` : "set-up");
const capital = (text) => text[0].toUpperCase() + text.slice(1);
const counted = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;

/** "2 brick, 1 ore" of five counts. */
const inWords = (counts) =>
  counts.flatMap((n, k) => (n ? [`${n} ${RESOURCES[k]}`] : [])).join(", ") || "nothing";

async function copy(text, button) {
  const label = (button.dataset.label ??= button.textContent); // the text may be "Copied" still
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = element("textarea", { value: text }); // where no clipboard is given: plain HTTP
    button.after(area); // all else may be hidden, or inert behind a dialog
    area.select();
    document.execCommand("copy");
    area.remove();
    button.focus();
  }
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = label; }, 1500);
}
