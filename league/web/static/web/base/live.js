/* A page with scores that follows its stream (follow.js). News of more than a running score put the new page in the place
   of the old one. Without a stream it looks for scores: every five seconds while a tally is kept, every fifteen before,
   every twenty while the first is still to begin. They come from an address of their own, with a mark of everything
   else; if the mark differs, the page is loaded again. While a log is being checked it looks every two seconds. A match in
   the background, which has no stream, looks every fifteen: its score stands in the title. Without JavaScript the page refreshes itself (matches/detail.html). */
import { read, reload } from "./busy.js";
import { entitle, follow, put } from "./follow.js";

const PAUSE = 2000;
const TALLY_PAUSE = 5000;
const TABLE_PAUSE = 15000;
const EARLY_PAUSE = 20000;
const QUIET_PAUSE = 60000;
const GAME_JITTER = 1000;
const SAFE_PAUSE = 5 * 60 * 1000;
const STOP_AFTER = 10 * 60 * 1000;
const TALLY_STOP_AFTER = 3 * 60 * 60 * 1000;
const started = Date.now();

const checking = (page) => page.querySelector("[data-checking]");
const tallies = (page) => new Map([...page.querySelectorAll("[data-tally]")].map((one) => [one.dataset.tally, one]));

async function ask(address) {
  const answer = await fetch(address, { headers: { Accept: "text/html" } });
  if (!answer.ok) throw new Error(answer.status);
  return read(answer);
}

/* The element with the address of the scores; null once all matches are over. */
const live = () => document.querySelector("[data-live]");
const watched = () => document.querySelector("[data-watched]");
const begins = () => Number(watched()?.dataset.begins ?? 0);
const typing = () => document.activeElement?.matches("[data-live] :is(input, select, textarea)") ?? false;
const awaited = () => new URL(watched()?.dataset.watched ?? "?of=", location.href).searchParams.get("of").split(",");

/* The parts of the page that may change, in their order. */
const parts = (page) => [...page.querySelectorAll("[data-live]")];

/* Put in the fresh page, keep the focus on the focused link, and leave open what the reader has unfolded. */
function renew(fresh) {
  if (typing()) return;
  const [old, next] = [document, fresh].map(parts);
  if (old.length !== next.length || live().dataset.live === "whole") {
    reload(typing);
    return;
  }
  const unfolded = [...document.querySelectorAll("[data-live] details[id][open]")].map((one) => one.id);
  const held = document.activeElement?.closest("[data-live]") && document.activeElement.getAttribute("href");
  document.title = fresh.title;
  for (const [place, part] of old.entries()) part.replaceWith(next[place]);
  for (const id of unfolded) document.getElementById(id)?.setAttribute("open", "");
  if (held) document.querySelector(`[data-live] a[href="${CSS.escape(held)}"]`)?.focus({ preventScroll: true });
  document.dispatchEvent(new Event("renewed"));
}

/* Write a changed score into its place, so that a screen reader says it once. Load the page again for a new or removed
   score, and for a result. */
async function scores() {
  const { watched: address, stands } = watched().dataset;
  const fresh = await ask(address);
  const now = tallies(fresh);
  const shown = tallies(document);
  const changed = fresh.querySelector("[data-stands]").dataset.stands !== stands;
  if (changed || [...now.keys()].some((key) => !shown.has(key))) {
    if (!typing()) renew(await ask(location.href));
    return;
  }
  for (const [key, other] of now) put(shown.get(key), other);
  for (const [key, place] of shown) {
    if (now.has(key)) continue;
    place.remove();
    entitle(key, "");
  }
}

async function check() {
  const fresh = await ask(location.href);
  if (checking(fresh)) return;
  renew(fresh);
  document.querySelector("[data-said]").textContent = fresh.querySelector("[data-said]").dataset.said;
}

function pause() {
  const waits = checking(document);
  const until = waits ? started + STOP_AFTER : Math.max(started, begins()) + TALLY_STOP_AFTER;
  if (Date.now() > until) return 0;
  if (waits) return PAUSE;
  if (!watched()) return QUIET_PAUSE;
  if (document.querySelector("[data-tally]") && !document.hidden) return TALLY_PAUSE;
  return begins() > Date.now() ? EARLY_PAUSE : TABLE_PAUSE;
}

async function look(news) {
  try {
    if (checking(document)) await check();
    else if (watched() && !news) await scores();
    else renew(await ask(location.href));
  } catch {
    /* The network is away; the next look may find it back. */
  }
}

/* A running score without a place on the page is news where the page awaits it; a page may follow some matches only. */
function concerns({ match, competition, more }) {
  const only = live().dataset.only?.split(" ");
  if (only && !only.includes(String(match))) return false;
  return more || Boolean(competition) || (!more && awaited().includes(String(match)));
}

/* Put the table or the curve of a game in play in place of the one before; the score is written already. */
async function game() {
  const place = document.querySelector("[data-live-game]");
  if (!place) return;
  try {
    const fresh = (await ask(location.href)).querySelector("[data-live-game]");
    if (fresh && place.isConnected) place.replaceWith(fresh);
  } catch {
    /* The next score brings it too. */
  }
}

document.addEventListener("scored", () => setTimeout(game, Math.random() * GAME_JITTER));
follow({ look, pause, concerns, safe: SAFE_PAUSE, hidden: () => Boolean(watched()?.dataset.titled) });
