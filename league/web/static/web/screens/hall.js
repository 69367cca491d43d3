/* Counts the clocks of a hall, of its show, or that of a scoreboard, between two looks at the server, and rings on this device. An answer says what the hour was
   when it was made; how far that lies from this device's monotonic timer is known best from the quickest answer. From
   there the timer counts on, with or without the server. Sounds are set beforehand on the time line of the audio device: a page in the background is woken too seldom
   to ring in time. Without JavaScript the page refreshes itself (screens/hall.html). */
import { Bells } from "./bells.js";
import { read, swap } from "../base/busy.js";
import { flowing, follow } from "../base/follow.js";

const LOOK_EVERY = 5_000;
/* Beside a stream, which tells of every press: the offset of the timer grows old. */
const SAFE_EVERY = 20_000;
const PATIENCE = 4_000;
const DRIFT = 2_000;
const TICK = 200;
const BELL_SHOWN = 20_000;

/* By key of the clock: what the server said, and the reading of the monotonic timer that it was true at. */
let known = new Map();
const said = new Set();
const bells = new Bells();
/* The server's hour less the monotonic timer, and how far it may be off, in milliseconds. */
let offset = { by: 0, error: Infinity };
let looked = performance.now();
let wall = Date.now();
let mono = performance.now();
let looking = false;
/* News came during a look, whose answer may be older. */
let again = false;
let sending = false;
/* How often something was sent: an answer that was asked for before is of yesterday. */
let sent = 0;
let belled = 0;

const hall = () => document.querySelector("[data-hall]");
const shown = (root = document) => [...root.querySelectorAll("[data-hall-clock]")];
const counts = (clock) => JSON.parse(clock.dataset.hallClock);

function remaining(one, now) {
  return one.state === "running" ? Math.max(0, one.remaining_ms - (now - one.at)) : one.remaining_ms;
}

function written(length) {
  const seconds = Math.floor(length / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function digits(one, now) {
  if (one.state === "overtime") return `+${written(one.overtime_ms + now - one.at)}`;
  if (one.overtime_ms) return `+${written(one.overtime_ms)}`;
  return written(Math.ceil(remaining(one, now) / 1000) * 1000);
}

function say(text) {
  document.querySelector("[data-said]").textContent = text;
}

function once(key, act) {
  if (said.has(key)) return;
  said.add(key);
  act();
}

/* An answer asked for and begun at these readings of the timer; of two estimates that agree the closer one stays. */
function compare(root, asked, begun) {
  const part = root.querySelector("[data-now]");
  const one = { by: Number(part.dataset.now) - (asked + begun) / 2, error: (begun - asked) / 2 };
  if (one.error < offset.error || Math.abs(one.by - offset.by) > one.error + offset.error) offset = one;
  return Number(part.dataset.now) - offset.by;
}

function learn(root, asked, begun) {
  const at = compare(root, asked, begun);
  const before = known;
  known = new Map();
  for (const clock of shown(root)) {
    const one = counts(clock);
    const old = before.get(one.key);
    const same = old && old.rings === one.rings;
    known.set(one.key, { ...one, at, left: same ? old.left : one.remaining_ms });
  }
  plan();
}

/* When which sound is due, by the monotonic timer. Warnings are everybody's; a table with its own time has a bell. */
function plan() {
  const due = new Map();
  const now = performance.now();
  for (const one of known.values()) {
    if (one.state !== "running") continue;
    const end = one.at + one.remaining_ms;
    if (end > now) due.set(`${one.rings} bell`, { at: end, bell: true });
    if (one.key !== "main") continue;
    for (const [before] of one.warnings) {
      if (end - before > now) due.set(`${one.rings} ${before}`, { at: end - before, bell: false });
    }
  }
  bells.plan(due);
}

/* The bell of everybody fills the screen; that of one table is told in words. */
function ring(one) {
  say(one.name ? `${one.name}: ${one.bell}` : one.bell);
  if (one.key !== "main") return;
  belled = performance.now();
  showBell();
}

function showBell() {
  const notice = document.querySelector("[data-bell]");
  if (!notice) return;
  notice.hidden = !belled || performance.now() - belled > BELL_SHOWN;
  notice.querySelector("[data-bell-seen]").hidden = false;
}

function announce(one, left) {
  for (const [warning, words] of one.warnings) {
    if (one.key === "main" && one.left > warning && left <= warning && left > 0) {
      once(`${one.rings} ${warning}`, () => say(words));
    }
  }
  if (one.left > 0 && left === 0) once(`${one.rings} ${one.key} bell`, () => ring(one));
}

/* The words of the last warning that holds, and its colour. */
function colour(clock, one, left) {
  let tone = clock.dataset.tone;
  const running = one.state === "running" && left > 0;
  const warnings = [...clock.querySelectorAll("[data-before]")];
  const holds = warnings.filter((warning) => running && left <= Number(warning.dataset.before)).pop();
  for (const warning of warnings) warning.hidden = warning !== holds;
  if (holds) tone = holds.dataset.tone;
  if (one.state === "running" && left === 0) tone = "bad";
  clock.classList.remove("good", "warm", "bad", "cool", "over");
  if (tone) clock.classList.add(tone);
}

function tick() {
  const now = performance.now();
  /* A device that slept, or whose hour was set: its timer says nothing any more. */
  if (Math.abs(Date.now() - wall - (now - mono)) > DRIFT) {
    offset.error = Infinity;
    look();
  }
  [wall, mono] = [Date.now(), now];
  let ended = false;
  for (const clock of shown()) {
    const one = known.get(counts(clock).key);
    if (!one) continue;
    const left = remaining(one, now);
    clock.querySelector("[data-digits]").textContent = digits(one, now);
    colour(clock, one, left);
    ended = ended || (one.state === "running" && left === 0);
  }
  for (const one of known.values()) {
    const left = remaining(one, now);
    if (one.state === "running") announce(one, left);
    one.left = left;
  }
  showBell();
  if (now - looked > (ended ? 1_000 : flowing() ? SAFE_EVERY : LOOK_EVERY)) look();
}

async function look() {
  if (looking || sending) return;
  looking = true;
  const stop = new AbortController();
  const patience = setTimeout(() => stop.abort(), PATIENCE);
  const [asked, before] = [performance.now(), sent];
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-store", signal: stop.signal });
    if (!answer.ok || answer.redirected) throw new Error(answer.status);
    const begun = performance.now();
    const fresh = await read(answer);
    if (before === sent) put(fresh, asked, begun);
    lost(false);
    document.dispatchEvent(new CustomEvent("looked", { detail: fresh }));
  } catch {
    /* The digits go on. */
    lost(true);
    document.dispatchEvent(new CustomEvent("looked"));
  }
  clearTimeout(patience);
  looked = performance.now();
  looking = false;
  if (again) await news();
}

export function news() {
  again = looking;
  return look();
}

/* The show looks after a running score only if its match is on the screen. */
function concerns({ match, more, clock, competition }) {
  const show = document.querySelector("[data-show]");
  return !show || more || clock || Boolean(competition) || Boolean(show.querySelector(`[data-match="${match}"]`));
}

function lost(is) {
  const told = document.querySelector("[data-lost]");
  if (told) told.hidden = !is;
}

/* New words and buttons in the place of the old ones; what somebody is typing in is left alone. */
function put(fresh, asked, begun) {
  const next = fresh.querySelector("[data-hall]");
  if (!next) return;
  learn(fresh, asked, begun);
  const old = hall();
  const open = old.querySelector("details[open]");
  if (open || document.activeElement?.matches("[data-hall] input")) return;
  document.title = fresh.title;
  swap(old, next);
  for (const button of next.querySelectorAll("[data-bell-seen]")) button.hidden = false;
  tick();
}

/* A form is sent without leaving the page, so that the sound stays on. */
async function send(event) {
  const form = event.target.closest("[data-hall-form]");
  if (!form || !event.submitter) return;
  event.preventDefault();
  if (sending) return;
  sending = true;
  sent += 1;
  const filled = new FormData(form);
  filled.set(event.submitter.name, event.submitter.value);
  const asked = performance.now();
  try {
    const answer = await fetch(location.href, { method: "POST", body: filled, headers: { Accept: "text/html" } });
    if (!answer.ok) throw new Error(answer.status);
    const begun = performance.now();
    const fresh = await read(answer);
    for (const one of form.querySelectorAll("input:not([type=hidden])")) one.blur();
    for (const one of hall().querySelectorAll("details[open]")) one.open = false;
    put(fresh, asked, begun);
    document.querySelector("main .messages")?.remove();
    const told = fresh.querySelector(".messages");
    if (told) document.querySelector("main .wrap").prepend(told);
    lost(false);
  } catch {
    lost(true);
  }
  sending = false;
  look();
}

document.addEventListener("submit", send);
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-sound-on]")) bells.on(plan);
  if (event.target.closest("[data-sound-off]")) bells.off();
  if (event.target.closest("[data-sound-test]")) bells.try();
  if (event.target.closest("[data-bell-seen]")) belled = 0;
  showBell();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  belled = 0;
  showBell();
});
document.addEventListener("visibilitychange", () => document.hidden || look());
window.addEventListener("pageshow", (event) => event.persisted && look());

/* Who comes in while the bell is on the wall sees it for the rest of its time. */
if (document.querySelector("[data-bell]:not([hidden])")) belled = performance.now();
bells.furnish();
const [way] = performance.getEntriesByType("navigation");
learn(document, way.requestStart, way.responseStart);
tick();
look();
setInterval(tick, TICK);
follow({ look: news, pause: () => 0, hidden: () => true, concerns });
