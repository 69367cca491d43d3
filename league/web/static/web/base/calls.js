/* Calls of the person at this phone: they follow the stream of the page (follow.js), count down, and sound if the sound is
   on. A page in the background asks only for its sound. Without JavaScript the page shows the calls of its loading
   (components/calls.html). */
import { Bells } from "../screens/bells.js";
import { read } from "./busy.js";
import { follow } from "./follow.js";

const LAST_MINUTE = 60_000;
const TICK = 1_000;
const SHAKE = [400, 150, 400, 150, 400];
const KEPT = "calls-sound";

const block = document.querySelector("[data-calls]");
const bells = new Bells();
/* By call: its first sound by the monotonic timer. */
const heard = new Map();

const list = (root = block) => root.querySelector("[data-call-list]");
const calls = () => [...list().querySelectorAll("[data-call]")];
const left = (call) => Number(call.dataset.until) - Date.now();

function written(length) {
  const seconds = Math.max(0, Math.ceil(length / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/* A bell at the call, two tones a minute before its end. */
function plan() {
  const now = performance.now();
  const due = new Map();
  for (const call of calls()) {
    const key = call.dataset.call;
    if (!heard.has(key)) heard.set(key, now + 50);
    due.set(`${key} call`, { at: heard.get(key), bell: true });
    const last = now + left(call) - LAST_MINUTE;
    if (last > now) due.set(`${key} last`, { at: last, bell: false });
  }
  bells.plan(due);
}

function tick() {
  for (const call of calls()) {
    call.hidden = left(call) <= 0;
    call.querySelector("[data-left]").textContent = written(left(call));
  }
}

function show(fresh) {
  const known = new Set(calls().map((call) => call.dataset.call));
  if (list().isEqualNode(fresh)) return;
  list().replaceWith(fresh);
  const news = calls().some((call) => !known.has(call.dataset.call));
  if (news && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(SHAKE);
}

/* As the server wrote it: the countdown is this page's own. */
function bare(root) {
  const copy = list(root).cloneNode(true);
  for (const part of copy.querySelectorAll("[data-left]")) part.textContent = "";
  for (const call of copy.querySelectorAll("[data-call]")) call.hidden = false;
  return copy;
}

async function look() {
  try {
    const answer = await fetch(block.dataset.calls, { headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    const fresh = list(await read(answer));
    if (fresh && !bare(block).isEqualNode(fresh)) show(fresh);
    plan();
    tick();
  } catch {
    /* The network is away; the next look may find it back. */
  }
}

/* A new round may bring matches of the player. */
const concerns = ({ match, competition, more }) =>
  Boolean(competition) || (more && list().dataset.of.split(" ").includes(String(match)));

/* --- Sound: off until somebody asks for it; after a reload the first touch turns it on again. --- */

function keep(sound) {
  try {
    if (sound) localStorage.setItem(KEPT, "on");
    else localStorage.removeItem(KEPT);
  } catch {
    /* Nothing can be kept here. */
  }
}

function kept() {
  try {
    return localStorage.getItem(KEPT) === "on";
  } catch {
    return false;
  }
}

function resume(event) {
  if (!event.target.closest?.("[data-sounds]")) bells.on(plan);
}

block?.addEventListener("click", (event) => {
  if (event.target.closest("[data-sound-on]")) {
    bells.on(plan);
    keep(true);
  }
  if (event.target.closest("[data-sound-off]")) {
    bells.off();
    keep(false);
  }
  if (event.target.closest("[data-sound-test]")) bells.try();
});

/* --- Notifications --- */

const form = block?.querySelector("[data-notify]");

function whyNot() {
  if (!window.isSecureContext) return "insecure";
  if ("serviceWorker" in navigator && "PushManager" in window && "Notification" in window) {
    return Notification.permission === "denied" ? "denied" : "";
  }
  return "standalone" in navigator ? "iphone" : "unsupported";
}

function tell(why, on = false) {
  form.hidden = why !== "" && why !== "failed";
  for (const part of block.querySelectorAll("[data-why]")) part.hidden = part.dataset.why !== why;
  form.querySelector("[data-notified]").hidden = !on;
  form.querySelector("[value=start]").hidden = on;
  form.querySelector("[value=end]").hidden = !on;
}

async function say(what, subscription) {
  const body = new FormData(form);
  const { endpoint, keys } = subscription.toJSON();
  for (const [name, value] of Object.entries({ do: what, endpoint, ...(what === "start" ? keys : {}) })) body.set(name, value);
  const answer = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(answer.status);
  return (await answer.json()).on;
}

async function current() {
  const worker = await navigator.serviceWorker.getRegistration("/");
  return worker?.pushManager.getSubscription();
}

async function start() {
  if ((await Notification.requestPermission()) !== "granted") return tell(whyNot() || "failed");
  const { key } = await (await fetch(form.action)).json();
  await navigator.serviceWorker.register(form.dataset.worker, { scope: "/" });
  const { pushManager } = await navigator.serviceWorker.ready;
  /* One for another key of the site is of no use. */
  await (await pushManager.getSubscription())?.unsubscribe();
  tell("", await say("start", await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key })));
}

async function end() {
  const subscription = await current();
  if (subscription) {
    await say("end", subscription);
    await subscription.unsubscribe();
  }
  tell("");
}

async function furnish() {
  const why = whyNot();
  tell(why);
  if (why) return;
  const subscription = await current();
  if (subscription) tell("", await say("ask", subscription));
}

form?.addEventListener("submit", (event) => {
  event.preventDefault();
  (event.submitter.value === "end" ? end() : start()).catch(() => tell("failed"));
});

if (block) {
  block.querySelector("[data-phone]").classList.remove("unscripted");
  bells.furnish();
  if (kept()) for (const kind of ["click", "keydown"]) document.addEventListener(kind, resume, { once: true });
  if (form) furnish().catch(() => tell("failed"));
  plan();
  tick();
  setInterval(tick, TICK);
  follow({ look, pause: () => Number(list().dataset.look) * 1000, concerns, hidden: () => Boolean(bells.audio) });
}
