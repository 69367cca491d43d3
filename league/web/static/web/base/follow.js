/* The stream of a page (components/stream.html): the server says what changed, a running score comes with its words.
   Scripts of the page say what they look at by `follow`. While the stream flows they look upon news, and seldom to be
   safe; without it (no process for it, a proxy in the way, an old browser) they look every so often, as they say.
   A page that nobody sees has no stream: a browser opens six connections to a site. */
const SAFE_PAUSE = 60_000;
const SILENT = 40_000;
const JITTER = 150;
const BETWEEN_LOOKS = 1_000;
const AGAIN = 20_000;

const address = document.querySelector("meta[name=stream]")?.content;
const followers = [];
let source = null;
let flows = false;
let watchdog = 0;

export const flowing = () => flows;

/* `look(told)` asks the server, `told` if there are news; `pause()`: milliseconds between two looks without a stream, 0
   to stop; `concerns(message)`: whether to look upon this message; `safe`: milliseconds between two looks beside a
   stream; `hidden()`: whether to look while nobody sees the page. */
export function follow({ look, pause, concerns = () => true, safe = SAFE_PAUSE, hidden = () => false }) {
  const one = { look, pause, concerns, safe, hidden, timer: 0, due: 0, looked: -BETWEEN_LOOKS, told: false };
  followers.push(one);
  wait(one);
  return { wait: () => wait(one) };
}

function wait(one) {
  clearTimeout(one.timer);
  one.due = 0;
  const length = one.pause();
  if (length) one.timer = setTimeout(() => turn(one), flows ? Math.max(one.safe, length) : length);
}

async function turn(one) {
  clearTimeout(one.timer);
  const { told } = one;
  one.told = false;
  one.looked = performance.now();
  one.due = Infinity;
  if (!document.hidden || one.hidden()) await one.look(told);
  one.due = 0;
  if (one.told) soon(one);
  else wait(one);
}

/* Once for news that come together; not all readers in the same moment. */
function soon(one) {
  one.told = true;
  if (one.due) return;
  one.due = Math.max(performance.now() + Math.random() * JITTER, one.looked + BETWEEN_LOOKS);
  clearTimeout(one.timer);
  one.timer = setTimeout(() => turn(one), one.due - performance.now());
}

/* Write a running score into its place; true if that was all there is to do. */
function written({ match, tally, more, clock }) {
  if (!tally) return false;
  const place = document.querySelector(`[data-tally="${match}"]`);
  const words = tally[document.documentElement.lang];
  if (place && words) {
    const fresh = new DOMParser().parseFromString(words, "text/html").querySelector("[data-tally]");
    if (fresh.textContent !== place.textContent) place.replaceChildren(...fresh.childNodes);
  }
  return !more && !clock && Boolean(place) === Boolean(words);
}

function heard() {
  clearTimeout(watchdog);
  watchdog = setTimeout(lost, SILENT);
  document.dispatchEvent(new Event("heard"));
}

function change(event) {
  heard();
  const rest = JSON.parse(event.data).filter((message) => !written(message));
  for (const one of followers) if (rest.some(one.concerns)) soon(one);
}

function everything() {
  heard();
  for (const one of followers) soon(one);
}

/* What changed between the page and its stream, the stream tells by itself. */
function opened() {
  flows = true;
  heard();
}

function lost() {
  const was = flows;
  flows = false;
  clearTimeout(watchdog);
  if (source?.readyState !== EventSource.CONNECTING) {
    close();
    setTimeout(open, AGAIN * (0.5 + Math.random()));
  }
  if (was) for (const one of followers) if (!one.due) wait(one);
}

function close() {
  source?.close();
  source = null;
  flows = false;
}

function open() {
  if (!address || !window.EventSource || source || document.hidden) return;
  source = new EventSource(address);
  source.addEventListener("open", opened);
  source.addEventListener("beat", heard);
  source.addEventListener("change", change);
  source.addEventListener("resync", everything);
  source.addEventListener("error", lost);
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) close();
  else open();
  for (const one of followers) {
    if (document.hidden) wait(one);
    else turn(one);
  }
});
addEventListener("pagehide", close);
addEventListener("pageshow", (event) => event.persisted && open());

open();
