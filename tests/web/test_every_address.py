"""Every page and GET of the API answers without a fault, and as described.

For each kind of competition in each of its states, by every role. A quarter here, so that each address is asked for in
each state of two kinds; everything with THOROUGH=1.
"""

from collections import Counter
from collections.abc import Iterator
from http import HTTPStatus
from itertools import count

import pytest
from django.test import Client

from league.accounts.models import Role, User
from league.competitions.attendance.no_shows import wait_for
from league.competitions.attendance.withdrawals import withdraw
from league.competitions.draw.advancing import advance
from league.competitions.draw.founding import add_players
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish, publish_matchday
from league.competitions.draw.stages import draw, draw_next
from league.competitions.ladders.services import challenge
from league.competitions.models import Competition, Matchday, Stage
from league.errors import Refused
from league.matches.models import KnownBy, Match
from league.matches.results.entering import enter_sheet, undo_entry
from league.players.models import PlayerMerge
from league.rehearsals.demo import load_demo
from tests.league.world import World, make_world
from tests.volume import SEED, SHARE, THOROUGH
from tests.web import table_world
from tests.web.walk import WAYS, Address, Scope, Walk, addresses, description, paths, way_of

BY_ROUND = Competition.Release.ROUND_BY_ROUND
TABLES = {"ruleset": "all-fives", "seats": 4, "tie_breaks": ("place_points", "game_points", "difference")}
KINDS: dict[str, dict[str, object]] = {
    "double elimination": {"format": Stage.Format.DOUBLE_ELIMINATION},
    "round robin": {"format": Stage.Format.ROUND_ROBIN, "fee": 500},
    "double round robin": {"format": Stage.Format.DOUBLE_ROUND_ROBIN, "release": BY_ROUND},
    "knock-out": {"format": Stage.Format.SINGLE_ELIMINATION, "third_place": True},
    "groups": {"format": Stage.Format.GROUPS, "groups": 2, "then": "single_elimination", "advance_each": 2},
    "Swiss": {"format": Stage.Format.SWISS, "rounds": 3},
    "tables": {"format": Stage.Format.TABLE_ROUNDS, "rounds": 2, **TABLES},
    "ladder": {"format": Stage.Format.LADDER, "challenge_reach": 2},
    "pairs": {"format": Stage.Format.SINGLE_ELIMINATION, "pairs": True, "best_of": 3},
}
PART = 1 if THOROUGH else SHARE
# In the daily run.
SMALL = {"double elimination": ("taken back",)}


def test_every_address_says_where_its_arguments_come_from() -> None:
    assert [one.path for one in addresses() if way_of(one) is None] == []


def test_an_address_that_nobody_walks_is_found() -> None:
    """The control."""
    ways = {one: rows for one, rows in WAYS.items() if one != "hall/{}/"}
    assert [one.path for one in addresses() if way_of(one, ways) is None] == ["hall/{}/"]


@pytest.fixture(autouse=True)
def _unlimited(settings) -> None:
    settings.API_LIMITS = dict.fromkeys(settings.API_LIMITS, 1_000_000)


@pytest.fixture
def world(db) -> World:
    return make_world()


def browsers(people: dict[str, User | None]) -> dict[str, Client]:
    clients = {}
    for name, user in people.items():
        clients[name] = Client(raise_request_exception=False)
        if user:
            clients[name].force_login(user)
    return clients


def everybody(league, **known: User | None) -> dict[str, User | None]:
    """Return one user of each role, beside the known ones."""
    people: dict[str, User | None] = {"anonymous": None, **known}
    for kind in Role.Kind:
        people[kind.value] = User.objects.create_user(f"walks-as-{kind.value}")
        Role.objects.create(user=people[kind.value], league=league, kind=kind)
    people["superuser"] = User.objects.create_superuser("walks-as-root")
    people["stranger"] = User.objects.create_user("walks-as-stranger")
    return people


def walked(
    walk: Walk,
    clients: dict[str, Client],
    scope: Scope,
    *,
    everybody_asks: bool = False,
    part: slice = slice(None),
) -> None:
    """Ask for rows of each address, by roles in turn.

    The daily run asks for one row of each address, each by another role. The thorough run asks for every row of a site
    by every role, and for two rows of each state of a competition by the owner and one more role.
    """
    names = list(clients)
    rows = list(paths(scope, None if everybody_asks else 2 if THOROUGH else 1))[part]
    # Counts on from state to state, so that each state has another role for an address.
    for turn, (address, path) in enumerate(rows, start=walk.asked.total()):
        asked = [names[turn % len(names)]]
        if everybody_asks:
            asked = names
        elif THOROUGH:
            asked = dict.fromkeys(["owner", asked[0]])
        for name in asked:
            walk.ask(name, clients[name], address, path)


def report(walk: Walk, about: str) -> None:
    print(f"{about}: {walk.asked.total()} requests, {walk.compared} compared, {dict(sorted(walk.asked.items()))}")
    assert walk.faults == []
    assert walk.asked[200] > 0
    assert walk.compared > 0


def test_everything_that_a_site_can_have_is_answered(db) -> None:
    people, _own, _foreign = table_world.build()
    walk = Walk()
    walked(walk, browsers(people), Scope(), everybody_asks=THOROUGH)
    report(walk, "a site with everything")


def test_the_address_of_a_merged_player_answers_as_described(db) -> None:
    table_world.build()
    [address] = [one for one in addresses() if one.path == "api/v1/players/{}"]
    answer = Client().get(f"/api/v1/players/{PlayerMerge.objects.first().absorbed.code}")
    assert answer.status_code == HTTPStatus.MOVED_PERMANENTLY
    assert description().differs(address, answer) == ""


@pytest.mark.slow("plays the demonstration")
def test_the_demonstration_is_answered(db, settings, tmp_path) -> None:
    settings.DATA_DIR = tmp_path
    load_demo(lambda _sentence: None)
    league = Competition.objects.first().league
    people = everybody(league, ana=User.objects.get(username="ana"), olga=User.objects.get(username="olga"))
    walk = Walk()
    walked(walk, browsers(people), Scope(), everybody_asks=THOROUGH)
    report(walk, "the demonstration")


@pytest.mark.slow("every format in every state")
@pytest.mark.parametrize("kind", KINDS)
def test_a_competition_of_each_kind_is_answered_in_each_state(world: World, kind: str) -> None:
    people = everybody(world.league, alice=world.alice, owner=world.owner)
    walk_states(world, kind, browsers(people), None)


@pytest.mark.slow("every address")
def test_a_double_elimination_is_answered_after_its_last_result_was_taken_back(world: World) -> None:
    clients = browsers({"anonymous": None, "owner": world.owner, "player": world.alice})
    walk_states(world, "double elimination", clients, SMALL["double elimination"])


def walk_states(world: World, kind: str, clients: dict[str, Client], chosen: tuple[str, ...] | None) -> None:
    walk, seen, turn = Walk(), Counter(), list(KINDS).index(kind)
    for state, competition in states(world, KINDS[kind]):
        seen[state] += 1
        if seen[state] == 1 and (chosen is None or state in chosen):
            part = slice(None) if chosen else slice((turn + len(seen) + SEED) % PART, None, PART)
            walked(walk, clients, Scope(competition.pk), part=part)
    report(walk, f"{kind} in {seen.total()} states")
    assert {"founded", "drawn", "published", "playing", "withdrawn"} <= set(seen)
    assert "ladder" in kind or {"finished", "taken back"} <= set(seen)


def test_a_call_that_fails_and_one_that_differs_are_found(world: World, monkeypatch) -> None:
    """The controls: the old fault of `…/day`, and a field of another type."""
    competition = next(made for state, made in states(world, KINDS["round robin"]) if state == "playing")
    client = browsers({"owner": world.owner})
    day = [one for one in paths(Scope(competition.pk)) if one[1].endswith("/day")]
    assert faults(client, day) == []
    with monkeypatch.context() as patch:
        patch.setattr("league.api.resources.organize.next_step._match", lambda one: one.nothing)
        [failed] = faults(client, day)
    assert failed.startswith("500 /api/v1/competitions/harbour/walk/day as owner: ")
    with monkeypatch.context() as patch:
        patch.setattr(
            "league.api.resources.organize.next_step.DayFields.to_representation", lambda _self, _one: {"league": 7}
        )
        [differs] = faults(client, day)
    assert "7 is not of type" in differs


def faults(clients: dict[str, Client], addresses: list[tuple[Address, str]]) -> list[str]:
    walk = Walk()
    walk.take(clients, addresses)
    return walk.faults


# --- A competition from its foundation to its end ---


def states(world: World, plan: dict[str, object]) -> Iterator[tuple[str, Competition]]:
    """Yield the competition after each step; the referee enters signed results."""
    made = found(
        world.league, Plan(**{"name": "Walk", "ruleset": "udl", "tables": ("1", "2"), **plan}), user=world.owner
    )
    yield "founded", made
    add_players(made, "\n".join(named(plan)), user=world.owner)
    yield "named", made
    draw(made, user=world.owner)
    yield "drawn", fresh(made)
    publish(made, user=world.owner)
    yield "published", fresh(made)
    made = fresh(made)
    if plan["format"] == Stage.Format.LADDER:
        both = [row.entrant for row in made.registrations.order_by("seed")[:2]]
        challenge(made, both[1], both[0], by=world.owner)
        yield "challenged", made
    last = None
    for turn in count():
        if match := open_match(made):
            if turn == 0:
                yield from begun(world, made, match)
            last = decide(world, match)
            if not open_match(made):
                yield "round played", fresh(made)
        elif not went_on(world, made):
            break
    yield "finished", fresh(made)
    if last:
        undo_entry(last, world.referee)
        yield "taken back", fresh(made)
    leaves = made.registrations.order_by("-seed").first().entrant
    withdraw(made, leaves, user=world.owner, reason="ill")
    yield "withdrawn", fresh(made)


def named(plan: dict[str, object]) -> list[str]:
    pairs = plan.get("pairs")
    return [f"Guest {number}" + (f" / Friend {number}" if pairs else "") for number in range(1, 7)]


def fresh(made: Competition) -> Competition:
    return Competition.objects.get(pk=made.pk)


def open_match(made: Competition) -> Match | None:
    rows = Match.objects.filter(slot__matchday__stage__competition=made, published_at__isnull=False)
    return rows.exclude(state=Match.State.DECIDED).order_by("slot__matchday__number", "pk").first()


def begun(world: World, made: Competition, match: Match) -> Iterator[tuple[str, Competition]]:
    """Yield a match with an awaited player, then one with an unconfirmed result."""
    first = match.slot.berths.first()
    if match.sides.count() == 2 and made.stages.first().format != Stage.Format.LADDER:
        wait_for(match.slot, first.entrant, user=world.owner, waiting=True)
        yield "awaited", fresh(made)
        wait_for(match.slot, first.entrant, user=world.owner, waiting=False)
    entered = enter_sheet(match.games.first(), world.referee, {"scores": scores(match)}, kind=KnownBy.SCORE)
    yield "playing", fresh(made)
    undo_entry(entered.record, world.referee)


def scores(match: Match) -> list[int]:
    """Let the last side win; in a grand final that is the side with a loss."""
    target = 100 if match.ruleset == "all-fives" else 150
    return [5 * number for number in range(match.sides.count() - 1)] + [target]


def decide(world: World, match: Match):
    """Decide a match, and return the record of its last game."""
    record = None
    for game in match.games.order_by("number")[: match.best_of // 2 + 1]:
        sheet = {"scores": scores(match)}
        record = enter_sheet(game, world.referee, sheet, kind=KnownBy.SCORE, signed=True).record
    advance(match.pk)
    return record


def went_on(world: World, made: Competition) -> bool:
    """Draw the next round if needed, and publish it."""
    hidden = Matchday.objects.filter(stage__competition=made, published_at=None).order_by("number").first()
    try:
        publish_matchday(hidden or draw_next(fresh(made), user=world.owner), user=world.owner)
    except Refused:
        return False
    return True
