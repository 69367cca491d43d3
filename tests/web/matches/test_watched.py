"""Scores that a page asks for before, during and after a match."""

import re
from datetime import datetime, timedelta
from html import unescape

import pytest
from django.utils import timezone

from league.matches.models import Game, Match
from tests.web import world as small

OVERVIEW = "/competitions/harbour/autumn/"


@pytest.fixture
def tomorrow(world) -> datetime:
    """Set all matches a week ahead, except the first, which begins in three hours."""
    hour = timezone.now().replace(microsecond=0) + timedelta(hours=3)
    Match.objects.update(starts_at=hour + timedelta(days=7))
    Match.objects.filter(pk=world.match.pk).update(starts_at=hour)
    return hour


def asked(html: str) -> dict[str, str]:
    return {name: unescape(said) for name, said in re.findall(r'data-(watched|stands|begins)="([^"]*)"', html)}


@pytest.mark.parametrize("overview", [True, False], ids=["overview", "match"])
@pytest.mark.parametrize("user", ["", "alice", "owner"])
def test_a_page_of_a_match_that_is_not_over_knows_where_its_score_will_be(
    world, browse, tomorrow, overview, user
) -> None:
    """The mark is the same on the page and at that address, for every visitor."""
    client = browse(getattr(world, user) if user else None)
    page = OVERVIEW if overview else f"/matches/{world.match.pk}/"
    seen = []
    later = [str(one.pk) for one in world.matches if one != world.match] if overview else []

    def look() -> dict[str, str]:
        html = client.get(page).content.decode()
        told = asked(html)
        assert "web/base/live.js" in html
        assert told["watched"] == f"/now/scores/?of={','.join([str(world.match.pk), *later])}"
        assert asked(client.get(told["watched"]).content.decode())["stands"] == told["stands"]
        seen.append(told["stands"])
        return told

    assert int(look()["begins"]) == tomorrow.timestamp() * 1000
    Game.objects.filter(match=world.match).update(tally={"points": [5, 0], "round": 1, "at": tomorrow.isoformat()})
    look()
    assert seen[0] == seen[1], "a running score is written into its place"
    Match.objects.filter(pk=world.match.pk).update(state=Match.State.PLAYING)
    assert look()["begins"] == "0"
    record = small.hand_in(world.game(), world.alice, side=1)
    look()
    assert len(set(seen)) == 3
    small.judge(record)
    small.enter(record)
    there = asked(client.get(f"/now/scores/?of={world.match.pk}").content.decode())
    assert there["stands"] not in seen
    still = asked(client.get(page).content.decode())
    assert still.get("watched") == (f"/now/scores/?of={','.join(later)}" if overview else None)


@pytest.mark.parametrize("overview", [True, False], ids=["overview", "match"])
def test_a_match_that_is_days_away_is_asked_for_too_since_it_may_be_played_before(
    world, browse, tomorrow, overview
) -> None:
    Match.objects.update(starts_at=tomorrow + timedelta(days=7))
    first, later = world.matches[:2]
    Match.objects.filter(pk=later.pk).update(starts_at=tomorrow + timedelta(days=6))
    html = browse().get(OVERVIEW if overview else f"/matches/{first.pk}/").content.decode()
    keys = asked(html)["watched"].partition("=")[2].split(",")
    assert keys[: 2 if overview else 1] == ([str(later.pk), str(first.pk)] if overview else [str(first.pk)])
    assert 'http-equiv="refresh"' not in html, "without a script nobody looks for days"


def test_a_page_without_a_script_looks_again_before_the_match_begins(world, browse, tomorrow) -> None:
    html = browse().get(f"/matches/{world.match.pk}/").content.decode()
    assert '<noscript><meta http-equiv="refresh" content="30"></noscript>' in html
