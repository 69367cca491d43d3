"""Games of a competition that are played online: opened by their two players, and handed in as logs."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.moves import SEATS
from games.notation.gamelog import GameLog
from games.notation.reading import dumps
from league.accounts.models import User
from league.errors import NotAllowed, Refused
from league.matches import permissions
from league.matches.locks import locked_match
from league.matches.logs.submission import check_may_submit, submit_log
from league.matches.models import Game, Match, Record, Side
from league.matches.queries.match import MatchPage
from league.matches.rules import option_text
from league.play.models import OnlineGame, OnlineSeat
from league.play.online.services import fitting_name, new_game
from league.play.online.terms import ONLINE, USUAL_ABSENCE, USUAL_MOVE_TIME
from league.players.models import PEOPLE, Player
from league.prepared_statements import FixedSelects

log = logging.getLogger(__name__)

FILE: Final = "online.domino"
BEING_PLAYED = FixedSelects(
    lambda games: (
        OnlineGame.objects.filter(fixture__in=games, started_at__isnull=False, ended_at=None)
        .order_by("pk")
        .values_list("code")
    )
)


def next_online(page: MatchPage) -> str:
    """Return the code of the game that its reader can play online now, "" if none. No statement."""
    alone = all(len(side.people) == 1 for side in page.line.sides)
    if page.one is None or not page.one.plays or not alone or len(page.line.sides) != 2:
        return ""
    if page.match.state == Match.State.DECIDED or page.match.ruleset not in ONLINE:
        return ""
    waiting = (view for view in page.games if not view.records and not view.result)
    return next((view.game.code for view in waiting), "")


def online_now(page: MatchPage) -> str:
    """Return the code of the online game that is on, for everybody; "" if none.

    One statement, none if every game has a result or a log.
    """
    codes = [view.game.code for view in page.games if not view.records and not view.result]
    if not codes or page.match.ruleset not in ONLINE:
        return ""
    return next((code for [code] in BEING_PLAYED.rows(codes)), "")


def visible_game(code: str, user: User) -> Game:
    """Return a game of a match that an account sees. Raises Game.DoesNotExist."""
    game = Game.objects.select_related("match__league").get(code=code)
    if not permissions.actor(user, game.match).sees:
        raise Game.DoesNotExist
    return game


def open_fixture(code: str, user: User) -> OnlineSeat:
    """Return the player's seat in the online game of a fixture; the first request opens it for both players.

    Raises Game.DoesNotExist; NotAllowed `sign-in`, `not-your-match`; Refused `not-online`, `no-account`, `has-log`, and
    those of `submission.check_may_submit`.
    """
    game = visible_game(code, user)
    one = permissions.actor(user, game.match)
    check_may_submit(user, game)
    if one.side is None:
        raise NotAllowed("not-your-match", _("Only the two players of this match can play it online."))
    with transaction.atomic():
        locked_match(game.match_id)
        online = OnlineGame.objects.filter(fixture=code, ended_at=None).first() or _opened(game)
        return online.seats.select_related("game").get(number=one.side - 1)


def _opened(game: Game) -> OnlineGame:
    players = _players(game.match_id)
    if len(players) != 2 or game.match.ruleset not in ONLINE:
        raise Refused("not-online", _("Games of this kind cannot be played online."))
    if not all(player.user_id for player in players.values()):
        raise Refused("no-account", _("Both players need an account to play online."))
    waiting = OnlineGame.objects.filter(fixture=game.code, handed_in_at=None)
    if Record.objects.filter(game=game).exists() or waiting.exists():
        raise Refused("has-log", _("This game has been played."))
    options = {key: option_text(value) for key, value in game.match.options.items()}
    online = new_game(game.match.ruleset, options, int(USUAL_MOVE_TIME), int(USUAL_ABSENCE), fixture=game.code)
    now = timezone.now()
    OnlineSeat.objects.bulk_create(
        OnlineSeat(game=online, number=side - 1, name=name, player=player.code, seen_at=now)
        for side, player in players.items()
        for name in [fitting_name(str(player.shown_name))]
    )
    return online


def _players(match_id: int) -> Mapping[int, Player]:
    """Return the player of each side, by its number; none for a pair. One statement."""
    sides = Side.objects.filter(match=match_id).select_related(*PEOPLE).order_by("number")
    return {side.number: side.entrant.players[0] for side in sides if not side.entrant.is_pair}


@dataclass(frozen=True, slots=True)
class FixtureLink:
    """The match of a game of a competition; `refused`: it did not take the log of the finished game."""

    match: int
    refused: bool


def link_of(online: OnlineGame) -> FixtureLink | None:
    """Return the match of an online game, None for a game among friends. One statement for a game of a competition."""
    if not online.fixture:
        return None
    found = Game.objects.filter(code=online.fixture).values_list("match_id", "records").first()
    return found and FixtureLink(found[0], refused=online.handed_in_at is not None and found[1] is None)


# ---- The result


def hand_in(online_id: int) -> bool:
    """Submit the log of a finished fixture for both players, and return whether it is a log of the fixture now.

    Safe to run twice: the same bytes of the same side are one record. A refusal is logged, and is not tried again.
    """
    online = OnlineGame.objects.prefetch_related("seats").get(pk=online_id)
    if not online.fixture or online.ended_at is None or online.handed_in_at is not None:
        return False
    game = Game.objects.select_related("match__league").filter(code=online.fixture).first()
    taken = game is not None and _submitted(online, game)
    OnlineGame.objects.filter(pk=online_id).update(handed_in_at=timezone.now())
    return taken


def _submitted(online: OnlineGame, game: Game) -> bool:
    seats = online.seated()
    players = {player.code: player for player in Player.objects.filter(code__in=[seat.player for seat in seats])}
    raw = log_of(online).encode()
    for seat in seats:
        player = players.get(seat.player)
        if player is None or player.user is None:
            continue
        try:
            submit_log(game=game, user=player.user, raw=raw, filename=FILE, at=online.ended_at)
        except Refused as refused:
            log.warning("online game %s is not taken for game %s: %s", online.pk, game.code, refused.code)
            return False
    return True


def log_of(online: OnlineGame) -> str:
    """Return the log of a finished fixture, with the codes of the game and its players."""
    finished = online.table().log
    seats = {f"Seat.{SEATS[seat.number]}": seat.player for seat in online.seated()}
    return dumps(GameLog({**finished.tags, **seats, "Game": online.fixture}, finished.entries))


def hand_in_missed(now: datetime) -> int:
    """Hand in the logs of finished fixtures that were missed, and return their number."""
    missed = OnlineGame.objects.filter(ended_at__lte=now, handed_in_at=None).exclude(fixture="")
    keys = list(missed.values_list("pk", flat=True))
    for key in keys:
        try:
            hand_in(key)
        except Exception:
            log.exception("the log of the online game %d failed in the sweep", key)
    return len(keys)
