"""The story of a match: each sentence is held against verdict and rows, and stands on the page and in the preview."""

import re
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from types import SimpleNamespace

import pytest
from django.utils.translation import override

from games.moves import SEATS
from games.notation.reading import dumps, loads
from league.competitions.amendments.services import propose_amendment
from league.disputes.models import Dispute
from league.disputes.protests import protesting
from league.disputes.protests.protesting import Point
from league.matches.amendments import Wanted
from league.matches.logs.submission import confirm_result, submit_log, verify_record
from league.matches.models import KnownBy, Result
from league.matches.results.entering import enter_sheet
from league.web.matches.lead import LastingLead, LeadBy
from league.web.matches.story import _from_hands, _lead_words, _of_games
from league.web.words import story as words
from referee.playouts.habits import Habits
from referee.playouts.pips import playout
from referee.replay import verify
from tests.volume import seeds
from tests.web.matches.test_known import CARD, TALLY
from tests.web.matches.test_replay import shown
from tests.web.matches.test_result_sentence import plain, side

TILE = re.compile(r"[A-F] (\d-\d)")
GAMES = [
    (ruleset, players, seed)
    for ruleset, players in [("udl", 2), ("all-fives", 3), ("all-fives", 2)]
    for seed in seeds(12)
]


def played(ruleset: str, players: int, seed: int) -> str:
    names = ["Ana Ruiz", "Bo Chen", "Cleo Diaz"][:players]
    habits = Habits(miss=0.3, muggins=0.7, timed=False)
    return dumps(playout(ruleset, rng=Random(f"story {ruleset} {players} {seed}"), seats=names, habits=habits).log)


def awards(text: str) -> list[tuple[int, int, str, int, str]]:
    """Every award of a game by its verdict: hand, seat, kind, points, tile; in the order of the record."""
    [log] = loads(text)
    verdict = verify(log)
    lines = text.split("\n")
    starts = {number: line for line, words in enumerate(lines, 1) for number in re.findall(r"round (\d+)$", words)}
    hand_of = {int(number): line for number, line in starts.items()}

    def hand(line: int) -> int:
        return max(number for number, start in hand_of.items() if start < line)

    found = [
        (play.line, (hand(play.line), play.seat, "play", points, TILE.search(lines[play.line - 1])[1]))
        for play in verdict.plays
        if (points := play.awarded.get(play.seat, 0))
    ]
    found += [
        (one.line, (hand(one.line), one.claimant, "muggins", one.points, ""))
        for one in verdict.rulings
        if one.upheld and one.points
    ]
    for record in verdict.rounds:
        end = min((start for start in hand_of.values() if start > hand_of[record.number]), default=len(lines)) - 0.5
        found += [
            (end, (record.number, seat, "hand", points, "")) for seat, points in enumerate(record.points) if points
        ]
    return [one for _line, one in sorted(found, key=lambda each: each[0])]


def is_true(text: str, lead: LastingLead) -> bool:
    """Whether the lead of a game is what the awards of its verdict say."""
    [log] = loads(text)
    totals = [0] * len(verify(log).totals)
    margins, told = [], awards(text)
    for _hand, seat, _kind, points, _tile in told:
        totals[seat] += points
        margins.append(totals[lead.seat] - max(total for one, total in enumerate(totals) if one != lead.seat))
    behind = [place for place, margin in enumerate(margins) if margin <= 0]
    place = behind[-1] + 1 if behind else 0
    if place == len(told):
        return False
    hand, seat, kind, points, tile = told[place]
    named = {
        LeadBy.PLAY: ("play", points, tile),
        LeadBy.MUGGINS: ("muggins", points, ""),
        LeadBy.HAND_END: ("hand", points, ""),
    }
    return (
        (lead.seat, lead.round, lead.behind, lead.first) == (seat, hand, max(0, -min(margins)), place == 0)
        and (lead.by is LeadBy.OTHER or (kind, lead.points, lead.tile) == named[lead.by])
        and totals.index(max(totals)) == lead.seat
    )


def decided(text: str) -> bool:
    totals = verify(loads(text)[0]).totals
    return totals.count(max(totals)) == 1


@pytest.mark.parametrize(("ruleset", "players", "seed"), GAMES)
def test_the_lead_of_a_game_is_what_the_awards_of_its_verdict_say(ruleset, players, seed) -> None:
    text = played(ruleset, players, seed)
    lead = shown(text).lead
    assert (lead is not None) == decided(text)
    assert lead is None or is_true(text, lead)


def test_every_kind_of_lead_comes_up_and_is_found_wrong_if_a_fact_is_planted() -> None:
    """The control."""
    leads = [(text, lead) for game in GAMES for text in [played(*game)] if (lead := shown(text).lead)]
    assert {lead.by for _text, lead in leads} >= {LeadBy.PLAY, LeadBy.HAND_END}
    for text, lead in leads:
        assert not is_true(text, replace(lead, round=lead.round + 1))
        assert not is_true(text, replace(lead, seat=(lead.seat + 1) % 2))
        assert not is_true(text, replace(lead, behind=lead.behind + 5))
        assert not is_true(text, replace(lead, first=not lead.first))
        if lead.by is not LeadBy.OTHER:
            assert not is_true(text, replace(lead, points=lead.points + 5))
            assert not is_true(text, replace(lead, tile="9-9"))


def test_each_origin_of_the_lead_has_its_sentence() -> None:
    lead = LastingLead(
        seat=0, round=3, by=LeadBy.PLAY, points=25, tile="6-2", behind=0, first=False, key="", anchor="r3.4"
    )
    told = {by: plain(_lead_words(replace(lead, by=by), "Hugo")) for by in LeadBy}
    assert told == {
        LeadBy.PLAY: "Hugo took the lead for good in hand 3, with 25 points for 6-2.",
        LeadBy.MUGGINS: "Hugo took the lead for good in hand 3, with 25 points by muggins.",
        LeadBy.HAND_END: "Hugo took the lead for good with the 25 points at the end of hand 3.",
        LeadBy.OTHER: "Hugo took the lead for good in hand 3.",
    }
    assert plain(_lead_words(replace(lead, first=True), "Hugo")) == "Hugo led from the first points on."
    with override("es"):
        assert plain(_lead_words(lead, "Hugo")) == (
            "Hugo, por delante definitivamente desde la mano 3, con 25 puntos por 6-2."
        )


# --- By hands ---


def told_by_hands(totals: Sequence[Sequence[int]]) -> list[str]:
    sides = [side(number, name, points) for number, (name, points) in enumerate(zip("AB", totals[-1], strict=True), 1)]
    return [plain(one) for one in _from_hands(totals, sides, max(sides, key=lambda one: one.score))]


def hands_are_true(totals: Sequence[Sequence[int]], told: Sequence[str]) -> bool:
    """Compare sentences with a second reckoning of the hands."""
    own = 0 if totals[-1][0] > totals[-1][1] else 1
    name = "AB"[own]
    led = [one[own] > one[1 - own] for one in totals]
    since = len(led) - next((place for place, one in enumerate(reversed(led)) if not one), len(led)) + 1
    lead = {1: f"{name} led after every hand.", len(led): f"{name} took the lead with the last hand, number {since}."}
    expected = [lead.get(since, f"{name} led after hand {since} and after every later one.")]
    steps = [(0, 0), *totals]
    gains = [
        (steps[hand][seat] - steps[hand - 1][seat], "AB"[seat], hand)
        for hand in range(1, len(steps))
        for seat in (0, 1)
    ]
    best = max(gains)
    if sum(one[0] == best[0] for one in gains) == 1:
        expected.append(f"The largest hand: {best[0]} points for {best[1]}, in hand {best[2]}.")
    return list(told) == expected


def hands(seed: int) -> list[tuple[int, int]]:
    rng = Random(f"hands {seed}")
    totals, now = [], [0, 0]
    for _hand in range(rng.randint(2, 7)):
        now = [one + 5 * rng.randint(0, 9) for one in now]
        totals.append((now[0], now[1]))
    return totals if totals[-1][0] != totals[-1][1] else hands(seed + 1000)


@pytest.mark.parametrize("seed", seeds(40))
def test_the_sentences_of_hands_are_what_a_second_reckoning_says(seed) -> None:
    totals = hands(seed)
    told = told_by_hands(totals)
    assert hands_are_true(totals, told)
    assert not hands_are_true(totals, [re.sub(r"[AB]", "C", one) for one in told])  # the control
    moved = [*totals[:-1], (totals[-1][0] + 200, totals[-1][1])]
    assert not hands_are_true(moved, told)


# --- By games ---


@pytest.mark.parametrize(
    ("winners", "told"),
    [
        ((1, 1), []),
        (
            (2, 1, 1),
            ["A lost the first game and won the match.", "The last game, number 3, decided the match: 150–103."],
        ),
        ((1, 2, 1), ["The last game, number 3, decided the match: 150–103."]),
        (
            (2, 2, 1, 1, 1),
            ["A lost the first 2 games and won the match.", "The last game, number 5, decided the match: 150–105."],
        ),
    ],
)
def test_a_match_of_several_games_tells_lost_first_games_and_a_last_one_that_decided(winners, told) -> None:
    games = [
        SimpleNamespace(outcome=SimpleNamespace(winner=one), points={one: 150, 3 - one: 100 + number})
        for number, one in enumerate(winners, 1)
    ]
    sides = [side(1, "A", 2, won=True), side(2, "B", 1)]
    line = SimpleNamespace(games=games, sides=sides, best_of=2 * winners.count(1) - 1)
    assert [plain(one.sentence) for one in _of_games(line, sides[0])] == told


# --- On the page ---


def handed_in(world, text: str) -> Result:
    record = submit_log(game=world.game(), user=world.ref, raw=text.encode()).record
    verify_record(record.pk)
    return Result.objects.get(record=record)


def story(world, browse) -> str:
    html = browse().get(f"/matches/{world.match.pk}/").content.decode()
    found = re.search(r'<p class="story">(.*?)</p>', html, re.DOTALL)
    return plain(" ".join(re.sub(r"<svg.*?</svg>|<[^>]+>", "", found[1]).split())) if found else ""


def about(world, browse) -> str:
    html = browse().get(f"/matches/{world.match.pk}/").content.decode()
    return re.search(r'<meta property="og:description" content="([^"]*)"', html)[1]


def test_a_log_is_told_by_its_lead_with_a_link_to_the_step(world, browse, log) -> None:
    handed_in(world, log)
    lead = shown(log).lead
    name = ["Ana Ruiz", "Bo Chen"][lead.seat]
    told = story(world, browse)
    assert told.startswith(plain(_lead_words(lead, name)))
    assert f'href="#{lead.anchor}"' in browse().get(f"/matches/{world.match.pk}/").content.decode()
    assert about(world, browse).startswith(plain(_lead_words(lead, name)))


def test_muggins_above_the_margin_and_the_bell_are_told(world, browse, log) -> None:
    result = handed_in(world, log)
    Result.objects.filter(pk=result.pk).update(ended="bell")
    winner, margin = SEATS[result.winner - 1], abs(result.scores["1"] - result.scores["2"])
    verdict, name = result.record.verdict, ["Ana Ruiz", "Bo Chen"][result.winner - 1]
    taken = {"line": 11, "claimant": winner, "against": "A", "play": 10, "claimed": None, "rule": "udl.muggins"}
    for points, is_told in ((margin + 5, True), (margin, False)):
        verdict.rulings = [taken | {"upheld": True, "points": points}]
        verdict.save()
        sentence = f"Muggins gave {name} {points} points, more than the margin of {margin}."
        assert (sentence in story(world, browse)) == is_told
    assert story(world, browse).endswith(f"The bell ended the game in hand {len(verdict.rounds)}.")


def test_a_tally_and_a_card_are_told_by_hands_and_a_bare_score_by_its_margin(world, browse) -> None:
    whole = {**CARD, "rounds": [one for one in CARD["rounds"] if one["totals"]]}
    enter_sheet(world.game(), world.alice, whole, kind=KnownBy.CARD)
    told = story(world, browse)
    assert told == "Ana Ruiz led after every hand. The largest hand: 70 points for Bo Chen, in hand 2."


def test_a_bare_score_tells_nothing_of_hands(world, browse) -> None:
    enter_sheet(world.game(), world.alice, {"scores": [150, 95]}, kind=KnownBy.SCORE)
    assert story(world, browse) == "Ana Ruiz won by 55 points."
    assert about(world, browse).startswith("Ana Ruiz won by 55 points. · ")


def test_a_tally_of_one_hand_tells_the_margin(world, browse) -> None:
    enter_sheet(world.game(), world.alice, TALLY, kind=KnownBy.TALLY)
    assert story(world, browse) == "Ana Ruiz won by 55 points."


@pytest.mark.parametrize(
    "change", [{"contested": True}, {"needs_decision": True}, {"ended": "forfeit"}, {"ended": "concession"}]
)
def test_a_result_in_question_or_not_played_out_has_no_story(world, browse, log, change) -> None:
    result = handed_in(world, log)
    assert story(world, browse)
    Result.objects.filter(pk=result.pk).update(**change)
    assert story(world, browse) == ""


def test_a_ruled_match_has_no_story(world, browse) -> None:
    enter_sheet(world.game(), world.alice, {"scores": [150, 95]}, kind=KnownBy.SCORE)
    assert story(world, browse)
    Result.objects.update(known_by=KnownBy.RULED)
    assert story(world, browse) == ""


def test_a_proposed_amendment_takes_the_story_back(world, browse, log) -> None:
    confirm_result(result=handed_in(world, log), user=world.owner)
    assert story(world, browse)
    wanted = Wanted(kind=KnownBy.SCORE, data={"scores": [150, 95]}, reason="the card was read wrongly")
    propose_amendment(world.game(), world.ref, wanted)
    assert story(world, browse) == ""


def test_an_open_protest_takes_the_story_back_unless_it_is_secret(world, browse, log) -> None:
    confirm_result(result=handed_in(world, log), user=world.owner)
    dispute = protesting.protest(world.game(), world.bob, Point(kind=Dispute.Kind.FRAUD), "marked tiles")
    assert story(world, browse)
    Dispute.objects.filter(pk=dispute.pk).update(kind=Dispute.Kind.RESULT)
    assert story(world, browse) == ""


def test_a_minor_is_told_by_initials(world, browse, log) -> None:
    handed_in(world, log)
    for entrant in world.entrants[:2]:
        type(entrant.player).objects.filter(pk=entrant.player_id).update(born=2016)
    assert "Ruiz" not in story(world, browse) + about(world, browse)
    assert "Chen" not in story(world, browse) + about(world, browse)


def test_a_sentence_of_one_point_is_singular() -> None:
    assert plain(words.margin_only("A", 1)) == "A won by 1 point."
    assert plain(words.was_behind("A", 1)) == "A had been 1 point behind."
