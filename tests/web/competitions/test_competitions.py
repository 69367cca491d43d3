"""Competitions: the list, the standings and the matchdays."""

import re

import pytest

from league.competitions.models import Competition
from league.matches.models import Match
from tests.web import world as small

PAGE = "/competitions/harbour/autumn/"


def rows(html: str) -> list[str]:
    """The lines of the standings, tags off."""
    body = html.split("<tbody>")[1].split("</tbody>", maxsplit=1)[0]
    return [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in body.split("</tr>")[:-1]]


def test_standings_show_the_numbers_in_their_order(world, browse) -> None:
    small.played(world, official=True)
    assert rows(browse().get(PAGE).content.decode()) == [
        "1 Ana Ruiz 1 1 +55 150 0 95 W",
        "2 Cleo Diaz 0 0 0 0 0 0 –",
        "3 Bo Chen 1 0 −55 95 1 150 L",
    ]


def test_provisional_results_are_in_one_table_and_not_in_the_other(world, browse) -> None:
    small.played(world)
    with_them = browse().get(PAGE).content.decode()
    assert rows(with_them)[0] == "1 Ana Ruiz 1 1 +55 150 0 95 W"
    assert "Places may still change." in with_them
    without = browse().get(PAGE + "?table=official").content.decode()
    assert {row.split(" ", 1)[1] for row in rows(without)} == {f"{name} 0 0 0 0 0 0 –" for name in small.names(3)}
    assert "Confirmed results only." in without


def test_the_columns_follow_the_organizer_s_order_and_the_direct_encounter_opens_to_its_numbers(world, browse) -> None:
    Competition.objects.update(tie_breaks=["wins", "direct_encounter", "difference", "points_for"])
    for match in world.matches:
        small.played(world, match, official=True)  # the first side of each match wins: Bo, Ana and Cleo once each
    html = browse().get(PAGE).content.decode()
    heads = re.findall(r'<abbr title="([^"]+)">', html.split("<thead>")[1].split("</thead>")[0])
    assert heads == [
        "Rank",
        "Played",
        "Won",
        "Direct encounter",
        "Points difference",
        "Points for",
        "Lost",
        "Points against",
    ]
    assert rows(html)[0] == (
        "1 Ana Ruiz 2 1 2 Level with Bo Chen , Cleo Diaz "
        "beat Bo Chen 150–95: 2 points lost to Cleo Diaz 95–150: 0 points 0 245 1 245 W L"
    )
    legend = html.split('class="legend"')[1].split("</details>")[0]
    assert [legend.index(word) for word in ("Won (W)", "Direct encounter (DE)", "Points difference")] == sorted(
        legend.index(word) for word in ("Won (W)", "Direct encounter (DE)", "Points difference")
    )


def test_a_direct_encounter_that_missing_matches_could_change_says_so(world, browse) -> None:
    Competition.objects.update(tie_breaks=["wins", "direct_encounter"])
    html = browse().get(PAGE).content.decode()
    assert html.count("Missing matches could change it: still open.") == 3
    assert html.count("2 matches among them are missing.") == 3
    small.played(world, official=True)
    assert browse().get(PAGE).content.decode().count("no player is level") == 1


def test_without_provisional_results_there_is_one_table(world, browse) -> None:
    small.played(world, official=True)
    html = browse().get(PAGE).content.decode()
    assert "Confirmed results only." in html
    assert "Including unconfirmed results" not in html


def test_matchdays_have_times_of_the_league_and_byes(world, browse) -> None:
    Match.objects.update(starts_at=small.FIRST.replace(month=7))
    html = browse().get(PAGE).content.decode()
    # 19:00 in UTC is 20:00 in Lisbon in July.
    assert "6 July 2026, 20:00" in html
    assert html.count("Bye:") == 3
    assert "Round 1" in html


def test_a_log_without_a_result_is_not_called_to_come(world, browse) -> None:
    small.judge(small.hand_in(world.game(), world.alice, side=1), "impossible")
    assert "Log needs fixing" in browse().get(PAGE).content.decode()


def test_staff_see_that_a_draft_is_a_draft(db, browse) -> None:
    world = small.build(published=False)
    assert "Draft: only officials see this" in browse(world.ref).get(PAGE).content.decode()


def test_a_league_without_confirmation_says_so(world, browse) -> None:
    world.league.confirmation_required = False
    world.league.save()
    assert "Results need no confirmation here" in browse().get(PAGE).content.decode()


@pytest.mark.parametrize("rows_played", [1, 3])
def test_a_competition_takes_the_same_statements_for_one_and_three_results(
    world, browse, django_assert_num_queries, rows_played
) -> None:
    for match in world.matches[:rows_played]:
        small.played(world, match, official=True)
    client = browse()
    client.get(PAGE)
    with django_assert_num_queries(15):
        client.get(PAGE)


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_takes_the_same_statements_for_one_and_three_competitions(
    world, browse, django_assert_num_queries, count
) -> None:
    for number in range(1, count):
        Competition.objects.create(
            league=world.league,
            name=f"Cup {number}",
            slug=f"cup-{number}",
            ruleset="udl",
            published_at=small.FIRST,
        )
    client = browse()
    with django_assert_num_queries(6):
        html = client.get("/competitions/").content.decode()
    assert html.count('<li class="row">') == count


def test_the_list_has_pages(world, browse) -> None:
    Competition.objects.bulk_create(
        Competition(league=world.league, name=f"Cup {n}", slug=f"cup-{n}", ruleset="udl", published_at=small.FIRST)
        for n in range(30)
    )
    first = browse().get("/competitions/").content.decode()
    assert "Page 1 of 2" in first
    assert "Page 2 of 2" in browse().get("/competitions/?page=2").content.decode()
    assert "Page 2 of 2" in browse().get("/competitions/?page=99").content.decode()
    assert "Page 1 of 2" in browse().get("/competitions/?page=x").content.decode()


def test_matchdays_have_pages_and_open_at_the_one_being_played(db, browse) -> None:
    world = small.build(players=11)
    page = browse().get(PAGE).content.decode()
    assert "Page 1 of 2" in page
    days = {slot.match_id: slot.matchday.number for slot in slots(world)}
    Match.objects.filter(pk__in=[pk for pk, day in days.items() if day <= 8]).update(state="decided")
    assert "Page 2 of 2" in browse().get(PAGE).content.decode()


def test_the_page_opens_at_the_round_being_played_not_at_a_result_that_waits(db, browse) -> None:
    world = small.build(players=11)
    days = {slot.match_id: slot.matchday.number for slot in slots(world)}
    Match.objects.filter(pk__in=[pk for pk, day in days.items() if day <= 8]).update(state="decided")
    waiting = min(days, key=lambda pk: days[pk])
    Match.objects.filter(pk=waiting).update(state="provisional")
    assert "Page 2 of 2" in browse().get(PAGE).content.decode()
    Match.objects.exclude(pk=waiting).update(state="decided")
    assert "Page 1 of 2" in browse().get(PAGE).content.decode()


def test_decided_matches_fold_so_that_open_ones_come_first(db, browse) -> None:
    world = small.build(players=11)
    by_day: dict[int, list[int]] = {}
    for slot in slots(world).filter(match__isnull=False):
        by_day.setdefault(slot.matchday.number, []).append(slot.match_id)
    assert "decided" not in rounds_of(browse())
    Match.objects.filter(pk__in=[*by_day[1], *by_day[2][:4]]).update(state="decided")
    html = rounds_of(browse())
    assert html.count("matches decided</") == 2
    assert html.index("<span>Round 2</span>") < html.index("<span>Round 1: 5 matches decided</span>")
    second = html[html.index("<span>Round 2</span>") : html.index("<span>Round 3</span>")]
    assert second.index(f"/matches/{by_day[2][4]}/") < second.index("<details") < second.index(f"/{by_day[2][0]}/")
    assert "4 matches decided" in text_of(second)
    Match.objects.update(state="decided")
    assert "<details" not in rounds_of(browse()), "a competition that is over is read as a whole"


def test_rounds_to_come_fold_after_eight_matches_but_none_that_has_begun(db, browse) -> None:
    world = small.build(players=8)
    fifth = slots(world).filter(matchday__number=5).first().match
    assert folded(browse()) == [3, 4, 5, 6, 7]
    assert f"/matches/{fifth.pk}/" in rounds_of(browse()), "a browser without a script unfolds it"
    Match.objects.filter(pk=fifth.pk).update(state=Match.State.PLAYING)
    assert folded(browse()) == [3, 4, 6, 7]


def folded(client) -> list[int]:
    found = re.findall(r"<summary><span>Round (\d+): \d+ upcoming match", rounds_of(client))
    return [int(number) for number in found]


def text_of(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


def rounds_of(client) -> str:
    return client.get(PAGE, {"page": 1}).content.decode().split('aria-labelledby="matchdays"')[1].split("</section>")[0]


def slots(world):
    from league.competitions.models import Slot

    return Slot.objects.filter(matchday__stage__competition=world.competition).select_related("matchday")
