/* Says in the site's own words that there is no network. The server writes PAGE and KEPT (what to keep, by address) before
   this. Every page comes from the network or not at all: what is kept is the one page that says so, and what dresses it.
   The pad has a worker of its own, whose narrower scope goes before this one. */
const SHELF = "offline";
const SEEN = "seen";
const MOST = 50;

self.addEventListener("install", (event) => {
  const wanted = [PAGE, ...KEPT].map((address) => new Request(address, { cache: "reload" }));
  event.waitUntil(caches.open(SHELF).then((shelf) => shelf.addAll(wanted)).then(() => self.skipWaiting()));
});

/* When a page was last seen, by its path; and under "lost" since when nothing has come any more. No page that asks not to be
   stored is noted: its address may be a secret. */
async function note(path, when) {
  const shelf = await caches.open(SEEN);
  await shelf.put(path, new Response(when));
  const all = await shelf.keys();
  await Promise.all(all.slice(0, -MOST).map((old) => shelf.delete(old)));
}

async function page(event) {
  const now = new Date().toISOString();
  const { pathname } = new URL(event.request.url);
  try {
    const answer = await fetch(event.request);
    event.waitUntil(
      caches.open(SEEN).then(async (shelf) => {
        await shelf.delete("/offline/lost");
        if (answer.ok && !(answer.headers.get("cache-control") ?? "").includes("no-store")) await note(pathname, now);
      }),
    );
    return answer;
  } catch (error) {
    const shelf = await caches.open(SEEN);
    if (!(await shelf.match("/offline/lost"))) await shelf.put("/offline/lost", new Response(now));
    const kept = await caches.match(PAGE, { cacheName: SHELF, ignoreVary: true });
    if (kept) return kept;
    throw error;
  }
}

/* A call to a table (league/competitions/push/deliveries.py). Browsers want every message shown. */
self.addEventListener("push", (event) => {
  const { title, text, address, tag } = event.data.json();
  const shown = { body: text, tag, data: { address }, renotify: true, requireInteraction: true, vibrate: [400, 150, 400], icon: ICON };
  event.waitUntil(self.registration.showNotification(title, shown));
});

async function open(address) {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const there = pages.find((page) => new URL(page.url).pathname === address);
  return there ? there.focus() : self.clients.openWindow(address);
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data.address));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") event.respondWith(page(event));
  else if (KEPT.includes(new URL(request.url).pathname)) {
    event.respondWith(
      fetch(request).catch(async (error) => {
        const kept = await caches.match(request, { cacheName: SHELF, ignoreVary: true });
        if (kept) return kept;
        throw error;
      }),
    );
  }
});
