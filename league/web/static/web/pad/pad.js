/* The tally pad of one game. Every touch is written to the phone first, then painted, then sent, in the order in which
   it was made; only the server numbers it (league/matches/tally/services.py). Nothing is handed in by itself. */
const edition = new URL(import.meta.url).search;
const [{ fold, chipsLeft, roundPoints, fewest }, { openStore }, { Link }, { Face }] = await Promise.all(
  ["fold", "store", "link", "face"].map((part) => import(`./pad_${part}.js${edition}`)),
);

const BEAT = 5_000;
const MOST = 200;
const root = document.getElementById("pad");
const given = JSON.parse(root.dataset.pad);
const face = new Face(root, given, JSON.parse(root.dataset.words), { chipsLeft, roundPoints, fewest });
const link = new Link(given.addresses, given.csrf);
const game = given.addresses.page;

let store = null;
let sitting = null;
/* Touches without an answer, in order; those refused or set aside. */
let unsent = [];
let aside = [];
let sending = false;
let again = false;
let line = { up: true, since: Date.now(), fault: "" };
let clock = null;
let channel = null;

/* randomUUID is for secure addresses only, and a hall without the Internet has none. */
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

const watching = () => sitting.keeper !== null && !sitting.keeper.mine;
const taps = () => (watching() ? sitting.taps : [...sitting.taps, ...unsent]);
const now = () => fold(taps(), { holds: given.holds, over: sitting.over });

function paint() {
  face.paint({ ...now(), sitting, unsent, aside, line, clock, watching: watching(), storage: store !== null });
}

async function read() {
  const { sitting: known, touches } = await store.load(game);
  if (known?.clock && !clock) clock = { ...known.clock, at: performance.now() - (Date.now() - known.clock.wall) };
  sitting = known ?? { game, pad: newId(), after: 0, taps: [], keeper: null, over: "", handing: "", trouble: "", done: null };
  if (!known) await store.keep(sitting);
  unsent = touches.filter((touch) => !touch.aside);
  aside = touches.filter((touch) => touch.aside);
}

/* One thing at a time on the shelf; a touch is never overtaken by the next. */
let queue = Promise.resolve();
function inTurn(act) {
  const done = queue.then(act);
  queue = done.catch(() => {});
  return done;
}

function shout() {
  channel?.postMessage(game);
}

/* --- Touches --- */

function add(kind, facts = {}) {
  const touch = { game, id: newId(), kind, at: Date.now(), mono: Math.round(performance.now()), aside: "", ...facts };
  if (clock) touch.clock_ms = face.counted(clock);
  return inTurn(async () => {
    try {
      touch.order = await store.add(touch);
    } catch {
      line.fault = "full";
      return paint();
    }
    unsent.push(touch);
    face.told(touch);
    paint();
    shout();
    drain();
  });
}

function undo() {
  const last = now().undoes;
  if (last && !watching()) add("undo", { of: last.id });
}

/* --- The line --- */

async function drain() {
  if (sending) {
    again = true;
    return;
  }
  sending = true;
  try {
    do again = false;
    while ((await exchange()) || again);
  } catch {
    if (line.up) line = { ...line, up: false };
  }
  sending = false;
  paint();
}

/* One question and its answer. Whether there is more to say at once. */
async function exchange() {
  const batch = watching() ? [] : unsent.slice(0, MOST);
  const answer = batch.length
    ? await link.send(given.addresses.taps, { pad: sitting.pad, after: sitting.after, taps: batch.map(told) })
    : await link.ask(sitting.after, sitting.pad);
  const { status, body } = answer;
  if (status >= 500 || status === 429) throw new Error(status);
  line = { up: true, since: Date.now(), fault: "" };
  if (status === 200 || status === 409) {
    await inTurn(() => adopt(body));
    if (status === 409) return !watching();
    if (unsent.length && !watching()) return true;
    return handIn();
  }
  if (status === 422 && body.touch) {
    await inTurn(() => setAside(batch.filter((touch) => touch.id === body.touch), body.detail));
    return unsent.length > 0;
  }
  line.fault = { 401: "sign-in", 403: "sign-in", 404: "gone" }[status] ?? "desk";
  line.detail = body.detail ?? "";
  return false;
}

const told = ({ id, kind, seat, points, spinner, ended, winner, left, of, clock_ms, at, mono }) => ({
  id, kind, seat, points, spinner, ended, winner, left, of, clock_ms, at, mono,
});

/* What the server has, in its order. A touch of ours that is among it is no longer ours to send. */
async function adopt(body) {
  if (body.last < sitting.after) return sendAnew(body.last);
  const fresh = body.taps.filter((tap) => tap.n > sitting.after);
  const theirs = new Set(fresh.map((tap) => tap.id));
  const mine = unsent.filter((touch) => theirs.has(touch.id));
  const { closed, done, call } = body;
  /* An older answer undoes no taking over. */
  const waits = unsent.find((touch) => !theirs.has(touch.id));
  const keeper = waits?.kind === "take_over" ? null : body.keeper;
  const next = { ...sitting, taps: [...sitting.taps, ...fresh], after: body.last, keeper, closed, done, call };
  if (body.clock) {
    clock = { ...body.clock, at: performance.now() };
    const same = sitting.clock?.version === clock.version && sitting.clock.state === clock.state;
    if (!same) next.clock = { ...body.clock, wall: Date.now() };
  }
  if (JSON.stringify(next) === JSON.stringify(sitting)) return;
  await store.keep(next, mine.map((touch) => touch.order));
  sitting = next;
  unsent = unsent.filter((touch) => !theirs.has(touch.id));
  shout();
}

/* A restored server lacks touches of this phone: they are sent again; a ruling is no touch of it. */
async function sendAnew(last) {
  const lost = sitting.taps.filter((tap) => tap.n > last && !tap.ruled);
  const first = unsent[0]?.order ?? lost.length + 1;
  const touches = lost.map((tap, place) => ({ ...tap, game, aside: "", order: first - (lost.length - place) / (lost.length + 1) }));
  const next = { ...sitting, taps: sitting.taps.filter((tap) => tap.n <= last), after: last, keeper: null };
  await store.put(...touches);
  await store.keep(next);
  sitting = next;
  unsent = [...touches, ...unsent];
}

async function setAside(touches, why) {
  const marked = touches.map((touch) => ({ ...touch, aside: why }));
  await store.put(...marked);
  unsent = unsent.filter((touch) => !touches.includes(touch));
  aside.push(...marked);
  paint();
}

/* --- Two pads --- */

/* `withMine`: unsent touches follow what is there; else they are set aside on the phone. */
async function takeOver(withMine) {
  await inTurn(async () => {
    const mine = unsent;
    if (!withMine) await setAside(mine, face.words.set_aside);
    const order = withMine && mine.length ? mine[0].order - 0.5 : 0.5;
    const touch = { game, id: newId(), kind: "take_over", at: Date.now(), mono: Math.round(performance.now()), aside: "", order };
    const next = { ...sitting, keeper: null };
    await store.put(touch);
    await store.keep(next);
    unsent.unshift(touch);
    sitting = next;
  });
  paint();
  drain();
}

/* --- The end --- */

async function finish({ bell, ...facts }) {
  if (bell) await add("bell");
  await add("end", facts);
  await remember({ handing: "yes", trouble: "" });
  drain();
}

/* Kept on the phone: what somebody said about the end of the game. */
function remember(facts) {
  return inTurn(async () => {
    const next = { ...sitting, ...facts };
    await store.keep(next);
    sitting = next;
    paint();
  });
}

/* Only after somebody has said so, and when every touch is there. */
async function handIn() {
  if (!sitting.handing || watching() || unsent.length || !now().ended) return false;
  const { pad, after, handing } = sitting;
  const { status, body } = await link.send(given.addresses.hand_in, { pad, after, insist: handing === "insist" });
  if (status >= 500 || status === 429) throw new Error(status);
  if (status === 200 || status === 409) await inTurn(() => adopt(body));
  if (status === 409) return true;
  if (status === 401) line.fault = "sign-in";
  else await remember({ handing: "", trouble: status === 200 ? "" : body.detail ?? String(status), code: body.code ?? "" });
  return false;
}

/* --- What people touch --- */

const acts = {
  points: ({ seat, points }) => {
    if (face.muggins === seat) add("muggins", { seat, points });
    else add("points", { seat, points });
    face.arm(null);
  },
  muggins: ({ seat }) => face.arm(face.muggins === seat ? null : seat),
  undo,
  over: async () => {
    const { open } = now();
    if (!open) return;
    sitting = { ...sitting, over: open.id };
    await inTurn(() => store.keep(sitting));
  },
  round: () => face.openRound(now()),
  round_end: () => {
    const facts = face.closeRound();
    if (facts) add("round_end", facts);
  },
  more: () => face.open("more"),
  say_score: () => {
    const [first, second] = given.names;
    const { scores: [own, other], round } = now();
    face.say("score_said", { first, second, own, other, round });
  },
  say_time: () => face.say("time_said", { time: clock ? face.digits(clock) : "–" }),
  other: () => {
    const facts = face.closeOther();
    if (facts) add(facts.kind, { seat: facts.seat, points: facts.points });
  },
  finish: () => face.openFinish(now()),
  bell: () => add("bell"),
  end: () => {
    const facts = face.closeFinish();
    if (facts) finish(facts);
  },
  hand_in: () => remember({ handing: "yes", trouble: "" }).then(drain),
  insist: () => remember({ handing: "insist", trouble: "" }).then(drain),
  take_over: () => takeOver(true),
  take_over_without: () => takeOver(false),
  clock: async () => {
    const act = clock && { "not-started": "start", running: "pause", paused: "resume" }[clock.state];
    if (!act) return;
    await link.clock(act).catch(() => {});
    drain();
  },
};

root.addEventListener("click", (event) => {
  const button = event.target.closest("[data-do]");
  if (!button || button.getAttribute("aria-disabled") === "true") return;
  const { seat, points } = button.dataset;
  const act = acts[button.dataset.do];
  if (!act) return face.press(button);
  if (!store || (watching() && button.closest("[data-scoring]"))) return;
  Promise.resolve(act({ seat: Number(seat), points: Number(points) })).then(paint);
});

/* --- The phone --- */

let lock = null;
async function stayAwake() {
  if (document.hidden || !navigator.wakeLock || lock) return;
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => (lock = null));
  } catch {
    /* The battery is low, or so: the pad works all the same. */
  }
}

async function begin() {
  root.hidden = false;
  try {
    store = await openStore();
    await read();
  } catch {
    sitting = { game, pad: "", after: 0, taps: [], keeper: null, over: "", handing: "", trouble: "", done: null };
    return face.noStorage();
  }
  paint();
  root.dataset.ready = "yes";
  navigator.storage?.persist?.().catch(() => {});
  stayAwake();
  if (navigator.serviceWorker) navigator.serviceWorker.register(given.addresses.worker).catch(() => {});
  else face.noWorker();
  if (window.BroadcastChannel) {
    channel = new BroadcastChannel("domino-pad");
    channel.onmessage = (event) => event.data === game && inTurn(read).then(paint);
  }
  window.addEventListener("online", drain);
  window.addEventListener("offline", () => {
    line = { ...line, up: false };
    paint();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    stayAwake();
    drain();
  });
  setInterval(drain, BEAT);
  setInterval(() => face.tick(clock, line), 250);
  drain();
}

begin();
