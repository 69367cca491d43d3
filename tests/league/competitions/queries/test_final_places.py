"""Final places of every entrant, the same on every page, in text, files and the API."""

import json
from functools import partial

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from league.accounts.models import League
from league.competitions.attendance.withdrawals import withdraw
from league.competitions.draw.advancing import advance
from league.competitions.draw.publishing import publish_matchday
from league.competitions.draw.stages import draw_next
from league.competitions.draw_view import all_days
from league.competitions.import_export.exporting import EVERYBODY, competition_file
from league.competitions.models import Matchday
from league.competitions.queries.competition import competition_page
from league.competitions.queries.final_places import final_ranking, first_places, ranked_entrants
from league.competitions.queries.rounds import round_pages
from league.competitions.visibility import seen_competition
from league.matches.models import Match, Result
from tests.league.competitions.amended import amend, score
from tests.league.competitions.cup import enter_result, published

NOBODY = AnonymousUser()
DOUBLE, SINGLE, ROBIN, GROUPS, SWISS = "double_elimination", "single_elimination", "round_robin", "groups", "swiss"


def seeds(competition):
    return dict(competition.registrations.values_list("entrant", "seed"))


def play(world, competition, *, rounds=99):
    """The better seed wins each match that has two known entrants; forfeits are there already."""
    seed = seeds(competition)
    matches = Match.objects.filter(slot__matchday__stage__competition=competition)
    due = matches.filter(slot__matchday__number__lte=rounds).exclude(state=Match.State.DECIDED).order_by("pk")
    while match := due.first():
        sides = {side.number: seed[side.entrant_id] for side in match.sides.all()}
        enter_result(world, match, min(sides, key=sides.get))
        advance(match.pk)
        for forfeited in matches.filter(state=Match.State.DECIDED, slot__leads_to__entrant=None).distinct():
            advance(forfeited.pk)


def seeds_by_place(competition):
    """(place, seeds), and every other answer about it must be the same."""
    competition = seen_competition(NOBODY, "harbour", competition.slug)
    found = final_ranking(competition_page(NOBODY, "harbour", competition.slug))
    bands: dict[str, list[int]] = {}
    for place in found:
        bands.setdefault(place.numbers, []).append(place.entrant.seed)
    stages = list(competition.stages.all())
    keys = [(place.first, place.last, place.entrant.entrant_id) for place in found]
    assert [tuple(one) for one in ranked_entrants(competition, stages, list(all_days(competition)))] == keys
    address = f"/competitions/harbour/{competition.slug}/"
    api = json.loads(Client().get(f"/api/v1{address}ranking?page_size=100").content)
    codes = [(place.first, place.last, place.entrant.code) for place in found]
    assert [(one["rank"], one["to"], one["player"]["code"]) for one in api["results"]] == codes
    value = competition_file(EVERYBODY, "harbour", competition.slug)
    assert [(one["rank"], one["to"]) for one in value["places"]] == [key[:2] for key in keys]
    rows = Client().get(f"{address}files/places.csv").content.decode().splitlines()
    assert len(rows) == len(found) + 1
    if any(stage.is_knock_out for stage in stages):
        shown = first_places(round_pages(competition), 32)
        assert shown.places == found[: len(shown.places)]
        assert len(shown.places) == sum(place.first <= 32 for place in found)
        text, page = (Client().get(address + name).content.decode() for name in ("text/", "ranking/"))
        for place in found:
            assert f"{place.numbers}. {place.entrant.name}" in text
            assert f"<bdi>{place.entrant.name}</bdi>" in page
    return list(bands.items())


def test_thirteen_with_two_lives_all_have_a_place(world):
    cup = published(world, 13, format=DOUBLE)
    play(world, cup)
    # By hand: the better seed wins. 8, 4, 5, 7 and 6 beat 9, 13, 12, 10 and 11; then 12 beats 13.
    assert seeds_by_place(cup) == [
        ("1", [1]),
        ("2", [2]),
        ("3", [3]),
        ("4", [4]),
        ("5–6", [5, 6]),
        ("7–8", [7, 8]),
        ("9–12", [9, 10, 11, 12]),
        ("13", [13]),
    ]


def test_who_withdraws_keeps_the_place_of_the_round_in_which_they_went_out(world):
    League.objects.filter(pk=world.league.pk).update(confirmation_required=False)
    cup = published(world, 8, format=DOUBLE)
    play(world, cup, rounds=1)
    first = next(one.entrant for one in cup.registrations.select_related("entrant") if one.seed == 1)
    withdraw(cup, first, user=world.owner, reason="goes home")
    play(world, cup)
    # By hand: 1 forfeits the winners' semi-final to 4 and the match against the first arrival from the losers' bracket.
    places = {seed: place for place, among in seeds_by_place(cup) for seed in among}
    assert places[1] == "5–6"
    assert sorted(places) == list(range(1, 9))


@pytest.mark.parametrize(("format_", "pair"), [(SINGLE, {1, 4}), (DOUBLE, {3, 4})])
def test_a_loss_after_which_the_loser_played_on_puts_the_other_out(world, format_, pair):
    cup = published(world, 4, format=format_)
    play(world, cup)
    before, seed = seeds_by_place(cup), seeds(cup)
    matches = Match.objects.filter(slot__matchday__stage__competition=cup).order_by("slot__matchday__number")
    first = next(one for one in matches if {seed[side.entrant_id] for side in one.sides.all()} == pair)
    won = Result.objects.get(game__match=first, current=True).winner
    amend(world, first, score(*((95, 150) if won == 1 else (150, 95)), later="stand"))
    assert seeds_by_place(cup) == before


def test_a_knock_out_with_byes_while_it_runs_and_at_its_end(world):
    cup = published(world, 6)
    assert seeds_by_place(cup) == []
    play(world, cup, rounds=1)
    assert seeds_by_place(cup) == [("5–6", [5, 6])]
    play(world, cup)
    assert seeds_by_place(cup) == [("1", [1]), ("2", [2]), ("3–4", [3, 4]), ("5–6", [5, 6])]


def test_those_who_do_not_qualify_follow_by_their_place_in_the_group(world):
    night = published(world, 9, format=GROUPS, groups=3, then=SINGLE, advance_each=1, advance_rest=1)
    play(world, night)
    draw_next(night, user=world.owner)
    assert seeds_by_place(night) == [], "a draft of the knock-out is not certain"
    first, final = Matchday.objects.filter(stage__competition=night, stage__number=2).order_by("number")
    publish_matchday(first, user=world.owner)
    waiting = seeds_by_place(night)
    # By hand: snake seeding gives 1 6 7, 2 5 8, 3 4 9; the firsts and the best second go on.
    [(seconds, two), (thirds, three)] = waiting
    assert (seconds, thirds, three) == ("5–6", "7–9", [7, 8, 9])
    assert len(two) == 2
    assert set(two) < {4, 5, 6}
    play(world, night)
    publish_matchday(final, user=world.owner)
    play(world, night)
    assert seeds_by_place(night)[-2:] == waiting
    assert [place for place, _seeds in seeds_by_place(night)][:3] == ["1", "2", "3–4"]


@pytest.mark.parametrize("over", [False, True], ids=["during the groups", "after the groups"])
def test_who_goes_home_after_the_groups_keeps_the_place_of_the_group(world, over):
    League.objects.filter(pk=world.league.pk).update(confirmation_required=False)
    night = published(world, 6, format=GROUPS, groups=2, then=SINGLE, advance_each=1)
    third = next(one.entrant for one in night.registrations.select_related("entrant") if one.seed == 5)
    if not over:
        withdraw(night, third, user=world.owner, reason="goes home")
    play(world, night)
    publish_matchday(draw_next(night, user=world.owner), user=world.owner)
    if over:
        withdraw(night, third, user=world.owner, reason="goes home")
    # By hand: snake seeding gives 1 4 5 and 2 3 6.
    assert seeds_by_place(night) == [("3–4", [3, 4]), ("5–6", [5, 6])] if over else [("3–4", [3, 4]), ("5", [6])]


@pytest.mark.parametrize("played", [False, True], ids=["running", "over"])
def test_a_table_gives_places_at_its_end(world, played):
    league = published(world, 4, format=ROBIN)
    play(world, league, rounds=99 if played else 1)
    assert seeds_by_place(league) == ([(str(one), [one]) for one in range(1, 5)] if played else [])


def test_groups_alone_share_places_by_their_tables(world):
    league = published(world, 8, format=GROUPS, groups=2)
    play(world, league)
    assert seeds_by_place(league) == [("1–2", [1, 2]), ("3–4", [3, 4]), ("5–6", [5, 6]), ("7–8", [7, 8])]


def test_pages_of_the_ranking_take_as_many_statements_for_8_and_32(world, django_assert_max_num_queries):
    for count in (8, 32):
        cup = published(world, count, name=f"Cup {count}")
        play(world, cup, rounds=1)
        address = f"/competitions/harbour/cup-{count}/"
        for path, most in ((f"{address}ranking/", 10), (f"/api/v1{address}ranking", 10), (address, 22)):
            Client().get(path)
            ask = partial(Client().get, path)
            with django_assert_max_num_queries(most):
                assert ask().status_code == 200


def test_the_front_page_of_a_large_knock_out_leads_to_all_places(world):
    cup = published(world, 40)
    play(world, cup)
    html = Client().get("/competitions/harbour/cup/").content.decode()
    assert html.count('<span class="rank">') == 16 - 4 + 16
    assert "All places" in html
    assert Client().get("/competitions/harbour/cup/ranking/?page=1").content.decode().count("<tr>") == 41
    small = published(world, 8, name="Small")
    play(world, small)
    assert "All places" not in Client().get(f"/competitions/harbour/{small.slug}/").content.decode()
