/* Live matches on the first page. News changes the cards that are shown. Their choice and order change only when the
   reader asks, so that nothing moves under a finger. Finished matches stay and say that they are finished. Without
   JavaScript the page refreshes itself (home/index.html). */
import { read } from "../base/busy.js";
import "../base/fresh.js";
import { follow } from "../base/follow.js";

const PAUSE = 5_000;
const QUIET_PAUSE = 15_000;
const STOP_AFTER = 3 * 60 * 60 * 1000;
const started = Date.now();
/* How often something was asked: an answer to an earlier question comes too late. */
let asked = 0;
let renewing = false;

const section = () => document.querySelector("[data-cards]");
const cards = (root) => new Map([...root.querySelectorAll("[data-match]")].map((one) => [one.dataset.match, one]));
const told = (fresh) => document.dispatchEvent(new CustomEvent("looked", { detail: fresh }));

/* The list as a document; null where another question was asked since. */
async function ask(shown) {
  asked += 1;
  const mine = asked;
  const address = new URL(section().dataset.cards, location.href);
  if (shown) address.searchParams.set("shown", shown.join(","));
  const answer = await fetch(address, { headers: { Accept: "text/html" }, cache: "no-store" });
  if (!answer.ok) throw new Error(answer.status);
  const fresh = await read(answer);
  return mine === asked ? fresh : null;
}

/* Part by part, but for the link that somebody stands on. A small table is the last part, and not written anew. */
function write(card, fresh) {
  card.classList.remove("over");
  const own = [...card.children];
  for (const [place, other] of [...fresh.children].entries()) {
    const part = own[place];
    if (part.isEqualNode(other)) continue;
    if (!part.contains(document.activeElement)) part.replaceWith(other);
    else part.querySelector(".badges").replaceWith(other.querySelector(".badges"));
  }
}

function end(card) {
  if (card.classList.contains("over")) return;
  card.classList.add("over");
  card.querySelector(".badges").replaceChildren(document.querySelector("[data-over]").content.cloneNode(true));
}

function take(fresh) {
  const now = cards(fresh);
  for (const [key, card] of cards(document)) {
    if (now.has(key)) write(card, now.get(key));
    else end(card);
  }
  say(fresh.querySelector("[data-news]"));
}

/* Said once: a reader of the screen hears what is put in. A button that somebody stands on keeps the focus. */
function say(fresh) {
  const news = document.querySelector("[data-news]");
  if (news.textContent === fresh.textContent) return;
  const [old, button] = [news, fresh].map((one) => one.querySelector("button"));
  if (old && button) old.textContent = button.textContent;
  else news.replaceChildren(...fresh.childNodes);
}

/* What cannot be asked for now is not offered. */
function lost(is) {
  section().classList.toggle("lost", is);
  if (is && !document.querySelector("[data-news]").contains(document.activeElement)) document.querySelector("[data-news]").replaceChildren();
  if (is) told();
}

async function look() {
  if (renewing) return;
  try {
    const fresh = await ask([...cards(document).keys()]);
    if (fresh) {
      take(fresh);
      lost(false);
      told(fresh);
    }
  } catch {
    lost(true);
  }
}

function pause() {
  if (Date.now() - started > STOP_AFTER) return 0;
  return document.querySelector("[data-tally]") ? PAUSE : QUIET_PAUSE;
}

/* A running score without a place on its card is news; that of a match that is not shown is none. */
const concerns = ({ match, competition, more }) => more || Boolean(competition) || cards(document).has(String(match));

async function renew() {
  if (renewing) return;
  renewing = true;
  try {
    const fresh = await ask();
    section().replaceWith(fresh.querySelector("[data-cards]"));
    section().querySelector("h2").focus({ preventScroll: true });
    told(fresh);
  } catch {
    lost(true);
  }
  renewing = false;
  cardsFollow.wait();
}

document.addEventListener("click", (event) => event.target.closest("[data-news] button") && renew());
const cardsFollow = follow({ look, pause, concerns });
