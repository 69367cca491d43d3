/* What the taps of a tile pad say: the standing lines, the table, and what comes next. Pure. */
const edition = new URL(import.meta.url).search;
const [{ standing, chipsLeft }, { replay }] = await Promise.all([import(`./pad_fold.js${edition}`), import(`./tile_rules.js${edition}`)]);

/* `table` is the table as it lies. `hand` is the table that the next tile goes to: another one once a hand is counted, and
   then `opening` is the line before that tile. `over`: how the game ends if nothing more is said. */
export function foldTiles(taps, rules, seat = null) {
  const stand = standing(taps).filter((tap) => tap.kind === "line");
  const lines = stand.flatMap((tap) => tap.line.split("\n"));
  /* Of two phones each takes back its own, and agrees to what the other one counted. */
  const mine = (tap) => Boolean(tap) && (seat === null || tap.side === undefined || tap.side === seat + 1);
  const counter = stand.findLast((tap) => / scores /.test(tap.line));
  const table = replay(lines, rules);
  const counted = table.phase === "count" && table.points !== null;
  const after = counted ? replay([...lines, "settled"], rules) : table;
  const opening = after.phase === "between" ? `round ${table.round + 1}` : "";
  return {
    stand,
    lines,
    entries: said(taps, stand, seat !== null),
    table,
    after,
    opening,
    counted,
    hand: opening ? replay([...lines, opening], rules) : table,
    over: after.over,
    final: after.totals,
    ended: lines.at(-1) === "end" ? { winner: after.winner, how: after.over } : null,
    belled: lines.includes("bell"),
    chips: chipsSaid(lines, rules),
    undoes: mine(stand.at(-1)) ? stand.at(-1) : null,
    agrees: counted && (seat === null || !mine(counter)),
  };
}

/* The chips that were last counted and those that the score gives; `closed`: the claim windows of that hand are. */
function chipsSaid(lines, rules) {
  const place = lines.findLastIndex((line) => line.startsWith("chips "));
  if (place < 0) return null;
  const said = lines[place].split(" ")[1].split("-").map(Number);
  const { totals } = replay([...lines.slice(0, place), "settled"], rules);
  const closed = lines.slice(place).some((line) => /^(settled|end|round )/.test(line));
  return { said, due: chipsLeft(rules.chips, totals), closed };
}

/* Every entry that stands, and those taken back after another seat's next entry: {line, gone}. With `all` of two phones
   each sees all that was taken back. */
function said(taps, stand, all) {
  const seat = (tap) => tap.line.split("\n").at(-1)[0];
  const late = (tap) => {
    const between = taps.slice(taps.indexOf(tap), taps.findIndex((one) => one.of === tap.id));
    return between.some((one) => one.kind === "line" && seat(one) !== seat(tap));
  };
  return taps
    .filter((tap) => tap.kind === "line" && (all || stand.includes(tap) || late(tap)))
    .flatMap((tap) => tap.line.split("\n").map((line) => ({ line, gone: !stand.includes(tap) })));
}

/* Totals that a player who scores may see: without plays whose claim window is open (SCREENS.md, leaks). */
export function shownTotals(table, holds) {
  const shown = [...table.totals];
  if (!holds || table.over) return shown;
  for (const play of table.claims.open) for (const [seat, points] of play.given) shown[seat] -= points;
  return shown;
}
