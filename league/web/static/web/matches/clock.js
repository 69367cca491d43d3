/* Counts the clocks of a match between two looks at the server, from its answer and this device's monotonic timer.
   Warnings and the bell are said once; the sound is off until somebody turns it on. Without JavaScript the page
   refreshes itself (matches/detail.html). */
import { read } from "../base/busy.js";
import { follow } from "../base/follow.js";

const LOOK_EVERY = 15_000;
const LOST_AFTER = 45_000;
const DRIFT = 2_000;
const TICK = 200;

/* By number of the game: what the server said, and the reading of the monotonic timer that it was true at. */
const known = new Map();
const said = new Set();
/* By number of the game: the state that was shown when the page came, or was said since. */
const spoken = new Map();
let looked = performance.now();
let wall = Date.now();
let mono = performance.now();
let looking = false;
/* News came during a look, whose answer may be older. */
let again = false;
let sending = false;
/* How many forms were sent: an answer that was asked for before one of them is older than its own. */
let sent = 0;
let audio = null;

const clocks = () => document.querySelectorAll("[data-clock]");
const counts = (clock) => JSON.parse(clock.dataset.counts);

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
  document.querySelector("[data-clock-said]").textContent = text;
}

function once(key, act) {
  if (said.has(key)) return;
  said.add(key);
  act();
}

function ring() {
  if (!audio) return;
  for (const [start, pitch] of [[0, 880], [0.45, 880], [0.9, 1175]]) {
    const tone = audio.createOscillator();
    const loudness = audio.createGain();
    const from = audio.currentTime + start;
    tone.frequency.value = pitch;
    loudness.gain.setValueAtTime(0.4, from);
    loudness.gain.exponentialRampToValueAtTime(0.001, from + 0.4);
    tone.connect(loudness).connect(audio.destination);
    tone.start(from);
    tone.stop(from + 0.4);
  }
}

/* `before` and `left`: time left at the last tick and now. A warning is said when the clock passes it. */
function announce(clock, one, before, left) {
  const words = counts(clock);
  for (const [warning, text] of words.warnings) {
    if (before > warning && left <= warning && left > 0) once(`${one.game} ${one.version} ${warning}`, () => say(text));
  }
  if (before > 0 && left === 0) {
    once(`${one.game} bell`, () => {
      say(words.bell);
      ring();
    });
  }
}

function tick() {
  const now = performance.now();
  /* A device that slept, or whose hour was set: its timer says nothing any more. */
  if (Math.abs(Date.now() - wall - (now - mono)) > DRIFT) look();
  [wall, mono] = [Date.now(), now];
  for (const clock of clocks()) {
    if (!clock.dataset.furnished) furnish();
    const one = known.get(clock.dataset.clock);
    const left = remaining(one, now);
    clock.querySelector("[data-digits]").textContent = digits(one, now);
    if (one.state === "running") announce(clock, one, one.left, left);
    one.left = left;
    if (one.state === "running" && left === 0 && now - looked > 1_000) look();
    clock.querySelector("[data-uncertain]").hidden = one.state !== "running" || now - looked < LOST_AFTER;
  }
  if (now - looked > LOOK_EVERY && !document.hidden) look();
}

/* `left`: at the last tick, so that a warning is not said again by a new answer. */
function learn(one, at) {
  const before = known.get(String(one.game));
  known.set(String(one.game), { ...one, at, left: before ? before.left : one.remaining_ms });
}

/* The server's answer holds for the middle of the way there and back. */
async function look() {
  const first = clocks()[0];
  if (looking || sending || !first) return;
  looking = true;
  const before = sent;
  try {
    const asked = performance.now();
    const answer = await fetch(first.dataset.url, { headers: { Accept: "application/json" }, cache: "no-store" });
    const got = answer.ok && (await answer.json());
    if (got && before === sent) {
      looked = performance.now();
      for (const one of got.clocks) learn(one, (asked + looked) / 2);
      const stale = [...clocks()].some((clock) => differs(clock, got.clocks));
      if (!stale) for (const clock of clocks()) tellState(clock, false);
      if (stale && !typing()) await renew(await fetch(location.href, { headers: { Accept: "text/html" } }), before);
    }
  } catch {
    /* The network is away: the digits go on, and say so after a while. */
  }
  looking = false;
  if (again) await news();
}

function news() {
  again = looking;
  return look();
}

function differs(clock, fresh) {
  const shown = counts(clock);
  const one = fresh.find((other) => String(other.game) === clock.dataset.clock);
  return one && (one.version !== shown.version || one.state !== shown.state);
}

function typing() {
  return document.activeElement?.matches("[data-clock] input") ?? false;
}

/* A change of state is said once, also where the live page had shown it already. The page's own message says who did it,
   the bell has its sentence. */
function tellState(clock, quiet) {
  const { state } = counts(clock), before = spoken.get(clock.dataset.clock);
  spoken.set(clock.dataset.clock, state);
  if (before && before !== state && state !== "rung" && !quiet) say(clock.querySelector(".badge").textContent);
}

/* New words and buttons, in the place of the old ones, unless a form was sent since. */
async function renew(answer, before) {
  if (!answer.ok) return;
  const fresh = await read(answer);
  if (before !== sent) return;
  const told = fresh.querySelector(".messages");
  for (const clock of clocks()) {
    const other = fresh.getElementById(clock.id);
    if (!other) continue;
    const inside = clock.contains(document.activeElement);
    const open = [...clock.querySelectorAll("details")].map((one) => one.open && one.querySelector("summary").textContent);
    clock.replaceWith(other);
    for (const one of other.querySelectorAll("details")) one.open = open.includes(one.querySelector("summary").textContent);
    if (inside) other.querySelector("button")?.focus();
    tellState(other, told);
  }
  document.querySelector(".messages")?.remove();
  if (told) document.querySelector("main .wrap").prepend(told);
  furnish();
}

/* A form of the clock is sent without leaving the page, so that the sound stays on. */
async function send(event) {
  const form = event.target.closest("[data-clock-form]");
  if (!form || !event.submitter) return;
  event.preventDefault();
  if (sending) return;
  sending = true;
  sent += 1;
  const filled = new FormData(form, event.submitter);
  filled.set(event.submitter.name, event.submitter.value);
  try {
    const answer = await fetch(form.action, { method: "POST", body: filled, headers: { Accept: "text/html" } });
    if (!answer.ok) throw new Error(answer.status);
    await renew(answer, sent);
  } catch {
    location.reload();
  }
  /* Before anything else is asked: a press on one of the new buttons must not be lost. */
  sending = false;
  news();
}

function furnish() {
  for (const clock of clocks()) {
    if (!known.has(clock.dataset.clock)) learn(counts(clock), performance.now());
    if (!spoken.has(clock.dataset.clock)) spoken.set(clock.dataset.clock, counts(clock).state);
    clock.dataset.furnished = "yes";
    const button = clock.querySelector("[data-sound]");
    button.hidden = !window.AudioContext || !["not-started", "running", "paused"].includes(counts(clock).state);
    button.setAttribute("aria-pressed", String(audio !== null));
  }
}

document.addEventListener("submit", send);
document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-sound]")) return;
  if (audio) {
    audio.close();
    audio = null;
  } else {
    audio = new AudioContext();
  }
  furnish();
});
document.addEventListener("visibilitychange", () => document.hidden || look());
window.addEventListener("pageshow", (event) => event.persisted && look());

furnish();
look();
setInterval(tick, TICK);

const concerns = ({ match, clock }) => clock && document.querySelector("[data-only]").dataset.only === String(match);

follow({ look: news, pause: () => 0, concerns });
