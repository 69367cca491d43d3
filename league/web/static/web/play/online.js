/* An online game on its page: asks for the version of the game, and fetches the table when it has changed. The page works
   without this file: it reloads itself while the other player is to move. */
import { read, reload } from "../base/busy.js";

const EVERY = 2000;
const SLOW = 6000;

const page = document.querySelector("[data-online]");
const table = () => page.querySelector("[data-table]");
const version = () => (table() || page).dataset.version;
const typing = () => document.activeElement?.matches("input") ?? false;
let behind = 0;
let asking = false;

/* Words of one's own for the deal, unless the player types some. */
for (const field of page.querySelectorAll("[data-random]")) {
  if (!field.value) field.value = [...crypto.getRandomValues(new Uint32Array(4))].map((one) => one.toString(36)).join(" ");
}

async function ask() {
  if (asking || page.dataset.state === "over") return;
  asking = true;
  try {
    const answer = await fetch(page.dataset.online, { cache: "no-store" });
    page.classList.toggle("online-lost", !answer.ok);
    if (answer.ok && (await answer.text()) !== version()) await look();
  } catch {
    page.classList.add("online-lost");
  } finally {
    asking = false;
  }
}

async function look() {
  if (!table()) {
    // Somebody has joined, or the tiles are dealt; words that are being typed are kept until the form is sent.
    reload(typing);
    return;
  }
  const answer = await fetch(location.pathname, { headers: { Accept: "text/html" }, cache: "no-store" });
  const next = (await read(answer)).querySelector("[data-table]");
  if (!next) return reload();
  // The answer to an own move may have come meanwhile.
  if (Number(next.dataset.line) < Number(table().dataset.line)) return;
  // A refusal stays as long as its table; it was heard when it came.
  const refused = table().querySelector("[role=alert], [data-refused]");
  if (refused && next.dataset.line === table().dataset.line) {
    refused.removeAttribute("role");
    refused.dataset.refused = "";
    next.prepend(refused);
  }
  if ("practice" in page.dataset) page.dispatchEvent(new CustomEvent("table", { detail: next }));
  else table().replaceWith(next);
  tick();
}

/* Time left by the server's clock: the difference to this device's is measured at each table. */
function tick() {
  const now = table();
  if (!now) return;
  if (now.dataset.measured === undefined) {
    behind = Number(now.dataset.now) * 1000 - Date.now();
    now.dataset.measured = "";
  }
  for (const [name, due] of [["bell", now.dataset.rings], ["move", now.dataset.moveEnds]]) {
    const place = now.querySelector(`[data-left="${name}"]`);
    if (!place || !due) continue;
    const left = Math.max(0, Math.ceil(Number(due) - (Date.now() + behind) / 1000));
    place.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    place.classList.toggle("soon", left <= 20);
  }
}

setInterval(() => document.hidden || ask(), EVERY);
setInterval(() => document.hidden && ask(), SLOW);
document.addEventListener("visibilitychange", () => document.hidden || ask());
addEventListener("online", ask);
setInterval(tick, 500);
tick();
