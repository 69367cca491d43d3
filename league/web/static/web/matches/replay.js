/* Shows a game step by step, after a poster with its end. The steps are in the page (components/replay.html), where they
   are read without this file. Rounds of a long game on another page are fetched when they are needed.
   The step is in the address: #r3.12, in a later game of the match #g2.r3.12. */
import { Ear } from "./replay_ear.js";
import { Stage } from "./replay_stage.js";

const PAUSE = 1200;
const SWIPE = 30;
const TAP = 10;
const SCROLLING = ["ArrowUp", "ArrowDown", "Home", "End"];
const ADDRESS = /^((?:g\d+\.)?)r(\d+)\.(\d+)$/;

let players = [...document.querySelectorAll("[data-replay]")].map(start);

/* The page put a newer article in the place of the one that was shown (live.js). */
document.addEventListener("renewed", () => {
  for (const one of players) one.stop();
  players = [...document.querySelectorAll("[data-replay]")].map(start);
});

function start(root) {
  const find = (name) => root.querySelector(`[${name}]`);
  const words = JSON.parse(root.dataset.words);
  const picker = find("data-rounds");
  const rounds = [...picker.options].map((one) => ({ number: one.text, part: one.dataset.part, told: null }));
  const stage = new Stage(root);
  const ear = new Ear(root, words);
  const speed = find("data-speed");
  const hands = find('data-go="hands"');
  let at = { round: 0, step: 0 };
  let timer = 0;
  let wanted = 0;

  const steps = () => rounds[at.round].steps;
  const step = () => steps()[at.step];
  const ended = () => at.round === rounds.length - 1 && at.step === steps().length - 1;

  function bind() {
    for (const one of rounds) {
      one.told ||= root.querySelector(`[data-round="${one.number}"]`);
      if (!one.told || one.steps) continue;
      one.steps = [...one.told.querySelectorAll(".steps > li")];
      one.home = one.told.querySelector("[data-picture]");
      one.picture = one.told.querySelector("[data-picture] > svg");
    }
  }

  /* The rounds of another part of the game, from the page that has them; whoever asked for others meanwhile gets those. */
  async function fetched(round) {
    const mine = ++wanted;
    ear.say("fetching", { number: rounds[round].number });
    try {
      const answer = await fetch(rounds[round].part, { headers: { Accept: "text/html" } });
      if (!answer.ok) throw new Error(answer.status);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const other = page.querySelector(`[data-replay="${root.dataset.replay}"]`);
      for (const told of other.querySelectorAll("[data-round]")) takeIn(told);
      bind();
      if (!rounds[round].told) throw new Error("the round is not there");
    } catch {
      location.assign(rounds[round].part);
      return false;
    }
    ear.hush();
    return mine === wanted;
  }

  function takeIn(told) {
    const { round } = told.dataset;
    if (root.querySelector(`[data-round="${round}"]`)) return;
    told.open = false;
    const box = find("data-transcript");
    box.insertBefore(told, [...box.children].find((one) => Number(one.dataset.round) > Number(round)) || null);
  }

  async function place(round, number, { quiet = false } = {}) {
    stage.poster(false);
    const there = Math.max(0, Math.min(round, rounds.length - 1));
    if (!rounds[there].told && !(await fetched(there))) return;
    const wanted = typeof number === "function" ? number(rounds[there].steps) : number;
    at = { round: there, step: Math.max(0, Math.min(wanted, rounds[there].steps.length - 1)) };
    draw();
    if (!quiet) remember();
  }

  function remember() {
    try {
      history.replaceState(history.state, "", `#${step().id}`);
    } catch {
      /* A browser that counts such changes lets no more of them through for some seconds. */
    }
  }

  function draw() {
    stage.show(rounds, at, ended());
    ear.follow(steps(), at.step);
    picker.value = at.round;
    const protest = find("data-protest");
    if (protest) protest.search = new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(protest.search)), step: step().id });
  }

  function stop() {
    clearTimeout(timer);
    timer = 0;
    stage.playing(false);
  }

  const wait = () => setTimeout(tick, PAUSE / Number(speed.value));

  async function tick() {
    if (ended()) return stop();
    await on();
    if (timer) timer = wait();
  }

  function on() {
    if (at.step < steps().length - 1) return place(at.round, at.step + 1);
    return at.round < rounds.length - 1 ? place(at.round + 1, 0) : null;
  }

  function back() {
    if (at.step > 0) return place(at.round, at.step - 1);
    return at.round > 0 ? place(at.round - 1, Infinity) : null;
  }

  function hurry(value) {
    speed.value = value;
    ear.say("speed", { speed: speed.selectedOptions[0].text });
  }

  const moves = {
    first: () => place(at.round, 0),
    last: () => place(at.round, Infinity),
    back,
    on,
    before: () => place(at.round - 1, 0),
    after: () => place(at.round + 1, 0),
  };
  const acts = {
    ends: () => ear.ends(),
    held: () => ear.held(),
    score: () => ear.score(),
    time: () => ear.time(),
    help: () => find("data-help").showModal(),
    1: () => hurry("1"),
    2: () => hurry("2"),
    4: () => hurry("4"),
    flip: () => stage.flip(),
    hands() {
      ear.view = ear.view ? "" : "all";
      hands.setAttribute("aria-pressed", String(ear.view === "all"));
      draw();
    },
    async play() {
      if (timer) return stop();
      if (ended()) await place(0, 0);
      stage.playing(true);
      timer = wait();
    },
  };

  function act(name) {
    if (!moves[name]) return acts[name]();
    stop();
    return moves[name]();
  }

  async function follow(id, { seen = true } = {}) {
    const [, prefix, number, nth] = id.match(ADDRESS) || [];
    const round = rounds.findIndex((one) => one.number === number);
    if (prefix !== root.dataset.replay || round < 0) return;
    stop();
    await place(round, (there) => stepOf(there, id, Number(nth)), { quiet: true });
    if (seen) stage.comeIntoSight();
  }

  const everywhere = find("data-everywhere");
  everywhere.checked = remembered() !== "off";
  everywhere.addEventListener("change", () => remembered(everywhere.checked ? "on" : "off"));
  bind();
  stage.begin();
  stage.box.addEventListener("click", (event) => {
    const button = event.target.closest("[data-go]");
    if (button) act(button.dataset.go);
  });
  find("data-slide").addEventListener("input", (event) => {
    stop();
    place(at.round, Number(event.target.value));
  });
  picker.addEventListener("change", () => {
    stop();
    place(Number(picker.value), 0);
  });
  touched(find("data-board"), act);
  // A page shows how the game ended, under a poster; a case its protested step.
  place(rounds.map((one) => Boolean(one.told)).lastIndexOf(true), Infinity, { quiet: true });
  stage.poster(!root.dataset.at);
  if (root.dataset.at) follow(root.dataset.at, { seen: false });
  addEventListener("beforeprint", () => stage.bringHome(rounds));
  addEventListener("afterprint", draw);
  /* The browser goes to the sentence of the step by itself, some time before the page is whole. */
  const arrive = () => requestAnimationFrame(() => follow(location.hash.slice(1)));
  if (document.readyState === "complete") arrive();
  else addEventListener("load", arrive, { once: true });
  const hears = (key) => !SCROLLING.includes(key) && (key.length > 1 || everywhere.checked);
  return { root, stage: stage.box, act, follow, stop, hears };
}

/* The step with this address. A called count is part of its play, which has both addresses. */
function stepOf(steps, id, number) {
  const found = steps.findIndex((one) => one.id === id || one.querySelector(`[id="${CSS.escape(id)}"]`));
  return found < 0 ? number : found;
}

/* On the table a tap on the left half steps back, one on the right half on; a swipe turns the page. */
function touched(board, act) {
  let from = null;
  board.addEventListener("pointerdown", (event) => {
    from = event.isPrimary && event.button === 0 && !event.target.closest("button") ? { x: event.clientX, y: event.clientY } : null;
  });
  board.addEventListener("pointercancel", () => {
    from = null;
  });
  board.addEventListener("pointerup", (event) => {
    if (!from) return;
    const [across, down] = [event.clientX - from.x, event.clientY - from.y];
    const { left, width } = board.getBoundingClientRect();
    if (Math.abs(across) >= SWIPE && Math.abs(across) > Math.abs(down)) act(across < 0 ? "on" : "back");
    else if (Math.hypot(across, down) < TAP) act(from.x < left + width / 2 ? "back" : "on");
    from = null;
  });
}

const KEYS = {
  ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", ArrowUp: "before", ArrowDown: "after",
  " ": "play", f: "flip", e: "ends", h: "held", s: "score", t: "time", "?": "help", 1: "1", 2: "2", 4: "4",
};

/* Whether the key belongs to what has the focus: text is typed there, or it has a use of its own for it. */
function taken(event, focus) {
  if (!focus || focus.closest("dialog")) return Boolean(focus);
  if (focus.matches("input[type=range]")) return event.key.length > 1;
  if (focus.closest("input, select, textarea, [contenteditable]")) return true;
  return event.key === " " && Boolean(focus.closest("button, a, summary"));
}

/* From anywhere on the page the keys belong to the replay in sight; those that scroll a page only while the focus is in it,
   and letters, numbers and the space bar too once their switch is off (WCAG 2.1.4). */
document.addEventListener("keydown", (event) => {
  const name = KEYS[event.key];
  if (!name || event.altKey || event.ctrlKey || event.metaKey || (event.shiftKey && event.key !== "?")) return;
  const focus = document.activeElement;
  if (taken(event, focus)) return;
  const inside = players.find((one) => one.root.contains(focus));
  // A region that scrolls sideways has the arrows for that.
  if (!inside && focus?.closest("[tabindex]:not(main)")) return;
  const player = inside || players.find((one) => inSight(one.stage));
  if (!player || (player !== inside && !player.hears(event.key))) return;
  event.preventDefault();
  player.act(name);
});

/* Whether keys work outside the replay, kept on this device; a browser may keep nothing. */
function remembered(value) {
  try {
    if (value) localStorage.setItem("replay-keys", value);
    return localStorage.getItem("replay-keys");
  } catch {
    return value;
  }
}

function inSight(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

/* A link to a line opens the folded log: not every browser does. */
function unfold() {
  const line = document.getElementById(location.hash.slice(1));
  const fold = line?.closest("details:not([open])");
  if (!fold) return;
  fold.open = true;
  line.scrollIntoView();
}

unfold();
addEventListener("hashchange", () => {
  unfold();
  for (const one of players) one.follow(location.hash.slice(1));
});
