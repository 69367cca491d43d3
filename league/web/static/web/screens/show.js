/* The show of a hall (screens/show.html): every so many seconds the next page of a scene. Its address takes the place of the
   last one, and hall.js looks at it; where no answer comes, what is shown stays. Space or the button holds the scene, while
   scores and clocks go on; an arrow or a tap goes to the next one. A new call comes first. Rows of the standings slide
   from the place where they were last seen. Without JavaScript the page goes on by itself (its <noscript>). */
import "../base/fresh.js";
import { news } from "./hall.js";

const HOLD = 600;
const SLIDE = 900;
/* Rows by which a row slides at most: farther away it was on another page. */
const FAR = 10;

const scene = () => document.querySelector("[data-show]");
const button = document.querySelector("[data-pause]");
const still = matchMedia("(prefers-reduced-motion: reduce)");
/* By row: its last place; by how many rows it slides, and since when. */
const places = new Map();
const slides = new Map();
let { next } = scene().dataset;
let called = Number(scene().dataset.called);
let stopped = false;
let timer = 0;

function wait() {
  clearTimeout(timer);
  timer = setTimeout(turn, Number(scene().dataset.seconds) * 1000);
}

function turn() {
  if (stopped || document.hidden) wait();
  else go(scene().dataset.next);
}

function go(address) {
  history.replaceState(null, "", address);
  news();
  wait();
}

function stop(yes) {
  stopped = yes;
  button.setAttribute("aria-pressed", String(yes));
  button.textContent = yes ? button.dataset.go : button.dataset.stop;
}

function slide() {
  const now = performance.now();
  for (const row of document.querySelectorAll("[data-row]")) {
    const [key, place] = [row.dataset.row, Number(row.dataset.place)];
    const before = places.get(key) ?? place;
    places.set(key, place);
    if (before !== place) slides.set(key, { rows: Math.max(-FAR, Math.min(FAR, before - place)), since: now });
    const one = slides.get(key);
    if (one && !stopped && !still.matches && now - one.since < HOLD + SLIDE) move(row, one.rows, now - one.since);
  }
}

/* A page that was put in anew during a slide goes on with it. */
function move(row, rows, age) {
  const from = { transform: `translateY(${rows * row.offsetHeight}px)` };
  const options = { duration: SLIDE, delay: HOLD, easing: "ease-in-out", fill: "backwards" };
  row.animate([from, { transform: "none" }], options).currentTime = age;
}

function call({ dataset, classList }) {
  const latest = Number(dataset.called);
  const fresh = latest > called;
  called = latest;
  if (fresh && dataset.toCalls && !stopped && !classList.contains("of-calls")) go(dataset.toCalls);
}

document.addEventListener("looked", ({ detail: fresh }) => {
  if (!fresh) return;
  const shown = scene();
  document.querySelector("[data-following]").setAttribute("href", shown.dataset.next);
  document.querySelector("[data-only-link]")?.setAttribute("href", shown.dataset.only);
  slide();
  if (shown.dataset.next !== next) wait();
  ({ next } = shown.dataset);
  call(shown);
});

const scrolls = () => document.documentElement.scrollHeight > innerHeight + 1;

addEventListener("keydown", (event) => {
  if (event.target.closest("a, button") || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === " ") stop(!stopped);
  else if (event.key === "ArrowRight" || (event.key === "PageDown" && !scrolls())) go(scene().dataset.next);
  else return;
  event.preventDefault();
});
document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-show]") && !target.closest("a, button")) go(scene().dataset.next);
});

/* A page without a scene in its address would go to the calls as they come, also while it is held. */
if (scene().dataset.here) history.replaceState(null, "", scene().dataset.here);
button.hidden = false;
button.addEventListener("click", () => stop(!stopped));
slide();
wait();
