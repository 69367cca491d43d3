/* Screen and sheets of the score pad. */
const edition = new URL(import.meta.url).search;
const { Face, filled } = await import(`./pad_face.js${edition}`);
const CHIP_ROW = 15;

export class ScoreFace extends Face {
  constructor(root, given, words, rules) {
    super(root, given, words, rules);
    this.muggins = null;
    if (given.chips) for (const rack of this.all("[data-chips]")) this.layOut(rack);
  }

  layOut(rack) {
    for (let place = 0; place < this.given.chips; place += 1) rack.append(document.createElement("i"));
    rack.style.setProperty("--row", Math.min(CHIP_ROW, this.given.chips));
  }

  paint(state) {
    const { scores, open, round, ruled, ended, watching } = state;
    const chips = this.chipsLeft(this.given.chips, scores);
    [0, 1].forEach((seat) => {
      this.write(`[data-score="${seat}"]`, String(scores[seat]));
      const waits = open?.seat === seat ? filled(this.words.open, { points: open.points }) : "";
      this.write(`[data-open="${seat}"]`, waits);
      const rack = this.one(`[data-chips="${seat}"]`);
      if (!rack) return;
      [...rack.children].forEach((chip, place) => chip.classList.toggle("gone", place >= chips[seat]));
      this.write(`[data-chips-said="${seat}"]`, filled(this.words.chips, { count: chips[seat] }));
    });
    this.write("[data-round]", filled(this.words.round, { number: round }));
    for (const act of ["points", "muggins", "round", "over"]) this.able(act, !watching);
    this.show("[data-do=over]", open && !watching);
    const won = scores.findIndex((score) => this.reaches(score));
    this.show("[data-won]", won >= 0 && !ended && !watching);
    if (won >= 0) this.write("[data-won-words]", filled(this.words.reached, { name: this.names[won], score: scores[won] }));
    this.show("[data-ruled]", ruled);
    if (ruled) this.write("[data-ruled]", this.tapWords(ruled));
    super.paint(state);
  }

  tapWords(tap) {
    const { kind, seat, points, winner } = tap;
    const name = this.names[seat ?? winner] ?? this.words.nobody;
    const words = filled(this.words.taps[kind] ?? kind, { name, points });
    return tap.ruled ? filled(this.words.ruled, { tap: words, by: tap.ruled }) : words;
  }

  arm(seat) {
    this.muggins = seat;
    for (const button of this.all("[data-do=muggins]")) {
      const armed = Number(button.dataset.seat) === seat;
      button.setAttribute("aria-pressed", String(armed));
      button.closest("[data-half]").classList.toggle("armed", armed);
    }
  }

  openRound({ round }) {
    this.write("[data-round-asked]", filled(this.words.how, { number: round }));
    this.open("round", { field: "" });
  }

  openFinish({ final, belled }) {
    const reached = final.some((score) => this.reaches(score));
    this.open("finish", { ended: reached ? "target" : belled ? "overtime" : this.given.timed ? "bell" : "" });
  }

  pick(name, value) {
    super.pick(name, value);
    if (name === "how") this.sheet.field = value === "blocked" ? "left0" : `left${1 - Number(value)}`;
  }

  type(value) {
    const { sheet } = this;
    const spot = sheet.field.startsWith("left") ? Number(sheet.field[4]) : null;
    const old = spot === null ? sheet.points : sheet.left[spot];
    const text = value === "back" ? old.slice(0, -1) : `${old}${value}`.replace(/^0+(?=\d)/, "").slice(0, 3);
    if (spot === null) sheet.points = text;
    else {
      sheet.left[spot] = text;
      sheet.points = "";
    }
  }

  paintSheet() {
    const { dialog, sheet } = this;
    this.paintPicks();
    for (const field of dialog.querySelectorAll("[data-do=field]")) {
      const { name } = field.dataset;
      field.setAttribute("aria-pressed", String(sheet.field === name));
      const text = name === "points" ? this.pointsText() : sheet.left[Number(name[4])];
      field.querySelector("b").textContent = text || "–";
    }
    if (dialog.id === "pad-round") this.paintRound();
    if (dialog.id === "pad-finish") this.paintFinish();
    if (dialog.id === "pad-more") this.able("other", sheet.kind && sheet.seat && Number(sheet.points) > 0);
  }

  paintRound() {
    const { how } = this.sheet;
    const blocked = how === "blocked";
    [0, 1].forEach((seat) => this.show(`[data-field=left${seat}]`, blocked || how === String(1 - seat)));
    this.show("[data-blocked]", blocked);
    this.show("[data-how]", how);
    const winner = this.winner();
    for (const button of this.all("[data-name=less]")) {
      button.setAttribute("aria-pressed", String(button.dataset.value === (winner === null ? "nobody" : String(winner))));
    }
    const points = this.pointsText();
    this.able("round_end", how && winner !== undefined && points !== "");
    const name = this.names[winner] ?? this.words.nobody;
    this.write("[data-round-words]", winner === undefined || points === "" ? "" : filled(this.words.gives, { name, points }));
  }

  /* Who won the round of the sheet; null for nobody, undefined while that is not said. */
  winner() {
    const { how, less, left } = this.sheet;
    if (!how) return undefined;
    if (how !== "blocked") return Number(how);
    if (less) return less === "nobody" ? null : Number(less);
    const { terms } = this.given;
    if (left.includes("") || terms.fewest_tiles !== terms.blocked.tiles) return undefined;
    return this.fewest(left.map(Number));
  }

  pointsText() {
    const { how, left, points } = this.sheet;
    if (points || this.dialog.id !== "pad-round") return points;
    const winner = this.winner();
    if (winner === null) return "0";
    if (winner === undefined || (how === "blocked" ? left.includes("") : left[1 - winner] === "")) return "";
    const terms = how === "blocked" ? this.given.terms.blocked : this.given.terms.domino;
    const hands = left.map((text, seat) => (how !== "blocked" && seat === winner ? 0 : Number(text)));
    return String(this.roundPoints(terms, hands, winner));
  }

  closeRound() {
    const winner = this.winner();
    const points = Number(this.pointsText());
    const { how, spinner = "" } = this.sheet;
    this.dialog.close();
    const blocked = how === "blocked";
    const left = this.sheet.left.map((text, seat) => (text === "" ? (blocked || seat !== winner ? null : 0) : Number(text)));
    const counted = left.some((number, seat) => number !== null && (blocked || seat !== winner));
    return { ended: blocked ? "blocked" : "domino", winner, points, spinner, left: counted ? left : null };
  }

  closeOther() {
    const { kind, seat, points } = this.sheet;
    this.dialog.close();
    return { kind, seat: Number(seat), points: Number(points) };
  }

  paintFinish() {
    const { ended } = this.sheet;
    const { final } = this.state;
    const level = final[0] === final[1];
    /* The sentence is true: nobody wins by a target that nobody has reached. */
    this.one("[data-name=ended][data-value=target]").setAttribute("aria-disabled", String(!final.some((score) => this.reaches(score))));
    this.show("[data-asks-winner]", ended && (level || ended === "forfeit"));
    const result = this.finishOf();
    this.able("end", result);
    this.write("[data-result]", result ? this.resultWords(final, result) : "");
    this.show("[data-spinner-last]", this.state.begun && this.given.spinners);
  }

  finishOf() {
    const { ended, seat, spinner = "" } = this.sheet;
    const { final, belled, begun } = this.state;
    if (!ended) return null;
    const asks = final[0] === final[1] || ended === "forfeit";
    if (asks && !seat) return null;
    const winner = asks ? Number(seat) : Number(final[1] > final[0]);
    return { ended, winner, spinner, bell: ended === "bell" && begun && !belled };
  }

  closeFinish() {
    const facts = this.finishOf();
    this.dialog.close();
    return facts;
  }

  resultWords(scores, { ended, winner }) {
    const seat = winner ?? Number(scores[1] > scores[0]);
    const facts = { winner: this.names[seat], loser: this.names[1 - seat], own: scores[seat], other: scores[1 - seat] };
    return filled(this.words.results[ended], facts);
  }
}
