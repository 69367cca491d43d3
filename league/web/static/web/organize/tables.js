/* Fresh tables replace the old ones after each change (follow.js): the focus stays, open details stay open, and the first
   row in sight keeps its place on the screen. Without JavaScript the page refreshes itself (organize/tables.html). */
import { read, swap } from "../base/busy.js";
import { follow } from "../base/follow.js";

const PAUSE = 5000;
/* Waiting times grow, and pads send taps without public news. */
const SAFE_PAUSE = 15000;
const lost = document.querySelector("[data-lost]");

function put(fresh) {
  const old = document.querySelector("[data-tables]");
  const next = fresh.querySelector("[data-tables]");
  document.title = fresh.title;
  document.querySelector("[data-updated]").textContent = fresh.querySelector("[data-updated]").textContent;
  if (old.dataset.summary !== next.dataset.summary) {
    document.querySelector("[data-said]").textContent = next.dataset.summary;
  }
  if (old.innerHTML === next.innerHTML) return;
  for (const one of old.querySelectorAll("details[open][id]")) next.querySelector(`#${one.id}`)?.setAttribute("open", "");
  const anchor = [...old.querySelectorAll("li[id]")].find((one) => one.getBoundingClientRect().bottom > 0);
  const before = anchor?.getBoundingClientRect().top;
  swap(old, next);
  const after = anchor && document.getElementById(anchor.id)?.getBoundingClientRect().top;
  if (anchor && before < 0 && after !== undefined) scrollBy(0, after - before);
}

async function look() {
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!answer.ok || answer.redirected) throw new Error(answer.status);
    put(await read(answer));
    lost.hidden = true;
  } catch {
    lost.hidden = false;
  }
}

follow({ look, pause: () => PAUSE, safe: SAFE_PAUSE });
