/* While a log is being checked, look again every two seconds and put the new page in the place of the old one.
   Without JavaScript the page refreshes itself (matches/detail.html). */
const PAUSE = 2000;
const STOP_AFTER = 10 * 60 * 1000;
const started = Date.now();

async function look() {
  if (!document.querySelector("[data-checking]")) return;
  if (!document.hidden) {
    try {
      const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
      if (answer.ok) {
        const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
        if (!fresh.querySelector("[data-checking]")) {
          document.title = fresh.title;
          document.querySelector("[data-live]").replaceWith(fresh.querySelector("[data-live]"));
          document.querySelector("[data-said]").textContent = fresh.querySelector("[data-said]").dataset.said;
          return;
        }
      }
    } catch {
      /* The network is away; the next look may find it back. */
    }
  }
  if (Date.now() - started < STOP_AFTER) setTimeout(look, PAUSE);
}

setTimeout(look, PAUSE);
