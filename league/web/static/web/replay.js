/* Shows a game one step after the other. All that is shown stands in the page already (components/replay.html); without
   this file it is read there. The step is in the address: #r3.12, in a later game of the match #g2.r3.12. */
const PAUSE = 1200;
const SVG = "http://www.w3.org/2000/svg";
const COLOURS = ["red", "green", "yellow", "blue"];

function drawn(name, attributes, ...inside) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

/* As league/web/replay_html.py draws it. */
function flag([x, y, word]) {
  const transform = `translate(${x} ${y})`;
  if (COLOURS.includes(word)) return drawn("g", { class: `face ${word}`, transform }, drawn("use", { href: `#c${word}` }));
  return drawn("g", { transform }, drawn("circle", { r: "0.42" }), drawn("text", { y: "0.2" }, word));
}

let players = [...document.querySelectorAll("[data-replay]")].map(start);

/* The page put a newer article in the place of the one that was shown (live.js). */
document.addEventListener("renewed", () => {
  for (const one of players) one.stop();
  players = [...document.querySelectorAll("[data-replay]")].map(start);
});

function start(root) {
  const find = (name) => root.querySelector(`[${name}]`);
  const rounds = [...root.querySelectorAll("[data-round]")].map((told) => ({
    told,
    steps: [...told.querySelectorAll(".steps > li")],
    picture: told.querySelector("[data-picture] > svg"),
    home: told.querySelector("[data-picture]"),
  }));
  const stage = find("data-stage");
  const seats = [...root.querySelectorAll("[data-seat]")];
  const names = seats.map((one) => one.querySelector(".who").textContent);
  const slide = find("data-slide");
  let at = { round: 0, step: 0 };
  let timer = 0;
  let turned = false;

  const step = () => rounds[at.round].steps[at.step];
  const ended = () => at.round === rounds.length - 1 && at.step === rounds[at.round].steps.length - 1;

  function place(round, number, { quiet = false } = {}) {
    const there = Math.max(0, Math.min(round, rounds.length - 1));
    const moved = there !== at.round;
    at = { round: there, step: Math.max(0, Math.min(number, rounds[there].steps.length - 1)) };
    draw(moved);
    if (!quiet) remember();
  }

  function remember() {
    try {
      history.replaceState(history.state, "", `#${step().id}`);
    } catch {
      /* A browser that counts such changes lets no more of them through for some seconds. */
    }
  }

  function draw(moved) {
    const now = step();
    const data = now.dataset;
    const board = find("data-board");
    const { picture, steps } = rounds[at.round];
    if (moved || !board.firstChild) {
      for (const one of rounds) if (one.picture && one.home) one.home.append(one.picture);
      if (picture) board.append(picture);
    }
    if (picture) {
      table(picture, Number(data.k), now.classList.contains("play"), data.flags);
      picture.setAttribute("aria-label", twin(steps.slice(0, at.step + 1)));
    }
    const scores = data.scores.split("|");
    const held = data.held.split("|");
    const before = (now.previousElementSibling || now).dataset.scores.split("|");
    seats.forEach((seat, number) => {
      seat.classList.toggle("turn", data.turn === String(number));
      const score = seat.querySelector("[data-score]");
      score.textContent = scores[number];
      score.classList.toggle("up", Number(scores[number]) > Number(before[number]));
      seat.querySelector("[data-held]").textContent = held[number];
    });
    find("data-told").textContent = now.querySelector(".said").textContent;
    find("data-sum").textContent = now.querySelector(".worked")?.textContent || "";
    find("data-marks").replaceChildren(...[...now.querySelectorAll(".mark")].map((one) => one.cloneNode(true)));
    find("data-hands-shown").replaceChildren(...data.hands.split("|").map((hand, number) => line(names[number], hand)));
    slide.max = steps.length - 1;
    slide.value = at.step;
    slide.setAttribute("aria-valuetext", now.querySelector(".said").textContent);
    find("data-rounds").value = at.round;
    for (const one of root.querySelectorAll(".steps > [aria-current]")) one.removeAttribute("aria-current");
    now.setAttribute("aria-current", "step");
    rounds[at.round].told.open = true;
    const box = find("data-transcript");
    if (box.scrollHeight > box.clientHeight + 4) {
      box.scrollTop += now.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 3;
    }
  }

  function table(picture, placed, isPlay, flags) {
    for (const tile of picture.querySelectorAll("[data-n]")) {
      const number = Number(tile.dataset.n);
      tile.classList.toggle("off", number >= placed);
      tile.classList.toggle("last", isPlay && number === placed - 1);
    }
    picture.classList.toggle("turned", turned);
    const shown = flags ? flags.split(";").map((flag) => flag.split(",")) : [];
    picture.querySelector(".flags").replaceChildren(...shown.map(flag));
  }

  /* The open ends in words, as the last play left them. */
  function twin(told) {
    const open = told.findLast((one) => one.querySelector(".open-ends"));
    return open ? open.querySelector(".open-ends").textContent.trim() : told.at(-1).querySelector(".said").textContent;
  }

  function line(name, hand) {
    const row = document.createElement("p");
    const who = document.createElement("b");
    who.textContent = name;
    row.append(who, ` ${hand || "–"}`);
    return row;
  }

  function stop() {
    clearTimeout(timer);
    timer = 0;
    playing(false);
  }

  function playing(is) {
    const button = root.querySelector('[data-go="play"]');
    find("data-told").setAttribute("aria-live", is ? "off" : "polite");
    button.querySelector("[data-play]").hidden = is;
    button.querySelector("[data-pause]").hidden = !is;
  }

  function tick() {
    if (ended()) return stop();
    on();
    timer = setTimeout(tick, PAUSE / Number(find("data-speed").value));
  }

  function on() {
    if (at.step < rounds[at.round].steps.length - 1) place(at.round, at.step + 1);
    else if (at.round < rounds.length - 1) place(at.round + 1, 0);
  }

  function back() {
    if (at.step > 0) place(at.round, at.step - 1);
    else if (at.round > 0) place(at.round - 1, Infinity);
  }

  const acts = {
    first: () => place(at.round, 0),
    last: () => place(at.round, Infinity),
    back,
    on,
    before: () => place(at.round - 1, 0),
    after: () => place(at.round + 1, 0),
    flip() {
      turned = !turned;
      draw(false);
    },
    play() {
      if (timer) return stop();
      if (ended()) place(0, 0);
      playing(true);
      timer = setTimeout(tick, PAUSE / Number(find("data-speed").value));
    },
  };

  function act(name) {
    if (name !== "play") stop();
    acts[name]();
  }

  function follow(id) {
    const target = document.getElementById(id);
    const round = rounds.findIndex((one) => one.steps.includes(target));
    if (round < 0) return false;
    stop();
    place(round, rounds[round].steps.indexOf(target), { quiet: true });
    return true;
  }

  stage.hidden = false;
  root.classList.add("staged");
  stage.addEventListener("click", (event) => {
    const button = event.target.closest("[data-go]");
    if (button) act(button.dataset.go);
  });
  slide.addEventListener("input", () => {
    stop();
    place(at.round, Number(slide.value));
  });
  find("data-rounds").addEventListener("change", (event) => {
    stop();
    place(Number(event.target.value), 0);
  });
  find("data-show-hands").addEventListener("change", (event) => {
    find("data-hands-shown").hidden = !event.target.checked;
  });
  if (!follow(location.hash.slice(1))) place(rounds.length - 1, Infinity, { quiet: true });
  addEventListener("beforeprint", () => rounds.forEach((one) => one.picture && one.home.append(one.picture)));
  addEventListener("afterprint", () => draw(true));
  return { root, stage, act, follow, stop };
}

const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", ArrowUp: "before", ArrowDown: "after", " ": "play", f: "flip" };

/* From anywhere on the page the arrows to the sides step through the replay in sight; what also scrolls a page or presses
   a button belongs to the replay only while the focus is in it. */
document.addEventListener("keydown", (event) => {
  const name = KEYS[event.key];
  if (!name || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const focus = document.activeElement;
  if (focus?.closest("input, select, textarea, [contenteditable]")) return;
  const inside = players.find((one) => one.root.contains(focus));
  // A region that scrolls sideways has the arrows for that.
  if (!inside && focus?.closest("[tabindex]")) return;
  if (event.key === " " && focus?.closest("button, a, summary")) return;
  const sideways = event.key === "ArrowLeft" || event.key === "ArrowRight";
  const player = inside || (sideways && players.find((one) => inSight(one.stage)));
  if (!player) return;
  event.preventDefault();
  player.act(name);
});

function inSight(element) {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < innerHeight;
}

addEventListener("hashchange", () => {
  const id = location.hash.slice(1);
  const player = players.find((one) => one.follow(id));
  if (player) player.stage.scrollIntoView({ block: "nearest" });
});
