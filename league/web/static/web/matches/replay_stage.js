/* The stage of a replay: the table, the names, what was said at the step, and its place in the transcript. */
const SVG = "http://www.w3.org/2000/svg";
const COLOURS = ["red", "green", "yellow", "blue"];

export function drawn(name, attributes, ...inside) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

/* As league/web/matches/replay_html.py draws it. */
function flag([x, y, word]) {
  const transform = `translate(${x} ${y})`;
  if (COLOURS.includes(word)) return drawn("g", { class: `face ${word}`, transform }, drawn("use", { href: `#c${word}` }));
  return drawn("g", { transform }, drawn("circle", { r: "0.42" }), drawn("text", { y: "0.2" }, word));
}

export class Stage {
  constructor(root) {
    this.root = root;
    this.final = new Map();
    this.box = this.find("data-stage");
    this.board = this.find("data-board");
    this.slide = this.find("data-slide");
    this.seats = [...root.querySelectorAll("[data-seat]")].sort((one, other) => one.dataset.seat - other.dataset.seat);
    // On the plates of the match stands its result, which may rest on more than this log.
    for (const one of root.querySelectorAll(".plate [data-score]")) this.final.set(one, one.textContent);
    this.turned = false;
  }

  find(name) {
    return this.root.querySelector(`[${name}]`);
  }

  begin() {
    this.box.hidden = false;
    this.root.classList.add("staged");
    for (const one of this.root.querySelectorAll("[data-in-hand]")) one.hidden = false;
  }

  /* Over the last table: who won, and the button that plays the game. */
  poster(is) {
    this.find("data-poster").hidden = !is;
    this.root.classList.toggle("posted", is);
  }

  bringHome(rounds) {
    this.told = null;
    for (const one of rounds) if (one.picture) one.home.append(one.picture);
  }

  show(rounds, at, ended) {
    const { picture, steps, told } = rounds[at.round];
    const now = steps[at.step];
    if (told !== this.told) {
      this.bringHome(rounds);
      if (picture) this.board.append(picture);
      for (const one of rounds) if (one.told) one.told.open = one.told === told;
      this.told = told;
    }
    this.find("data-undrawn").hidden = Boolean(picture);
    this.picture = picture;
    if (picture) this.table(now);
    this.plates(now, ended);
    this.event(now);
    this.slide.max = steps.length - 1;
    this.slide.value = at.step;
    this.slide.setAttribute("aria-valuetext", now.querySelector(".said").textContent);
    this.mark(now);
  }

  table(now) {
    const placed = Number(now.dataset.k);
    const isPlay = now.classList.contains("play");
    for (const tile of this.picture.querySelectorAll("[data-n]")) {
      const number = Number(tile.dataset.n);
      tile.classList.toggle("off", number >= placed);
      tile.classList.toggle("last", isPlay && number === placed - 1);
    }
    this.picture.classList.toggle("turned", this.turned);
    const flags = now.dataset.flags ? now.dataset.flags.split(";").map((one) => one.split(",")) : [];
    const open = this.picture.querySelector(".flags");
    open.replaceChildren(...flags.map(flag));
    open.classList.toggle("scored", isPlay && now.classList.contains("scored"));
  }

  plates(now, ended) {
    const { scores, held, turn } = now.dataset;
    const before = (now.previousElementSibling || now).dataset.scores.split("|");
    this.seats.forEach((seat, number) => {
      seat.classList.toggle("turn", turn === String(number));
      const score = seat.querySelector("[data-score]");
      score.textContent = ended ? this.final.get(score) ?? scores.split("|")[number] : scores.split("|")[number];
      score.classList.toggle("up", Number(score.textContent) > Number(before[number]));
      seat.querySelector("[data-held]").textContent = held.split("|")[number];
    });
  }

  event(now) {
    this.find("data-told").replaceChildren(...now.querySelector(".said").cloneNode(true).childNodes);
    const sum = this.find("data-sum");
    sum.textContent = now.querySelector(".worked")?.textContent || "";
    sum.classList.toggle("scored", now.classList.contains("scored"));
    this.find("data-time").textContent = now.querySelector("time")?.textContent || "";
    this.find("data-marks").replaceChildren(...[...now.querySelectorAll(".mark")].map((one) => one.cloneNode(true)));
  }

  mark(now) {
    for (const one of this.root.querySelectorAll(".steps > [aria-current]")) one.removeAttribute("aria-current");
    now.setAttribute("aria-current", "step");
    const box = this.find("data-transcript");
    if (box.scrollHeight <= box.clientHeight + 4) return;
    box.scrollTop += now.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 3;
  }

  flip() {
    this.turned = !this.turned;
    this.picture?.classList.toggle("turned", this.turned);
  }

  /* What plays by itself is not read aloud line by line. */
  playing(is) {
    this.find("data-aloud").setAttribute("aria-live", is ? "off" : "polite");
    this.find("data-play").hidden = is;
    this.find("data-pause").hidden = !is;
  }

  /* The keys are heard there at once. */
  comeIntoSight() {
    this.board.focus({ preventScroll: true });
    const { top } = this.root.getBoundingClientRect();
    const { bottom } = this.board.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight) this.root.scrollIntoView({ block: "start" });
  }
}
