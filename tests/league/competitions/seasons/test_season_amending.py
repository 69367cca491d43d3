"""An amended result of a division: who would go up and down instead is said before, and what was made says so after."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import translation

from league.competitions.amendments.services import confirm_amendment, outlooks, propose_amendment
from league.competitions.attendance.withdrawals import withdraw
from league.competitions.models import SeasonMove
from league.competitions.seasons import promotion
from league.competitions.seasons.next_season import carry_over, make_play_offs
from league.competitions.seasons.promotion import differing, season_differences, season_end
from league.errors import Refused
from league.matches.signals import result_withdrawn
from league.web.words.amendments import in_words
from tests.league.competitions.amended import amend, score
from tests.league.competitions.season_world import (
    MIDDLE,
    TOP,
    entrant,
    play_out,
    play_season,
    published_season,
    slots,
    who,
)
from tests.league.competitions.seasons.test_next_season import NEXT

pytestmark = pytest.mark.django_db


def match_of(season, level, first, second):
    competition = season.divisions.get(level=level).competition
    for slot in slots(competition):
        if {str(side.entrant) for side in slot.match.sides.all()} == {first, second}:
            return slot.match
    raise AssertionError((first, second))


def winner_is(match, name):
    return score(*(150 if str(side.entrant) == name else 0 for side in match.sides.order_by("number")))


def said(world, match, wanted):
    game = match.games.select_related("match__league").get(number=1)
    effect = outlooks(game, world.referee, wanted).stand
    return effect, [one for one in in_words(effect).further if "ext season" in one]


def test_before_it_is_saved_an_amendment_says_who_would_be_promoted_and_relegated_instead(world):
    season = published_season(world)
    play_season(world, season)
    match = match_of(season, 1, "Cy Diaz", "Di Eze")
    _effect, told = said(world, match, winner_is(match, "Di Eze"))
    assert told == [
        "Next season of Cy Diaz: stays in Division 1 becomes relegated to Division 2.",
        "Next season of Di Eze: relegated to Division 2 becomes stays in Division 1.",
    ]
    # Nothing was stored.
    assert season_end(season).found.of(2)[0].entrant == entrant(world, "Di Eze").pk


def test_both_officials_see_one_effect_in_whichever_language(world):
    season = published_season(world)
    play_season(world, season)
    match = match_of(season, 1, "Cy Diaz", "Di Eze")
    digests = set()
    for language in ("en", "es"):
        with translation.override(language):
            digests.add(said(world, match, winner_is(match, "Di Eze"))[0].digest)
    assert len(digests) == 1


def test_an_amendment_that_moves_nobody_says_nothing_of_the_next_season(world):
    season = published_season(world)
    play_season(world, season)
    match = match_of(season, 1, "Ana Ruiz", "Bo Chen")
    assert said(world, match, score(150, 100))[1] == []


def test_the_other_side_of_a_play_off_is_told_too(world):
    season = published_season(world, names=(TOP, MIDDLE), places=((0, 0, 0), (0, 0, 1)))
    play_season(world, season)
    match = match_of(season, 2, "Eva Fox", "Fay Gil")
    assert said(world, match, winner_is(match, "Fay Gil"))[1] == [
        "Next season of Di Eze: play-off against Eva Fox becomes play-off against Fay Gil.",
        "Next season of Eva Fox: play-off against Di Eze becomes stays in Division 2.",
        "Next season of Fay Gil: stays in Division 2 becomes play-off against Di Eze.",
    ]


def carried(world):
    season = published_season(world)
    play_season(world, season)
    return season, carry_over(season, NEXT, user=world.owner)


def rebuild():
    out = StringIO()
    try:
        call_command("rebuild", "--check", stdout=out)
    except CommandError:
        return [line for line in out.getvalue().splitlines() if "next level" in line]
    return []


def test_a_next_season_that_is_made_is_never_changed_and_says_that_the_tables_are_others(world):
    season, made = carried(world)
    before = [who(one) for one in made.divisions.all()]
    match = match_of(season, 1, "Cy Diaz", "Di Eze")
    wanted = winner_is(match, "Di Eze")
    assert said(world, match, wanted)[1][2:] == [
        "The next season, Winter 2028: made as the tables say becomes stays as drawn, with a note."
    ]
    done = amend(world, match, wanted)
    assert [who(one) for one in made.divisions.all()] == before
    marked = SeasonMove.objects.exclude(stands_although=None).order_by("place")
    assert [(str(one.entrant), one.to_level, one.stands_although) for one in marked] == [
        ("Cy Diaz", 1, done),
        ("Di Eze", 2, done),
    ]
    assert [(one.name, one.carried_level, one.level_now) for one in differing(season)] == [
        ("Cy Diaz", 1, 2),
        ("Di Eze", 2, 1),
    ]
    assert (season_differences(season), rebuild()) == ([], [])
    # Amended back, it is as the tables say again.
    amend(world, match, winner_is(match, "Cy Diaz"))
    assert not SeasonMove.objects.exclude(stands_although=None).exists()
    assert (differing(season), rebuild()) == ([], [])


def test_without_the_marks_a_rebuild_finds_what_differs(world, monkeypatch):
    season, _made = carried(world)
    monkeypatch.setattr("league.competitions.amendments.services.mark_moves", lambda match, amendment: None)
    match = match_of(season, 1, "Cy Diaz", "Di Eze")
    amend(world, match, winner_is(match, "Di Eze"))
    assert rebuild() == [
        "harbour/winter-2027, next level of Cy Diaz: level is 1, should be 2",
        "harbour/winter-2027, next level of Di Eze: level is 2, should be 1",
    ]
    SeasonMove.objects.filter(entrant=entrant(world, "Ana Ruiz")).update(stands_although=match_amendment(match))
    assert "harbour/winter-2027, next level of Ana Ruiz: mark is stands although, should be none" in rebuild()


def match_amendment(match):
    return match.games.get(number=1).amendments.get()


def test_the_result_of_a_play_off_may_be_amended_after_the_next_season_is_made(world):
    season = published_season(world, names=(TOP, MIDDLE), places=((0, 0, 0), (0, 0, 1)))
    play_season(world, season)
    [play_off] = make_play_offs(season, user=world.owner)
    play_out(world, play_off.competition)
    carry_over(season, NEXT, user=world.owner)
    [slot] = slots(play_off.competition)
    wanted = winner_is(slot.match, "Eva Fox")
    assert said(world, slot.match, wanted)[1] == [
        "Next season of Di Eze: stays in Division 1 by the play-off becomes relegated to Division 2 by the play-off.",
        (
            "Next season of Eva Fox: "
            "stays in Division 2 after the play-off becomes promoted to Division 1 by the play-off."
        ),
        "The next season, Winter 2028: made as the tables say becomes stays as drawn, with a note.",
    ]
    game = slot.match.games.select_related("match__league").get(number=1)
    confirm_amendment(propose_amendment(game, world.referee, wanted), world.second_referee)
    assert SeasonMove.objects.exclude(stands_although=None).count() == 2
    assert season_differences(season) == []


def test_a_result_from_which_a_next_season_was_made_is_not_taken_back(world):
    season, _made = carried(world)
    match = match_of(season, 3, "Ida Jay", "Jon Kay")
    with pytest.raises(Refused) as caught:
        result_withdrawn.send(None, match_id=match.pk)
    assert (caught.value.code, str(caught.value)) == (
        "next-begun",
        "Winter 2028 was made from this result. It cannot be taken back any more: amend it.",
    )


def test_nobody_leaves_a_season_that_is_closed(world):
    season, _made = carried(world)
    with pytest.raises(Refused) as caught:
        withdraw(season.divisions.get(level=1).competition, world.ana, user=world.owner, reason="ill")
    assert (caught.value.code, str(caught.value)) == ("season-closed", "Winter 2027 is closed.")


def test_a_match_outside_of_a_season_has_no_next_one(world):
    assert promotion.next_season_of(world.match) == {}
