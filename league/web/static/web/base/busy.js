/* While a form is sent, or a link to a page that is long in the making was followed: after a moment a bar and a sentence,
   over the page so that nothing moves, and no second press. The next page takes it away, and so does Escape, which stops
   the browser. A form that its own script sends is left to it: the window hears of it last. Without JavaScript the
   browser's own sign is there. News waits for a link, a form or a press. */
const SOON = 400;
const PATIENCE = 60_000;
const AGAIN = 1_000;
const PRESS = 50;
const LONGEST_PRESS = 3_000;
const place = document.querySelector("[data-busy]");
const sent = new Set();
let timers = [];
let left = -Infinity;
let reloading = 0;

const pressed = () => document.querySelector(":active") !== null;

/* Load the page again, but not while a link or a form is on its way, because the browser would drop it, nor while the
   reader presses or types (`typing()`). */
export function reload(typing = () => false) {
  clearTimeout(reloading);
  if (performance.now() < left + PATIENCE || pressed() || typing()) reloading = setTimeout(reload, AGAIN, typing);
  else location.reload();
}

/* The page of an answer, once no press is under way: a button that is replaced under a finger gets no click. */
export async function read(answer) {
  const text = await answer.text();
  for (let waited = 0; pressed() && waited < LONGEST_PRESS; waited += PRESS) {
    await new Promise((done) => setTimeout(done, PRESS));
  }
  return new DOMParser().parseFromString(text, "text/html");
}

/* Links and forms alone: Safari on iOS has no beforeunload, and in Firefox a page that listens for it is not kept. */
function leave() {
  left = performance.now();
}

function show() {
  const bar = document.createElement("progress");
  bar.setAttribute("aria-hidden", "true");
  const words = document.createElement("span");
  words.textContent = place.dataset.busy;
  place.replaceChildren(bar, words);
  for (const form of sent) form.setAttribute("aria-busy", "true");
}

/* The same place in a fresh part: by its id, else by its words in the same row. */
function counterpart(one, old, next) {
  const row = one.closest("[id]");
  const place = old.contains(row) ? next.querySelector(`#${CSS.escape(row.id)}`) : next;
  if (one === row || !place) return place;
  return [...place.querySelectorAll(one.tagName)].find((other) => other.textContent === one.textContent);
}

/* Put a fresh part in the place of an old one; the keyboard stays where it was. */
export function swap(old, next) {
  const held = old.contains(document.activeElement) ? counterpart(document.activeElement, old, next) : null;
  old.replaceWith(next);
  held?.focus({ preventScroll: true });
}

/* A live region has to be there before there is anything in it, or it is not read out. */
function begin() {
  if (!place) return;
  timers.forEach(clearTimeout);
  place.setAttribute("role", "status");
  timers = [setTimeout(show, SOON), setTimeout(release, PATIENCE)];
}

function release() {
  timers.forEach(clearTimeout);
  for (const form of sent) form.removeAttribute("aria-busy");
  sent.clear();
  left = -Infinity;
  place?.replaceChildren();
}

addEventListener("submit", (event) => {
  const form = event.target;
  const post = (event.submitter?.formMethod || form.method) === "post";
  if (event.defaultPrevented || (form.target && form.target !== "_self")) return;
  leave();
  if (!post) return;
  if (sent.has(form)) return event.preventDefault();
  sent.add(form);
  begin();
});
addEventListener("click", (event) => {
  const elsewhere = event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  const link = event.target.closest("a[href]");
  if (event.defaultPrevented || elsewhere || !link) return;
  const [to, here] = [new URL(link.getAttribute("href"), location.href), new URL(location.href)];
  to.hash = here.hash = "";
  if (to.host && !link.hasAttribute("target") && to.href !== here.href) leave();
  if ("slow" in link.dataset) begin();
});
addEventListener("keydown", (event) => event.key === "Escape" && release());
/* A page that comes back out of the browser's memory has nothing under way. */
addEventListener("pageshow", (event) => event.persisted && release());
