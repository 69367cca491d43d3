/* What every pad does, whatever it writes down: a touch is written to the phone first, then painted, then sent, in the
   order in which it was made; only the server numbers it (league/matches/tally/services.py). Nothing is handed in by
   itself. `given` and `words` come with the page; `fold` says what the taps come to: {undoes, ended, …}. */
const BEAT = 5_000;
/* Milliseconds between the phone's hour and its timer that mean a sleep, or an hour that was set. */
const DRIFT = 2_000;
const MOST = 200;

/* randomUUID is for secure addresses only, and a hall without the Internet has none. */
function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

const told = ({ id, kind, seat, points, spinner, ended, winner, left, line, of, clock_ms, at, mono }) => ({
  id, kind, seat, points, spinner, ended, winner, left, line, of, clock_ms, at, mono,
});

export class Pad {
  constructor({ root, given, face, fold, openStore, Link, acts }) {
    Object.assign(this, { root, given, face, openStore, acts: { ...this.shared(), ...acts } });
    this.folded = fold;
    this.link = new Link(given.addresses, given.csrf);
    this.game = given.addresses.page;
    this.store = null;
    this.sitting = null;
    /* Touches without an answer, in order; those refused or set aside. */
    this.unsent = [];
    this.aside = [];
    this.sending = false;
    this.again = false;
    this.line = { up: true, since: Date.now(), fault: "" };
    this.clock = null;
    this.channel = null;
    /* One thing at a time on the shelf; a touch is never overtaken by the next. */
    this.queue = Promise.resolve();
    this.lock = null;
  }

  get watching() {
    return this.sitting.keeper !== null && !this.sitting.keeper.mine;
  }

  /* The only seat that this phone enters, where two phones make one record; null: all of them. */
  get seat() {
    return this.sitting.keeper?.seat ?? null;
  }

  get taps() {
    return this.watching ? this.sitting.taps : [...this.sitting.taps, ...this.unsent];
  }

  now() {
    return this.folded(this.taps, this.sitting);
  }

  paint() {
    const { sitting, unsent, aside, line, clock, watching } = this;
    this.face.paint({ ...this.now(), sitting, unsent, aside, line, clock, watching, storage: this.store !== null });
  }

  empty(pad) {
    return { game: this.game, pad, after: 0, taps: [], keeper: null, over: "", handing: "", trouble: "", done: null };
  }

  async read() {
    const { sitting: known, touches } = await this.store.load(this.game);
    if (known?.clock && !this.clock) this.clock = { ...known.clock, at: performance.now() - (Date.now() - known.clock.wall) };
    this.sitting = known ?? this.empty(newId());
    if (!known) await this.store.keep(this.sitting);
    this.unsent = touches.filter((touch) => !touch.aside);
    this.aside = touches.filter((touch) => touch.aside);
  }

  inTurn(act) {
    const done = this.queue.then(act);
    this.queue = done.catch(() => {});
    return done;
  }

  shout() {
    this.channel?.postMessage(this.game);
  }

  /* --- Touches --- */

  made(kind, facts) {
    return { game: this.game, id: newId(), kind, at: Date.now(), mono: Math.round(performance.now()), aside: "", ...facts };
  }

  add(kind, facts = {}) {
    const touch = this.made(kind, facts);
    if (this.clock) touch.clock_ms = this.face.counted(this.clock);
    return this.inTurn(async () => {
      try {
        touch.order = await this.store.add(touch);
      } catch {
        this.line.fault = "full";
        return this.paint();
      }
      this.unsent.push(touch);
      this.face.told(touch);
      this.paint();
      this.shout();
      this.drain();
    });
  }

  undo() {
    const last = this.now().undoes;
    if (last && !this.watching) this.add("undo", { of: last.id });
  }

  /* --- The line --- */

  async drain() {
    if (this.sending) {
      this.again = true;
      return;
    }
    this.sending = true;
    try {
      do this.again = false;
      while ((await this.exchange()) || this.again);
    } catch {
      if (this.line.up) this.line = { ...this.line, up: false };
    }
    this.sending = false;
    this.paint();
  }

  /* One question and its answer. Whether there is more to say at once. */
  async exchange() {
    const { sitting, given, link } = this;
    const batch = this.watching ? [] : this.unsent.slice(0, MOST);
    const answer = batch.length
      ? await link.send(given.addresses.taps, { pad: sitting.pad, after: sitting.after, taps: batch.map(told) })
      : await link.ask(sitting.after, sitting.pad);
    const { status, body } = answer;
    if (status >= 500 || status === 429) throw new Error(status);
    this.line = { up: true, since: Date.now(), fault: "" };
    if (status === 200 || status === 409) {
      await this.inTurn(() => this.adopt(body));
      if (status === 409) return !this.watching;
      if (this.unsent.length && !this.watching) return true;
      return this.handIn();
    }
    if (status === 422 && body.touch) {
      await this.inTurn(() => this.setAside(batch.filter((touch) => touch.id === body.touch), body.detail));
      return this.unsent.length > 0;
    }
    this.line.fault = { 401: "sign-in", 403: "sign-in", 404: "gone" }[status] ?? "desk";
    this.line.detail = body.detail ?? "";
    return false;
  }

  /* What the server has, in its order. A touch of ours that is among it is no longer ours to send. */
  async adopt(body) {
    const { sitting, unsent } = this;
    if (body.last < sitting.after) return this.sendAnew(body.last);
    const known = new Set(sitting.taps.map((tap) => tap.id));
    const fresh = body.taps.filter((tap) => tap.n > sitting.after && !known.has(tap.id));
    const theirs = new Set(fresh.map((tap) => tap.id));
    /* Of two phones both may tap the bell: what the other one has said already is not said again. */
    const said = new Set(this.seat === null ? [] : fresh.filter((tap) => /^(?!round)[a-z]/.test(tap.line)).map((tap) => tap.line));
    const mine = unsent.filter((touch) => theirs.has(touch.id) || said.has(touch.line));
    const { closed, scored, done, call } = body;
    /* An older answer undoes no taking over. */
    const waits = unsent.some((touch) => touch.kind === "take_over" && !theirs.has(touch.id));
    const keeper = waits ? sitting.keeper : body.keeper;
    const next = { ...sitting, taps: [...sitting.taps, ...fresh], after: body.last, keeper, closed, scored, done, call };
    if (body.clock) {
      this.clock = { ...body.clock, at: performance.now() };
      const same = sitting.clock?.version === body.clock.version && sitting.clock.state === body.clock.state;
      if (!same) next.clock = { ...body.clock, wall: Date.now() };
    }
    if (JSON.stringify(next) === JSON.stringify(sitting)) return;
    await this.store.keep(next, mine.map((touch) => touch.order));
    this.sitting = next;
    this.unsent = this.unsent.filter((touch) => !mine.includes(touch));
    this.shout();
  }

  /* A restored server lacks touches of this phone: they are sent again; a ruling is no touch of it. Of two phones the
     first to come sends those of both, and is the only one until the other sits down again. */
  async sendAnew(last) {
    const { sitting, game } = this;
    const alone = this.seat === null ? [] : [this.made("take_over", { line: "restored" })];
    const gone = sitting.taps.filter((tap) => tap.n > last && !tap.ruled && !(alone.length && tap.kind === "take_over"));
    const lost = [...alone, ...gone];
    const first = this.unsent[0]?.order ?? lost.length + 1;
    const touches = lost.map((tap, place) => ({ ...tap, game, aside: "", order: first - (lost.length - place) / (lost.length + 1) }));
    const next = { ...sitting, taps: sitting.taps.filter((tap) => tap.n <= last), after: last, keeper: null };
    await this.store.put(...touches);
    await this.store.keep(next);
    this.sitting = next;
    this.unsent = [...touches, ...this.unsent];
  }

  async setAside(touches, why) {
    const marked = touches.map((touch) => ({ ...touch, aside: why }));
    await this.store.put(...marked);
    this.unsent = this.unsent.filter((touch) => !touches.includes(touch));
    this.aside.push(...marked);
    this.paint();
  }

  /* --- Two pads --- */

  /* `withMine`: unsent touches follow what is there; else they are set aside on the phone. `seat`: only for that seat. */
  async takeOver(withMine, seat) {
    await this.inTurn(async () => {
      const mine = this.unsent;
      if (!withMine) await this.setAside(mine, this.face.words.set_aside);
      const order = withMine && mine.length ? mine[0].order - 0.5 : 0.5;
      const touch = this.made("take_over", { order, seat });
      const next = { ...this.sitting, keeper: seat === undefined ? null : { mine: true, seat, seats: [seat] } };
      await this.store.put(touch);
      await this.store.keep(next);
      this.unsent.unshift(touch);
      this.sitting = next;
    });
    this.paint();
    this.drain();
  }

  /* --- The end --- */

  /* Kept on the phone: what somebody said about the end of the game. */
  remember(facts) {
    return this.inTurn(async () => {
      const next = { ...this.sitting, ...facts };
      await this.store.keep(next);
      this.sitting = next;
      this.paint();
    });
  }

  /* Only after somebody has said so, and when every touch is there. */
  async handIn() {
    if (!this.sitting.handing || this.watching || this.unsent.length || !this.now().ended) return false;
    const { pad, after, handing } = this.sitting;
    const { status, body } = await this.link.send(this.given.addresses.hand_in, { pad, after, insist: handing === "insist" });
    if (status >= 500 || status === 429) throw new Error(status);
    if (status === 200 || status === 409) await this.inTurn(() => this.adopt(body));
    if (status === 409) return true;
    if (status === 401) this.line.fault = "sign-in";
    else await this.remember({ handing: "", trouble: status === 200 ? "" : body.detail ?? String(status), code: body.code ?? "" });
    return false;
  }

  /* Yes takes two touches, and where one phone asks both sides, both say it. The answers are sent with the last one. */
  yes(seat) {
    const { asks, result } = this.sitting.done;
    if (this.face.asked !== seat) return void (this.face.asked = seat);
    this.face.asked = null;
    const agreed = this.face.agreed[result] ?? [];
    this.face.agreed = { [result]: [...agreed, seat] };
    const mine = asks.find((one) => one.seat === seat);
    if (asks.some((one) => !this.face.agreed[result].includes(one.seat))) return;
    this.face.agreed = { [result]: agreed };
    if (mine.pin) return this.face.openWord(seat, true, this.sitting);
    return this.tell({ seat, agrees: true });
  }

  /* The word of a side about the result, on its way at once: nothing is agreed to without the server. */
  async tell(word) {
    const { sitting, given, link, face } = this;
    const address = `${given.addresses.confirm}?after=${sitting.after}&pad=${sitting.pad}`;
    let answer = { status: 0, body: {} };
    try {
      answer = await link.send(address, { ...word, result: sitting.done.result, pad: sitting.pad });
    } catch {
      this.line = { ...this.line, up: false };
    }
    const { status, body } = answer;
    if (status === 200) {
      await this.inTurn(() => this.adopt(body));
      face.heard(body.told);
    } else face.unheard(status ? body.detail ?? String(status) : face.words.not_heard);
    this.paint();
  }

  /* --- What people touch --- */

  shared() {
    return {
      undo: () => this.undo(),
      more: () => this.face.open("more"),
      say_time: () => this.face.say("time_said", { time: this.clock ? this.face.digits(this.clock) : "–" }),
      hand_in: () => this.remember({ handing: "yes", trouble: "" }).then(() => this.drain()),
      insist: () => this.remember({ handing: "insist", trouble: "" }).then(() => this.drain()),
      yes: ({ seat }) => this.yes(seat),
      disagree: ({ seat }) => this.face.openWord(seat, false, this.sitting),
      send_word: () => this.tell(this.face.word()),
      take_over: () => this.takeOver(true),
      take_over_without: () => this.takeOver(false),
      clock: async () => {
        const act = this.clock && { "not-started": "start", running: "pause", paused: "resume" }[this.clock.state];
        if (!act) return;
        await this.link.clock(act).catch(() => {});
        this.drain();
      },
    };
  }

  pressed(event) {
    const button = event.target.closest("[data-do]");
    if (!button || button.getAttribute("aria-disabled") === "true") return;
    const act = this.acts[button.dataset.do];
    if (!act) return this.face.press(button);
    if (!this.store || (this.watching && button.closest("[data-scoring]"))) return;
    const { seat, points, value } = button.dataset;
    Promise.resolve(act({ seat: Number(seat), points: Number(points), value })).then(() => this.paint());
  }

  /* --- The phone --- */

  async stayAwake() {
    if (document.hidden || !navigator.wakeLock || this.lock) return;
    try {
      this.lock = await navigator.wakeLock.request("screen");
      this.lock.addEventListener("release", () => (this.lock = null));
    } catch {
      /* The battery is low, or so: the pad works all the same. */
    }
  }

  /* Whether this browser keeps anything. */
  async opened() {
    try {
      this.store = await this.openStore();
      await this.read();
      return true;
    } catch {
      this.store = null;
      this.sitting = this.empty("");
      this.face.noStorage();
      return false;
    }
  }

  async begin() {
    const { root, given, face } = this;
    const opened = this.opened();
    root.hidden = false;
    // A tap before that counts, too.
    root.addEventListener("click", (event) => opened.then(() => this.pressed(event)));
    if (!(await opened)) return;
    this.paint();
    root.dataset.ready = "yes";
    navigator.storage?.persist?.().catch(() => {});
    this.stayAwake();
    if (navigator.serviceWorker) navigator.serviceWorker.register(given.addresses.worker).catch(() => {});
    else face.noWorker();
    this.listen();
    setInterval(() => this.drain(), BEAT);
    setInterval(() => this.tick(), 250);
    this.drain();
  }

  /* A timer stands still while its phone sleeps: then only the server knows the clock. */
  tick() {
    const drift = Date.now() - performance.now();
    if (Math.abs(drift - (this.drift ?? drift)) > DRIFT) this.drain();
    this.drift = drift;
    this.face.tick(this.clock, this.line);
  }

  listen() {
    if (window.BroadcastChannel) {
      this.channel = new BroadcastChannel("domino-pad");
      this.channel.onmessage = (event) => event.data === this.game && this.inTurn(() => this.read()).then(() => this.paint());
    }
    window.addEventListener("online", () => this.drain());
    window.addEventListener("offline", () => {
      this.line = { ...this.line, up: false };
      this.paint();
    });
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) return;
      this.stayAwake();
      this.drain();
    });
  }
}
