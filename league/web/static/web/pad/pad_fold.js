/* What the taps of a tally say. Pure: no page, no network, no hour. The rules come with the page, as data. */
const SCORING = ["points", "muggins", "penalty"];

/* The taps that were not taken back. A later undo decides first: what it takes back has taken nothing back. */
export function standing(taps) {
  const said = taps.filter((tap) => tap.kind !== "take_over");
  const gone = new Set();
  for (const tap of [...said].reverse()) if (tap.kind === "undo" && !gone.has(tap.id)) gone.add(tap.of);
  return said.filter((tap) => tap.kind !== "undo" && !gone.has(tap.id));
}

/* `taps` in their order: {id, kind, seat, points, winner, ended, of}. `holds`: a score that was just announced is no sum
   yet (its claim window may be open), unless `over` is its id. */
export function fold(taps, { holds = false, over = "" } = {}) {
  const said = taps.filter((tap) => tap.kind !== "take_over");
  const stand = standing(said);
  const last = said[said.length - 1];
  const open = holds && last && last.kind === "points" && !last.ruled && last.id !== over ? last : null;
  const scores = [0, 0];
  let rounds = 0;
  let inRound = 0;
  for (const tap of stand) {
    if (tap !== open && SCORING.includes(tap.kind)) scores[tap.seat] += tap.points;
    if (SCORING.includes(tap.kind)) inRound += 1;
    if (tap.kind !== "round_end") continue;
    rounds += 1;
    inRound = 0;
    if (tap.winner !== null && tap.winner !== undefined) scores[tap.winner] += tap.points;
  }
  /* At the end of the game nothing can be claimed any more. */
  const final = [...scores];
  if (open) final[open.seat] += open.points;
  return {
    scores,
    final,
    open,
    round: rounds + 1,
    begun: inRound > 0,
    stand,
    /* A pad takes back no ruling. */
    undoes: stand.filter((tap) => !tap.ruled).at(-1) ?? null,
    ruled: stand.filter((tap) => tap.ruled).at(-1) ?? null,
    ended: stand.find((tap) => tap.kind === "end") ?? null,
    belled: stand.some((tap) => tap.kind === "bell"),
  };
}

/* Chips of their own colour that each has left (RULES.md C3, C7). */
export function chipsLeft(chips, scores) {
  return scores.map((_, seat) => Math.max(0, chips - Math.floor(scores[1 - seat] / 5)));
}

const r5 = (pips) => 5 * Math.floor((pips + 2) / 5);

const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);

/* Points of the winner of a round from what is left in the hands, by the terms of the ruleset. */
export function roundPoints(terms, left, winner) {
  const mine = left[winner];
  if (terms.tiles) return Math.floor((5 * sum(left.map((one) => Math.max(0, one - mine)))) / terms.divisor);
  let points = sum(left) - terms.own * mine;
  if (terms.per_hand) points = sum(left.map(r5)) - terms.own * r5(mine);
  else if (terms.rounded) points = r5(points);
  return Math.floor(Math.max(0, points) / terms.divisor);
}

/* Who has less left wins a blocked round; null where both have the same. */
export function fewest(left) {
  return left[0] === left[1] ? null : Number(left[1] < left[0]);
}
