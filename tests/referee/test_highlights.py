"""Best play and hand, muggins and time of a game (`referee.highlights`), held against its frames, figures and text."""

import re
from dataclasses import replace
from random import Random

import pytest

from games.moves import SEATS, Play
from games.notation.reading import dumps, loads
from games.rulesets import get
from referee.cards.sheet import read
from referee.figures import verify_and_count
from referee.frames import reel
from referee.highlights import Highlights, card_highlights, log_highlights
from referee.playouts.habits import Habits
from referee.playouts.pips import playout
from referee.playouts.uno import playout_uno
from tests.volume import seeds

GAMES = [
    (ruleset, players, seed)
    for ruleset, players in [
        ("udl", 2),
        ("all-fives", 2),
        ("all-fives", 4),
        ("muggins", 2),
        ("double-six", 2),
    ]
    for seed in seeds(8)
]


def played(ruleset: str, players: int, seed: int) -> str:
    names = ["Ana Ruiz", "Bo Chen", "Cleo Diaz", "Dan Eze"][:players]
    habits = Habits(miss=0.3, muggins=0.6, timed=seed % 3 > 0)
    return dumps(playout(ruleset, rng=Random(f"{ruleset} {players} {seed}"), seats=names, habits=habits).log)


def differing(text: str, told: Highlights) -> set[str]:
    """Compare highlights with the same facts from frames, figures and text; return the names of those that differ."""
    [log] = loads(text)
    film = reel(log)
    verdict, figures = verify_and_count(text)
    steps = {
        (
            film.plays[frame.line].awarded.get(frame.event.seat, 0),
            frame.event.seat,
            one.number,
            step,
            frame.event.tile.name,
        )
        for one in film.rounds
        for step, frame in enumerate(one.frames)
        if isinstance(frame.event, Play) and frame.line in film.plays
    }
    gains = {
        (after - before, seat, one.number)
        for one in film.rounds
        for seat, (before, after) in enumerate(zip(one.frames[0].scores, one.frames[-1].scores, strict=True))
    }
    most_play, most_hand = (max(one[0] for one in found) for found in (steps, gains))
    times = re.findall(r"(?m)^(?:(\d+):(\d\d)(?:\.(\d))? )?[A-F] (?:\d-\d)(?: |$)", text)
    last = (
        None
        if not all(one[0] for one in times)
        else sum(int(part or 0) * worth for part, worth in zip(times[-1], (600, 10, 1), strict=True))
    )
    play, hand = told.play, told.hand
    found = {
        "play": play is not None
        and (play.points, play.seat, play.round, play.step, play.tile) in steps
        and play.points == most_play
        and play.times == sum(one[0] == most_play for one in steps),
        "hand": hand is not None
        and (hand.points, hand.seat, hand.round) in gains
        and hand.points == most_hand
        and hand.times == sum(one[0] == most_hand for one in gains),
        "muggins": told.muggins == tuple(one.caught for one in figures.values()),
        "tenths": told.tenths == (last if verdict.ended == "target" else None),
        "scores": dict(zip(SEATS, told.scores, strict=False)) == verdict.scores,
        "rounds": told.rounds == len(film.rounds),
    }
    return {name for name, is_so in found.items() if not is_so}


@pytest.mark.parametrize(("ruleset", "players", "seed"), GAMES)
def test_the_highlights_of_a_game_are_what_its_frames_and_figures_say(ruleset, players, seed) -> None:
    text = played(ruleset, players, seed)
    assert differing(text, log_highlights(loads(text)[0])) == set()


def test_the_control_a_wrong_highlight_is_found() -> None:
    text = played("udl", 2, 1)
    told = log_highlights(loads(text)[0])
    wrong = {
        "play": [{"points": told.play.points + 5}, {"step": told.play.step + 1}, {"tile": "9-9"}, {"times": 9}],
        "hand": [{"points": told.hand.points + 5}, {"round": told.hand.round + 1}, {"times": 9}],
    }
    for name, changes in wrong.items():
        for change in changes:
            planted = replace(told, **{name: replace(getattr(told, name), **change)})
            assert differing(text, planted) == {name}, change
    assert differing(text, replace(told, muggins=(9, 9))) == {"muggins"}
    assert differing(text, replace(told, tenths=1)) == {"tenths"}


def test_every_kind_of_highlight_comes_up_in_the_games() -> None:
    found = [log_highlights(loads(played(*game))[0]) for game in GAMES]
    assert any(sum(one.muggins) > 1 for one in found)
    assert any(one.tenths for one in found)
    assert any(one.play.times > 1 for one in found)
    assert any(one.play.times == 1 for one in found)


def test_in_uno_no_play_scores_and_hands_are_known() -> None:
    text = dumps(playout_uno(rng=Random(4)).log)
    told = log_highlights(loads(text)[0])
    assert (told.play, sum(told.muggins)) == (None, 0)
    assert told.hand.points > 0


def test_a_card_tells_its_best_hand_only_if_every_total_is_known() -> None:
    card = {"scores": [150, 95], "rounds": [{"totals": [45, 25]}, {"totals": [110, 95]}, {"totals": [150, 95]}]}
    told = card_highlights(read(card, get("udl")))
    assert (told.scores, told.rounds, told.play, told.muggins) == ((150, 95), 3, None, ())
    assert (told.hand.points, told.hand.seat, told.hand.round, told.hand.times) == (70, 1, 2, 1)
    gap = {"scores": [150, 95], "rounds": [{"totals": [45, 25]}, {"totals": None}, {"totals": [150, 95]}]}
    assert card_highlights(read(gap, get("udl"))).hand is None
    assert card_highlights(read({"scores": [150, 95]}, get("udl"))).hand is None
