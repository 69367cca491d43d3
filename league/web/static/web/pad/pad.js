/* The score pad of one game: a tap a score. Functions of every pad are in pad_core.js. */
const edition = new URL(import.meta.url).search;
const [{ fold, chipsLeft, roundPoints, fewest }, { openStore }, { Link }, { ScoreFace }, { Pad }] = await Promise.all(
  ["fold", "store", "link", "score", "core"].map((part) => import(`./pad_${part}.js${edition}`)),
);

const root = document.getElementById("pad");
const given = JSON.parse(root.dataset.pad);
const face = new ScoreFace(root, given, JSON.parse(root.dataset.words), { chipsLeft, roundPoints, fewest });

async function finish({ bell, ...facts }) {
  if (bell) await pad.add("bell");
  await pad.add("end", facts);
  await pad.remember({ handing: "yes", trouble: "" });
  pad.drain();
}

const acts = {
  points: ({ seat, points }) => {
    if (face.muggins === seat) pad.add("muggins", { seat, points });
    else pad.add("points", { seat, points });
    face.arm(null);
  },
  muggins: ({ seat }) => face.arm(face.muggins === seat ? null : seat),
  over: async () => {
    const { open } = pad.now();
    if (open) await pad.remember({ over: open.id });
  },
  round: () => face.openRound(pad.now()),
  round_end: () => {
    const facts = face.closeRound();
    if (facts) pad.add("round_end", facts);
  },
  say_score: () => {
    const [first, second] = given.names;
    const { scores: [own, other], round } = pad.now();
    face.say("score_said", { first, second, own, other, round });
  },
  other: () => {
    const facts = face.closeOther();
    if (facts) pad.add(facts.kind, { seat: facts.seat, points: facts.points });
  },
  finish: () => face.openFinish(pad.now()),
  bell: () => pad.add("bell"),
  end: () => {
    const facts = face.closeFinish();
    if (facts) finish(facts);
  },
};

const pad = new Pad({
  root,
  given,
  face,
  openStore,
  Link,
  acts,
  fold: (taps, { over }) => fold(taps, { holds: given.holds, over }),
});
pad.begin();
