/* Screen and sheets of the tile pad. To a player who scores it shows nothing that could be a muggins call. */
const edition = new URL(import.meta.url).search;
const [{ Face, filled }, { letter, pipsOf }, { shownTotals }] = await Promise.all(
  ["pad_face", "tile_rules", "tile_fold"].map((part) => import(`./${part}.js${edition}`)),
);
const SVG = "http://www.w3.org/2000/svg";
const RECENT = 8;

function drawn(name, attributes, ...children) {
  const one = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
  one.append(...children);
  return one;
}

const half = (face) =>
  drawn("svg", { viewBox: "-.5 -.5 1 1", "aria-hidden": "true" }, drawn("rect", { class: "laid-face", x: -0.46, y: -0.46, width: 0.92, height: 0.92, rx: 0.14 }), drawn("use", { href: `#h${face}` }));

export class TileFace extends Face {
  constructor(root, given, words, rules) {
    super(root, given, words, rules);
    this.chosen = null;
    this.leader = null;
    this.lots = false;
  }

  choose(chosen) {
    this.chosen = chosen;
    this.note = "";
  }

  lead(seat) {
    this.leader = seat;
  }

  fitsNot(tile) {
    this.choose(null);
    this.note = filled(this.words.fits_not, { tile });
  }

  /* --- The pad --- */

  paint(state) {
    const { hand, table, after, over, ended, counted, opening, sitting } = state;
    const watching = state.watching || Boolean(sitting.scored);
    if (hand.layout.laid.size || hand.toAct !== null) this.leader = null;
    this.state = state;
    this.paintPlates(state);
    this.paintEnds(hand);
    this.paintKeys(hand, ended || over);
    this.write("[data-round]", filled(this.words.round, { number: opening ? table.round + 1 : table.round || 1 }));
    this.write("[data-ask]", this.ask(state));
    const counting = table.phase === "count" && !counted && table.ended !== "bell";
    const stage = ended ? "ended" : over || table.over ? "over" : counting ? "count" : table.phase === "count" && table.ended === "bell" ? "bell" : "play";
    this.root.dataset.stage = stage;
    this.root.classList.toggle("turned", Boolean(state.sitting.turned));
    for (const button of this.all("[data-when]")) button.hidden = !button.dataset.when.split(" ").includes(stage);
    this.able("lots", !hand.layout.laid.size && !watching);
    this.show("[data-do=agree]", counted && !ended && !watching);
    this.able("draw", hand.canDraw && !watching);
    this.write("[data-boneyard]", String(hand.boneyard));
    for (const act of ["tile", "onto", "call", "pass", "muggins", "count", "settle", "finish"]) this.able(act, !watching);
    this.paintEntries(state);
    super.paint(state);
    this.able("finish", !watching && Boolean(after.over));
  }

  /* From tiles to scores there is no way back. */
  paintLine(state) {
    const { sitting } = state;
    super.paintLine(sitting.scored ? { ...state, sitting: { ...sitting, closed: sitting.closed || this.words.scored } } : state);
  }

  paintPlates({ hand, table, over }) {
    const totals = shownTotals(table, this.given.holds);
    const turn = over ? null : (hand.toAct ?? this.leader);
    for (const seat of hand.seats) {
      this.write(`[data-score="${seat}"]`, String(totals[seat]));
      this.write(`[data-held="${seat}"]`, filled(this.words.held, { count: hand.held[seat] }));
      const plate = this.one(`[data-do=seat][data-seat="${seat}"]`);
      plate.classList.toggle("turn", turn === seat);
      plate.classList.toggle("asked", this.chosen?.asks === "seat");
      this.write(`[data-turn="${seat}"]`, turn === seat && !hand.ended ? this.words.to_play : "");
    }
  }

  paintEnds(hand) {
    const strip = this.one("[data-ends]");
    const { ends } = hand.layout;
    const shown = JSON.stringify([ends, this.chosen]);
    if (strip.dataset.shown === shown) return;
    strip.dataset.shown = shown;
    strip.replaceChildren(...ends.map((end) => this.flag(end)));
    if (!ends.length) strip.append(this.words.empty);
  }

  flag({ tile, face }) {
    const button = document.createElement("button");
    const open = this.chosen?.asks === "end" && this.chosen.places.includes(tile);
    Object.assign(button.dataset, { do: "onto", value: tile });
    button.type = "button";
    button.className = `tp-end${open ? " open" : ""}${this.chosen?.asks === "end" && !open ? " shut" : ""}`;
    button.setAttribute("aria-label", filled(this.words.end, { face, tile }));
    const name = document.createElement("small");
    name.textContent = tile;
    button.append(half(face), name);
    return button;
  }

  paintKeys(hand, over) {
    for (const key of this.all("[data-do=tile]")) {
      const tile = key.dataset.value;
      const gone = hand.layout.laid.has(tile);
      const fits = !hand.layout.laid.size || hand.layout.places(tile).length > 0;
      key.classList.toggle("gone", gone);
      key.classList.toggle("dim", !gone && (!fits || Boolean(over)));
      key.setAttribute("aria-pressed", String(this.chosen?.tile === tile));
    }
  }

  /* What the pad waits for, in words. */
  ask({ hand, table, over, counted, ended }) {
    const { words, names, chosen } = this;
    if (this.lots) return words.lots;
    if (this.note) return this.note;
    if (ended) return "";
    if (chosen?.asks === "end") return filled(words.which_end, { tile: chosen.tile });
    const turn = hand.toAct ?? this.leader;
    if (over) return filled(words.is_over, { name: names[this.state.after.winner] ?? words.nobody });
    if (table.phase === "count" && table.ended === "bell") return words.bell;
    if (table.phase === "count" && !counted) return table.wentOut === null ? words.blocked : filled(words.out, { name: names[table.wentOut] });
    if (!hand.layout.laid.size) return turn === null ? words.who_leads : filled(words.leads, { name: names[turn] });
    return filled(words.turn, { name: names[turn] });
  }

  /* --- The last entries --- */

  paintEntries({ entries, table }) {
    const list = this.one("[data-entries]");
    const recent = entries.filter(({ line }) => !line.startsWith("round ")).slice(-RECENT).reverse();
    const shown = JSON.stringify(recent);
    this.write("[data-true]", this.trueSum(table));
    if (list.dataset.shown === shown) return;
    list.dataset.shown = shown;
    list.replaceChildren(
      ...recent.map(({ line, gone }) => {
        const item = document.createElement("li");
        item.textContent = this.lineWords(line) + (gone ? ` · ${this.words.taps.undo}` : "");
        return item;
      }),
    );
  }

  /* The true sum is for a neutral scorer, and only after the call is entered. */
  trueSum({ claims }) {
    const play = claims.fresh;
    if (!this.given.neutral || this.given.rules.auto || !play || play.said === null || play.said === play.worth) return "";
    return filled(this.words.true_sum, { said: play.said, count: play.count });
  }

  lineWords(line) {
    const [who, ...words] = line.split(" ");
    const seat = who.length === 1 ? "ABCDEF".indexOf(who) : -1;
    const facts = { name: seat < 0 ? "" : this.names[seat], text: words.slice(1).join(" "), what: words.join(" ") };
    if (seat < 0) return filled(this.words.lines[who] ?? who, { what: facts.what });
    return filled(this.words.lines[words[0]] ?? this.words.lines.tile, { ...facts, what: facts.what.replace(/ on .*/, "") });
  }

  tapWords(tap) {
    if (tap.kind !== "line") return this.words.taps[tap.kind] ?? tap.kind;
    return tap.line.split("\n").filter((line) => !line.startsWith("round ")).map((line) => this.lineWords(line)).join(", ");
  }

  sayScore() {
    const totals = shownTotals(this.state.table, this.given.holds);
    this.say("score_said", { first: this.names[0], own: totals[0], second: this.names[1], other: totals[1], round: this.state.table.round });
  }

  /* --- The end of a hand --- */

  openHand({ table }) {
    const counts = table.seats.filter((seat) => table.held[seat] > 0);
    const left = Object.fromEntries(counts.map((seat) => [seat, []]));
    this.open("hand", { seat: counts[0], counts, left, table, points: "" });
  }

  press(button) {
    const { do: act, value } = button.dataset;
    if (act === "left") this.takeLeft(value);
    if (act === "whose") this.sheet.seat = Number(button.dataset.seat);
    if (act === "winner") this.sheet.winner = value === "nobody" ? null : Number(value);
    super.press(button);
  }

  takeLeft(tile) {
    const { left, seat, table, counts } = this.sheet;
    const other = counts.find((one) => one !== seat && left[one].includes(tile));
    if (table.layout.laid.has(tile) || other !== undefined) return;
    const own = left[seat];
    if (own.includes(tile)) own.splice(own.indexOf(tile), 1);
    else if (own.length < table.held[seat]) own.push(tile);
    this.sheet.points = "";
    if (own.length === table.held[seat]) this.sheet.seat = counts.find((one) => left[one].length < table.held[one]) ?? seat;
  }

  type(value) {
    const old = this.sheet.points;
    this.sheet.points = (value === "back" ? old.slice(0, -1) : `${old}${value}`).replace(/^0+(?=\d)/, "").slice(0, 3);
  }

  paintSheet() {
    this.paintPicks();
    if (this.dialog.id === "pad-hand") this.paintHand();
    if (this.dialog.id === "pad-more") this.paintMore();
  }

  paintMore() {
    const { seat, points } = this.sheet;
    for (const place of this.all("#pad-more [data-typed]")) place.textContent = points || "–";
    this.able("penalty", seat && Number(points) > 0);
    this.able("concede", seat);
    this.able("forfeit", seat);
    this.able("other_call", Number(points) > 0);
  }

  paintHand() {
    const { seat, counts, left, table } = this.sheet;
    for (const key of this.dialog.querySelectorAll("[data-do=left]")) {
      const tile = key.dataset.value;
      const owner = counts.find((one) => left[one].includes(tile));
      key.setAttribute("aria-pressed", String(owner !== undefined));
      key.classList.toggle("gone", table.layout.laid.has(tile));
      key.dataset.owner = owner === undefined ? "" : letter(owner);
    }
    for (const tab of this.dialog.querySelectorAll("[data-do=whose]")) {
      const one = Number(tab.dataset.seat);
      tab.hidden = !counts.includes(one);
      tab.setAttribute("aria-pressed", String(one === seat));
      this.write(`[data-counted="${one}"]`, `${left[one]?.length ?? 0}/${table.held[one]}`);
    }
    this.write("[data-hand-asked]", table.wentOut === null ? this.words.blocked : filled(this.words.out, { name: this.names[table.wentOut] }));
    const winner = this.winner();
    const points = this.pointsText();
    this.show("[data-winner]", table.wentOut === null);
    for (const pick of this.dialog.querySelectorAll("[data-do=winner]")) {
      pick.setAttribute("aria-pressed", String(winner !== undefined && pick.dataset.value === (winner === null ? "nobody" : String(winner))));
    }
    this.write("[data-hand-points]", points || "–");
    this.able("hand_end", winner !== undefined && points !== "");
    const name = this.names[winner] ?? this.words.nobody;
    this.write("[data-hand-words]", winner === undefined || points === "" ? "" : filled(this.words.gives, { name, points }));
  }

  /* The number of each hand that counts: tiles or pips; null where not every tile was tapped. */
  measured() {
    const { left, table } = this.sheet;
    const { terms } = this.given.rules;
    return table.seats.map((seat) => {
      if (terms.domino.tiles || !table.held[seat]) return table.held[seat];
      const own = left[seat];
      return own.length === table.held[seat] ? own.reduce((sum, tile) => sum + pipsOf(tile), 0) : null;
    });
  }

  winner() {
    const { table, winner } = this.sheet;
    if (table.wentOut !== null) return table.wentOut;
    if (winner !== undefined) return winner;
    const numbers = this.given.rules.terms.fewest_tiles ? table.held : this.measured();
    if (numbers.includes(null)) return undefined;
    const best = table.seats.filter((seat) => numbers[seat] === Math.min(...numbers));
    return best.length === 1 ? best[0] : null;
  }

  pointsText() {
    const { table, points } = this.sheet;
    const winner = this.winner();
    if (points || winner === undefined) return points;
    if (winner === null) return "0";
    const numbers = this.measured();
    const terms = this.given.rules.terms[table.wentOut === null ? "blocked" : "domino"];
    return numbers.includes(null) ? "" : String(this.roundPoints(terms, numbers, winner));
  }

  /* The lines of the settlement. */
  closeHand() {
    const { counts, left, table } = this.sheet;
    const winner = this.winner();
    const points = Number(this.pointsText());
    this.dialog.close();
    const shown = counts.filter((seat) => left[seat].length);
    const unseen = (seat) => Array(table.held[seat] - left[seat].length).fill("?");
    const lines = shown.map((seat) => `${letter(seat)} shows ${[...left[seat], ...unseen(seat)].join(" ")}`);
    return [...lines, `${letter(winner ?? 0)} scores ${winner === null ? 0 : points}`];
  }

  /* --- The end of the game --- */

  openFinish(state) {
    this.open("finish");
    this.write("[data-result]", this.resultWords(state.after.totals, { winner: state.after.winner, how: state.after.over }));
  }

  resultWords(scores, { winner, how }) {
    if (winner === null || winner === undefined) return filled(this.words.level, { own: scores[0], other: scores[1] });
    const facts = { winner: this.names[winner], loser: this.names[1 - winner], own: scores[winner], other: scores[1 - winner] };
    return filled(this.words.results[how] ?? this.words.results.target, facts);
  }
}
