/* The screen of a hall: shows the next page every few seconds, fetched again each time. Space or the button stops it.
   News changes the page that is shown. Without JavaScript the page goes on by its <noscript>. */
import { follow } from "../base/follow.js";

let here = location.href;
const button = document.querySelector("[data-pause]");
let stopped = false;

function stop(yes) {
  stopped = yes;
  button.setAttribute("aria-pressed", String(yes));
  button.textContent = yes ? button.dataset.go : button.dataset.stop;
}

button.hidden = false;
button.addEventListener("click", () => stop(!stopped));
addEventListener("keydown", (event) => {
  if (event.key !== " " || event.target.closest("button, a")) return;
  event.preventDefault();
  stop(!stopped);
});

async function put(address) {
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    const text = await answer.text();
    const fresh = new DOMParser().parseFromString(text, "text/html");
    const shown = fresh.querySelector("[data-wall]");
    if (!shown || stopped) return;
    here = address;
    document.querySelector("[data-wall]").replaceWith(shown);
    const [link, next] = [document, fresh].map((one) => one.querySelector("[data-following]"));
    if (link && next) link.setAttribute("href", next.getAttribute("href"));
  } catch {
    /* The network is away; what is shown stays, with its hour. */
  }
}

async function turn() {
  if (!stopped && !document.hidden) await put(new URL(document.querySelector("[data-wall]").dataset.next, location.href));
  wait();
}

function wait() {
  setTimeout(turn, Number(document.querySelector("[data-wall]").dataset.seconds) * 1000);
}

wait();
follow({ look: () => !stopped && put(here), pause: () => 0, concerns: ({ more, competition }) => more || Boolean(competition) });
