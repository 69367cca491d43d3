"""The touches of a live game make a game that the referee verifies, on either pad."""

from games.rulesets import get
from league.matches.tally.services import WITH_POINTS
from league.rehearsals.live_games import RULESET, begins_hand, planned
from referee import Verdict, verify_text
from referee.cards.tally import card_of, check
from tests.volume import seeds

RULES = get(RULESET)


def lines(game: int) -> list[str]:
    return [line for touch in planned(game, by_tiles=True) for line in touch.line.split("\n")]


def verdict(game: int) -> Verdict:
    head = [f'[Ruleset "{RULESET}"]', '[Seat.A "A"]', '[Seat.B "B"]', ""]
    return verify_text("\n".join([*head, *lines(game), ""]))[0]


def taps(game: int) -> list[dict[str, object]]:
    """The touches of the score pad as a sheet has them."""
    facts = [
        {
            "n": number,
            "kind": str(touch.kind),
            "seat": touch.seat,
            "points": touch.points if touch.kind in WITH_POINTS else None,
            "spinner": touch.spinner or None,
            "ended": touch.ended or None,
            "winner": touch.winner,
        }
        for number, touch in enumerate(planned(game, by_tiles=False), start=1)
    ]
    return [{name: value for name, value in one.items() if value is not None} for one in facts]


def test_every_game_by_tiles_is_verified_although_no_hand_is_written() -> None:
    for game in seeds(80):
        assert verdict(game).status == "verified", game
        assert not any(" hand " in line for line in lines(game))


def test_a_game_by_tiles_with_another_count_is_not_verified(monkeypatch) -> None:
    """The control."""
    wrong = [line.replace("score ", "score 1") for line in lines(1)]
    monkeypatch.setitem(globals(), "lines", lambda _game: wrong)
    assert verdict(1).status != "verified"


def test_every_game_by_scores_adds_up_and_is_the_same_game() -> None:
    for game in seeds(80):
        card = card_of(taps(game), RULES)
        found = check({**card, "taps": taps(game)}, RULES)
        assert (game, [one for one in found.findings if one.severity != "note"]) == (game, [])
        assert tuple(found.scores) == verdict(game).totals
        assert (found.ended, found.winner) == (verdict(game).ended, verdict(game).won_by)


def test_a_touch_of_the_tile_pad_is_a_play_or_the_end_of_a_hand() -> None:
    hands = [touch.line for touch in planned(3, by_tiles=True) if touch.line.startswith("round ")]
    assert [hand.count("\n") for hand in hands] == [1] * len(hands)
    closed = [touch.line for touch in planned(3, by_tiles=True) if " shows " in touch.line]
    assert closed
    assert all("\nscore " in one for one in closed)


def test_the_tiles_are_dealt_between_two_hands() -> None:
    for by_tiles in (True, False):
        touches = planned(3, by_tiles=by_tiles)
        dealt = [place for place in range(len(touches) + 1) if begins_hand(touches, place)]
        assert len(dealt) == len(verdict(3).rounds) - 1
