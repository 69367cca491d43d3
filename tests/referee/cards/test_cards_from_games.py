"""Cards made from games that were played out: every true card passes, every planted error is found at its row."""

from functools import cache
from pathlib import Path
from random import Random

import pytest

from games.rulesets import get
from referee.cards import check as card
from referee.cards import tally
from referee.cards.check import CHECKS, CardReason
from tests.referee.card_faults import CARD_PLANTERS, plant_in
from tests.referee.true_cards import WAYS, true_game, written
from tests.volume import amount, seeds

GAMES = 1000
"""Games; each gives a card written in every one of the five ways."""
FEWEST, ENOUGH = 3, 6
DOCS = Path(__file__).parents[3] / "docs" / "cards.md"


played = cache(true_game)


def games():
    """Those of this run."""
    return [played(seed) for seed in seeds(GAMES)]


def findings(data, game, *, taps=False):
    checked = tally.check(data, game.rules, game.seats) if taps else check(data, game)
    return checked.findings


def check(data, game):
    return card.check(card.read(data, game.rules, game.seats))


@pytest.mark.slow("play-outs")
def test_true_cards_pass():
    passed = 0
    ends = set()
    for seed, game in zip(seeds(GAMES), games(), strict=True):
        for way in WAYS:
            checked = check(written(game, way, Random(seed)), game)
            worse = [finding for finding in checked.findings if finding.severity != "note"]
            assert worse == [], (seed, way, game.rules.key, dict(game.rules.overrides))
            assert checked.status == "verified"
            assert checked.scores == tuple(game.card["scores"])
            passed += 1
        ends.add(game.card["ended"])
    assert passed == 5 * len(seeds(GAMES))
    assert ends == {"target", "bell", "overtime"}
    assert {game.rules.key for game in games()} == {"udl", "muggins", "all-fives", "double-six", "uno-dominoes"}


def test_true_tallies_pass_and_fold_into_the_card():
    for seed, game in enumerate(games()):
        folded = tally.card_of(game.taps, game.rules, game.seats)
        assert folded["scores"] == game.card["scores"], seed
        assert folded["chips"] == game.card.get("chips"), seed
        for row, true in zip(folded["rounds"], game.card["rounds"], strict=False):
            same = {name: value for name, value in row.items() if name in true and name != "winner"}
            if "totals" in true:
                assert same == {name: true[name] for name in same}, seed
        checked = tally.check({"taps": game.taps}, game.rules, game.seats)
        assert [finding for finding in checked.findings if finding.severity != "note"] == [], seed
        assert (checked.scores, checked.winner, checked.ended) == (
            tuple(game.card["scores"]),
            game.card["winner"],
            game.card["ended"],
        )


def with_undos(taps, rng):
    """The same tally by somebody who mistaps: wrong taps anywhere, taken back at once or later, one undo undone."""
    made = []

    def tap(**fields):
        made.append({**fields, "n": len(made) + 1})
        return len(made)

    wrong = []
    for one in taps:
        if rng.random() < 0.3:
            wrong.append(tap(kind="points", seat=0, points=35))
            if rng.random() < 0.3:
                undo = tap(kind="undo", of=wrong[-1])
                tap(kind="undo", of=undo)
        if wrong and rng.random() < 0.5:
            tap(kind="undo", of=wrong.pop(rng.randrange(len(wrong))))
        tap(**{name: value for name, value in one.items() if name != "n"})
    for n in wrong:
        tap(kind="undo", of=n)
    return made


def test_what_was_undone_never_was_wherever_it_stood():
    for seed, game in enumerate(games()[: amount(300)]):
        mistapped = with_undos(game.taps, Random(seed))
        assert len(mistapped) >= len(game.taps)
        assert tally.card_of(mistapped, game.rules, game.seats) == tally.card_of(game.taps, game.rules, game.seats)
        codes = [
            [finding.code for finding in tally.check({"taps": taps}, game.rules, game.seats).findings]
            for taps in (mistapped, game.taps)
        ]
        assert codes[0] == codes[1]


# ---- planted errors


def test_every_code_is_planted():
    assert {reason for reason, _ in CARD_PLANTERS.values()} == set(CardReason)


def places(name):
    """Some games in which the error finds a place, with it."""
    found = []
    for seed in range(GAMES):
        game = played(seed)
        planted = plant_in(game, name, Random(seed))
        if planted is not None:
            found.append((game, planted))
            if len(found) == ENOUGH * 4:
                break
    # Spread over systems and house rules: games stand in turn.
    return found[:: max(1, len(found) // ENOUGH)]


@pytest.mark.parametrize("name", CARD_PLANTERS)
def test_a_planted_error_is_found_at_its_row_and_nothing_else(name):
    reason = CARD_PLANTERS[name][0]
    spoilt = places(name)
    assert len(spoilt) >= FEWEST
    for game, (data, row, taps) in spoilt:
        before = {(f.row, f.code) for f in findings(game.card, game)}
        if taps:
            before = {(f.row, f.code) for f in findings({"taps": game.taps}, game, taps=True)}
        found = {(f.row, f.code) for f in findings(data, game, taps=taps)}
        assert found - before == {(row, reason.value)}, (game.rules.key, dict(game.rules.overrides), data)


@pytest.mark.parametrize("name", CARD_PLANTERS)
def test_with_its_check_switched_off_a_planted_error_is_missed(name, monkeypatch):
    reason = CARD_PLANTERS[name][0]
    # In its place, for the checks are made in order.
    if reason in CHECKS:
        monkeypatch.setitem(CHECKS, reason, lambda _: iter(()))
    monkeypatch.setattr(tally, "TAP_CHECKS", tally.TAP_CHECKS - {reason})
    for game, (data, _, taps) in places(name)[:FEWEST]:
        assert reason.value not in {f.code for f in findings(data, game, taps=taps)}


# ---- what a card can't see


def share_of_pairs(key, pairs=10_000):
    """Of random pairs of numbers up to twice the target, how many pass as a final score."""
    rules, rng = get(key), Random(f"pairs {key}")
    passed = 0
    for _ in range(pairs):
        data = {"scores": [rng.randrange(2 * rules.target + 1) for _ in range(2)]}
        passed += card.check(card.read(data, rules)).status == "verified"
    return 100 * passed / pairs


def share_of_slips():
    """Of true cards with everything written, one of whose numbers was changed at random, how many pass."""
    passed = slips = 0
    for seed in range(GAMES):
        rng, game = Random(f"slip {seed}"), played(seed)
        data = written(game, "everything", rng)
        row = rng.choice(data["rounds"])
        name = rng.choice([name for name, value in row.items() if isinstance(value, list)])
        seat = rng.randrange(game.seats)
        row[name] = [rng.randrange(60) if one == seat else n for one, n in enumerate(row[name])]
        if row[name] != game.card["rounds"][data["rounds"].index(row)][name]:
            slips += 1
            passed += check(data, game).status == "verified"
    return 100 * passed / slips


@pytest.mark.slow("published figures, over 10,000 pairs a system")
@pytest.mark.parametrize("key", ["udl", "muggins", "all-fives", "double-six", "uno-dominoes"])
def test_how_many_random_pairs_pass_as_a_score(key, capsys):
    share = f"{share_of_pairs(key):.1f} %"
    with capsys.disabled():
        print(f"\n{key}: {share} of random pairs pass as a final score")
    (line,) = [line for line in DOCS.read_text(encoding="utf-8").splitlines() if line.startswith(f"| `{key}` |")]
    assert share in line


@pytest.mark.slow("a published figure, over 1,000 games")
def test_how_many_slips_of_the_pen_pass(capsys):
    share = f"{share_of_slips():.1f} %"
    with capsys.disabled():
        print(f"\n{share} of full cards with one number changed at random pass")
    assert f"{share} of them pass" in " ".join(DOCS.read_text(encoding="utf-8").split())
