"""Online games: open one, join it, agree to the deal, act, greet, play again. Each is one transaction."""

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.errors import IllegalMove
from games.moves import Seat
from games.notation.lines import MAX_VALUE
from league.accounts.codes import new_seat_key
from league.accounts.folding import clean_words, skeleton
from league.accounts.graphemes import cut_between_letters, first_letters
from league.celery import send
from league.errors import NotAllowed, Refused
from league.play.dealer import WrongMoment
from league.play.models import NAME_LENGTH, OnlineGame, OnlineSeat
from league.play.online.absence import Attendance, Patience, overdue
from league.play.online.acts import SAID, OnlineAct, carry_out, is_stale, was_done
from league.play.online.clock import started
from league.play.online.heartbeat import beat
from league.play.online.table import OnlineTable, OnlineUno
from league.play.online.terms import agree_online
from league.play.services import refusal
from referee import verify

WORDS_LENGTH: Final = 80
BETWEEN_HANDS: Final = timedelta(seconds=15)
"""Time after a hand until one player alone can ask for the next one."""
SEAT_KEPT: Final = timedelta(minutes=2)
"""Absence before the deal after which others can take a seat."""
READY_S: Final = 30
"""Longest absence in seconds of a player who is ready when the hand is dealt."""
PLAYED_ON: Final = Q(game__started_at__isnull=False, game__ended_at=None)
"""Seats of games that are on."""
GREETINGS: Final = ("hello", "luck", "well-played", "thanks", "moment")


# ---- Before the deal


@transaction.atomic
def open_game(ruleset: str, options: Mapping[str, str], name: str, players: int = 2, **times: str) -> OnlineSeat:
    """Open a game, and return the first seat. The secret of the deal is chosen here, and does not change.

    `times`: as `agree_online` takes them. Raises Refused `bad-terms`, `no-name`.
    """
    changed, move_s, absence_s = agree_online(ruleset, options, players, **times)
    return new_seat(new_game(ruleset, changed, move_s, absence_s, players=players), 0, _name(name))


def new_game(ruleset: str, options: Mapping[str, str], move_s: int, absence_s: int, **more: object) -> OnlineGame:
    """Create a game with a new secret. `options`: as a log writes them."""
    return OnlineGame.objects.create(
        ruleset=ruleset,
        options=dict(options),
        move_s=move_s,
        absence_s=absence_s,
        secret=secrets.token_hex(32),
        created_at=timezone.now(),
        **more,
    )


@transaction.atomic
def join(code: str, name: str, key: str = "") -> OnlineSeat:
    """Take the next free seat, and return it. `key`: its secret, so that the same request again returns the same seat.

    Raises OnlineGame.DoesNotExist, NotAllowed `not-a-member` in a game of a lobby, and Refused `no-name`, `same-name`,
    `no-free-seat`.
    """
    game = locked(code)
    seats = game.seated()
    for own in seats:
        if key and own.key == key:
            return own
    if game.lobby_id is not None:
        raise NotAllowed("not-a-member", _("Only players of this league meet here."))
    number = freed_place(game, seats)
    others = [seat for seat in seats if seat.number != number]
    if any(skeleton(seat.name) == skeleton(_name(name)) for seat in others):
        raise Refused("same-name", _("Another player has this name already. Choose another one."))
    return joined(game, number, _name(name), key=key)


def left_seats(game: OnlineGame, seats: list[OnlineSeat], now: datetime) -> list[OnlineSeat]:
    """Return the seats that others can take before the deal, because their players have left the page.

    A player who has sent a link to others keeps the first seat.
    """
    if game.started_at is not None or game.fixture:
        return []
    kept = 0 if game.lobby_id or game.rematch_of_id else 1
    return [seat for seat in seats[kept:] if seat.away_for(now) >= SEAT_KEPT.total_seconds()]


def freed_place(game: OnlineGame, seats: list[OnlineSeat]) -> Seat:
    """Return the number of the next free seat, or free one that was left. Raises Refused `no-free-seat`."""
    if len(seats) < game.players:
        return len(seats)
    for left in left_seats(game, seats, timezone.now()):
        left.delete()
        return left.number
    raise Refused("no-free-seat", _("All seats of this game are taken."))


def joined(game: OnlineGame, number: Seat, name: str, **more: str) -> OnlineSeat:
    """Give a free seat of an open game to a player."""
    game.version += 1
    game.save(update_fields=["version"])
    return new_seat(game, number, name, **more)


def new_seat(game: OnlineGame, number: Seat, name: str, *, key: str = "", player: str = "") -> OnlineSeat:
    about = {"name": name, "key": key or new_seat_key(), "player": player, "seen_at": timezone.now()}
    return OnlineSeat.objects.create(game=game, number=number, **about)


@transaction.atomic
def leave_seat(code: str, key: str) -> None:
    """Give a seat back before the deal; later seats move up.

    Raises OnlineGame.DoesNotExist, NotAllowed `not-your-seat`, and Refused `seat-is-fixed` after the deal and in a game
    of a competition.
    """
    game = locked(code)
    seats = game.seated()
    own = seat_of(seats, key)
    if game.started_at is not None or game.fixture:
        raise Refused("seat-is-fixed", _("This seat cannot be given back."))
    own.delete()
    for later in seats[own.number + 1 :]:
        OnlineSeat.objects.filter(pk=later.pk).update(number=later.number - 1)
    game.version += 1
    game.save(update_fields=["version"])


@transaction.atomic
def join_the_deal(code: str, name: str, words: str, key: str = "") -> OnlineSeat:
    """Take the next free seat and agree to the deal, or do neither.

    Raises as `join` and `agree_to_deal` do.
    """
    seat = join(code, name, key)
    agree_to_deal(code, seat.key, words)
    return seat


def _name(text: str) -> str:
    name = fitting_name(clean_words(text)).strip()
    if not name:
        raise Refused("no-name", _("Enter a name."))
    return name


def fitting_name(text: str) -> str:
    """Return the beginning of a name that fits the seat and the log."""
    return cut_between_letters(first_letters(text, NAME_LENGTH), MAX_VALUE)


@transaction.atomic
def agree_to_deal(code: str, key: str, words: str) -> OnlineGame:
    """Add a player's words to the deal. Once all players have done so, the first hand is dealt.

    If one of them is away by then, nothing is dealt, and that one has to agree again.
    The same words again have no effect. Raises OnlineGame.DoesNotExist, NotAllowed `not-your-seat`, and Refused
    `agreed-already`.
    """
    game, now = locked(code), timezone.now()
    seats = game.seated()
    seat = seat_of(seats, key)
    text = clean_words(words)[:WORDS_LENGTH]
    if seat.agreed:
        if seat.words != text:
            raise Refused("agreed-already", _("You have agreed to this deal already."))
        return game
    seat.words, seat.agreed, seat.seen_at = text, True, now
    seat.save(update_fields=["words", "agreed", "seen_at"])
    game.version += 1
    if len(seats) == game.players and all(one.agreed for one in seats) and not _ask_absent_again(seats, now):
        game.started_at = game.waits_since = now
        game.marks = started(now)
        table = _table(game, now)
        table.deal()
        keep(game, table, now)
    else:
        game.save(update_fields=["version"])
    return game


def _ask_absent_again(seats: list[OnlineSeat], now: datetime) -> bool:
    """Take the agreement of absent players back, and return whether there are any."""
    away = [one.pk for one in seats if one.away_for(now) > READY_S]
    return bool(away and OnlineSeat.objects.filter(pk__in=away).update(agreed=False))


# ---- At the table


def act(code: str, key: str, line: int, asked: OnlineAct) -> OnlineGame:
    """Do what a seat asks for, at a table that had `line` lines on its page.

    An act that was done already is answered as done. Raises OnlineGame.DoesNotExist, NotAllowed `not-your-seat`, and
    Refused `not-dealt`, `game-over`, `stale-table`, `out-of-turn`, `illegal-move`, `not-overdue`.
    """
    now = timezone.now()
    beat(now)
    with transaction.atomic():
        game = locked(code)
        seats = game.seated()
        seat = seat_of(seats, key)
        if game.started_at is None:
            raise Refused("not-dealt", _("The tiles are not dealt yet."))
        table = _table(game, now)
        _do(game, table, seats, seat, (line, asked, now))
    return game


def _do(
    game: OnlineGame,
    table: OnlineTable,
    seats: list[OnlineSeat],
    seat: OnlineSeat,
    message: tuple[int, OnlineAct, datetime],
) -> None:
    line, asked, now = message
    known = 0 <= line <= len(table.lines)
    since = table.events_from(line) if known else []
    if was_done(asked, seat.number, since, table.game.rules):
        return
    if table.over:
        raise Refused("game-over", _("This game has ended."))
    if not known or is_stale(asked, seat.number, since):
        raise Refused("stale-table", _("The table has changed. It is below as it is now."))
    if asked.do == "deal":
        _ask_for_deal(game, table, seats, seat, now)
    elif asked.do == "claim":
        _claim(game, table, seats, seat, now)
    else:
        _move(asked, table, seat)
    seat.seen_at = now
    seat.save(update_fields=["seen_at", "ready_hand"])
    keep(game, table, now, asked.do)


def _move(asked: OnlineAct, table: OnlineTable, seat: OnlineSeat) -> None:
    if asked.do in ("play", "draw") and table.live is not None and table.to_act != seat.number:
        raise Refused("out-of-turn", _("It is not your turn."))
    try:
        carry_out(asked, seat.number, table)
    except (IllegalMove, WrongMoment) as error:
        raise refusal(error, asked.do, asked.tile, asked.on, marked=isinstance(table, OnlineUno)) from None


def _ask_for_deal(
    game: OnlineGame, table: OnlineTable, seats: list[OnlineSeat], seat: OnlineSeat, now: datetime
) -> None:
    """Deal once all players have asked, or one alone some time after the hand, so that calls have their time."""
    if not table.between or table.belled:
        raise Refused("illegal-move", _("That is not possible now."))
    seat.ready_hand = table.game.number
    waited = now - (game.waits_since or now)
    if waited >= BETWEEN_HANDS or all(one.ready_hand == table.game.number for one in seats):
        table.deal()


def _claim(game: OnlineGame, table: OnlineTable, seats: list[OnlineSeat], seat: OnlineSeat, now: datetime) -> None:
    late = overdue(table, attendance(seats), patience(game), now)
    other = next((number for number in late if number != seat.number), None)
    if other is None:
        raise Refused("not-overdue", _("Nobody’s time is over."))
    table.forfeit(other, late[other][0])


def attendance(seats: list[OnlineSeat]) -> list[Attendance]:
    return [Attendance(seat.number, seat.seen_at, seat.ready_hand) for seat in seats]


def patience(game: OnlineGame) -> Patience:
    """Return the limits of a game that has started."""
    return Patience(game.move_s, game.absence_s, game.waits_since or game.created_at)


# ---- Greetings, and another game


@transaction.atomic
def greet(code: str, key: str, greeting: str) -> None:
    """Show one of the fixed greetings at the seat; "" takes it back.

    Raises OnlineGame.DoesNotExist, NotAllowed `not-your-seat`, Refused `no-such-greeting`.
    """
    if greeting and greeting not in GREETINGS:
        raise Refused("no-such-greeting", _("There is no such greeting."))
    _change_seat(code, key, greeting=greeting)


@transaction.atomic
def mute(code: str, key: str, muted: bool) -> None:
    """Hide or show the greetings of the other players.

    Raises OnlineGame.DoesNotExist, NotAllowed `not-your-seat`.
    """
    _change_seat(code, key, muted=muted)


def _change_seat(code: str, key: str, **changes: object) -> None:
    game = locked(code)
    OnlineSeat.objects.filter(pk=seat_of(game.seated(), key).pk).update(**changes)
    game.version += 1
    game.save(update_fields=["version"])


@transaction.atomic
def play_again(code: str, key: str) -> OnlineSeat:
    """Return the player's seat in the rematch; the first request opens it, with the same keys.

    Each player moves one seat, so that another one is dealt to first.

    Raises OnlineGame.DoesNotExist, NotAllowed `not-your-seat`, and Refused `not-over`.
    """
    game, now = locked(code), timezone.now()
    seats = game.seated()
    seat_of(seats, key)
    if game.ended_at is None:
        raise Refused("not-over", _("This game has not ended."))
    if game.fixture:
        raise Refused("not-over", _("The next game of this match is opened on its page."))
    again = OnlineGame.objects.filter(rematch_of=game).first()
    if again is None:
        terms = (game.ruleset, game.options, game.move_s, game.absence_s)
        again = new_game(*terms, players=game.players, rematch_of=game)
        OnlineSeat.objects.bulk_create(
            OnlineSeat(
                game=again,
                number=(seat.number - 1) % game.players,
                key=seat.key,
                name=seat.name,
                player=seat.player,
                seen_at=now,
            )
            for seat in seats
        )
        game.version += 1
        game.save(update_fields=["version"])
    return seat_of(again.seated(), key)


# ---- Rows


def locked(code: str) -> OnlineGame:
    """Lock a game, with its seats. Two statements. Raises OnlineGame.DoesNotExist."""
    return OnlineGame.objects.select_for_update().prefetch_related("seats").get(code=code)


def seat_of(seats: list[OnlineSeat], key: str) -> OnlineSeat:
    """Return the seat of a key. Raises NotAllowed `not-your-seat`."""
    for seat in seats:
        if key and secrets.compare_digest(seat.key, key):
            return seat
    raise NotAllowed("not-your-seat", _("This is not your seat."))


def _table(game: OnlineGame, now: datetime) -> OnlineTable:
    """Return the table with everything done that is due."""
    table = game.table()
    table.advance(now)
    return table


def keep(game: OnlineGame, table: OnlineTable, now: datetime, asked: str = "") -> None:
    """Write the table into its row, after an act if one was `asked` for.

    A finished game opens its deal; the words of an erased player go.
    """
    lines = "\n".join(table.lines)
    if lines != game.lines and asked not in SAID:  # a call gives nobody more time for a move
        game.waits_since = now
    game.lines = lines
    game.version += 1
    game.due_at = table.due_at(now)
    if table.over and game.ended_at is None:
        game.ended_at = now
        game.status = str(verify(game.table().log).status)
        for erased in (seat for seat in game.seated() if seat.is_erased):
            OnlineSeat.objects.filter(pk=erased.pk).update(words="")
        if game.fixture:  # a message is a hint, the sweep finds what was missed
            transaction.on_commit(lambda: send("play.hand_in", game.pk) and None)
    game.save()
