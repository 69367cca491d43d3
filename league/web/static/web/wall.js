/* The projector: every ten seconds the next page of the list, fetched anew, so that it is never older than one turn.
   Space or the button stops it. Without JavaScript the page refreshes itself (competitions/wall.html). */
const PAUSE = 10000;
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

async function turn() {
  if (!stopped && !document.hidden) {
    const old = document.querySelector("[data-wall]");
    try {
      const answer = await fetch(new URL(old.dataset.next, location.href), { headers: { Accept: "text/html" } });
      if (answer.ok) {
        const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-wall]");
        if (fresh && !stopped) old.replaceWith(fresh);
      }
    } catch {
      /* The network is away; what is shown stays, with its hour. */
    }
  }
  setTimeout(turn, PAUSE);
}

setTimeout(turn, PAUSE);
