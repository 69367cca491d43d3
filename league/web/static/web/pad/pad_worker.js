/* Opens the page of one pad again where there is no network. The server writes KEPT (what to keep, by address) and
   EDITION before this; the scope is the pad's own address, so no other page comes by here. */
const SHELF = `pad ${self.registration.scope}`;
const PATIENCE = 3_000;

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(SHELF)
      .then((shelf) => shelf.addAll(KEPT.map((address) => new Request(address, { cache: "reload" }))))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

const place = (address) => {
  const { pathname, search } = new URL(address, self.location);
  return pathname + search;
};
const kept = (request) => caches.open(SHELF).then((shelf) => shelf.match(place(request.url), { ignoreVary: true }));

/* The page as the server has it, if it answers in time; else as it was. */
async function page(event) {
  const old = await kept(event.request);
  const fresh = fetch(event.request).then(async (answer) => {
    if (!answer.ok) return old ?? answer;
    const shelf = await caches.open(SHELF);
    await shelf.put(place(event.request.url), answer.clone());
    return answer;
  });
  if (!old) return fresh;
  const late = new Promise((done) => setTimeout(done, PATIENCE, old));
  return Promise.race([fresh.catch(() => old), late]);
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !KEPT.some((address) => place(address) === place(request.url))) return;
  if (request.mode === "navigate") event.respondWith(page(event));
  else event.respondWith(kept(request).then((old) => old ?? fetch(request)));
});
