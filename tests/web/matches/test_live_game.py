"""A game in play on the page of its match: the score, and as much of the game as is public (RELIABILITY.md A-17)."""

import re
from datetime import timedelta

import pytest

from league.matches.models import Game, Match
from league.web.share import picture_views
from league.web.share.pictures.layout import ShareRow
from tests.league.matches.tapping import Pad, points, round_end, take_back, tap
from tests.league.world import NOON
from tests.web import world as small
from tests.web.matches.test_replay import words

LINES = ("round 1", "A 5-5", "A call 10", "B draw 6-1", "B 5-0", "A 0-0", "B 0-4")


@pytest.fixture
def pad(world) -> Pad:
    return Pad(world.game(), world.ref)


@pytest.fixture
def look(world, browse):
    def page(user=None) -> str:
        return browse(user).get(f"/matches/{world.match.pk}/").content.decode()

    return page


def live_part(html: str) -> str:
    return html.partition("data-live-game")[2].partition("</article>")[0].partition('<section class="game')[0]


def laid(html: str) -> int:
    return live_part(html).count('data-n="')


def scores(html: str) -> list[str]:
    return re.findall(r"data-points-of=\"\d+\">(\d+)<", html)


def test_the_table_grows_as_the_window_of_each_play_closes(pad, look) -> None:
    seen = []
    for line in LINES:
        pad.send(tap("line", line=line))
        seen.append(laid(look()))
    # The call of a play is open until the second turn after it is completed.
    assert seen == [0, 0, 0, 0, 0, 1, 2]
    assert scores(look()) == ["10", "0"]


@pytest.mark.parametrize("user", [None, "alice", "bob", "ref"])
def test_it_tells_the_last_events_the_ends_and_the_tiles_left_and_no_tile_of_a_hand(world, pad, look, user) -> None:
    pad.send(*(tap("line", line=line) for line in LINES))
    told = words(live_part(look(getattr(world, user) if user else None)))
    assert "Open: 0 on 5-0; double 5-5, counts 10." in told or "Open: double 5-5, counts 10; 0 on 5-0." in told
    assert "Tiles left: Ana Ruiz 6, Bo Chen 7" in told
    assert told.index("Bo Chen plays 5-0 on 5-5.") < told.index("Bo Chen draws a tile.") < told.index("Ana Ruiz leads")
    assert "and calls 10." in told
    for hidden in ("6-1", "0-0", "0-4"):
        assert hidden not in told


def test_a_play_that_was_taken_back_leaves_the_table(pad, look) -> None:
    lines = [tap("line", line=line) for line in LINES]
    pad.send(*lines)
    assert laid(look()) == 2
    pad.send(take_back(lines[-1]))
    assert laid(look()) == 1


def test_a_delay_holds_the_table_as_long_as_the_score(world, look) -> None:
    Match.objects.filter(pk=world.match.pk).update(published_at=NOON)
    pad = Pad(world.game(), world.ref)
    pad.send(*(tap("line", line=line) for line in LINES), at=NOON)
    copy = Game.objects.get(match=world.match).tally
    later = (NOON + timedelta(days=3650)).isoformat()
    old = copy | {"at": (NOON - timedelta(seconds=1)).isoformat(), "points": [0, 0]}
    Game.objects.filter(match=world.match).update(tally=copy | {"at": later, "delay_s": 30, "before": [old]})
    assert laid(look()) == 0, "nothing was public a second before the first line"
    assert scores(look()) == ["0", "0"]


def test_a_score_pad_draws_a_curve_without_what_may_be_claimed(pad, look) -> None:
    pad.send(points(0, 10), points(1, 5), points(0, 15))
    html = look()
    assert scores(html) == ["10", "5"]
    drawn = live_part(html)
    assert "Score over time: Ana Ruiz: 10; Bo Chen: 5" in drawn
    assert len(re.findall(r'class="line line-\d"', drawn)) == 2
    pad.send(points(1, 20))
    assert "Score over time: Ana Ruiz: 25; Bo Chen: 5" in live_part(look())


def test_the_game_costs_one_statement_more_for_any_number_of_taps(pad, look, django_assert_num_queries) -> None:
    pad.send(points(0, 10), points(1, 5))
    look()
    for count in (1, 200):
        pad.send(*(points(1, 5) for _ in range(count)))
        with django_assert_num_queries(11):
            look()


def title(html: str) -> str:
    return re.search(r"<title>(.*?)</title>", html)[1]


def test_the_title_and_the_link_preview_begin_with_the_public_score(world, pad, look, client) -> None:
    assert title(look()) == "Ana Ruiz – Bo Chen · Domino League"
    pad.send(points(0, 10), points(1, 5), points(0, 15))
    html = look()
    assert title(html) == "10–5 Ana Ruiz – Bo Chen · Domino League"
    assert 'data-titled="Ana Ruiz – Bo Chen · Domino League"' in html
    told = dict(re.findall(r'<meta property="(og:\w+)" content="([^"]*)"', html))
    assert told["og:title"] == "10–5 Ana Ruiz – Bo Chen"
    assert re.fullmatch(r"Being played · hand 1, from the pad, as of \d\d:\d\d:\d\d", told["og:description"])
    rows = picture_views.of_match(world.match.pk).rows
    assert rows == (ShareRow("Ana Ruiz", "10"), ShareRow("Bo Chen", "5"))


def test_a_result_ends_the_score_in_the_title(world, pad, look) -> None:
    pad.send(points(0, 10), points(1, 5))
    small.played(world)
    assert title(look()).startswith("\u2068Ana Ruiz\u2069 beats")
    assert "data-titled" not in look()


def test_a_score_pad_tells_its_last_scores_in_words_without_what_may_be_claimed(pad, look) -> None:
    pad.send(points(0, 10), tap("muggins", seat=1, points=5), round_end(0, 25), points(1, 20))
    told = words(live_part(look()).partition("live-events")[2])
    assert told.index("Ana Ruiz wins the hand and gets 25. 35–5") < told.index("Bo Chen takes 5 by muggins. 10–5")
    assert told.index("Bo Chen takes 5") < told.index("Ana Ruiz scores 10. 10–0")
    assert "20" not in told


def test_the_place_of_the_watchers_is_empty_and_hidden_until_the_stream_tells(world, pad, look) -> None:
    place = re.search(r"<span data-watching=\"([^\"]*)\"([^>]*)></span>", look())
    assert place.groups() == ("Watching now: {count}", " hidden")
    small.played(world, official=True)
    assert "data-watching" not in look()
