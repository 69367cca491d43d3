"""Two live tables of the demonstration: computer players at a tile pad and at a score pad.

Every act follows from the rows of the site, so the players go on after any stop. A visitor who takes a game over keeps
it: the players leave it, and begin another one.
"""

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from random import Random
from uuid import NAMESPACE_URL, UUID, uuid5

from django.db import transaction
from django.db.models import QuerySet

from league.accounts.models import League, User
from league.competitions.draw.plans import Plan, found
from league.competitions.draw.publishing import publish
from league.competitions.draw.schedule.rescheduling import move
from league.competitions.draw.stages import draw
from league.competitions.ladders.closing import close_ladder
from league.competitions.ladders.services import challenge, ladder_of, places
from league.competitions.models import Challenge, Competition, Slot, Stage
from league.competitions.registration.entries import register
from league.errors import Refused
from league.matches.guests import take_side
from league.matches.logs.submission import confirm_result
from league.matches.models import Game, Match, Record, Result
from league.matches.permissions import Guest
from league.matches.tally.hand_in import hand_in
from league.matches.tally.services import Keeper, keep_taps
from league.matches.tally.touches import Batch, Touch
from league.players.models import Entrant
from league.rehearsals.demo_people import PLAYERS, REGULARS, SLUG, entrants_of
from league.rehearsals.live_games import RULESET, begins_hand, planned

NAME, ADDRESS = "Friendly Ladder", "friendly-ladder"
REACH = 20
CHALLENGES = 40
"""Challenges of a ladder: about an hour and a half. Then the next ladder begins."""
MOST = 25 * CHALLENGES
"""Challenges of a demonstration. Records are never removed, so it starts over then."""
DEALING, SIGNING = timedelta(seconds=9), timedelta(seconds=12)
LONGEST = timedelta(hours=1)
"""A game that a visitor left unfinished keeps its players for so long."""
OPEN = (Match.State.SCHEDULED, Match.State.PLAYING)


@dataclass(frozen=True, slots=True)
class PlayedTable:
    """A table, its pad, and the seconds between two touches."""

    name: str
    by_tiles: bool
    fewest: int
    most: int


LIVE_TABLES = (PlayedTable("5", by_tiles=True, fewest=3, most=8), PlayedTable("6", by_tiles=False, fewest=6, most=16))


def open_tables(now: datetime) -> None:
    """Begin the first ladder; the first visitor finds a third of a game at each table."""
    for table in LIVE_TABLES:
        sit_down(table, now - timedelta(minutes=3))
        game = _last_game(table)
        if game is not None:
            plan = planned(game.pk, table.by_tiles)
            send(game, plan[: len(plan) // 3], 0, now)


def play_on(now: datetime) -> None:
    """Do what is due at each table. Calls at the same time do it once."""
    for table in LIVE_TABLES:
        _confirm(table, now)
        with contextlib.suppress(Refused):  # a visitor was faster
            if not _play(table, now):
                sit_down(table, now)


def is_over() -> bool:
    """Return whether the demonstration is to start over."""
    return Challenge.objects.filter(stage__competition__in=_ladders()).count() >= MOST


# --- A game ---


def _last_game(table: PlayedTable) -> Game | None:
    slots = Slot.objects.filter(matchday__stage__competition__in=_ladders())
    games = Game.objects.filter(match__slot__in=slots, match__table__name=table.name)
    return games.select_related("match__league").order_by("-match", "-number").first()


def _play(table: PlayedTable, now: datetime) -> bool:
    """Make the next touch of the game at a table if it is due, or hand it in. False if the table is free."""
    game = _last_game(table)
    if game is None or game.records.exists() or game.match.state not in OPEN:
        return False
    taps = list(game.taps.order_by("number").values_list("touch", "received_at"))
    plan = planned(game.pk, table.by_tiles)
    if [touch for touch, _at in taps] != [one.id for one in plan[: len(taps)]]:
        return False  # a visitor keeps the score
    before = taps[-1][1] if taps else game.match.starts_at
    if before is None or now < before + _pause(table, game, plan, len(taps)):
        return True
    if len(taps) < len(plan):
        send(game, plan[len(taps) : len(taps) + 1], len(taps), now)
        return True
    hand_in(game, _phone(game, 1), pad=_pad(game), after=len(taps), at=now)
    return False


def _pause(table: PlayedTable, game: Game, plan: Sequence[Touch], made: int) -> timedelta:
    """Return the time before the next touch, the same at every call."""
    if made == len(plan):
        return SIGNING
    pause = timedelta(seconds=Random(f"{game.pk} {made}").uniform(table.fewest, table.most))
    return pause + DEALING if begins_hand(plan, made) else pause


def send(game: Game, touches: Sequence[Touch], after: int, now: datetime) -> None:
    """Send touches of the pad of a game, which has sent `after` before."""
    batch = Batch(_pad(game), after, [replace(one, at=now) for one in touches])
    keep_taps(game, Keeper(None, 1), batch, now)


def _pad(game: Game) -> UUID:
    return uuid5(NAMESPACE_URL, f"pad of {game.code}")


def _phone(game: Game, side: int) -> Guest:
    return Guest(game.match_id, side, device=_device(game.match, side))


def _device(match: Match, side: int) -> str:
    return uuid5(NAMESPACE_URL, f"phone of {match.door} {side}").hex


def _confirm(table: PlayedTable, now: datetime) -> None:
    """Confirm results of this table by the other side, a little after they were handed in."""
    waiting = Result.objects.filter(
        game__match__league__slug=SLUG,
        game__match__table__name=table.name,
        current=True,
        state=Result.State.PROVISIONAL,
        record__via=Record.Via.TABLE,
        record__for_side=1,
        entered_at__lte=now - SIGNING,
    )
    for result in waiting.select_related("game__match__league", "record"):
        with contextlib.suppress(Refused):  # a visitor disagrees, or decides it
            confirm_result(result=result, user=_phone(result.game, 2), at=now)


# --- The next game ---


@transaction.atomic
def sit_down(table: PlayedTable, now: datetime) -> None:
    """Let two free players meet at a table, in the ladder of the evening. Raises Refused.

    Does nothing without two players, the table or the organizer, whom a visitor may have renamed.
    """
    organizer = User.objects.filter(username="olga").first()
    if organizer is None:
        return
    ladder = _ladder(organizer, now)
    place, pair = ladder.tables.filter(name=table.name).first(), _free_pair(ladder, now)
    if place is None or pair is None:
        return
    challenged, challenger = pair
    made = challenge(ladder, challenger, challenged, by=challenger, now=now)
    slot = move(made.slot, user=organizer, table=place, starts_at=now)
    match = Match.objects.get(pk=slot.match_id)
    for side in (1, 2):
        take_side(match, side, _device(match, side), now=now)


def _free_pair(ladder: Competition, now: datetime) -> tuple[Entrant, Entrant] | None:
    """Return two players of the computer without an open match, the higher one first."""
    found_places = places(ladder_of(ladder))
    busy = Match.objects.filter(table__name__in=[one.name for one in LIVE_TABLES], starts_at__gt=now - LONGEST)
    players = Entrant.objects.filter(
        pk__in=set(found_places.order) - found_places.busy, player__name__in=(*PLAYERS, *REGULARS), player__user=None
    )
    free = list(players.exclude(sides__match__in=busy.exclude(state=Match.State.DECIDED)).order_by("pk"))
    if len(free) < 2:
        return None
    chosen = Random(f"{ladder.pk} {len(found_places.history)}").sample(free, 2)
    higher, lower = sorted(chosen, key=lambda one: found_places.order.index(one.pk))
    return higher, lower


def _ladders() -> QuerySet[Competition]:
    return Competition.objects.filter(league__slug=SLUG, slug__startswith=ADDRESS, stages__format=Stage.Format.LADDER)


def _ladder(organizer: User, now: datetime) -> Competition:
    """Return the ladder of the evening; a new one after enough challenges, which closes those before."""
    running = list(_ladders().filter(cancelled_at=None, stages__finished_at=None).order_by("pk"))
    if running and Challenge.objects.filter(stage__competition=running[-1]).count() < CHALLENGES:
        return running[-1]
    for one in running:
        with contextlib.suppress(Refused):  # a game is played there; it is closed with the next ones
            close_ladder(one, user=organizer, now=now)
    return _found_ladder(organizer)


def _found_ladder(organizer: User) -> Competition:
    league = League.objects.get(slug=SLUG)
    plan = Plan(
        name=f"{NAME} {_ladders().count() + 1}",
        ruleset=RULESET,
        format=Stage.Format.LADDER,
        challenge_reach=REACH,
        tables=[one.name for one in LIVE_TABLES],
        minutes=1,  # the next two sit down while the last result waits for its confirmation
    )
    ladder = found(league, plan, user=organizer)
    register(ladder, list(entrants_of(league).values()))
    draw(ladder, user=organizer)
    publish(ladder, user=organizer)
    return Competition.objects.select_related("league").get(pk=ladder.pk)
