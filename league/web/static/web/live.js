/* While a log is being checked, look again every two seconds and put the new page in the place of the old one; while a
   tally is kept, look every five, and put in the new score; where one may begin, every fifteen. Scores come from an address
   of their own. Without JavaScript the page refreshes itself (matches/detail.html). */
const PAUSE = 2000;
const TALLY_PAUSE = 5000;
const TABLE_PAUSE = 15000;
const STOP_AFTER = 10 * 60 * 1000;
const TALLY_STOP_AFTER = 3 * 60 * 60 * 1000;
const started = Date.now();

const checking = (page) => page.querySelector("[data-checking]");
const tallies = (page) => new Map([...page.querySelectorAll("[data-tally]")].map((one) => [one.dataset.tally, one]));

async function ask(address) {
  const answer = await fetch(address, { headers: { Accept: "text/html" } });
  if (!answer.ok) throw new Error(answer.status);
  return new DOMParser().parseFromString(await answer.text(), "text/html");
}

/* Those of the match that the page is about, or of all that it shows. */
function scores() {
  const address = new URL(document.querySelector("[data-scores]").dataset.scores, location.href);
  if (!address.searchParams.has("of")) address.searchParams.set("of", [...tallies(document).keys()].join(","));
  return ask(address);
}

function renew(fresh) {
  document.title = fresh.title;
  document.querySelector("[data-live]").replaceWith(fresh.querySelector("[data-live]"));
  document.dispatchEvent(new Event("renewed"));
}

/* A score that moved is written into its place, so that a reader of the screen hears it once. One that came or went
   changes what stands around it. */
async function follow() {
  const now = tallies(await scores());
  const shown = tallies(document);
  if (document.querySelector("[data-live]") && shown.size !== now.size) return renew(await ask(location.href));
  for (const [key, place] of shown) {
    const other = now.get(key);
    if (!other) place.remove();
    else if (other.textContent !== place.textContent) place.replaceChildren(...other.childNodes);
  }
}

async function check() {
  const fresh = await ask(location.href);
  if (checking(fresh)) return;
  renew(fresh);
  document.querySelector("[data-said]").textContent = fresh.querySelector("[data-said]").dataset.said;
}

function pause(waits) {
  if (waits) return PAUSE;
  return document.querySelector("[data-tally]") ? TALLY_PAUSE : TABLE_PAUSE;
}

async function look() {
  const waits = checking(document);
  if (!waits && !document.querySelector("[data-tally], [data-running]")) return;
  if (!document.hidden) {
    try {
      await (waits ? check() : follow());
    } catch {
      /* The network is away; the next look may find it back. */
    }
  }
  if (Date.now() - started < (waits ? STOP_AFTER : TALLY_STOP_AFTER)) setTimeout(look, pause(waits));
}

setTimeout(look, PAUSE);
