"""The strip of the day of what is no plain match of two: rounds at tables, pairs, a ladder, a division."""

from datetime import UTC, datetime

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.accounts.permissions import Act
from league.competitions.attendance.no_shows import forfeit_absent, wait_for
from league.competitions.draw.founding import found_with_players
from league.competitions.draw.plans import found
from league.competitions.draw.publishing import publish
from league.competitions.draw.stages import draw
from league.competitions.ladders.closing import close_ladder
from league.competitions.models import Berth, Competition
from league.competitions.queries.next_step_facts import day_facts
from league.players.models import Entrant
from league.web.words.next_step import DayWords, day_words
from tests.league.competitions import at_tables
from tests.league.competitions.ladders.test_ladders import challenged, ladder, play
from tests.league.competitions.ladders.test_ladders import plan as ladder_plan
from tests.league.competitions.pair_world import pairs_of, published_pairs
from tests.league.competitions.season_world import play_out, published_season
from tests.league.world import NOON


def words(world, competition) -> DayWords:
    fresh = Competition.objects.select_related("league").get(pk=competition.pk)
    facts = day_facts(fresh, timezone.now(), with_needs=True)
    return day_words(fresh, facts, frozenset(Act))


def strip(world, competition) -> list[tuple[str, str]]:
    return [(one.title, one.state) for one in words(world, competition).steps]


def now(world, competition) -> tuple[str, str, list[tuple[str, list[str]]]]:
    """Title and note of what is now, and each sentence with those it names."""
    one = words(world, competition).now
    assert one is not None
    return one.title, one.note, [(hold.sentence, [item.text for item in hold.items]) for hold in one.holds]


BEFORE = [("Names", "done"), ("Seeds", "done"), ("Draw", "done"), ("Publish", "done")]


def test_everybody_at_a_table_is_named(world) -> None:
    competition = at_tables.published(world, 9, bye_points=1)
    tables = ["Ana Ruiz – P4 – P7", "Bo Chen – P5 – P8", "P3 – P6 – P9"]
    assert now(world, competition) == ("Round 1", "1 of 3", [("3 matches have no result yet:", tables)])


def test_at_a_table_the_others_play_without_whoever_does_not_come(world) -> None:
    competition = at_tables.published(world, 9, bye_points=1)
    slot = at_tables.slots(competition, 1)[0]
    absent = Entrant.objects.get(player__name="P4")
    wait_for(slot, absent, user=world.owner)
    Berth.objects.filter(slot=slot, entrant=absent).update(awaited_since=NOON)
    _title, _note, holds = now(world, competition)
    sentence, [item] = holds[0]
    assert sentence == "1 match waits for a player:"
    assert item.startswith("P4 has not come (Ana Ruiz – P4 – P7): ")
    assert item.endswith("since. The others can play without them.")
    forfeit_absent(slot, absent, user=world.owner)
    assert now(world, competition)[2] == [
        ("3 matches have no result yet:", ["Ana Ruiz – P7", "Bo Chen – P5 – P8", "P3 – P6 – P9"])
    ]


def test_what_a_draw_takes_is_that_of_its_format(world) -> None:
    competition = found(world.league, at_tables.plan(seats=6, ruleset="uno-dominoes"), user=world.owner)
    assert now(world, competition)[2] == [("Add players: a draw needs at least 5.", [])]
    competition = found(world.league, ladder_plan(), user=world.owner)
    assert now(world, competition)[2] == [("Add players: a draw needs at least 2.", [])]


def test_of_pairs_the_strip_speaks_of_pairs(world, client) -> None:
    competition = published_pairs(world)
    names, *_rest = words(world, competition).steps
    assert (names.title, names.note) == ("Names", "4 pairs")
    title, _note, [(_sentence, items)] = now(world, competition)
    assert (title, items[0]) == ("Round 1", "Ana Ruiz & Leo Paz – Eva Mar & Fito Rey")
    few = found_with_players(world.league, ladder_plan(name="Few", pairs=True), "", user=world.owner)
    assert now(world, few)[2] == [("Add pairs: a draw needs at least 2.", [])]
    draft = pairs_of(world, name="Draft")
    client.force_login(world.owner)
    page = client.get(f"/organize/{world.league.slug}/competitions/{draft.slug}/").content.decode()
    assert "Add pairs" in page
    assert "Add players" not in page


def test_a_ladder_is_always_now_until_it_is_closed(world) -> None:
    competition = ladder(world)
    assert strip(world, competition) == [*BEFORE, ("Challenges", "now")]
    assert now(world, competition) == ("Challenges", "", [])
    one = challenged(world, competition, "P4", "Bo")
    assert now(world, competition) == (
        "Challenges", "1 is open", [("1 match has no result yet:", ["Bo Chen – P4"])],
    )  # fmt: skip
    # A month later; the older one is still to be played.
    challenged(world, competition, "P5", "P3", at=datetime(2026, 12, 5, tzinfo=UTC))
    assert now(world, competition) == (
        "Challenges", "2 are open", [("2 matches have no result yet:", ["Bo Chen – P4", "P3 – P5"])],
    )  # fmt: skip
    play(world, one, (20, 150))
    assert now(world, competition)[1] == "1 is open"
    close_ladder(competition, user=world.owner)
    assert strip(world, competition) == [*BEFORE, ("Challenges", "done")]
    assert words(world, competition).now is None


def test_a_ladder_is_published_before_anybody_challenges(world) -> None:
    competition = found_with_players(world.league, ladder_plan(name="Rungs"), "A A\nB B\nC C", user=world.owner)
    assert strip(world, competition)[-2:] == [("Publish", "now"), ("Challenges", "waits")]
    draw(competition, user=world.owner)
    publish(competition, user=world.owner)
    assert strip(world, competition)[-1] == ("Challenges", "now")


def test_the_page_of_a_ladder_says_where_a_challenge_is_made(world, client) -> None:
    competition = ladder(world)
    client.force_login(world.owner)
    url = f"/organize/{world.league.slug}/competitions/{competition.slug}/"
    page = client.get(url).content.decode()
    assert "No challenge is open." in page
    assert f'href="/competitions/{world.league.slug}/{competition.slug}/#ladder"' in page
    challenged(world, competition, "P4", "Bo")
    page = client.get(url).content.decode().split('class="night-tools')[1].split("</section>")[0]
    assert "No challenge is open." not in page
    assert "Enter results" in page


def test_a_division_is_played_to_its_end(world) -> None:
    competition = published_season(world).divisions.get(level=1).competition
    assert now(world, competition)[:2] == ("Round 1", "1 of 3")
    play_out(world, competition)
    assert words(world, competition).now is None


def test_many_challenges_take_as_many_statements_as_one(world) -> None:
    competition = ladder(world, 8)
    counts = []
    for challenger, above in (("P8", "P7"), ("P6", "P5"), ("P4", "P3")):
        challenged(world, competition, challenger, above)
        with CaptureQueriesContext(connection) as asked:
            words(world, competition)
        counts.append(len(asked))
    assert counts[0] == counts[-1]
