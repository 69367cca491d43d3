"""Records of a season and of a league: each is held against the rows and logs, and goes with the result it rests on."""

import re
from random import Random

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from games.moves import Play
from games.notation.reading import dumps, loads
from league.competitions.models import Season
from league.disputes.models import Dispute
from league.disputes.protests import protesting
from league.disputes.protests.protesting import Point
from league.matches.logs.submission import confirm_result, submit_log, verify_record
from league.matches.models import Match, Result, Side
from league.matches.queries import finished
from league.players.models import Player
from league.web.competitions.records import records_of_season
from league.web.words import records as words
from referee.figures import verify_and_count
from referee.frames import reel
from referee.playouts.habits import Habits
from referee.playouts.pips import playout
from tests.league.competitions.amended import amend, score
from tests.league.competitions.cup import enter_result
from tests.league.competitions.season_world import published_season, slots
from tests.league.world import World, make_world
from tests.volume import seeds

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> World:
    return make_world()


@pytest.fixture
def season(world) -> Season:
    return published_season(world)


def plain(text: str) -> str:
    return text.replace("\u2068", "").replace("\u2069", "")


def held(season: Season) -> dict[str, tuple[str, str, str]]:
    """Title → value, holder, address."""
    found = records_of_season(season)
    return {str(one.title): (one.value, plain(one.holder), one.address) for one in found.held} if found else {}


def page(season: Season) -> str:
    return reverse("seasons:detail", args=[season.league.slug, season.slug])


def matches_of(season: Season) -> list[Match]:
    return [one.match for division in season.divisions.order_by("level") for one in slots(division.competition)]


def names(match: Match) -> list[str]:
    return [str(one.entrant) for one in match.sides.order_by("number")]


def logged(world, match: Match, seed: int, *, official: bool = True) -> str:
    habits = Habits(miss=0.3, muggins=0.7)
    text = dumps(playout("udl", rng=Random(f"record {seed}"), seats=names(match), habits=habits).log)
    record = submit_log(game=match.games.get(), user=world.referee, raw=text.encode()).record
    verify_record(record.pk)
    if official:
        confirm_result(result=Result.objects.get(record=record), user=world.second_referee)
    return text


# --- Each record against the facts ---


def facts_of(match: Match, text: str) -> dict[str, list[tuple[int, str, str]]]:
    """Candidates of one log: number, name, end of the address; by another way than the page's."""
    film = reel(loads(text)[0])
    verdict, figures = verify_and_count(text)
    seats = re.findall(r'\[Seat\.\w "(.*)"\]', text)
    frames = [(one, step, frame) for one in film.rounds for step, frame in enumerate(one.frames)]
    plays = [
        (film.plays[frame.line].awarded.get(frame.event.seat, 0), seats[frame.event.seat], f"#r{one.number}.{step}")
        for one, step, frame in frames
        if isinstance(frame.event, Play)
    ]
    hands = [
        (one.frames[-1].scores[seat] - one.frames[0].scores[seat], name, f"#r{one.number}.0")
        for one in film.rounds
        for seat, name in enumerate(seats)
    ]
    times = [frame.at for _one, _step, frame in frames if isinstance(frame.event, Play)]
    fast = verdict.ended == "target" and verdict.winner and None not in times
    return {
        str(words.PLAY): plays,
        str(words.HAND): hands,
        str(words.MUGGINS): [(one.caught, seats[number], "") for number, one in enumerate(figures.values())],
        str(words.TIME): [(-(times[-1] // 10), seats["AB".index(verdict.winner)], "")] if fast else [],
    }


def is_true(season: Season, logs: dict[Match, str], told: dict[str, tuple[str, str, str]]) -> bool:
    found: dict[str, list[tuple[int, str, str]]] = {}
    for match, text in logs.items():
        for title, candidates in facts_of(match, text).items():
            found.setdefault(title, []).extend((n, who, f"/matches/{match.pk}/{at}") for n, who, at in candidates)
    found[str(words.WIN)] = []
    for one in Result.objects.filter(
        current=True, game__match__slot__matchday__stage__competition__division__season=season
    ):
        margin = abs(one.scores["1"] - one.scores["2"])
        who = str(Side.objects.get(match=one.game.match_id, number=one.winner).entrant)
        found[str(words.WIN)].append((margin, who, f"/matches/{one.game.match_id}/"))
    wanted = {title: [one for one in each if one[0]] for title, each in found.items()}
    return {title for title, each in wanted.items() if each} == told.keys() - {str(words.RUN)} and all(
        any(
            (told[title][0], told[title][2]) == (_number(title, number), address) and told[title][1].startswith(who)
            for number, who, address in each
            if number == max(each)[0]
        )
        for title, each in wanted.items()
        if each
    )


def _number(title: str, number: int) -> str:
    return f"{-number // 60}:{-number % 60:02}" if title == str(words.TIME) else str(number)


@pytest.mark.parametrize("seed", seeds(4, 2))
def test_each_record_is_that_of_the_rows_and_logs(world, season, seed) -> None:
    logs = {match: logged(world, match, 10 * seed + number) for number, match in enumerate(matches_of(season)[:4])}
    enter_result(world, matches_of(season)[5], 1, points=(150, 150 - 5 * (seed + 1)))
    told = held(season)
    assert is_true(season, logs, told)
    for title, (value, holder, address) in told.items():  # the control
        if title != str(words.RUN):
            for planted in ((f"{value}0", holder, address), (value, "Nobody", address), (value, holder, "/matches/0/")):
                assert not is_true(season, logs, told | {title: planted}), title


@pytest.mark.parametrize("seed", seeds(4, 2))
def test_the_longest_run_is_that_of_the_rows(world, season, seed) -> None:
    rng = Random(f"run {seed}")
    matches = matches_of(season)
    for match in matches:
        enter_result(world, match, rng.choice([1, 2]), points=(150, 5 * rng.randint(0, 29)))
    results: dict[str, str] = {}
    for number in (1, 2, 3):
        for match in (one for one in matches if one.slot.matchday.number == number):
            winner = Result.objects.get(game__match=match, current=True).winner
            for side, name in enumerate(names(match), start=1):
                results[name] = results.get(name, "") + ("W" if side == winner else "L")
    longest = {name: max(map(len, each.split("L"))) for name, each in results.items()}
    most = max(longest.values())
    if most < 2:
        assert str(words.RUN) not in held(season)
        return
    value, holder, _address = held(season)[str(words.RUN)]
    assert value == str(most)
    assert longest[holder] == most


# --- What it rests on ---


def test_an_amended_result_takes_its_record_away_at_once(world, season) -> None:
    first, second = matches_of(season)[:2]
    enter_result(world, first, 1, points=(150, 10))
    enter_result(world, second, 1, points=(150, 60))
    assert held(season)[str(words.WIN)][0] == "140"
    amend(world, first, score(150, 145))
    assert held(season)[str(words.WIN)] == (
        "90",
        f"{names(second)[0]} 150–60 against {names(second)[1]}",
        f"/matches/{second.pk}/",
    )


@pytest.mark.parametrize(
    "change", [{"contested": True}, {"needs_decision": True}, {"ended": "forfeit"}, {"known_by": "ruled"}]
)
def test_a_result_in_question_or_without_play_holds_no_record(world, season, change) -> None:
    match = matches_of(season)[0]
    logged(world, match, 1, official=False)
    assert len(held(season)) >= 3
    Result.objects.filter(game__match=match).update(**change)
    assert not {str(words.WIN), str(words.RUN)} & held(season).keys()
    assert (change.keys() <= {"ended"}) or held(season) == {}


def test_a_protest_takes_the_record_away_while_it_is_open_unless_it_is_secret(world, season) -> None:
    world.match = next(one for one in matches_of(season) if {*names(one)} == {"Ana Ruiz", "Bo Chen"})
    logged(world, world.match, 1)
    before = held(season)
    dispute = protesting.protest(world.game, world.bob, Point(kind=Dispute.Kind.FRAUD), "marked tiles")
    assert held(season) == before != {}
    Dispute.objects.filter(pk=dispute.pk).update(kind=Dispute.Kind.RESULT)
    assert held(season) == {}


def test_a_run_does_not_go_through_a_match_in_question(world, season) -> None:
    matches = [one for one in matches_of(season) if "Ana Ruiz" in names(one)]
    for match in matches:
        enter_result(world, match, 1 + names(match).index("Ana Ruiz"))
    assert held(season)[str(words.RUN)][:2] == ("3", "Ana Ruiz")
    Result.objects.filter(game__match=matches[1]).update(contested=True)
    assert str(words.RUN) not in held(season)


def test_a_hidden_match_a_draft_and_a_cancelled_division_hold_no_record(world, season) -> None:
    match = matches_of(season)[0]
    enter_result(world, match, 1)
    assert held(season)
    Match.objects.filter(pk=match.pk).update(published_at=None)
    assert held(season) == {}
    Match.objects.filter(pk=match.pk).update(published_at=timezone.now())
    division = season.divisions.get(level=1).competition
    for change, back in (({"published_at": None}, {"published_at": timezone.now()}),):
        type(division).objects.filter(pk=division.pk).update(**change)
        assert held(season) == {}
        type(division).objects.filter(pk=division.pk).update(**back)
    Season.objects.update(published_at=None)
    season.refresh_from_db()
    assert records_of_season(season) is None


def test_a_name_that_is_erased_and_a_minor_are_shown_as_everywhere(world, season) -> None:
    match = matches_of(season)[0]
    logged(world, match, 1)
    one, other = (side.entrant.player for side in match.sides.order_by("number"))
    Player.objects.filter(pk=one.pk).update(name="")
    Player.objects.filter(pk=other.pk).update(born=timezone.now().year - 10)
    told = " ".join(holder for _value, holder, _address in held(season).values())
    assert one.code in told
    assert one.name not in told
    assert other.name not in told


def test_a_log_is_replayed_once_and_a_page_with_too_many_of_them_leaves_their_records_out(
    world, season, monkeypatch
) -> None:
    for number, match in enumerate(matches_of(season)[:2]):
        logged(world, match, number)
    replayed = []
    count = finished.log_highlights
    monkeypatch.setattr(finished, "log_highlights", lambda log: replayed.append(1) or count(log))
    monkeypatch.setattr(finished, "MOST_REPLAYED", 1)
    cache.clear()
    assert str(words.PLAY) not in held(season)
    assert str(words.WIN) in held(season)
    assert str(words.PLAY) in held(season)
    assert len(replayed) == 2


# --- Pages ---


def test_the_page_of_a_season_lists_them_with_links_in_both_languages(world, season) -> None:
    match = matches_of(season)[0]
    logged(world, match, 1)
    enter_result(world, matches_of(season)[1], 1, points=(150, 145))
    html = Client().get(page(season)).content.decode()
    for _value, _holder, address in held(season).values():
        assert f'href="{address}"' in html
    assert "Games: 2. With a log: 1. With known hands: 1." in html
    step = held(season)[str(words.PLAY)][2].partition("#")[2]
    assert f'id="{step}"' in Client().get(f"/matches/{match.pk}/").content.decode()
    with override("es"):
        assert (
            "Récords de la temporada" in Client().get(page(season), headers={"Accept-Language": "es"}).content.decode()
        )
        assert "Mayor victoria" in held(season)


def test_an_empty_season_has_none(season) -> None:
    assert 'id="records"' not in Client().get(page(season)).content.decode()


@pytest.mark.parametrize("count", [1, 3])
def test_records_take_the_same_statements_for_one_and_three_matches(
    world, season, django_assert_num_queries, count
) -> None:
    for number, match in enumerate(matches_of(season)[:count]):
        logged(world, match, number)
    held(season)
    with django_assert_num_queries(3):
        assert held(season)
