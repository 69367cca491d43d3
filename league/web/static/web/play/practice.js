/* The practice table by clicks, drags and keys. The page holds a form that works without this file; here it is sent in the
   background, and the table of the answer takes the place of the old one. Nothing is known here that the page does not say. */
import { read } from "../base/busy.js";

const DRAG = 8;
const NEAR = 44;

const root = document.querySelector("[data-practice]");
const words = JSON.parse(root.dataset.words);
const aloud = root.querySelector("[data-aloud]");
const table = () => root.querySelector("[data-table]");
const find = (selector) => table().querySelector(selector);
const all = (selector) => [...table().querySelectorAll(selector)];
let busy = false;

/* The same words again would not be heard. */
function say(text) {
  aloud.textContent = aloud.textContent === text ? `${text}\u00a0` : text;
}

const filled = (text, facts) => text.replace(/%\((\w+)\)s/g, (_, name) => facts[name]);
const chosen = () => find('[name="tile"]:checked');
const places = (tile) => (tile && "fits" in tile.dataset ? tile.dataset.on.split(" ") : []);

/* What was marked for the chosen tile: the tiles on the table that take it, and their buttons. */
function mark() {
  const tile = chosen();
  const fitting = places(tile);
  const trail = table().dataset.trail.split(" ");
  for (const one of all(".board [data-n]")) one.classList.toggle("fits", fitting.includes(trail[one.dataset.n]));
  for (const one of all("[data-join]")) {
    one.classList.toggle("fits", fitting.includes(one.dataset.join));
    one.classList.toggle("misfit", Boolean(tile) && !fitting.includes(one.dataset.join));
  }
}

async function send(changes) {
  if (busy) return;
  busy = true;
  const form = find("[data-acts]");
  const body = new FormData(form);
  for (const [name, value] of Object.entries(changes)) body.set(name, value);
  form.setAttribute("aria-busy", "true");
  try {
    const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "text/html" } });
    const page = await read(answer);
    const next = page.querySelector("[data-table]");
    if (!next) return location.reload();
    show(next);
  } catch {
    say(words.offline);
    warn(words.offline);
  } finally {
    busy = false;
    form.removeAttribute("aria-busy");
  }
}

function warn(text) {
  const line = document.createElement("p");
  line.className = "message error";
  line.textContent = text;
  find(":scope > .message")?.remove();
  table().prepend(line);
}

function show(next) {
  const old = table();
  const held = old.contains(document.activeElement) ? document.activeElement : null;
  const same = old.dataset.hand === next.dataset.hand;
  const lying = same ? old.querySelectorAll(".board [data-n]").length : 0;
  const hint = next.querySelector("[data-hinted]");
  const kept = hint ? [] : ["tile", "colour"];
  const picked = kept.map((name) => [name, old.querySelector(`[name="${name}"]:checked`)?.value]);
  old.replaceWith(next);
  for (const [name, value] of picked) for (const one of all(`[name="${name}"]`)) if (one.value === value) one.checked = true;
  if (old.dataset.line === next.dataset.line) keep(old);
  all(".board [data-n]").forEach((one, number) => {
    if (number < lying) return;
    one.classList.add("fall");
    one.classList.toggle("late", number > lying);
  });
  const before = same ? Number(old.querySelector("[data-events] li").dataset.line) : 0;
  // A refusal is an alert, which is heard as it comes.
  const news = all("[data-events] li").filter((one) => Number(one.dataset.line) > before).reverse();
  const asked = find("[data-ask]")?.textContent || (next.dataset.state === "turn" ? words.turn : "");
  if (news.length) say([...news.map((one) => one.textContent), asked].join(" ").trim());
  if (hint) say(hint.textContent.trim());
  if (held) refocus(held);
  mark();
}

/* Points and a call that are chosen for the next tile, where nothing was played meanwhile. */
function keep(old) {
  for (const one of old.querySelectorAll('[name="points"]:checked, [name="muggins"]:checked')) {
    const again = all(`[name="${one.name}"]`).find((other) => other.value === one.value);
    if (again) again.checked = true;
  }
}

function refocus(held) {
  const again = held.name !== "on" && all(`[name="${held.name}"]:enabled`).find((one) => one.value === held.value);
  (again || find("[data-fits]") || find("[data-go]") || find("[data-draw]"))?.focus({ preventScroll: true });
}

function play(on) {
  return send({ do: "play", on });
}

/* Enter plays the chosen tile where it fits in one place only; of several, the next Enter chooses. */
function enter() {
  const tile = chosen();
  const fitting = places(tile);
  if (!tile) return say(words.choose);
  if (!fitting.length) return say(filled(words.nowhere, { tile: tile.value }));
  if (fitting.length === 1) return play(fitting[0]);
  say(filled(words.several, { tile: tile.value, places: fitting.join(", ") }));
  return find("[data-join].fits").focus();
}

/* The fitting tile on the table nearest to a point of the screen; a finger is wider than a tile. */
function nearest(x, y) {
  let best = { on: null, away: Infinity };
  const trail = table().dataset.trail.split(" ");
  for (const one of all(".board .fits")) {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const away = Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom));
    if (away < best.away) best = { on: trail[one.dataset.n], away };
  }
  return best;
}

function onFelt({ target, clientX, clientY }) {
  const tile = chosen();
  if (!find('[name="tile"]')) return undefined;
  if (!tile) return say(words.choose);
  if (!table().dataset.trail) return play("");
  const { on, away } = nearest(clientX, clientY);
  if (on !== null && away <= NEAR) return play(on);
  const lying = target.closest("[data-n]");
  return lying ? play(table().dataset.trail.split(" ")[lying.dataset.n]) : undefined;
}

root.addEventListener("change", (event) => event.target.name === "tile" && mark());
root.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-acts]")) return;
  event.preventDefault();
  const { name, value } = event.submitter || {};
  send(name === "do" ? { do: value } : { do: "play", on: value || "" });
});
root.addEventListener("click", (event) => event.target.closest("[data-felt]") && onFelt(event));
/* A table that another player has changed (online.js); the answer to an own move comes first. */
root.addEventListener("table", ({ detail }) => busy || show(detail));

/* A tile is taken from the hand and let go over the table: it goes to the nearest place that takes it. */
root.addEventListener("pointerdown", (event) => {
  const tile = event.target.closest(".practice-tile:has(input)");
  if (!tile || !event.isPrimary || event.button !== 0) return;
  const from = { x: event.clientX, y: event.clientY };
  let ghost = null;
  const move = (now) => {
    if (!ghost && Math.hypot(now.clientX - from.x, now.clientY - from.y) < DRAG) return;
    ghost ||= taken(tile, event.target.closest("input") || tile.querySelector("input"));
    ghost.style.transform = `translate(calc(${now.clientX}px - 50%), calc(${now.clientY}px - 50%))`;
  };
  const stop = (now) => {
    for (const [kind, heard] of Object.entries(heeds)) removeEventListener(kind, heard);
    if (!ghost) return;
    ghost.remove();
    if (now.type === "pointerup") dropped(now);
  };
  const heeds = { pointermove: move, pointerup: stop, pointercancel: stop };
  for (const [kind, heard] of Object.entries(heeds)) addEventListener(kind, heard);
});

function taken(tile, chosenOne) {
  chosenOne.checked = true;
  mark();
  const ghost = document.createElement("div");
  ghost.className = "practice-ghost";
  ghost.append(tile.querySelector("svg").cloneNode(true));
  root.append(ghost);
  return ghost;
}

function dropped({ clientX, clientY }) {
  const { left, right, top, bottom } = find("[data-felt]").getBoundingClientRect();
  if (clientX < left || clientX > right || clientY < top || clientY > bottom) return;
  if (!table().dataset.trail) play("");
  else if (places(chosen()).length) play(nearest(clientX, clientY).on ?? places(chosen())[0]);
  else say(filled(words.nowhere, { tile: chosen().value }));
}

/* Letters are keys only while the focus is in the table (WCAG 2.1.4). */
const SPOKEN = { e: "ends", h: "hand", s: "score" };
function keyed({ key, target }) {
  if (key === "Enter") return target.matches('[name="tile"]') ? enter : null;
  if (SPOKEN[key]) return () => say(find(`[data-say="${SPOKEN[key]}"]`).textContent.trim());
  const shortcut = key === "?" ? "i" : key;
  const one = /^[a-z0-9]$/.test(shortcut) && find(`[aria-keyshortcuts="${shortcut}"]:enabled`);
  return one ? () => one.click() : null;
}
root.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || (event.shiftKey && event.key !== "?")) return;
  const act = keyed(event);
  if (!act) return;
  event.preventDefault();
  act();
});
mark();
