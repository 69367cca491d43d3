/* Has the browser keep the page that says that there is no network; on that page, tells since when, and goes on by itself
   once the network is back. */
const worker = document.querySelector("meta[name=offline-worker]")?.content;
if (worker && "serviceWorker" in navigator) {
  addEventListener("load", () => navigator.serviceWorker.register(worker, { scope: "/" }).catch(() => {}));
}

const told = document.querySelector("[data-offline]");

async function tell(part, address) {
  const line = told.querySelector(`[data-${part}]`);
  const when = await caches.match(address, { cacheName: "seen" });
  if (!when) return;
  const at = new Date(await when.text());
  const today = at.toDateString() === new Date().toDateString();
  const shape = { hour: "2-digit", minute: "2-digit", ...(today ? {} : { day: "numeric", month: "short" }) };
  const time = line.querySelector("time");
  time.dateTime = at.toISOString();
  time.textContent = at.toLocaleString(document.documentElement.lang, shape);
  line.hidden = false;
}

/* A device calls itself online before it has a network, and some without one always do: so the site is asked, ever less
   often, and the page comes back once it answers. */
let timer = 0;

async function comeBack(pause) {
  clearTimeout(timer);
  try {
    await fetch(location.href, { method: "HEAD", cache: "no-store" });
    location.reload();
  } catch {
    timer = setTimeout(comeBack, pause, Math.min(2 * pause, 60_000));
  }
}

if (told && "caches" in window) {
  tell("since", "/offline/lost");
  tell("seen", location.pathname);
  addEventListener("online", () => comeBack(500));
  timer = setTimeout(comeBack, 5_000, 5_000);
}
