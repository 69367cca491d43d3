/* Two phones, one record: each enters its own seat (league/matches/tally/two_phones.py). */
const edition = new URL(import.meta.url).search;
const { filled } = await import(`./pad_face.js${edition}`);
const BEAT = 1_000;

/* Whether the phone of this seat waits for the other one; `seat` is null where one phone enters all. */
export const waits = ({ toAct }, seat) => seat !== null && toAct !== null && toAct !== seat;

/* Whose tiles a phone counts: of two phones each counts its own, once. */
export function toCount({ seats, held, shown }, own) {
  return seats.filter((seat) => held[seat] > 0 && (own === null || (seat === own && !shown[seat])));
}

/* What this phone may do and waits for, and where another player can sit down. */
export function paintTwo(face, state) {
  const { table, hand, sitting, watching } = state;
  const { seat } = face;
  const own = face.given.seat;
  if (seat !== null) {
    face.able("pass", !waits(hand, seat));
    face.able("draw", hand.canDraw && !waits(hand, seat));
    face.able("call", table.last?.seat === seat);
    face.able("count", toCount(table, seat).length > 0);
  }
  const text = seat === null ? "" : asked(face, state);
  face.write("[data-two]", text);
  face.show("[data-two]", text !== "");
  face.show("[data-sits]", watching && own !== null && sitting.keeper?.seats?.length > 0);
  face.show("#pad-more [data-do=phones]", own !== null && !watching);
  face.show("[data-do=sit]", own !== null && seat === null);
  face.show("[data-one-phone]", seat !== null);
}

function asked(face, { table, hand, counted, ended, sitting, aside, unsent }) {
  const { seat, names } = face;
  const words = face.words.two;
  if (ended) return "";
  const counts = table.phase === "count" && table.ended !== "bell" && !counted;
  let key = "";
  if (sitting.keeper.seats.length < 2 && sitting.after && !unsent.length) key = "joins";
  else if (counts && !toCount(table, seat).length) key = "counts";
  else if (waits(hand, seat) && table.phase !== "count") key = "waits";
  const text = key && filled(words[key], { name: names[1 - seat] });
  const refused = aside.at(-1);
  return refused ? `${text} ${filled(words.refused, { tap: face.tapWords(refused), why: refused.aside })}`.trim() : text;
}

export function twoPhones(pad) {
  /* While the other phone is to act, this one asks often what it did. */
  setInterval(() => {
    if (!pad.sitting || pad.seat === null || pad.sending || document.hidden) return;
    const { hand, ended, table } = pad.now();
    if (!ended && (waits(hand, pad.seat) || table.phase !== "play")) pad.drain();
  }, BEAT);

  async function sit() {
    const { seat } = pad.given;
    pad.face.dialog?.close();
    if (pad.watching) return pad.takeOver(true, seat);
    const added = pad.add("take_over", { seat });
    return pad.remember({ keeper: { mine: true, seat, seats: [seat] } }).then(() => added);
  }

  /* The reason is kept. */
  async function onePhone({ value }) {
    pad.face.dialog.close();
    const added = pad.add("take_over", { line: value });
    return pad.remember({ keeper: null }).then(() => added);
  }

  return { sit, phones: () => pad.face.open("phones"), one_phone: onePhone };
}
