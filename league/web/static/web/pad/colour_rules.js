/* Uno Dominoes for the tile pad, where nobody's rack is known: what games/uno/ does, by the tables of games/device.py. A
   part of tile_rules.js, which gives it the `Table` of every game. */
const firstOf = (tile) => tile.split("-")[0];
const lastOf = (tile) => tile.split("-")[1];
/* The name of a tile in either spelling: the half written first is the one that touches. */
const named = (tile) => tile.split("-").sort().join("-");

/* The tiles on the table and their open ends (RULES.md 2.6 to 2.10). A wild half that was given a colour shows its word. */
class MarkedLayout {
  constructor({ faces, names, wild, all_doublets }) {
    Object.assign(this, { faces, names, wild, all_doublets });
    this.laid = new Map();
    this.count = null;
  }

  has(tile) {
    return this.laid.has(named(tile));
  }

  get ends() {
    return [...this.laid].filter(([, one]) => one.free).map(([tile, { face }]) => ({ tile, face, counts: 0 }));
  }

  /* Kind and colour that an open end shows. */
  shown(face) {
    return this.names.includes(face) ? ["", face] : this.faces[face];
  }

  joins(half, face) {
    const [kind, colour] = this.faces[half];
    const [other, shown] = this.shown(face);
    if (kind === "DE") return false;
    return this.wild.includes(kind) || kind === other || (colour !== "" && colour === shown);
  }

  places(tile) {
    const double = firstOf(tile) === lastOf(tile);
    const fits = (one) => !(double && firstOf(one.tile) === lastOf(one.tile)) && this.joins(firstOf(tile), one.face);
    return this.ends.filter(fits).map((one) => one.tile);
  }

  place(tile, on, colour) {
    const double = firstOf(tile) === lastOf(tile);
    const to = this.laid.get(named(on ?? this.places(tile)[0] ?? ""));
    if (to) to.free -= 1;
    const wide = this.laid.size ? (this.all_doublets ? 3 : 1) : 4;
    const [kind] = this.faces[lastOf(tile)];
    const free = kind === "DE" ? 0 : double ? wide : 1;
    this.laid.set(named(tile), { face: this.wild.includes(kind) && colour ? colour : lastOf(tile), free });
  }

  /* Colours that are exposed: a Wild Draw Four is unlawful with one of them on the rack. */
  get colours() {
    return this.ends.map(({ face }) => this.shown(face)[1]).filter(Boolean);
  }
}

export const coloured = (Table) =>
  class extends Table {
    clear() {
      super.clear();
      const { seats, colours } = this.rules;
      this.layout = new MarkedLayout(colours);
      this.direction = 1;
      this.debts = Array(seats).fill(0);
      this.said_uno = Array(seats).fill(false);
      this.drew = false;
      this.lastTile = this.wild = null;
    }

    name(tile) {
      return named(tile);
    }

    kind(half) {
      return this.rules.colours.faces[half][0];
    }

    worth(tile) {
      return tile.split("-").reduce((sum, half) => sum + this.rules.colours.faces[half][2], 0);
    }

    fits(tile) {
      return this.layout.laid.size ? this.layout.places(tile).length > 0 : this.rules.colours.starters.includes(tile);
    }

    /* Whether a colour is named with this tile; the last one needs none. */
    asksColour(tile, seat) {
      return this.layout.laid.size > 0 && this.layout.wild.includes(this.kind(lastOf(tile))) && this.held[seat] > 1;
    }

    /* Who must draw a penalty now, and how many tiles; null where nobody must. */
    get due() {
      const seat = this.boneyard ? this.debts.findIndex(Boolean) : -1;
      return seat < 0 ? null : { seat, count: Math.min(this.debts[seat], this.boneyard) };
    }

    get canDraw() {
      return this.boneyard > 0 && (!this.drew || this.due !== null) && (!this.ended || this.due !== null);
    }

    get pending() {
      return this.wild !== null && this.wild.challenged && this.wild.guilty === null;
    }

    /* Who may challenge the Wild Draw Four that was just played, null where nobody may. */
    get challenger() {
      return this.wild && !this.wild.paid && !this.wild.challenged && !this.opened ? this.wild.victim : null;
    }

    /* Seats that can say uno: with one tile, or with two and the turn. */
    get unoSeats() {
      return this.seats.filter((seat) => !this.said_uno[seat] && (this.held[seat] === 1 || (this.held[seat] === 2 && seat === this.toAct)));
    }

    step(seat, steps) {
      const { seats } = this.rules;
      return (((seat + steps * this.direction) % seats) + seats) % seats;
    }

    /* A turn or the settlement begins: the time of a challenge and of penalties is over. */
    beginTurn(seat) {
      if (this.pending && seat !== null) this.decide(seat === this.wild.victim);
      this.wild = null;
      this.debts.fill(0);
    }

    decide(guilty) {
      const { player, victim } = this.wild;
      const { guilty: four, failed } = this.rules.colours;
      this.wild.guilty = guilty;
      this.debts[victim] = guilty ? 0 : failed;
      if (guilty) this.debts[player] += four;
      if (guilty) this.toAct = victim;
    }

    play(seat, tile, words) {
      const after = (word) => (words.includes(word) ? words[words.indexOf(word) + 1] : null);
      const leads = !this.layout.laid.size;
      if (!this.drew) this.beginTurn(seat);
      const exposed = this.layout.colours;
      this.layout.place(tile, after("on"), after("colour"));
      this.last = { seat, tile };
      this.held[seat] -= 1;
      this.lastTile = this.held[seat] === 1 ? { seat, called: this.said_uno[seat] } : null;
      this.drew = false;
      this.passes = 0;
      this.toAct = this.step(seat, 1);
      if (!leads) this.takeEffect(seat, this.kind(firstOf(tile)), exposed);
      if (!this.held[seat]) this.finish("domino", seat);
      else if (!this.layout.ends.length) this.finish("dead-end", seat);
    }

    takeEffect(seat, kind, exposed) {
      const { draws, turns_two } = this.rules.colours;
      if (kind === "R") {
        this.direction = -this.direction;
        this.toAct = this.step(seat, this.rules.seats === 2 && turns_two ? 2 : 1);
      }
      if (kind === "S" || draws[kind]) this.toAct = this.step(seat, 2);
      if (!draws[kind]) return;
      const victim = this.step(seat, 1);
      this.debts[victim] += draws[kind];
      const open = { challenged: false, guilty: null, paid: false, shown: false, ruled: false };
      if (kind === "WD4") this.wild = { player: seat, victim, exposed, ...open };
    }

    finish(how, wentOut = null) {
      super.finish(how, wentOut);
      this.lastTile = null;
      /* What the last tile makes somebody draw comes first. */
      if (how !== "bell" && this.due && !this.over) this.phase = "play";
    }

    draw(seat, words) {
      const count = words.length === 1 && /^\d+$/.test(words[0]) ? Number(words[0]) : words.length;
      const { pending, wild, debts } = this;
      const penalty = debts[seat] > 0 || (pending && seat === wild.player);
      if (this.layout.laid.size && !penalty) this.beginTurn(seat);
      this.boneyard -= count;
      this.held[seat] += count;
      this.said_uno[seat] = false;
      if (!this.layout.laid.size) this.leadDraws += count;
      else if (penalty) this.pay_penalty(seat, count);
      else this.drew = true;
      if (this.ended && !this.due && !this.over) this.phase = "count";
    }

    pay_penalty(seat, count) {
      const { wild, debts } = this;
      /* Who draws tells the outcome of a challenge that nobody wrote down. */
      if (this.pending && (seat === wild.victim || count > debts[seat])) this.decide(seat === wild.player);
      if (wild && seat === wild.victim) wild.paid = true;
      debts[seat] = Math.max(0, debts[seat] - count);
    }

    pass(seat) {
      if (!this.layout.laid.size) return;
      if (!this.drew) this.beginTurn(seat);
      this.passes = this.boneyard ? 0 : this.passes + 1;
      this.drew = false;
      this.toAct = this.step(seat, 1);
      if (this.passes === this.rules.seats) this.finish("blocked");
    }

    uno(seat) {
      if (this.held[seat] !== 1 && !(this.held[seat] === 2 && seat === this.toAct)) return;
      this.said_uno[seat] = true;
      if (this.lastTile?.seat === seat) this.lastTile.called = true;
    }

    catches(seat, whom) {
      if (this.lastTile?.seat !== whom || whom === seat || this.lastTile.called) return;
      this.lastTile = null;
      this.debts[whom] += this.rules.colours.caught;
    }

    challenge() {
      if (!this.wild) return;
      this.wild.challenged = true;
      /* Beside the last tile there is none that could make it unlawful. */
      if (!this.held[this.wild.player]) this.decide(false);
    }

    rule(upheld) {
      if (!this.wild?.challenged || this.wild.ruled) return;
      if (this.wild.guilty === null) this.decide(upheld);
      this.wild.ruled = true;
    }

    /* A rack that is shown to a challenger decides, where all of it is seen. */
    show(seat, words) {
      const { wild } = this;
      if (!wild?.challenged || wild.shown || seat !== wild.player || this.opened) return super.show(seat, words);
      wild.shown = true;
      const seen = words.filter((tile) => tile.includes("-"));
      const coloured = (tile) => tile.split("-").some((half) => wild.exposed.includes(this.rules.colours.faces[half][1]));
      const unlawful = seen.some(coloured);
      if (words.length === this.held[seat] && wild.guilty === null && (unlawful || !words.includes("?"))) this.decide(unlawful);
    }

    opens() {
      if (this.ended && !this.opened) {
        this.beginTurn(null);
        if (!this.over) this.phase = "count";
      }
      super.opens();
    }

    settle() {
      if (this.ended) this.opens();
      super.settle();
    }

    whoWon() {
      if (this.ended === "dead-end") return this.wentOut;
      return this.ended === "blocked" && this.rules.colours.void ? null : super.whoWon();
    }

    /* Lots part two equal doublets, and who leads is told with the tile. */
    lot(seat, tile) {
      this.lots.push([seat, tile]);
    }

    acts = {
      ...this.acts,
      uno: (seat) => this.uno(seat),
      catches: (seat, [whom]) => this.catches(seat, "ABCDEF".indexOf(whom)),
      challenges: () => this.challenge(),
    };

    said = { ...this.said, upheld: () => this.rule(true), rejected: () => this.rule(false) };
  };
