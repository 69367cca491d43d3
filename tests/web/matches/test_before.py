"""The page of a match before its first game: players side by side, rules, countdown."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from league.matches.models import Match
from tests.league.matches.tapping import Pad, points
from tests.web import world as small
from tests.web.matches.test_replay import words


@pytest.fixture
def rematch(world) -> Match:
    """Let Ana and Bo play their first match, and meet again in two days."""
    small.played(world)
    again = Match.objects.create(
        league=world.league,
        ruleset="udl",
        options=world.match.options,
        published_at=timezone.now(),
        starts_at=timezone.now() + timedelta(days=2, hours=3, minutes=1),
    )
    for number, entrant in enumerate(world.entrants[:2], start=1):
        again.sides.create(number=number, entrant=entrant)
    again.games.create(number=1)
    return again


def part(html: str) -> str:
    return html.partition('class="section before-match"')[2].partition("</section>")[0]


def test_players_stand_side_by_side_with_rules_and_countdown(world, browse, rematch) -> None:
    html = browse().get(f"/matches/{rematch.pk}/").content.decode().replace("\xa0", " ")
    told = words(part(html))
    assert "Starts in 2 days, 3 hours" in told
    assert re.search(r"W\S* Form L", told), told
    assert "1–0 Won–lost 0–1" in told
    assert "1 Head-to-head 0" in told
    assert "UDL Dominoes : to 150 points, 15 minutes, muggins on" in told
    assert f'href="/players/{world.entrants[0].player.code}/against/{world.entrants[1].player.code}/"' in part(html)


def test_it_is_gone_with_the_first_point_and_after_the_match(world, browse, rematch) -> None:
    assert part(browse().get(f"/matches/{world.match.pk}/").content.decode()) == ""
    Pad(rematch.games.get(), world.ref).send(points(0, 10), points(0, 5))
    assert part(browse().get(f"/matches/{rematch.pk}/").content.decode()) == ""


def test_players_without_any_result_have_rules_only(world, browse) -> None:
    told = words(part(browse().get(f"/matches/{world.match.pk}/").content.decode()))
    assert "muggins on" in told
    assert "Form" not in told
    assert "Head-to-head" not in told


def test_any_number_of_earlier_matches_takes_the_same_statements(
    world, browse, rematch, django_assert_num_queries
) -> None:
    client = browse()
    client.get(f"/matches/{rematch.pk}/")
    later = [one for one in world.matches if one != world.match and not one.games.get().records.exists()]
    for other in (None, *later):
        if other:
            record = small.hand_in(other.games.get(), world.ref)
            small.judge(record)
            small.enter(record, official_by=world.ref)
        with django_assert_num_queries(15):
            client.get(f"/matches/{rematch.pk}/")
