"use strict";

/** What every part of the page draws with. */
const RESOURCES = ["brick", "grain", "lumber", "ore", "wool"];
const TERRAINS = ["hills", "fields", "forest", "mountains", "pasture"];
const TINTS = ["#e8b294", "#f6e19b", "#a5cda9", "#ccd1d8", "#d5ecb2"];
const CARDS = ["knight", "road building", "year of plenty", "monopoly", "victory point"];
const SVG = "http://www.w3.org/2000/svg";
const WHITE = "#ffffff";
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
/** Give a node the children that another has; what looks alike stays, for layout is what costs. */
function become(node, made) {
  const [old, fresh] = [[...node.childNodes], [...made.childNodes]];
  if (old.length !== fresh.length) { node.replaceChildren(...fresh); return; }
  old.forEach((child, k) => {
    if (child.isEqualNode(fresh[k])) return;
    if (child.nodeName !== fresh[k].nodeName || !child.attributes) { child.replaceWith(fresh[k]); return; }
    for (const { name } of [...child.attributes]) if (!fresh[k].hasAttribute(name)) child.removeAttribute(name);
    for (const { name, value } of fresh[k].attributes) if (child.getAttribute(name) !== value) child.setAttribute(name, value);
    become(child, fresh[k]);
  });
}
const shape = (id, x, y, angle = 0) => drawn("use", {
  href: `#catan-${id}`, transform: `translate(${x} ${y}) rotate(${angle})`,
});
const picture = (id, box) => drawn("svg", { viewBox: box, "aria-hidden": "true" }, shape(id, 0, 0));
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const percent = (share) => `${Math.round(100 * share)} %`;
const counted = (n, noun) => `${n} ${noun}${n === 1 ? "" : "s"}`;

/** "2 brick, 1 ore" of five counts. */
const inWords = (counts) =>
  counts.flatMap((n, k) => (n ? [`${n} ${RESOURCES[k]}`] : [])).join(", ") || "nothing";

async function copy(text, button) {
  const before = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = element("textarea", { value: text }); // where no clipboard is given: plain HTTP
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = before; }, 1500);
}
