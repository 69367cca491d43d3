"""The round-up of a finished round: each sentence is held against the rows, and none is told too early or too long."""

import re
from dataclasses import replace
from random import Random

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from games.notation.reading import dumps, loads
from league.competitions.draw.advancing import advance
from league.competitions.models import Competition, Matchday, Registration, Stage
from league.disputes.models import Dispute
from league.disputes.protests import protesting
from league.disputes.protests.protesting import Point
from league.matches.logs.submission import confirm_result, submit_log, verify_record
from league.matches.models import Amendment, KnownBy, Match, Result
from league.matches.queries import finished
from league.matches.queries.finished import FinishedGame, FinishedMatch, FinishedSide
from league.matches.results.entering import enter_sheet
from league.matches.results.match_outcome import GameOutcome
from league.players.models import Player
from league.players.shown import PlayerRow, Who
from league.web.competitions.round_up import _closest, _surprise, round_up_at
from league.web.share import picture_views
from referee.figures import verify_and_count
from referee.frames import reel
from referee.playouts.habits import Habits
from referee.playouts.pips import playout
from tests.league.competitions.amended import amend, score
from tests.league.competitions.cup import enter_result, published, slot
from tests.league.world import World, make_world
from tests.volume import seeds

pytestmark = pytest.mark.django_db
ROUND_ROBIN = Stage.Format.ROUND_ROBIN
PAGE = "/competitions/harbour/cup/"


@pytest.fixture
def world() -> World:
    return make_world()


@pytest.fixture
def cup(world) -> Competition:
    """A round robin of four: Ana, Bo, P3, P4; two matches a round."""
    return published(world, 4, format=ROUND_ROBIN)


def plain(text: str) -> str:
    return text.replace("\u2068", "").replace("\u2069", "")


def told(number: int = 1) -> list[str]:
    found = round_up_at("harbour", "cup", number)
    return [plain(one) for one in found.sentences] if found else []


def brief(path: str, client: Client | None = None) -> list[str]:
    """The sentences on a page."""
    html = (client or Client()).get(path).content.decode()
    found = re.search(r'<ul class="brief">(.*?)</ul>', html, re.DOTALL)
    return (
        [plain(re.sub("<[^>]+>", "", one)) for one in re.findall("<li>(.*?)</li>", found[1], re.DOTALL)]
        if found
        else []
    )


def ended(world, cup, place: int, points=(150, 95), winner: int = 1, number: int = 1, **more) -> Match:
    match = slot(cup, number, place).match
    enter_result(world, match, winner, points=points, **more)
    advance(match.pk)
    return match


def names(cup, place: int, number: int = 1) -> list[str]:
    return [str(one.entrant) for one in slot(cup, number, place).match.sides.order_by("number")]


def test_a_round_is_told_once_all_its_matches_have_a_result(world, cup) -> None:
    ended(world, cup, 1, (150, 90))
    assert told() == brief(PAGE) == []
    ended(world, cup, 2, (150, 145))
    (first, _), (second, other) = names(cup, 1), names(cup, 2)
    assert told() == brief(PAGE) == brief(f"{PAGE}rounds/1/") == brief("/leagues/harbour/")
    assert told() == [
        f"{first} leads the standings after Round 1, ahead of {second} (Points difference: +60 and +5).",
        f"The closest match: {second} against {other}, 150–145.",
    ]


def test_the_latest_finished_round_stands_on_the_page_and_each_round_keeps_its_own(world, cup) -> None:
    for number in (1, 2):
        for place in (1, 2):
            ended(world, cup, place, (150, 60 + 10 * place + number), number=number)
    first = told(1)
    assert brief(PAGE) == told(2) != first
    assert brief(f"{PAGE}rounds/1/") == first
    ended(world, cup, 1, number=3)
    assert brief(PAGE) == told(2)
    assert told(1) == first


@pytest.mark.parametrize("change", [{"contested": True}, {"needs_decision": True}])
def test_a_result_in_question_takes_the_round_up_back(world, cup, change) -> None:
    matches = [ended(world, cup, place) for place in (1, 2)]
    assert told()
    Result.objects.filter(game__match=matches[0]).update(**change)
    assert told() == brief(PAGE) == []


def test_a_proposed_amendment_takes_it_back_and_an_amended_result_changes_it(world, cup) -> None:
    matches = [ended(world, cup, 1, (150, 90)), ended(world, cup, 2, (150, 140))]
    before = told()
    assert brief(PAGE) == before
    amend(world, matches[1], score(150, 20))
    assert brief(PAGE) == told() != before
    assert "150–90" in told()[-1]
    result = Result.objects.get(game__match=matches[0], current=True)
    waits = Amendment.objects.get()
    waits.pk, waits.state, waits.game, waits.old = None, Amendment.State.PROPOSED, result.game, result
    waits.new, waits.closed_by, waits.closed_at = None, None, None
    waits.save()
    assert told() == brief(PAGE) == []


def test_an_open_protest_takes_it_back_unless_it_is_secret(world) -> None:
    cup = published(world, 2, format=ROUND_ROBIN)
    world.match = slot(cup, 1, 1).match
    logged(world, world.match, seed=3)
    assert told()
    dispute = protesting.protest(world.game, world.bob, Point(kind=Dispute.Kind.FRAUD), "that was not Ana")
    assert told()
    Dispute.objects.filter(pk=dispute.pk).update(kind=Dispute.Kind.RESULT)
    assert told() == brief(PAGE) == []


def test_a_minor_is_named_by_initials_and_an_erased_player_by_code(world, cup) -> None:
    for place in (1, 2):
        ended(world, cup, place, (150, 100 + 5 * place))
    assert brief(PAGE) == told()
    Player.objects.filter(pk=world.ana.player_id).update(born=timezone.now().year - 10)
    Player.objects.filter(pk=world.bo.player_id).update(name="")
    text = " ".join([*told(), *brief(PAGE), *(row.name for row in picture_views.of_round("harbour", "cup", 1).rows)])
    assert "Ruiz" not in text
    assert "Chen" not in text


def test_a_draft_or_a_hidden_round_tells_nothing(world, cup) -> None:
    for place in (1, 2):
        ended(world, cup, place)
    Matchday.objects.filter(stage__competition=cup, number=1).update(published_at=None)
    assert told() == []
    Matchday.objects.filter(stage__competition=cup).update(published_at=timezone.now())
    assert told()
    Match.objects.update(published_at=None)
    assert told() == []


def test_the_final_names_its_winner(world) -> None:
    cup = published(world, 4, third_place=True)
    for number, place in ((1, 1), (1, 2), (2, 1), (2, 2)):
        ended(world, cup, place, (150, 100 + 5 * place), number=number)
    (one, other) = next(names(cup, place, 2) for place in (1, 2) if not slot(cup, 2, place).third_place)
    assert told(2)[0].startswith(f"{one} won the final against {other}, 150–")


def test_it_is_told_in_spanish_and_shared_with_a_picture(world, cup) -> None:
    for place in (1, 2):
        ended(world, cup, place, (150, 60 + 40 * place))
    (first, _), (second, other) = names(cup, 1), names(cup, 2)
    with override("es"):
        assert told()[1] == f"El encuentro más reñido: {second} contra {other}, 150–140."
    picture = picture_views.of_round("harbour", "cup", 1)
    assert (picture.over, picture.title) == ("Cup", "Round 1")
    assert [(row.name, row.value) for row in picture.rows] == [
        (f"Leads: {first} (Points difference: +50)", ""),
        (f"Closest: {second} – {other}", "150–140"),
    ]
    html = Client().get(f"{PAGE}rounds/1/").content.decode()
    assert 'property="og:image" content="http://testserver/share/en/rounds/harbour/cup/1.png"' in html
    assert f'property="og:description" content="{told()[0]} {told()[1]}"' in html
    answer = Client().get("/share/es/rounds/harbour/cup/1.png")
    assert (answer.status_code, answer["Content-Type"]) == (200, "image/png")
    assert Client().get("/share/en/rounds/harbour/cup/9.png").status_code == 404
    assert Client().get("/share/en/rounds/harbour/cup/2.png").status_code == 200


def test_a_cached_round_up_goes_with_a_new_name_of_its_round_and_waits_for_its_logs(world, cup, monkeypatch) -> None:
    for place in (1, 2):
        logged(world, slot(cup, 1, place).match, seed=place)
    monkeypatch.setattr(finished, "MOST_REPLAYED", 1)
    assert not any("best play" in one for one in brief(PAGE))
    assert any("best play" in one for one in brief(PAGE))
    Matchday.objects.filter(stage__competition=cup, number=1).update(name="Opening")
    assert "after Opening" in brief(PAGE)[0]


@pytest.mark.parametrize("players", [4, 8])
def test_it_takes_the_same_statements_for_two_and_four_matches(world, players, django_assert_num_queries) -> None:
    cup = published(world, players, format=ROUND_ROBIN)
    for place in range(1, players // 2 + 1):
        ended(world, cup, place, (150, 10 * place))
    told()
    with django_assert_num_queries(9):
        assert told()


# --- Each template against the facts ---


def logged(world, match: Match, *, seed: int) -> str:
    names = [str(one.entrant) for one in match.sides.order_by("number")]
    habits = Habits(miss=0.3, muggins=0.7)
    text = dumps(playout("udl", rng=Random(f"round {seed}"), seats=names, habits=habits).log)
    record = submit_log(game=match.games.get(), user=world.referee, raw=text.encode()).record
    verify_record(record.pk)
    confirm_result(result=Result.objects.get(record=record), user=world.second_referee)
    return text


@pytest.mark.parametrize("seed", seeds(4, 2))
def test_best_play_and_muggins_are_those_of_the_logs(world, cup, seed) -> None:
    logs = [logged(world, slot(cup, 1, place).match, seed=10 * seed + place) for place in (1, 2)]
    plays, muggins = [], 0
    for text in logs:
        film = reel(loads(text)[0])
        owners = {frame.line: frame.event for one in film.rounds for frame in one.frames if frame.line in film.plays}
        seats = re.findall(r'\[Seat\.\w "(.*)"\]', text)
        plays += [
            (points, play.tile.name, seats[play.seat])
            for line, play in owners.items()
            if (points := film.plays[line].awarded.get(play.seat, 0))
        ]
        muggins += sum(one.caught for one in verify_and_count(text)[1].values())
    most = max(plays)[0]
    best = [one for one in plays if one[0] == most]
    expected = (
        f"The best play: {most} for {best[0][1]}, by {best[0][2]}."
        if len(best) == 1
        else f"The best play: {most} points, made {len(best)} times."
    )
    assert expected in told()
    times = "once" if muggins == 1 else f"{muggins} times"
    assert (f"In the games with a log muggins was taken {times}." in told()) == (muggins > 0)
    planted = expected.replace(str(most), str(most + 5))
    assert planted not in told()  # the control


HANDS = ([45, 25], [110, 95], [150, 95])


def carded(world, match: Match, totals) -> None:
    card = {"scores": list(totals[-1]), "rounds": [{"totals": list(one)} for one in totals]}
    done = enter_sheet(match.games.get(), world.referee, card, kind=KnownBy.CARD, insist=True)
    assert done.result.known_by == KnownBy.CARD
    confirm_result(result=done.result, user=world.second_referee)


@pytest.mark.parametrize("lower", [0, 5])
def test_without_logs_the_best_hand_is_that_of_the_cards(world, cup, lower) -> None:
    """Of two equal hands nobody is named."""
    carded(world, slot(cup, 1, 1).match, HANDS)
    carded(world, slot(cup, 1, 2).match, [(one, other - lower if other > 25 else other) for one, other in HANDS])
    second = names(cup, 1)[1]
    best = f"The best hand: 70 points, by {second}." if lower else "The best hand: 70 points, 2 times."
    assert told()[-1] == best
    ended(world, published(world, 2, name="Other", format=ROUND_ROBIN), 1)
    assert told()[-1] == best


def test_with_one_card_of_two_games_the_best_hand_is_that_of_the_known_ones(world, cup) -> None:
    carded(world, slot(cup, 1, 1).match, HANDS)
    ended(world, cup, 2)
    assert told()[-1] == f"The best hand in the games with known hands: 70 points, by {names(cup, 1)[1]}."


@pytest.mark.parametrize("seed", seeds(4, 2))
def test_the_leader_is_that_of_a_second_reckoning(world, cup, seed) -> None:
    rng = Random(f"leader {seed}")
    made: dict[str, list[int]] = {}
    for number in (1, 2, 3):
        for place in (1, 2):
            points = (150, 5 * rng.randint(5, 29))
            winner = rng.choice([1, 2])
            ended(world, cup, place, points, winner, number)
            for side, name in enumerate(names(cup, place, number), start=1):
                own, other = points if side == winner else points[::-1]
                row = made.setdefault(name, [0, 0, 0])
                row[0] += own > other
                row[1] += own - other
                row[2] += own
        ranked = sorted(made, key=lambda name: made[name], reverse=True)
        first, second = ranked[:2]
        key = next(place for place in range(3) if made[first][place] != made[second][place])
        column = ["Won", "Points difference", "Points for"][key]
        one, other = (f"{'+' if key == 1 and made[name][key] > 0 else ''}{made[name][key]}" for name in ranked[:2])
        sentence = f"{first} leads the standings after Round {number}, ahead of {second} ({column}: {one} and {other})."
        assert told(number)[0] == sentence.replace("-", "−")


def test_with_one_log_of_two_games_the_best_play_is_that_of_the_games_with_a_log(world, cup) -> None:
    logged(world, slot(cup, 1, 1).match, seed=1)
    ended(world, cup, 2)
    [best] = [one for one in told() if "best play" in one]
    assert best.startswith("The best play in the games with a log: ")


def rivals(seed: int) -> list[FinishedMatch]:
    """Finished matches of two by chance, of one game each."""
    rng = Random(f"rivals {seed}")
    found = []
    for number in range(rng.randint(2, 6)):
        won, lost = 150 + 5 * rng.randint(0, 2), 5 * rng.randint(15, 29)
        winner = rng.choice([1, 2])
        points = {winner: won, 3 - winner: lost}
        game = FinishedGame(1, points, GameOutcome(winner, official=True), "target", "score", number, {}, False, False)
        sides = [
            FinishedSide(
                side, 10 * number + side, Who([PlayerRow(f"C{number}{side}", f"N{number}{side}", False, "", None)])
            )
            for side in (1, 2)
        ]
        found.append(FinishedMatch(number + 1, 1, sides, [game], False, False, winner))
    return found


@pytest.mark.parametrize("seed", seeds(40))
def test_the_closest_match_is_that_of_the_smallest_margin(seed) -> None:
    matches = rivals(seed)
    scores = [sorted(one.games[0].points.values()) for one in matches]
    margins = [high - low for low, high in scores]
    [fact] = _closest(matches)
    if margins.count(min(margins)) > 1:
        count = margins.count(min(margins))
        assert fact.sentence == f"The closest matches: {count} of them ended with a margin of {min(margins)} points."
        return
    place = margins.index(min(margins))
    winner = matches[place].side(matches[place].winner).who.name
    low, high = scores[place]
    assert plain(fact.sentence).startswith(f"The closest match: {winner} against N{place}")
    assert plain(fact.sentence).endswith(f", {high}–{low}.")
    assert fact.match_id == matches[place].id
    other = next(one for one in range(len(matches)) if one != place)
    moved = replace(matches[other], games=[replace(matches[other].games[0], points={1: 150, 2: 149})], winner=1)
    assert [one.match_id for one in _closest([*matches[:other], moved, *matches[other + 1 :]])] == [
        moved.id
    ]  # the control


@pytest.mark.parametrize("seed", seeds(40))
def test_the_surprise_is_the_win_against_the_largest_gap(seed) -> None:
    matches = rivals(seed)
    rng = Random(f"ratings {seed}")
    ratings = {side.entrant_id: rng.randint(1300, 1700) for one in matches for side in one.sides if rng.random() < 0.9}
    gaps = {}
    for one in matches:
        winner, loser = 10 * (one.id - 1) + one.winner, 10 * (one.id - 1) + 3 - one.winner
        if winner in ratings and loser in ratings:
            gaps[one.id] = ratings[loser] - ratings[winner]
    found = list(_surprise(matches, ratings))
    assert bool(found) == any(gap >= 50 for gap in gaps.values())
    for fact in found:
        assert gaps[fact.match_id] == max(gaps.values())
        assert str(max(gaps.values())) in fact.value
        rated = [int(one) for one in re.findall(r"rated (\d+)", fact.sentence)]
        assert rated[1] - rated[0] == max(gaps.values())


def test_a_surprise_of_the_start_ratings_is_told(world, cup) -> None:
    for place in (1, 2):
        ended(world, cup, place, (150, 100 + 5 * place))
    one, other = (side.entrant_id for side in slot(cup, 1, 2).match.sides.order_by("number"))
    Registration.objects.filter(competition=cup, entrant=one).update(rating=1400)
    Registration.objects.filter(competition=cup, entrant=other).update(rating=1649)
    first, second = names(cup, 2)
    assert told()[1] == f"A surprise: {first}, rated 1400, beat {second}, rated 1649."
