/* While a form is sent, or a link to a page that is long in the making was followed: after a moment a bar and a sentence,
   over the page so that nothing moves, and no second press. The next page takes it away, and so does Escape, which stops
   the browser. A form that its own script sends is left to it: the window hears of it last. Without JavaScript the
   browser's own sign is there. */
const SOON = 400;
const PATIENCE = 60_000;
const place = document.querySelector("[data-busy]");
const sent = new Set();
let timers = [];

function show() {
  const bar = document.createElement("progress");
  bar.setAttribute("aria-hidden", "true");
  const words = document.createElement("span");
  words.textContent = place.dataset.busy;
  place.replaceChildren(bar, words);
  for (const form of sent) form.setAttribute("aria-busy", "true");
}

/* A live region has to be there before there is anything in it, or it is not read out. */
function begin() {
  timers.forEach(clearTimeout);
  place.setAttribute("role", "status");
  timers = [setTimeout(show, SOON), setTimeout(release, PATIENCE)];
}

function release() {
  timers.forEach(clearTimeout);
  for (const form of sent) form.removeAttribute("aria-busy");
  sent.clear();
  place.replaceChildren();
}

addEventListener("submit", (event) => {
  const form = event.target;
  const post = (event.submitter?.formMethod || form.method) === "post";
  if (event.defaultPrevented || !post || (form.target && form.target !== "_self")) return;
  if (sent.has(form)) return event.preventDefault();
  sent.add(form);
  begin();
});
addEventListener("click", (event) => {
  const elsewhere = event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  if (!event.defaultPrevented && !elsewhere && event.target.closest("a[data-slow]")) begin();
});
addEventListener("keydown", (event) => event.key === "Escape" && release());
/* A page that comes back out of the browser's memory has nothing under way. */
addEventListener("pageshow", (event) => event.persisted && release());
