/* Screen and sheets of a pad. All words come with the page. */
const filled = (text, facts) => text.replace(/%\((\w+)\)s/g, (_, name) => facts[name]);
const two = (number) => String(number).padStart(2, "0");
const hour = (at) => {
  const when = new Date(at);
  return `${two(when.getHours())}:${two(when.getMinutes())}`;
};
const CHIP_ROW = 15;

export class Face {
  constructor(root, given, words, rules) {
    Object.assign(this, { root, given, words, ...rules });
    this.names = given.names;
    this.muggins = null;
    this.sheet = {};
    if (given.chips) for (const rack of this.all("[data-chips]")) this.layOut(rack);
  }

  one(selector) {
    return this.root.querySelector(selector);
  }

  all(selector) {
    return this.root.querySelectorAll(selector);
  }

  write(selector, text) {
    const place = this.one(selector);
    if (place && place.textContent !== text) place.textContent = text;
  }

  show(selector, shown) {
    for (const place of this.all(selector)) place.hidden = !shown;
  }

  layOut(rack) {
    for (let place = 0; place < this.given.chips; place += 1) rack.append(document.createElement("i"));
    rack.style.setProperty("--row", Math.min(CHIP_ROW, this.given.chips));
  }

  /* --- The pad --- */

  paint(state) {
    const { scores, open, round, undoes, ruled, ended, sitting, watching } = state;
    this.state = state;
    this.root.dataset.count = sitting.taps.length + (watching ? 0 : state.unsent.length);
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
    this.write("[data-undoes]", undoes ? this.tapWords(undoes) : this.words.nothing);
    for (const act of ["points", "muggins", "round", "over"]) this.able(act, !watching);
    this.able("undo", undoes && !watching);
    this.show("[data-do=over]", open && !watching);
    const won = scores.findIndex((score) => this.reaches(score));
    this.show("[data-won]", won >= 0 && !ended && !watching);
    if (won >= 0) this.write("[data-won-words]", filled(this.words.reached, { name: this.names[won], score: scores[won] }));
    this.root.classList.toggle("watching", watching);
    this.show("[data-keeper]", watching);
    if (watching) this.paintKeeper(state);
    this.show("[data-handed]", ended && (!watching || sitting.done?.tally));
    if (ended) this.write("[data-handed-words]", this.endWords(state));
    this.show("[data-to-match]", sitting.done?.tally);
    const idle = ended && !sitting.handing && !sitting.done?.tally;
    this.show("[data-do=hand_in]", idle && sitting.code !== "does-not-add-up");
    this.show("[data-do=insist]", idle && sitting.code === "does-not-add-up");
    this.show("[data-call]", sitting.call);
    this.write("[data-call]", sitting.call ?? "");
    this.show("[data-ruled]", ruled);
    if (ruled) this.write("[data-ruled]", this.tapWords(ruled));
    this.paintLine(state);
  }

  reaches(score) {
    return score >= this.given.target + Number(this.given.target_strict);
  }

  able(act, can) {
    for (const button of this.all(`[data-do=${act}]`)) button.setAttribute("aria-disabled", String(!can));
  }

  paintKeeper({ sitting, unsent }) {
    const { name, since } = sitting.keeper;
    this.write("[data-keeper-words]", filled(this.words.keeper, { name, since: hour(since) }));
    const mine = unsent.filter((touch) => touch.kind !== "take_over");
    this.show("[data-mine]", mine.length > 0);
    this.write("[data-mine]", filled(this.words.mine, { taps: mine.map((touch) => this.tapWords(touch)).join(", ") }));
    this.show("[data-do=take_over_without]", mine.length > 0);
    this.write("[data-do=take_over]", mine.length ? this.words.take_over_with : this.words.take_over);
  }

  endWords({ final, ended, sitting, unsent, line }) {
    const result = this.resultWords(final, ended);
    if (sitting.handing) return filled(line.up && !unsent.length ? this.words.handing : this.words.hands_in_later, { result });
    if (sitting.done?.tally) return `${filled(this.words.handed_in, { result })} ${sitting.done.words}`;
    return `${filled(this.words.not_handed_in, { result })} ${sitting.trouble ?? ""}`;
  }

  /* What is true of the line now. Unsent touches always count. */
  paintLine({ unsent, aside, line, sitting, watching }) {
    const desk = aside.filter((touch) => touch.kind !== "take_over").length;
    let words = this.words.all_sent;
    if (unsent.length) words = filled(this.words.unsent, { count: unsent.length });
    if (!line.up) words = `${filled(this.words.offline, { since: hour(line.since) })} · ${unsent.length ? words : this.words.safe}`;
    else if (line.fault === "sign-in") words = `${words} · ${this.words.sign_in}`;
    else if (line.fault) words = `${words} · ${this.words[line.fault] ?? this.words.desk} ${line.detail ?? ""}`;
    else if (sitting.closed) words = `${words} · ${sitting.closed}`;
    else if (sitting.done && !sitting.done.tally) words = `${words} · ${sitting.done.words}`;
    if (desk) words = `${words} · ${filled(this.words.aside, { count: desk })}`;
    this.write("[data-line]", words);
    this.show("[data-sign-in]", line.fault === "sign-in");
    const good = line.up && !line.fault && !desk && !sitting.closed;
    this.root.dataset.net = good ? (unsent.length && !watching ? "waits" : "good") : "bad";
  }

  tick(clock, line) {
    const shown = this.one("[data-digits]");
    if (!shown || !clock) return;
    const text = this.digits(clock);
    if (shown.textContent !== text) shown.textContent = text;
    this.root.dataset.clock = clock.state === "running" && this.left(clock) === 0 ? "rung" : clock.state;
    const { belled, ended, watching } = this.state;
    const rung = this.root.dataset.clock === "rung" || clock.state === "overtime";
    this.show("[data-rung]", rung && !belled && !ended && !watching);
    this.show("[data-do=clock]", line.up && clock.may && this.words.clock[clock.state]);
    this.write("[data-do=clock]", this.words.clock[clock.state] ?? "");
  }

  left(clock) {
    return clock.state === "running" ? Math.max(0, clock.remaining_ms - (performance.now() - clock.at)) : clock.remaining_ms;
  }

  digits(clock) {
    const counts = clock.state === "overtime" ? clock.overtime_ms + performance.now() - clock.at : clock.overtime_ms;
    const seconds = counts ? Math.floor(counts / 1000) : Math.ceil(this.left(clock) / 1000);
    return `${counts ? "+" : ""}${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
  }

  /* Milliseconds that the clock of the game has counted; null before it was started. */
  counted(clock) {
    if (clock.state === "not-started") return null;
    return Math.round(clock.length_ms - this.left(clock) + clock.overtime_ms);
  }

  /* Said aloud: what was touched, never a sum. */
  told(touch) {
    this.write("[data-said]", this.tapWords(touch));
  }

  /* What lies under a sheet is not read aloud, nor the same words again. */
  say(key, facts) {
    this.dialog.close();
    const said = this.one("[data-said]");
    const text = filled(this.words[key], facts);
    said.textContent = said.textContent === text ? `${text} ` : text;
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

  noStorage() {
    this.show("[data-no-storage]", true);
    this.show("[data-works]", false);
  }

  noWorker() {
    this.show("[data-no-worker]", true);
  }

  /* --- Sheets: `this.sheet` holds numbers and choices until it is closed --- */

  open(name, sheet = {}) {
    if (this.dialog?.open) this.dialog.close();
    this.sheet = { field: "points", left: ["", ""], points: "", ...sheet };
    this.dialog = this.one(`#pad-${name}`);
    this.paintSheet();
    this.dialog.showModal();
  }

  openRound({ round }) {
    this.write("[data-round-asked]", filled(this.words.how, { number: round }));
    this.open("round", { field: "" });
  }

  openFinish({ final, belled }) {
    const reached = final.some((score) => this.reaches(score));
    this.open("finish", { ended: reached ? "target" : belled ? "overtime" : this.given.timed ? "bell" : "" });
  }

  /* A touch on a sheet that only changes the sheet. */
  press(button) {
    const { do: act, name, value } = button.dataset;
    const { sheet } = this;
    if (act === "close") return this.dialog.close();
    if (act === "pick") {
      sheet[name] = value;
      if (name === "how") sheet.field = value === "blocked" ? "left0" : `left${1 - Number(value)}`;
    }
    if (act === "field") sheet.field = name;
    if (act === "digit") this.type(value);
    this.paintSheet();
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
    for (const button of dialog.querySelectorAll("[data-do=pick]")) {
      button.setAttribute("aria-pressed", String(sheet[button.dataset.name] === button.dataset.value));
    }
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
