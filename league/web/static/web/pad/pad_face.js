/* Screen of any pad: the line, the keeper, the clock, the sheets. All words come with the page. */
export const filled = (text, facts) => text.replace(/%\((\w+)\)s/g, (_, name) => facts[name]);
const two = (number) => String(number).padStart(2, "0");
const hour = (at) => {
  const when = new Date(at);
  return `${two(when.getHours())}:${two(when.getMinutes())}`;
};

export class Face {
  constructor(root, given, words, rules) {
    Object.assign(this, { root, given, words, ...rules });
    this.names = given.names;
    this.sheet = {};
    /* The seat whose yes waits for its second touch; who said yes to which result, where both are asked. */
    this.asked = null;
    this.agreed = {};
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

  /* --- The pad --- */

  paint(state) {
    const { undoes, ended, sitting, watching } = state;
    this.state = state;
    this.root.dataset.count = sitting.taps.length + (watching ? 0 : state.unsent.length);
    this.write("[data-undoes]", undoes ? this.tapWords(undoes) : this.words.nothing);
    this.able("undo", undoes && !watching);
    this.root.classList.toggle("watching", watching);
    this.show("[data-keeper]", watching);
    if (watching) this.paintKeeper(state);
    this.show("[data-handed]", ended && (!watching || sitting.done?.tally));
    if (ended) this.write("[data-handed-words]", this.endWords(state));
    this.show("[data-to-match]", sitting.done?.tally);
    this.paintAsks(sitting);
    const idle = ended && !sitting.handing && !sitting.done?.tally;
    this.show("[data-do=hand_in]", idle && sitting.code !== "does-not-add-up");
    this.show("[data-do=insist]", idle && sitting.code === "does-not-add-up");
    this.show("[data-call]", sitting.call);
    this.write("[data-call]", sitting.call ?? "");
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
    const result = sitting.done?.said ? filled(this.words.said, { result: sitting.done.said }) : this.resultWords(final, ended);
    if (sitting.handing) return filled(line.up && !unsent.length ? this.words.handing : this.words.hands_in_later, { result });
    if (sitting.done?.tally) return `${filled(this.words.handed_in, { result })} ${sitting.done.words}`;
    return `${filled(this.words.not_handed_in, { result })} ${sitting.trouble ?? ""}`;
  }

  /* --- The word of a side --- */

  paintAsks({ done }) {
    for (const row of this.all("[data-asks]")) {
      const seat = Number(row.dataset.asks);
      const ask = done?.asks?.find((one) => one.seat === seat);
      row.hidden = !ask;
      if (!ask) continue;
      const agreed = this.agreed[done.result]?.includes(seat);
      const words = agreed ? this.words.agrees : this.asked === seat ? this.words.again : this.words.yes;
      this.write(`[data-asks="${seat}"] [data-yes]`, words);
      const yes = row.querySelector("[data-do=yes]");
      yes.setAttribute("aria-pressed", String(this.asked === seat || Boolean(agreed)));
      yes.setAttribute("aria-disabled", String(Boolean(agreed)));
    }
  }

  openWord(seat, agrees, { done, after }) {
    const { words } = this;
    const ask = done.asks.find((one) => one.seat === seat);
    this.open("word", { seat, agrees });
    this.write("[data-word-asked]", filled(agrees ? words.word_yes : words.word_no, { name: this.names[seat] }));
    this.write("[data-word-about]", filled(words.said, { result: done.said }));
    this.write("[data-word-send]", agrees ? words.confirm : words.review);
    this.write("[data-word-refused]", "");
    this.show("[data-word-against]", !agrees);
    this.show("[data-word-pin]", ask.pin || (!agrees && this.given.side !== seat));
    const places = this.state.stand.filter((tap) => tap.n <= after).reverse();
    const option = (value, text) => Object.assign(document.createElement("option"), { value, textContent: text });
    this.one("[data-where]").replaceChildren(option("", words.whole), ...places.map((tap) => option(tap.n, this.tapWords(tap))));
    for (const field of this.dialog.querySelectorAll("input")) field.value = "";
  }

  /* What the sheet says, as it is sent. */
  word() {
    const { seat, agrees } = this.sheet;
    const [where] = this.one("[data-where]").selectedOptions;
    const why = this.one("[data-why]").value.trim();
    const sentence = where.value ? [where.textContent.slice(0, 50), why].filter(Boolean).join(": ") : why;
    return { seat, agrees, pin: this.one("[data-pin]").value.trim(), sentence, tap: Number(where.value) || null };
  }

  heard(told) {
    if (this.dialog?.open) this.dialog.close();
    this.write("[data-word-told]", told ?? "");
  }

  unheard(why) {
    this.write(this.dialog?.open ? "[data-word-refused]" : "[data-word-told]", why);
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

  /* A touch on a sheet that only changes the sheet. */
  press(button) {
    const { do: act, name, value } = button.dataset;
    if (act === "close") return this.dialog.close();
    if (act === "pick") this.pick(name, value);
    if (act === "field") this.sheet.field = name;
    if (act === "digit") this.type(value);
    this.paintSheet();
  }

  pick(name, value) {
    this.sheet[name] = value;
  }

  paintPicks() {
    for (const button of this.dialog.querySelectorAll("[data-do=pick]")) {
      button.setAttribute("aria-pressed", String(this.sheet[button.dataset.name] === button.dataset.value));
    }
  }
}
