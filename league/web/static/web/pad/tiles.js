/* The tile pad of one game: every play, as lines of the notation. Functions of every pad are in pad_core.js. */
const edition = new URL(import.meta.url).search;
const parts = ["pad_store", "pad_link", "pad_core", "pad_fold", "tile_rules", "tile_fold", "tile_face", "two_phones"];
const [{ openStore }, { Link }, { Pad }, { roundPoints }, { letter, replay }, { foldTiles }, { TileFace }, { twoPhones, waits }] = await Promise.all(
  parts.map((part) => import(`./${part}.js${edition}`)),
);

const root = document.getElementById("pad");
const given = JSON.parse(root.dataset.pad);
const { rules } = given;
const face = new TileFace(root, given, JSON.parse(root.dataset.words), { roundPoints });

/* A touch may write several lines; one undo takes all of them back. */
function write(...lines) {
  face.choose(null);
  const { opening, hand } = pad.now();
  const begins = opening && hand !== null && lines.some((line) => opens.test(line));
  return pad.add("line", { line: (begins ? [opening, ...lines] : lines).join("\n") });
}
/* Lines that begin the next hand: a tile laid, drawn, or a pass. */
const opens = /^[A-F] (\w+-\w+|draw|pass|lot)\b/;

/* Whose turn it is; a hand that nobody has led yet may need to be told. */
const turn = (hand) => hand.toAct ?? pad.seat ?? face.leader;

function lay(tile) {
  const { hand } = pad.now();
  const places = hand.layout.places(tile);
  if (hand.layout.has(tile) || waits(hand, pad.seat)) return;
  if (face.lots) return pad.seat === null ? face.choose({ tile, asks: "seat" }) : lot(hand, pad.seat, tile);
  if (!hand.layout.laid.size) return turn(hand) === null ? face.choose({ tile, asks: "seat" }) : write(`${letter(turn(hand))} ${tile}`);
  if (!places.length) return face.fitsNot(tile);
  if (places.length === 1) return put(tile, places[0]);
  face.choose(face.chosen?.tile === tile ? null : { tile, asks: "end", places });
}

/* A tile joined to another one; where its open half is wild, a colour follows. */
function put(tile, on) {
  const { hand } = pad.now();
  const seat = turn(hand);
  if (rules.colours && hand.asksColour(tile, seat)) return face.choose({ tile, asks: "colour", on });
  write(`${letter(seat)} ${tile} on ${on}`);
}

function lot(hand, seat, tile) {
  face.lots = pad.seat === null && !rules.colours && hand.lots.length + 1 < rules.seats;
  return write(`${letter(seat)} lot ${tile}`);
}

/* Ask for a name, and go on with the seat that is tapped. */
const ask = (say, then) => face.choose({ asks: "seat", say, then });

/* Who draws for the lead where nobody holds a double: every seat in its turn, from the first. */
const draws = (hand) =>
  hand.toAct ?? face.leader ?? (rules.drawn_for && !hand.layout.laid.size ? hand.leadDraws % rules.seats : pad.seat);

/* Whose last play a call or a word is about; null where it is not for this phone to say. */
const said = ({ last }) => (last && (pad.seat === null || last.seat === pad.seat) ? letter(last.seat) : null);

/* With two seats the claimant is the other one: of the play that can be claimed, else of the last. */
function claimant({ table }) {
  if (pad.seat !== null) return pad.seat;
  const play = rules.muggins === "after_next" ? table.claims.claimable : table.claims.fresh;
  const scorer = play?.seat ?? (rules.muggins === "after_next" && table.last ? 1 - table.last.seat : table.last?.seat);
  return scorer === undefined ? null : 1 - scorer;
}

/* A line about the seat that was picked under *More*. */
function ruled(line) {
  const { seat, points } = face.sheet;
  face.dialog.close();
  write(line({ seat: Number(seat), points: Number(points) }));
}

const acts = {
  tile: ({ value }) => lay(value),
  onto: ({ value }) => {
    const { chosen } = face;
    if (waits(pad.now().hand, pad.seat)) return;
    if (chosen?.asks === "end" && chosen.places.includes(value)) put(chosen.tile, value);
  },
  colour: ({ value }) => {
    const { chosen } = face;
    if (chosen?.asks === "colour") write(`${letter(turn(pad.now().hand))} ${chosen.tile} on ${chosen.on} colour ${value}`);
  },
  seat: ({ seat }) => {
    if (face.chosen?.then) return face.chosen.then(seat);
    const { hand } = pad.now();
    const tile = face.chosen?.tile;
    if (pad.seat !== null) return;
    if (face.lots && tile) return lot(hand, seat, tile);
    if (hand.toAct !== null || hand.layout.laid.size) return;
    face.lead(seat);
    if (tile) write(`${letter(seat)} ${tile}`);
  },
  call: ({ points }) => {
    const who = said(pad.now().table);
    if (who) write(`${who} call ${points}`);
  },
  draw: () => {
    const { due } = pad.now().hand;
    if (due) return write(`${letter(due.seat)} draw ${due.count}`);
    const seat = draws(pad.now().hand);
    if (seat === null) return face.choose({ asks: "seat" });
    if (pad.seat === null || seat === pad.seat) write(`${letter(seat)} draw 1`);
  },
  pass: () => {
    const { hand } = pad.now();
    if (turn(hand) === null) return face.choose({ asks: "seat" });
    if (!waits(hand, pad.seat)) write(`${letter(turn(hand))} pass`);
  },
  uno: () => {
    const seats = pad.now().hand.unoSeats;
    const say = (seat) => write(`${letter(seat)} uno`);
    if (seats.length === 1) return say(seats[0]);
    ask(face.words.who_uno, say);
  },
  /* Who is caught is asked of everybody: the pad points at nobody. */
  catch: () =>
    ask(face.words.who_catches, (seat) => {
      if (rules.seats === 2) return write(`${letter(seat)} catches ${letter(1 - seat)}`);
      ask(face.words.who_is_caught, (whom) => write(`${letter(seat)} catches ${letter(whom)}`));
    }),
  challenge: () => {
    const seat = pad.now().hand.challenger;
    if (seat !== null) write(`${letter(seat)} challenges`);
  },
  rack: () => face.openRack(pad.now()),
  upheld: () => write("upheld"),
  rejected: () => write("rejected"),
  muggins: () => {
    if (rules.seats > 2) return ask(face.words.who_muggins, (one) => write(`${letter(one)} muggins`));
    const seat = claimant(pad.now());
    if (seat !== null) write(`${letter(seat)} muggins`);
  },
  blocked: () => {
    face.dialog.close();
    write("blocked");
  },
  domino: () => {
    const who = said(pad.now().table);
    face.dialog.close();
    if (who) write(`${who} domino`);
  },
  other_call: () => {
    const who = said(pad.now().table);
    const points = Number(face.sheet.points);
    face.dialog.close();
    if (who && points > 0) write(`${who} call ${points}`);
  },
  lots: () => {
    face.dialog.close();
    face.lots = true;
  },
  turn: () => {
    face.dialog.close();
    return pad.remember({ turned: !pad.sitting.turned });
  },
  agree: () => write("settled"),
  penalty: () => ruled(({ seat, points }) => `penalty ${letter(seat)} ${points} "${face.words.reason}"`),
  concede: () => ruled(({ seat }) => `${letter(seat)} concedes`),
  forfeit: () => ruled(({ seat }) => `${letter(seat)} forfeits "${face.words.reason}"`),
  count: () => face.openHand(pad.now()),
  hand_end: () => {
    const counted = face.closeHand();
    if (face.sheet.rack) return write(...counted);
    const { points, totals } = replay([...pad.now().lines, ...counted], rules);
    write(...counted, ...(points ? [`score ${totals.join("-")}`, ...(face.chips ? [face.chips] : [])] : []));
  },
  bell: () => {
    face.dialog?.close();
    write("bell");
  },
  settle: () => write(`score ${pad.now().after.totals.join("-")}`, "settled"),
  say_score: () => face.sayScore(),
  finish: () => face.openFinish(pad.now()),
  end: async () => {
    const { table, lines } = pad.now();
    face.dialog.close();
    const scored = /^(score|chips) /.test(lines.at(-1) ?? "");
    await write(...(scored ? [] : [`score ${table.totals.join("-")}`]), "end");
    await pad.remember({ handing: "yes", trouble: "" });
    pad.drain();
  },
};

const fold = (taps, sitting) => foldTiles(taps, rules, sitting.keeper?.seat ?? null);
const pad = new Pad({ root, given, face, openStore, Link, acts, fold });
Object.assign(pad.acts, twoPhones(pad));
pad.begin();
