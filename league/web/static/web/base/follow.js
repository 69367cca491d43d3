/* The stream of a page (components/stream.html): it names each change, and a running score comes with its words. Scripts of
   the page say what they look at by `follow`. While the stream flows they look after news, and seldom to be safe; without
   it (no process for it, a proxy in the way, an old browser) they look again and again, in their own rhythm. A page in the
   background has no stream: a browser opens six connections to a site. */
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
let watching = 0;

export const flowing = () => flows;

/* `look(news)` asks the server, after news or not; `pause()`: milliseconds between two looks without a stream, 0 to stop;
   `concerns(message)`: whether to look after this message; `safe`: milliseconds between two looks beside a stream;
   `hidden()`: whether to look in the background too. */
export function follow({ look, pause, concerns = () => true, safe = SAFE_PAUSE, hidden = () => false }) {
  const follower = { look, pause, concerns, safe, hidden, timer: 0, due: 0, looked: -BETWEEN_LOOKS, news: false };
  followers.push(follower);
  wait(follower);
  return { wait: () => wait(follower) };
}

function wait(follower) {
  clearTimeout(follower.timer);
  follower.due = 0;
  const length = follower.pause();
  if (length) follower.timer = setTimeout(() => turn(follower), flows ? Math.max(follower.safe, length) : length);
}

async function turn(follower) {
  clearTimeout(follower.timer);
  const { news } = follower;
  follower.news = false;
  follower.looked = performance.now();
  follower.due = Infinity;
  if (!document.hidden || follower.hidden()) await follower.look(news);
  follower.due = 0;
  if (follower.news) soon(follower);
  else wait(follower);
}

/* A single look after news that come together, and not by all readers in the same moment. */
function soon(follower) {
  follower.news = true;
  if (follower.due) return;
  follower.due = Math.max(performance.now() + Math.random() * JITTER, follower.looked + BETWEEN_LOOKS);
  clearTimeout(follower.timer);
  follower.timer = setTimeout(() => turn(follower), follower.due - performance.now());
}

/* Put a running score before the names in the title of the page of its match; without a score the names alone. */
export function entitle(match, score) {
  const page = document.querySelector(`[data-titled][data-only="${match}"]`);
  if (page) document.title = `${score} ${page.dataset.titled}`.trim();
}

/* Put a running score in its place, in the title, and its numbers on the plates of its match. A later line of a game may
   leave the score as it was. */
export function put(place, fresh) {
  if (fresh.textContent === place.textContent && fresh.dataset.at === place.dataset.at) return;
  place.dataset.at = fresh.dataset.at;
  if (fresh.textContent !== place.textContent) place.replaceChildren(...fresh.childNodes);
  const score = place.querySelector("b").textContent;
  const points = score.split("–");
  entitle(place.dataset.tally, score);
  const plates = document.querySelectorAll(`[data-points-of="${place.dataset.tally}"]`);
  for (const [seat, one] of [...plates].entries()) one.textContent = points[seat % points.length];
  document.dispatchEvent(new Event("scored"));
}

/* Write a running score into its places; true if nothing else is to do. */
function written({ match, tally, more, clock }) {
  if (!tally) return false;
  const places = document.querySelectorAll(`[data-tally="${match}"]`);
  const words = tally[document.documentElement.lang];
  if (words) for (const place of places) put(place, new DOMParser().parseFromString(words, "text/html").querySelector("[data-tally]"));
  return !more && !clock && Boolean(places.length) === Boolean(words);
}

/* How many look at this match, from two on. */
function showWatching() {
  for (const place of document.querySelectorAll("[data-watching]")) {
    place.hidden = watching < 2;
    place.textContent = place.dataset.watching.replace("{count}", watching);
  }
}

function counted(count) {
  watching = count;
  showWatching();
}

function heard() {
  clearTimeout(watchdog);
  watchdog = setTimeout(lost, SILENT);
  document.dispatchEvent(new Event("heard"));
}

function watched(event) {
  heard();
  counted(Number(event.data));
}

function change(event) {
  heard();
  const rest = JSON.parse(event.data).filter((message) => !written(message));
  for (const follower of followers) if (rest.some(follower.concerns)) soon(follower);
}

function everything() {
  heard();
  for (const follower of followers) soon(follower);
}

/* The stream itself brings the changes between the page and its first event. */
function opened() {
  flows = true;
  heard();
}

function lost() {
  const was = flows;
  flows = false;
  counted(0);
  clearTimeout(watchdog);
  if (source?.readyState !== EventSource.CONNECTING) {
    close();
    setTimeout(open, AGAIN * (0.5 + Math.random()));
  }
  if (was) for (const follower of followers) if (!follower.due) wait(follower);
}

function close() {
  source?.close();
  source = null;
  flows = false;
  counted(0);
}

function open() {
  if (!address || !window.EventSource || source || document.hidden) return;
  source = new EventSource(address);
  source.addEventListener("open", opened);
  source.addEventListener("beat", heard);
  source.addEventListener("change", change);
  source.addEventListener("resync", everything);
  source.addEventListener("watching", watched);
  source.addEventListener("error", lost);
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) close();
  else open();
  for (const follower of followers) {
    if (document.hidden) wait(follower);
    else turn(follower);
  }
});
document.addEventListener("renewed", showWatching);
addEventListener("pagehide", close);
addEventListener("pageshow", (event) => event.persisted && open());

open();
