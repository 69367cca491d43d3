/* What a replay says when it is asked, in one region that readers of the screen hear: open ends, hands, score, time. And
   the hands as tiles, while they are shown. All words come with the page. */
import { drawn } from "./replay_stage.js";

const filled = (text, facts) => text.replace(/%\((\w+)\)s/g, (_, name) => facts[name]);

const PIPS = /^\d-\d$/;
const SIGNS = { D2: "+2", WD4: "+4" };

function clock(tenths) {
  const seconds = Math.floor(tenths / 10);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export class Ear {
  constructor(root, words) {
    Object.assign(this, { root, words, view: "" });
    const seats = [...root.querySelectorAll("[data-seat]")].sort((one, other) => one.dataset.seat - other.dataset.seat);
    this.names = seats.map((one) => one.dataset.name);
    this.heard = root.querySelector("[data-heard]");
    this.hands = root.querySelector("[data-racks]");
  }

  /* `steps` of the round, `at` the one that is shown. Answers about another step are not true any more. */
  follow(steps, at) {
    Object.assign(this, { told: steps.slice(0, at + 1), now: steps[at], before: steps[at - 1] });
    this.hush();
    this.board?.removeAttribute("aria-label");
    this.board = this.root.querySelector("[data-board] .board");
    this.board?.setAttribute("aria-label", this.openEnds());
    this.paintHands();
  }

  hush() {
    this.heard.textContent = "";
  }

  say(key, facts) {
    this.aloud(filled(this.words[key], facts));
  }

  /* The same words again would not be heard. */
  aloud(text) {
    this.heard.textContent = this.heard.textContent === text ? `${text}\u00a0` : text;
  }

  openEnds() {
    const open = [...this.told].reverse().find((one) => one.querySelector(".open-ends"));
    return open ? open.querySelector(".open-ends").textContent.trim() : this.words.empty;
  }

  ends() {
    const sum = [...this.told].reverse().find((one) => one.classList.contains("play"))?.querySelector(".worked");
    this.aloud([this.openEnds(), sum?.textContent ?? ""].join(" ").trim());
  }

  each(values) {
    return values.split("|").map((value, seat) => `${this.names[seat]} ${value}`).join(", ");
  }

  score() {
    this.say("score", { list: this.each(this.now.dataset.scores) });
  }

  held() {
    const { held, yard } = this.now.dataset;
    const counts = filled(this.words.held, { list: this.each(held), yard });
    this.aloud([counts, ...this.seen().map(({ seat, hand }) => this.handWords(seat, hand))].join(" "));
  }

  /* The hands, while they are shown. */
  seen() {
    return this.view ? this.now.dataset.hands.split("|").map((hand, seat) => ({ seat, hand })) : [];
  }

  handWords(seat, hand) {
    const name = this.names[seat];
    if (hand === "?") return filled(this.words.unseen, { name });
    return filled(this.words.hand, { name, tiles: hand.split(" ").map((tile) => this.named(tile)).join(", ") || this.words.nothing });
  }

  /* A marked tile as it is spoken: "green 4 – red D2". */
  named(tile) {
    if (PIPS.test(tile)) return tile;
    return tile.split("-").map((half) => (this.words.named[half[0]] ? `${this.words.named[half[0]]} ${half.slice(1)}` : half)).join(" – ");
  }

  time() {
    const { at } = this.now.dataset;
    if (at === undefined) return this.aloud(this.words.untimed);
    const said = [filled(this.words.played, { time: clock(at) })];
    if (this.words.clock) said.push(filled(this.words.left, { time: clock(Math.max(0, this.words.clock - at)) }));
    const since = this.before?.dataset.at;
    if (since !== undefined) said.push(filled(this.words.used, { time: clock(at - since) }));
    return this.aloud(said.join(" "));
  }

  paintHands() {
    this.hands.hidden = this.view === "";
    const open = document.createElement("p");
    open.textContent = this.openEnds();
    this.hands.replaceChildren(open, ...this.seen().map(({ seat, hand }) => this.rack(seat, hand)));
  }

  rack(seat, hand) {
    const row = document.createElement("p");
    const who = document.createElement("b");
    who.textContent = this.names[seat];
    const tiles = hand === "?" ? [] : hand.split(" ").filter(Boolean).map((name) => this.tile(name));
    row.append(who, ...tiles);
    if (!tiles.length) row.append(` ${this.handWords(seat, hand)}`);
    return row;
  }

  /* As league/web/matches/replay_html.py draws it, upright. */
  tile(name) {
    const halves = name.split("-");
    const marked = !PIPS.test(name);
    const faces = halves.map((half, place) => {
      const y = place - 0.5;
      return marked ? this.face(half, y) : drawn("use", { href: `#h${half}`, y });
    });
    const box = { class: "rack-tile", viewBox: "-.55 -1.05 1.1 2.1", role: "img", "aria-label": this.named(name) };
    return drawn("svg", box, drawn("use", { href: "#tile" }), ...faces);
  }

  face(half, y) {
    const colour = this.words.colours[half[0]] ?? "";
    const kind = colour ? half.slice(1) : half;
    const shape = drawn("use", { href: `#c${colour || "none"}` });
    const word = drawn("text", { y: ".17" }, SIGNS[kind] ?? kind);
    return drawn("g", { class: `face ${colour}`, transform: `translate(0 ${y})` }, shape, word);
  }
}
