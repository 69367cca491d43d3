/* What the tile pad knows of the rules: the table as the lines of the notation leave it. Pure, and advisory: the referee
   alone judges. `rules` are the values of games/device.py; tests/browser/test_tile_rules.py holds both together. */
const edition = new URL(import.meta.url).search;
const { coloured } = await import(`./colour_rules.js${edition}`);
const LETTERS = "ABCDEF";
const halves = (tile) => tile.split("-").map(Number);

/* The tiles on the table and their open ends (RULES.md 1.2). */
class Layout {
  constructor(mode) {
    this.mode = mode;
    this.laid = new Map();
    this.spun = false;
  }

  /* Open ends in the order of play: {tile, face, counts}. A double is one end, however many of its sides are free. */
  get ends() {
    return [...this.laid.values()].flatMap((one) => (one.double ? this.ofDouble(one) : one.free.map((face) => ({ tile: one.tile, face, counts: face }))));
  }

  ofDouble({ tile, double, covered, spins }) {
    const face = double - 1;
    if (covered < 2) return [{ tile, face, counts: 2 * face }];
    return spins && covered < 4 ? [{ tile, face, counts: 0 }] : [];
  }

  has(tile) {
    return this.laid.has(tile);
  }

  get count() {
    return this.ends.reduce((sum, end) => sum + end.counts, 0);
  }

  /* The tiles on the table that this tile can be joined to. */
  places(tile) {
    const faces = halves(tile);
    return this.ends.filter((end) => faces.includes(end.face)).map((end) => end.tile);
  }

  place(tile, on) {
    const [high, low] = halves(tile);
    const double = high === low ? high + 1 : 0;
    const to = on ?? (this.laid.size ? this.places(tile)[0] : null);
    const spins = double > 0 && (this.mode === "all" || (this.mode === "first" && !this.spun));
    this.spun ||= double > 0;
    const one = { tile, double, free: [high, low], covered: 0, spins };
    if (to) this.join(one, this.laid.get(to));
    this.laid.set(tile, one);
  }

  join(one, other) {
    const face = this.ends.find((end) => end.tile === other.tile && one.free.includes(end.face)).face;
    for (const part of [one, other]) {
      if (part.double) part.covered += 1;
      else part.free.splice(part.free.indexOf(face), 1);
    }
  }
}

/* Announcements and muggins calls (RULES.md 1.5), without the seconds. */
class Claims {
  constructor(rules, award) {
    Object.assign(this, { rules, award });
    this.fresh = this.claimable = null;
  }

  played(seat, count, call) {
    this.turn();
    const worth = count % 5 ? 0 : Math.floor(count / this.rules.divisor);
    this.fresh = { seat, count, worth, said: null, owed: this.rules.auto ? 0 : worth, called: [], given: [] };
    if (this.rules.auto) this.give(this.fresh, seat, worth);
    if (call !== null) this.announce(seat, call);
  }

  turn() {
    this.claimable = this.rules.muggins === "after_next" ? this.fresh : null;
    this.fresh = null;
  }

  close() {
    this.fresh = this.claimable = null;
  }

  give(play, seat, points) {
    play.given.push([seat, points]);
    if (points) this.award(seat, points);
  }

  announce(seat, said) {
    const play = this.fresh;
    if (!play || play.seat !== seat || play.said !== null) return;
    if (!play.owed && play.worth && !this.rules.auto) return;
    play.said = said;
    if (!this.rules.auto) this.book(play, said);
  }

  book(play, said) {
    const { foster, chips, divisor, seats } = this.rules;
    if (said > play.worth && foster) {
      play.owed = 0;
      return this.give(play, (play.seat + 1) % seats, said);
    }
    const kept = Math.min(said, play.worth);
    const points = chips && divisor === 1 ? kept - (kept % 5) : kept;
    play.owed -= points;
    this.give(play, play.seat, points);
  }

  claim(seat) {
    const play = this.rules.muggins === "after_next" ? this.claimable : this.fresh;
    if (!play || play.seat === seat || !play.owed || play.called.includes(seat)) return;
    play.called.push(seat);
    const { owed } = play;
    play.owed = 0;
    this.give(play, seat, owed);
  }

  /* Awards of plays whose window is open: a player who scores sees none of them. */
  get open() {
    return [this.fresh, this.claimable].filter(Boolean);
  }
}

/* One game, line by line. `phase`: "between" hands, "play", "count" (a hand is over, its points are open), "over". */
class Table {
  constructor(rules) {
    this.rules = rules;
    this.scores = Array(rules.seats).fill(0);
    this.claims = new Claims(rules, (seat, points) => this.award(seat, points));
    this.round = 0;
    this.phase = "between";
    this.overtime = this.rung = false;
    this.over = this.winner = this.last = null;
    this.afterBlock = false;
    this.clear();
  }

  clear() {
    const { seats, hand, tiles, spinner } = this.rules;
    this.layout = new Layout(spinner);
    this.held = Array(seats).fill(hand);
    this.boneyard = tiles.length - seats * hand;
    this.passes = this.leadDraws = 0;
    this.toAct = null;
    this.ended = this.wentOut = null;
    this.shown = Array(seats).fill(null);
    this.points = null;
    this.opened = this.settled = false;
    this.lots = [];
  }

  get seats() {
    return [...Array(this.rules.seats).keys()];
  }

  /* The name of a tile, however it is written. */
  name(tile) {
    return tile;
  }

  /* What a tile in a hand counts at the end. */
  worth(tile) {
    return halves(tile)[0] + halves(tile)[1];
  }

  /* Whether a tile can be laid now. */
  fits(tile) {
    return !this.layout.laid.size || this.layout.places(tile).length > 0;
  }

  get canDraw() {
    return this.boneyard > this.rules.reserve;
  }

  /* Totals that hold once the settlement of the hand has closed. */
  get totals() {
    return this.scores.map((score, seat) => score + (this.phase === "count" && !this.settled ? (this.points?.[seat] ?? 0) : 0));
  }

  award(seat, points) {
    if (this.over) return;
    this.scores[seat] += points;
    this.look(true);
  }

  /* Whether the rules end the game now; `within` a round. */
  look(within) {
    const best = Math.max(...this.scores);
    const first = this.seats.filter((seat) => this.scores[seat] === best);
    const { target, target_strict: strict, at_once: atOnce, first_to_score: first_to_score } = this.rules;
    if (first.length > 1) return;
    if (this.overtime && (first_to_score || (!within && best < target))) return this.end("overtime", first[0]);
    if ((!within || atOnce) && best >= target + Number(strict)) this.end("target", first[0]);
  }

  end(how, winner) {
    this.over = how;
    this.winner = winner;
    this.phase = "over";
  }

  /* --- Lines --- */

  read(line) {
    const words = line.replace(/"[^"]*"/, "").trim().split(/\s+/);
    const seat = words[0].length === 1 ? LETTERS.indexOf(words[0]) : -1;
    if (seat < 0) return this.said[words[0]]?.call(this, words.slice(1));
    const act = this.acts[words[1]];
    if (act) return act.call(this, seat, words.slice(2));
    this.play(seat, words[1], words);
  }

  play(seat, tile, words) {
    const after = (word) => (words.includes(word) ? words[words.indexOf(word) + 1] : null);
    const call = after("call");
    this.layout.place(tile, after("on"));
    this.last = { seat, tile };
    this.passes = 0;
    this.held[seat] -= 1;
    this.toAct = (seat + 1) % this.rules.seats;
    this.claims.played(seat, this.layout.count, call === null ? null : Number(call));
    if (!this.held[seat]) this.finish("domino", seat);
  }

  finish(how, wentOut = null) {
    this.ended = how;
    this.wentOut = wentOut;
    if (!this.over) this.phase = "count";
  }

  /* The first line of a settlement completes a turn for the windows (NOTATION.md 5). */
  opens() {
    if (!this.opened && this.ended && this.rules.muggins === "after_next") this.claims.turn();
    this.opened ||= this.ended !== null;
  }

  settle() {
    if (this.phase !== "count" || this.settled) return;
    this.claims.close();
    this.settled = true;
    this.winnerOfRound = this.whoWon();
    this.afterBlock = this.ended === "blocked";
    for (const seat of this.seats) this.scores[seat] += this.points?.[seat] ?? 0;
    this.look(false);
    if (this.rung && !this.over) this.ring();
    if (!this.over) this.phase = "between";
  }

  whoWon() {
    if (this.ended === "domino") return this.wentOut;
    if (this.ended !== "blocked") return null;
    const paid = this.seats.filter((seat) => this.points?.[seat] > 0);
    return paid.length === 1 ? paid[0] : this.lowest();
  }

  /* Who has least left in a blocked hand that was shown; null where two have, undefined where it is not known. */
  lowest() {
    const left = this.left();
    const measure = this.rules.terms.fewest_tiles ? this.held : left;
    if (measure.includes(null)) return undefined;
    const best = this.seats.filter((seat) => measure[seat] === Math.min(...measure));
    return best.length === 1 ? best[0] : null;
  }

  /* Pips left in each hand, null where nobody has seen them. */
  left() {
    return this.seats.map((seat) => (this.held[seat] === 0 ? 0 : (this.shown[seat]?.reduce((sum, tile) => sum + this.worth(tile), 0) ?? null)));
  }

  ring() {
    const best = Math.max(...this.scores);
    const first = this.seats.filter((seat) => this.scores[seat] === best);
    this.rung = false;
    if (first.length === 1) this.end("bell", first[0]);
    else this.overtime = true;
  }

  begin(number) {
    this.settle();
    if (this.over) return;
    this.round = number;
    this.clear();
    this.phase = "play";
    this.last = null;
    const lead = this.rules.lead[number === 1 ? 0 : this.afterBlock ? 2 : 1];
    const follows = number > 1 && !this.overtime && ["dominoer_any", "winner_any"].includes(lead);
    if (follows) this.toAct = this.winnerOfRound ?? null;
  }

  /* The highest lot leads, once every seat has drawn one. */
  lot(seat, tile) {
    this.lots.push([seat, tile]);
    if (this.lots.length < this.rules.seats) return;
    const rank = ([, one]) => (this.rules.by_pips ? 100 * this.worth(one) : 0) + 10 * halves(one)[0] + halves(one)[1];
    this.toAct = this.lots.reduce((best, one) => (rank(one) > rank(best) ? one : best))[0];
  }

  draw(seat, words) {
    const count = words.length === 1 && /^\d+$/.test(words[0]) ? Number(words[0]) : words.length;
    this.boneyard -= count;
    this.held[seat] += count;
    if (this.layout.laid.size || !this.rules.drawn_for) this.toAct ??= seat;
    else this.leadDraws += count;
  }

  pass(seat) {
    this.claims.turn();
    this.passes += 1;
    this.toAct = (seat + 1) % this.rules.seats;
    if (this.passes === this.rules.seats) this.finish("blocked");
  }

  show(seat, words) {
    this.opens();
    const tiles = words[0] === "none" ? [] : words;
    this.shown[seat] = tiles.includes("?") ? null : tiles;
  }

  pay(seat, points) {
    this.opens();
    this.points ??= Array(this.rules.seats).fill(0);
    this.points[seat] = points;
  }

  giveUp(seat) {
    this.settle();
    if (this.over) return;
    const others = this.seats.filter((one) => one !== seat);
    const best = Math.max(...others.map((one) => this.scores[one]));
    const first = others.filter((one) => this.scores[one] === best);
    this.end("given-up", first.length === 1 ? first[0] : null);
  }

  penalty(seat, points) {
    if (this.over) return;
    for (const other of this.seats) if (other !== seat) this.scores[other] += points;
    if (points) this.look(this.phase !== "between");
  }

  bell() {
    if (this.phase === "between") return this.ring();
    this.rung = true;
    if (this.phase === "count" || !this.rules.stops_at_bell) return;
    if (this.rules.muggins === "after_next") this.claims.turn();
    this.opened = true;
    this.finish("bell");
  }

  acts = {
    lot: (seat, [tile]) => this.lot(seat, tile),
    hand: () => {},
    draw: (seat, words) => this.draw(seat, words),
    pass: (seat) => this.pass(seat),
    shows: (seat, words) => this.show(seat, words),
    scores: (seat, [points]) => this.pay(seat, Number(points)),
    call: (seat, [points]) => this.claims.announce(seat, Number(points)),
    muggins: (seat) => this.claims.claim(seat),
    domino: () => {},
    concedes: (seat) => this.giveUp(seat),
    forfeits: (seat) => this.giveUp(seat),
  };

  said = {
    round: ([number]) => this.begin(Number(number)),
    blocked: () => !this.ended && this.finish("blocked"),
    score: () => this.opens(),
    chips: () => this.opens(),
    settled: () => this.settle(),
    bell: () => this.bell(),
    penalty: ([seat, points]) => this.penalty(LETTERS.indexOf(seat), Number(points)),
    end: () => this.settle(),
    note: () => {},
  };
}

const ColourTable = coloured(Table);
export const tableOf = (rules) => (rules.colours ? new ColourTable(rules) : new Table(rules));

/* The table after these lines. */
export function replay(lines, rules) {
  const table = tableOf(rules);
  for (const line of lines) table.read(line);
  return table;
}

export const letter = (seat) => LETTERS[seat];
