"""Two logs of one game, or a log and a card, side by side: exactly what differs, and what each version leads to."""

from dataclasses import replace
from random import Random

import pytest

from games.moves import Play
from games.notation.gamelog import GameLog
from games.notation.reading import dumps, loads
from games.rulesets import RULESETS
from referee import verify, verify_text
from referee.cards.sheet import read
from referee.cards.tally import read_card
from referee.playouts.simulate import Hidden, simulate
from referee.rulings.alignment import align
from referee.rulings.card_difference import HandDifference, compare_with_card
from referee.rulings.difference import compare_logs
from referee.rulings.outcomes import outcome_of
from referee.rulings.protests import ProtestKind
from referee.rulings.two_records import protest_between
from tests.referee.logs import HANDS, HEADER
from tests.referee.true_cards import WAYS, true_game, written
from tests.volume import SEED, THOROUGH, amount

GAME = HEADER + "round 1\n" + HANDS + "A 6-6\nB 6-3 on 6-6\nA 6-5 on 6-6\nA muggins\nA concedes\n"


def read_one(text):
    (log,) = loads(text)
    return log


def compared(left, right):
    return compare_logs(read_one(left), read_one(right))


def lines(comparison):
    """Line numbers of the differences, left and right."""
    return [(one.left and one.left.line, one.right and one.right.line) for one in comparison.differences]


@pytest.mark.parametrize(
    ("right", "places", "sentence"),
    [
        (
            GAME.replace("B 6-3 on 6-6", "B 6-3 on 6-6 call 15"),
            [(8, 8)],
            "If Bo Chen announced 15 with 6-3: 0–15, Bo Chen wins; if not: 15–0, Bo Chen wins",
        ),
        (
            GAME.replace("A muggins\n", ""),
            [(10, None)],
            "If Ana Ruiz called muggins: 15–0, Bo Chen wins; if not: 0–0, Bo Chen wins",
        ),
        (
            GAME.replace("A 6-5 on 6-6\n", "A muggins\nA 6-5 on 6-6\n"),
            [(None, 9)],
            "If Ana Ruiz called muggins: 15–0, Bo Chen wins; if not: 15–0, Bo Chen wins",
        ),
        (
            GAME.replace("A 6-5 on 6-6\n", "0:15 A 6-5 on 6-6\n"),
            [(9, 9)],
            (
                "If Ana Ruiz played 6-5 on 6-6, without a time: 15–0, Bo Chen wins; "
                "if Ana Ruiz played 6-5 on 6-6 at 0:15: 15–0, Bo Chen wins"
            ),
        ),
        (
            GAME.replace('"Bo Chen"]', '"Bo Chen"]\n[Result "15-0"]'),
            [(None, None)],
            "If Result is 15-0: 15–0, Bo Chen wins; if not: 15–0, Bo Chen wins",
        ),
    ],
)
def test_one_changed_line_is_one_difference(right, places, sentence):
    found = compared(GAME, right)
    assert lines(found) == places
    assert [one.text for one in found.sentences()] == [sentence]
    assert (found.left, found.right) == tuple(outcome_of(*verify_text(text)) for text in (GAME, right))
    assert found.differences[0].outcome == found.right


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("A 6-6\n", "A   6-6   # twelve\n\n"),
        ("B 6-3 on 6-6", "B 3-6"),
        ("6-3 6-2 5-5 5-4", "5-4 6-3 2-6 5-5"),
        ("round 1", "\n# the first\nround 1"),
    ],
)
def test_spelling_makes_no_difference(old, new):
    assert GAME.replace(old, new) != GAME
    assert compared(GAME, GAME.replace(old, new)).differences == ()


def test_a_log_that_cannot_be_true_is_named_as_such():
    found = compared(GAME, GAME.replace("A 6-5 on 6-6", "A 5-5 on 6-6"))
    (sentence,) = found.sentences()
    assert sentence.text == (
        "If Ana Ruiz played 6-5 on 6-6: 15–0, Bo Chen wins; "
        "if Ana Ruiz played 5-5 on 6-6: 0–0, up to a line that cannot be true"
    )


def test_two_quite_different_texts_are_paired_line_by_line():
    left, right = [f"left {n}" for n in range(400)], [f"right {n}" for n in range(300)]
    steps = align(left, right, lambda one, other: 0 if one == other else 30)
    assert len(steps) == 400
    assert [step.in_right for step in steps] == [True] * 300 + [False] * 100


# ---- Random pairs

PAIRS = 10_000
QUICK = 300
APART = 3


def playouts(count, seed):
    """Texts of simulated games, of every system in turn."""
    keys = list(RULESETS)
    for number in range(count):
        hidden = list(Hidden)[number % 3]
        yield from simulate(keys[number % len(keys)], games=1, seed=seed + number, style="random", hidden=hidden)


def meant(event):
    """The event without what need not be named."""
    return replace(event, on=None) if isinstance(event, Play) else event


def other_entry(log, at, rng):
    """Another entry of the same log, as a wrong line may be: different from its neighbours."""
    near = [meant(entry.event) for entry in log.entries[max(0, at - APART) : at + APART + 1]]
    others = [entry for entry in log.entries if meant(entry.event) not in near]
    return rng.choice(others)._replace(at=log.entries[at].at)


def spoil(log, rng):
    """A log with one to three lines changed, removed or inserted, some lines apart; and the places in both logs."""
    entries, done, shift = list(log.entries), [], 0
    for at in sorted(rng.sample(range(APART, len(entries) - APART, 2 * APART), rng.randint(1, 3))):
        kind = rng.choice(("change", "remove", "insert"))
        new = [] if kind == "remove" else [other_entry(log, at, rng)]
        old = kind != "insert"
        entries[at + shift : at + shift + old] = new
        done.append((at if old else None, at + shift if new else None))
        shift += len(new) - old
    return read_one(dumps(GameLog(dict(log.tags), entries))), done


def is_place(log, entry, at):
    """Whether an entry is the one at this place, or an equal one with equal ones only between them."""
    if entry is None or at is None:
        return entry is None and at is None
    found = [one.line for one in log.entries].index(entry.line)
    between = log.entries[min(found, at) : max(found, at) + 1]
    return all(one.event == entry.event for one in between)


def check_pairs(count, seed):
    rng = Random(f"pairs {seed}")
    for text in playouts(count, seed):
        left = read_one(text)
        right, done = spoil(left, rng)
        found = compare_logs(left, right)
        for one, (old, new) in zip(found.differences, done, strict=True):
            assert is_place(left, one.left, old), (dumps(left), dumps(right))
            assert is_place(right, one.right, new), (dumps(left), dumps(right))
        assert (found.left, found.right) == (outcome_of(verify(left)), outcome_of(verify(right)))
        assert [one.outcome for one in found.differences if one.left] == [*outcomes_one_by_one(left, found.differences)]


def outcomes_one_by_one(left, differences):
    """Outcomes of the first log with one changed or removed line, by the lines of its text."""
    for one in differences:
        if one.left is not None:
            lines = dumps(left).split("\n")
            new = [] if one.right is None else [dumps(GameLog({}, [one.right])).strip()]
            lines[one.left.line - 1 : one.left.line] = new
            yield outcome_of(*verify_text("\n".join(lines)))


def test_a_difference_names_exactly_what_was_changed():
    check_pairs(PAIRS if THOROUGH else amount(QUICK), SEED * PAIRS)


# ---- A log beside a card


def test_a_hand_of_one_side_only():
    card = read({"scores": [15, 0], "rounds": [{"play": [0, 0]}, {"play": [0, 0]}]}, RULESETS["udl"])
    assert [(one.hand, one.figure) for one in compare_with_card(read_one(GAME), card).differences] == [(2, "hand")]


def test_a_hand_that_only_the_log_has():
    game = next(game for game in map(true_game, range(100)) if len(game.card["rounds"]) > 1)
    rounds = game.card["rounds"][:-1]
    found = compare_with_card(game.log, read({**game.card, "rounds": rounds}, game.rules, game.seats))
    assert found.differences == (HandDifference(len(rounds) + 1, "hand", None, "played", None),)
    assert found.differences[0].sentence(found.names).text == f"hand {len(rounds) + 1}: only in one of both"


def test_a_penalty_before_the_first_hand_belongs_to_it():
    log = read_one(GAME.replace("round 1\n", 'penalty B 30 "late"\nround 1\n'))
    card = read({"scores": [45, 0], "rounds": [{"penalties": [30, 0], "muggins": [15, 0]}]}, RULESETS["udl"])
    assert compare_with_card(log, card).differences == ()


def test_a_winner_that_only_the_card_has():
    card = read({"scores": [15, 0], "rounds": [{"ended": "domino", "winner": 0}]}, RULESETS["udl"])
    found = compare_with_card(read_one(GAME), card)
    assert [one.sentence(found.names).text for one in found.differences] == [
        "hand 1: its end is open by the log, domino on the card",
        "hand 1: the winner is nobody by the log, Ana Ruiz on the card",
    ]


FIGURES = [
    ({"play": [0, 15], "muggins": [0, 0]}, [(1, "play", 1, 0, 15), (1, "muggins", 0, 15, 0)]),
    ({"play": [0, None], "muggins": [15, 0]}, []),
    ({"totals": [0, 15]}, [(1, "points", 0, 15, 0), (1, "points", 1, 0, 15)]),
    ({"muggins": [10, 0], "totals": [10, 0]}, [(1, "muggins", 0, 15, 10)]),
    ({"spinner": "5-5"}, [(1, "spinner", None, "6-6", "5-5")]),
    ({"spinner": "6-6", "penalties": [0, 0], "bonus": [0, 0]}, []),
    ({"ended": "domino", "winner": 0}, [(1, "ended", None, "open", "domino"), (1, "winner", None, None, 0)]),
]


@pytest.mark.parametrize(("row", "due"), FIGURES)
def test_a_card_differs_in_the_figures_of_its_hands(row, due):
    card = read({"scores": [15, 0], "rounds": [row]}, RULESETS["udl"])
    assert list(compare_with_card(read_one(GAME), card).differences) == due


def test_the_sentence_has_names():
    card = read({"scores": [0, 15], "ended": "target", "winner": 1, "rounds": [FIGURES[0][0]]}, RULESETS["udl"])
    found = compare_with_card(read_one(GAME), card)
    assert [one.sentence(found.names).text for one in found.differences] == [
        "hand 1: Bo Chen has 0 from own plays by the log, 15 on the card",
        "hand 1: Ana Ruiz has 15 by muggins by the log, 0 on the card",
        "Ana Ruiz has 15 in the end by the log, 0 on the card",
        "Bo Chen has 0 in the end by the log, 15 on the card",
        "the end of the game is concession by the log, target on the card",
    ]
    assert (found.log.scores, found.card.scores) == ((15, 0), (0, 15))


GAMES = 100


@pytest.mark.parametrize("way", WAYS)
def test_the_true_card_and_tally_of_a_log_do_not_differ_from_it(way):
    for seed in range(SEED * GAMES, SEED * GAMES + amount(GAMES) // len(WAYS)):
        game = true_game(seed)
        card = read(written(game, way, Random(seed)), game.rules, game.seats)
        assert compare_with_card(game.log, card).differences == (), seed
        folded = read_card({"taps": game.taps}, game.rules, game.seats)
        assert compare_with_card(game.log, folded).differences == (), seed


def test_one_wrong_figure_is_one_difference():
    for seed in range(SEED * GAMES, SEED * GAMES + amount(GAMES)):
        game, rng = true_game(seed), Random(seed)
        at = rng.randrange(len(game.card["rounds"]))
        row = {
            name: list(value) if isinstance(value, list) else value for name, value in game.card["rounds"][at].items()
        }
        column = rng.choice([name for name in ("play", "muggins", "bonus", "penalties") if name in row])
        seat = rng.randrange(game.seats)
        due = row[column][seat]
        row[column][seat] += 5
        rounds = [*game.card["rounds"][:at], row, *game.card["rounds"][at + 1 :]]
        found = compare_with_card(game.log, read({**game.card, "rounds": rounds}, game.rules, game.seats))
        assert found.differences == (HandDifference(at + 1, column, seat, due, due + 5),), seed


# ---- Two logs as a protest


@pytest.mark.parametrize(
    ("old", "new", "due"),
    [
        ("B 6-3 on 6-6", "B 6-3 on 6-6 call 15", (ProtestKind.COUNT, 1, 8, 15)),
        ("B 6-3 on 6-6\n", "B 6-3 on 6-6\nB call 15\n", (ProtestKind.COUNT, 1, 8, 15)),
        ("A muggins\n", "", (ProtestKind.MUGGINS, 1, 8, None)),
        ("A 6-5 on 6-6\nA muggins\n", "A 6-5 on 6-6\nA muggins\nscore 15-0\n", None),
        ("A 6-5 on 6-6\n", "0:09 A 6-5 on 6-6\n", None),
        ("B 6-3 on 6-6", "B 6-2 on 6-6", None),
        ("A concedes\n", 'A concedes\nnote "so"\n', None),
    ],
)
def test_a_difference_of_calls_or_results_is_a_protest(old, new, due):
    left, right = read_one(GAME), read_one(GAME.replace(old, new))
    (one,) = compare_logs(left, right).differences
    protest = protest_between(left, right, one)
    assert (protest and (protest.kind, protest.by, protest.line, protest.number)) == due
    assert protest is None or protest.miswritten


def test_a_difference_of_totals_is_a_protest_about_the_result():
    left, right = (read_one(GAME.replace("A concedes", f"score {score}")) for score in ("15-0", "0-15"))
    (one,) = compare_logs(left, right).differences
    assert protest_between(left, right, one).kind is ProtestKind.RESULT
