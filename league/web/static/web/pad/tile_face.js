/* Screen and sheets of the tile pad. To a player who scores it shows nothing that could be a muggins call. */
const edition = new URL(import.meta.url).search;
const [{ Face, filled }, { letter }, { shownTotals }, { TileKeys, drawnHalf, spokenHalf }, { paintTwo, toCount, waits }] = await Promise.all(
  ["pad_face", "tile_rules", "tile_fold", "tile_keys", "two_phones"].map((part) => import(`./${part}.js${edition}`)),
);
const RECENT = 8;
const PLAY = /^[A-F] \d-\d/m;

export class TileFace extends Face {
  constructor(root, given, words, rules) {
    super(root, given, words, rules);
    this.chosen = null;
    this.leader = null;
    this.lots = false;
    this.keys = new TileKeys(this.one(".tp-hold"), "tile", given.rules, words);
    this.leftKeys = new TileKeys(this.one(".tp-left"), "left", given.rules, words);
    this.rang = null;
    this.chips = "";
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
    const { hand, table, after, over, ended, counted, opening, sitting, agrees } = state;
    const watching = state.watching || Boolean(sitting.scored);
    this.seat = sitting.keeper?.seat ?? null;
    if (hand.layout.laid.size || hand.toAct !== null) this.leader = null;
    this.state = state;
    this.paintPlates(state);
    this.paintEnds(hand);
    this.paintKeys(hand, ended || over || waits(hand, this.seat));
    this.write("[data-round]", filled(this.words.round, { number: opening ? table.round + 1 : table.round || 1 }));
    this.write("[data-ask]", this.ask(state));
    const counting = table.phase === "count" && !counted && table.ended !== "bell";
    const stage = ended ? "ended" : over || table.over ? "over" : counting ? "count" : table.phase === "count" && table.ended === "bell" ? "bell" : "play";
    this.root.dataset.stage = stage;
    this.root.classList.toggle("turned", Boolean(state.sitting.turned));
    for (const button of this.all("[data-when]")) button.hidden = !button.dataset.when.split(" ").includes(stage);
    this.able("lots", !hand.layout.laid.size && !watching);
    this.show("[data-do=agree]", agrees && !ended && !watching);
    this.able("draw", hand.canDraw && !watching);
    this.show("[data-do=challenge]", (hand.challenger ?? null) !== null && !watching);
    for (const act of ["upheld", "rejected", "rack"]) this.show(`[data-do=${act}]`, Boolean(hand.pending) && !watching);
    this.write("[data-boneyard]", String(hand.boneyard));
    for (const act of ["tile", "onto", "colour", "call", "pass", "uno", "catch", "muggins", "count", "settle", "finish"]) this.able(act, !watching);
    paintTwo(this, state);
    this.paintEntries(state);
    super.paint(state);
    this.able("finish", !watching && Boolean(after.over));
  }

  /* From tiles to scores there is no way back. */
  paintLine(state) {
    const { sitting } = state;
    const on = Boolean(sitting.scored);
    this.show("[data-goes-on]", on);
    this.show("[data-do=take_over]", !on);
    if (on) this.show("[data-do=take_over_without]", false);
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
    if (this.chosen?.asks === "colour") return strip.replaceChildren(...this.given.rules.colours.names.map((colour) => this.colourKey(colour)));
    strip.replaceChildren(...ends.map((end) => this.flag(end)));
    if (!ends.length) strip.append(this.words.empty);
  }

  colourKey(colour) {
    const button = document.createElement("button");
    Object.assign(button.dataset, { do: "colour", value: colour });
    button.type = "button";
    button.className = "tp-end open";
    const name = document.createElement("small");
    name.textContent = this.words.colours[colour];
    button.append(drawnHalf(this.given.rules, this.words, colour), name);
    return button;
  }

  flag({ tile, face }) {
    const button = document.createElement("button");
    const open = this.chosen?.asks === "end" && this.chosen.places.includes(tile);
    Object.assign(button.dataset, { do: "onto", value: tile });
    button.type = "button";
    button.className = `tp-end${open ? " open" : ""}${this.chosen?.asks === "end" && !open ? " shut" : ""}`;
    button.setAttribute("aria-label", filled(this.words.end, { face: spokenHalf(this.given.rules, this.words, face), tile }));
    const name = document.createElement("small");
    name.textContent = tile;
    button.append(drawnHalf(this.given.rules, this.words, face), name);
    return button;
  }

  paintKeys(hand, over) {
    this.keys.paint({
      gone: (tile) => hand.layout.has(tile),
      dim: (tile) => Boolean(over) || !hand.fits(tile),
      pressed: (tile) => this.chosen?.tile === tile,
      owner: () => undefined,
    });
  }

  /* What the pad waits for, in words. */
  ask({ hand, table, over, counted, ended, watching }) {
    const { words, names, chosen } = this;
    if (watching) return this.news({ hand, table, ended });
    if (this.lots) return words.lots;
    if (this.note) return this.note;
    if (ended) return "";
    if (chosen?.say) return chosen.say;
    if (chosen?.asks === "colour") return words.which_colour;
    if (chosen?.asks === "end") return filled(words.which_end, { tile: chosen.tile });
    const turn = hand.toAct ?? this.leader;
    if (over) return filled(words.is_over, { name: names[this.state.after.winner] ?? words.nobody });
    if (table.phase === "count" && table.ended === "bell") return words.bell;
    if (table.phase === "count" && !counted) return this.endOfHand(table);
    if (hand.pending) return words.was_it_right;
    if (hand.due) return filled(words.must_draw, { name: names[hand.due.seat], count: hand.due.count });
    if (!hand.layout.laid.size && turn === null && this.seat !== null) return words.two.leads;
    if (!hand.layout.laid.size) return turn === null ? words.who_leads : filled(words.leads, { name: names[turn] });
    return filled(hand.drew ? words.drew : words.turn, { name: names[turn] });
  }

  endOfHand({ ended, wentOut }) {
    if (wentOut === null) return this.words.blocked;
    return filled(ended === "dead-end" ? this.words.dead_end : this.words.out, { name: this.names[wentOut] });
  }

  /* What a pad that only watches says: it asks nothing. */
  news({ hand, table, ended }) {
    const { words, names } = this;
    if (ended || table.over || hand.toAct === null) return "";
    if (table.phase === "count") return table.wentOut === null ? "" : filled(words.out, { name: names[table.wentOut] });
    return filled(words.turn, { name: names[hand.toAct] });
  }

  /* --- The bell --- */

  tick(clock, line) {
    super.tick(clock, line);
    this.write("[data-bell]", this.bellWords(clock));
  }

  /* When the bell rang, by the time of this phone; null where it has not, or nobody knows. */
  rangAt(clock) {
    const noted = this.state.stand.find((tap) => tap.line === "bell");
    if (clock?.state === "running") this.rang = this.left(clock) ? null : Date.now() - (performance.now() - clock.at - clock.remaining_ms);
    return this.rang ?? noted?.at ?? null;
  }

  /* Two countdowns, whatever the plays are worth: a play released just before the bell is announced within five seconds
     of its release, muggins is called within ten of the bell (RULES.md 1.5). */
  bellWords(clock) {
    const { words, state } = this;
    const { auto, muggins, bell_s: [grace, claims] } = this.given.rules;
    const rang = this.rangAt(clock);
    const noticed = this.root.dataset.stage === "bell" || (this.root.dataset.clock === "rung" && !state.belled && !state.ended);
    if (rang === null || !noticed) return "";
    const left = (until) => Math.max(0, Math.ceil((until - Date.now()) / 1000));
    const play = state.stand.findLast((tap) => tap.at <= rang && PLAY.test(tap.line));
    const parts = [];
    const call = play && rang - play.at <= 1000 * grace ? left(play.at + 1000 * grace) : 0;
    if (!auto && call) parts.push(filled(words.bell_call, { seconds: call }));
    const claim = muggins === "off" ? 0 : left(rang + 1000 * claims);
    if (claim) parts.push(filled(words.bell_muggins, { seconds: claim }));
    return parts.join(" · ") || words.bell_over;
  }

  /* --- The last entries --- */

  paintEntries({ entries, table }) {
    const list = this.one("[data-entries]");
    const recent = entries.filter(({ line }) => !line.startsWith("round ")).slice(-RECENT).reverse();
    const shown = JSON.stringify(recent);
    this.write("[data-true]", this.trueSum(table) || this.chipWords());
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

  /* Chips that differ from the score. To a player who scores only once the claim windows of that hand have closed. */
  chipWords() {
    const { chips } = this.state;
    if (!chips || (this.given.holds && !chips.closed) || chips.said.join() === chips.due.join()) return "";
    return filled(this.words.chips_differ, { said: chips.said.join("–"), due: chips.due.join("–") });
  }

  lineWords(line) {
    const [who, ...words] = line.split(" ");
    const seat = who.length === 1 ? "ABCDEF".indexOf(who) : -1;
    const facts = { name: seat < 0 ? "" : this.names[seat], text: words.slice(1).join(" "), what: words.join(" ") };
    const colour = words.at(-2) === "colour" ? `, ${this.words.colours[words.at(-1)]}` : "";
    if (words[0] === "catches") facts.text = this.names["ABCDEF".indexOf(words[1])];
    if (seat < 0) return filled(this.words.lines[who] ?? who, { what: facts.what });
    return filled(this.words.lines[words[0]] ?? this.words.lines.tile, { ...facts, what: facts.what.replace(/ (on|colour) .*/, "") + colour });
  }

  tapWords(tap) {
    if (tap.kind !== "line") return this.words.taps[tap.kind] ?? tap.kind;
    return tap.line.split("\n").filter((line) => !line.startsWith("round ")).map((line) => this.lineWords(line)).join(", ");
  }

  sayScore() {
    const totals = shownTotals(this.state.table, this.given.holds);
    this.say("score_said", { scores: this.listed(totals), round: this.state.table.round });
  }

  listed(scores) {
    return scores.map((score, seat) => `${this.names[seat]} ${score}`).join(", ");
  }

  /* --- The end of a hand --- */

  openHand({ table }) {
    const counts = toCount(table, this.seat);
    const left = Object.fromEntries(table.seats.map((seat) => [seat, table.shown[seat] ?? []]));
    this.open("hand", { seat: counts[0], counts, left, table, points: "" });
  }

  /* The rack that is shown to a challenger: it decides. */
  openRack({ table }) {
    const { player } = table.wild;
    this.open("hand", { seat: player, counts: [player], left: { [player]: [] }, table, rack: true });
  }

  press(button) {
    const { do: act, value } = button.dataset;
    if (act === "kind" && button.closest(".tp-hold")) {
      this.keys.press(value);
      return this.paint(this.state);
    }
    if (act === "kind") this.leftKeys.press(value);
    if (act === "left") this.takeLeft(value);
    if (act === "whose") this.sheet.seat = Number(button.dataset.seat);
    if (act === "winner") this.sheet.winner = value === "nobody" ? null : Number(value);
    super.press(button);
  }

  takeLeft(key) {
    const { left, seat, table, counts } = this.sheet;
    const tile = table.name(key);
    const other = table.seats.find((one) => one !== seat && left[one]?.includes(tile));
    if (table.layout.has(tile) || other !== undefined) return;
    const own = left[seat];
    if (own.includes(tile)) own.splice(own.indexOf(tile), 1);
    else if (own.length < table.held[seat]) own.push(tile);
    this.sheet.points = "";
    if (own.length === table.held[seat]) this.sheet.seat = counts.find((one) => left[one].length < table.held[one]) ?? seat;
  }

  type(value) {
    const { field } = this.sheet;
    const old = this.sheet[field] ?? "";
    this.sheet[field] = (value === "back" ? old.slice(0, -1) : `${old}${value}`).replace(/^0+(?=\d)/, "").slice(0, 3);
  }

  paintSheet() {
    this.paintPicks();
    if (this.dialog.id === "pad-hand") this.paintHand();
    if (this.dialog.id === "pad-more") this.paintMore();
  }

  paintMore() {
    const { seat, points } = this.sheet;
    for (const place of this.all("#pad-more [data-typed]")) place.textContent = points || "–";
    const mine = seat && (this.seat === null || Number(seat) === this.seat);
    this.able("penalty", mine && Number(points) > 0);
    this.able("concede", mine);
    this.able("forfeit", mine);
    this.able("other_call", Number(points) > 0);
  }

  paintHand() {
    const { seat, counts, left, table } = this.sheet;
    const owner = (tile) => counts.find((one) => left[one].includes(table.name(tile)));
    this.leftKeys.paint({ gone: (tile) => table.layout.has(tile), dim: () => false, pressed: (tile) => owner(tile) !== undefined, owner });
    for (const tab of this.dialog.querySelectorAll("[data-do=whose]")) {
      const one = Number(tab.dataset.seat);
      tab.hidden = !counts.includes(one);
      tab.setAttribute("aria-pressed", String(one === seat));
      this.write(`[data-counted="${one}"]`, `${left[one]?.length ?? 0}/${table.held[one]}`);
    }
    this.show("#pad-hand [data-points]", !this.sheet.rack);
    this.write("[data-hand-asked]", this.sheet.rack ? filled(this.words.rack_of, { name: this.names[seat] }) : this.endOfHand(table));
    if (this.sheet.rack) {
      this.show("[data-winner]", false);
      this.write("[data-hand-words]", "");
      return this.able("hand_end", left[seat].length === table.held[seat]);
    }
    const winner = this.winner();
    const points = this.pointsText();
    this.show("[data-winner]", table.wentOut === null);
    for (const pick of this.dialog.querySelectorAll("[data-do=winner]")) {
      pick.setAttribute("aria-pressed", String(winner !== undefined && pick.dataset.value === (winner === null ? "nobody" : String(winner))));
    }
    this.write("[data-hand-points]", points || "–");
    for (const field of this.dialog.querySelectorAll("[data-do=field]")) field.setAttribute("aria-pressed", String(this.sheet.field === field.dataset.name));
    for (const one of table.seats) this.write(`[data-typed-chips="${one}"]`, this.sheet[`chips${one}`] || "–");
    const whole = this.seat !== null && left[this.seat].length === table.held[this.seat];
    this.able("hand_end", whole || (winner !== undefined && points !== ""));
    const sharers = this.sharing().map((seat) => this.names[seat]);
    const name = sharers.join(", ") || (this.names[winner] ?? this.words.nobody);
    this.write("[data-hand-words]", winner === undefined || points === "" ? "" : filled(this.words.gives, { name, points }));
  }

  /* What each hand has left, tiles or pips; null where not every tile was tapped. */
  measured(tiles) {
    const { left, table } = this.sheet;
    if (tiles) return table.held;
    return table.seats.map((seat) => {
      if (!table.held[seat] || (table.ended === "dead-end" && seat === table.wentOut)) return 0;
      const own = left[seat];
      return own.length === table.held[seat] ? own.reduce((sum, tile) => sum + table.worth(tile), 0) : null;
    });
  }

  winner() {
    const { table, winner } = this.sheet;
    if (table.wentOut !== null) return table.wentOut;
    if (winner !== undefined) return winner;
    if (this.given.rules.colours?.void) return null;
    const best = this.lowest();
    return best === undefined ? undefined : best.length === 1 ? best[0] : null;
  }

  /* The seats with the least left; undefined where not every tile was tapped. */
  lowest() {
    const { table } = this.sheet;
    const numbers = this.measured(this.given.rules.terms.fewest_tiles);
    return numbers.includes(null) ? undefined : table.seats.filter((seat) => numbers[seat] === Math.min(...numbers));
  }

  /* Level hands of a block that share the points, none where they do not. */
  sharing() {
    const { table, winner } = this.sheet;
    const { splits } = this.given.rules;
    if (!splits || table.wentOut !== null || (winner !== undefined && winner !== null)) return [];
    const best = this.lowest() ?? [];
    return best.length > 1 && best.length < table.seats.length ? best : [];
  }

  /* Points of each of the level hands that share those of the others in a block. */
  sharedPoints(terms, left, sharing) {
    const others = left.map((one, seat) => (sharing.includes(seat) ? 0 : one));
    const whole = terms.tiles ? this.roundPoints(terms, left, sharing[0]) : this.roundPoints({ ...terms, own: 0 }, others, sharing[0]);
    return Math.floor(whole / sharing.length);
  }

  pointsText() {
    const { table, points } = this.sheet;
    const winner = this.winner();
    if (points || winner === undefined) return points;
    const terms = this.given.rules.terms[table.wentOut === null ? "blocked" : "domino"];
    const numbers = this.measured(terms.tiles);
    const sharing = this.sharing();
    if (sharing.length) return numbers.includes(null) ? "" : String(this.sharedPoints(terms, numbers, sharing));
    if (winner === null) return "0";
    return numbers.includes(null) ? "" : String(this.roundPoints(terms, numbers, winner));
  }

  /* The lines of the settlement. */
  closeHand() {
    const { counts, left, table } = this.sheet;
    const shown = counts.filter((seat) => left[seat].length);
    const chips = table.seats.map((seat) => this.sheet[`chips${seat}`] ?? "");
    this.chips = chips.includes("") ? "" : `chips ${chips.map(Number).join("-")}`;
    const unseen = (seat) => Array(table.held[seat] - left[seat].length).fill("?");
    const lines = shown.map((seat) => `${letter(seat)} shows ${[...left[seat], ...unseen(seat)].join(" ")}`);
    this.dialog.close();
    if (this.sheet.rack) return lines;
    const winner = this.winner();
    const text = this.pointsText();
    if (winner === undefined || text === "") return lines;
    const points = Number(text);
    const sharing = this.sharing();
    if (sharing.length) return [...lines, ...sharing.map((seat) => `${letter(seat)} scores ${points}`)];
    return [...lines, `${letter(winner ?? 0)} scores ${winner === null ? 0 : points}`];
  }

  /* --- The end of the game --- */

  openFinish(state) {
    this.open("finish");
    this.write("[data-result]", this.resultWords(state.after.totals, { winner: state.after.winner, how: state.after.over }));
  }

  resultWords(scores, { winner, how }) {
    const nobody = winner === null || winner === undefined;
    if (scores.length > 2) return filled(nobody ? this.words.level_many : this.words.wins_many, { name: this.names[winner], scores: this.listed(scores) });
    if (nobody) return filled(this.words.level, { own: scores[0], other: scores[1] });
    const facts = { winner: this.names[winner], loser: this.names[1 - winner], own: scores[winner], other: scores[1 - winner] };
    return filled(this.words.results[how] ?? this.words.results.target, facts);
  }
}
