"""Reviews of games between people: each player's own, and public once all players of the game agree."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext_lazy as _

from games.moves import SEATS, Seat
from league.accounts.permissions import Asker
from league.errors import NotAllowed, Refused
from league.matches import permissions
from league.matches.models import Game, KnownBy, Result, Side, StoredVerdict
from league.matches.queries.match import MatchPage, verdict_of
from league.matches.visibility import visible_matches
from league.play.models import MoveReview, OnlineGame, OnlineSeat
from league.play.online.queries import asked_game
from league.play.review_view import ReviewView, view_of
from league.play.reviews import ReviewedGame, ask_for_seat, key_of, no_review, unfinished
from league.players.models import PEOPLE, Player

LEGAL: Final = (StoredVerdict.Status.VERIFIED, StoredVerdict.Status.CORRECTED)
"""Verdicts on logs whose moves are all legal and all seen."""


@dataclass(frozen=True, slots=True)
class GameToReview:
    """A finished game between people, and the asker's part in it.

    `names` by seat; `own`: the seat of the asker, of a pair for both partners, None for others. `with_minor`: a player
    is or may be a minor, so its reviews are never public.
    """

    game: ReviewedGame
    names: tuple[str, ...]
    own: Seat | None
    with_minor: bool


@dataclass(frozen=True, slots=True)
class SharedReview:
    """The review of one seat, as its reader may see it.

    `public`: everybody sees the reviews of the game. `agrees`, `others_agree`: the reader, and all others, want that.
    """

    game: GameToReview
    seat: Seat
    public: bool
    agrees: bool
    others_agree: bool
    view: ReviewView


@dataclass(frozen=True, slots=True)
class ReviewLink:
    """The review of a game of a match, for its page. `own`: for a player of it."""

    game: int
    own: bool


def is_reviewable(result: Result | None, verdict: StoredVerdict | None) -> bool:
    """Return whether moves of a game can be reviewed: a log of legal moves with all hands gave an undoubted result."""
    return (
        result is not None
        and result.known_by == KnownBy.LOG
        and not (result.contested or result.needs_decision)
        and verdict is not None
        and verdict.status in LEGAL
        and verdict.evidence == "complete"
    )


def game_of_match(user: Asker, match_id: int, number: int) -> GameToReview:
    """Return a game of a match with the log behind its result. Four statements, for visitors two.

    Raises Game.DoesNotExist if it is not visible, or not reviewed.
    """
    found = Result.objects.filter(current=True, game__match__in=visible_matches(user).filter(pk=match_id))
    about = found.select_related("record__verdict", "record__sealed", "game__match__league")
    result = about.filter(game__number=number).first()
    if result is None or not is_reviewable(result, verdict_of(result.record)):
        raise Game.DoesNotExist
    match, record = result.game.match, result.record
    sides = {side.number: side for side in Side.objects.filter(match=match).select_related(*PEOPLE)}
    seated = [record.seats[letter] for letter in SEATS if letter in record.seats]
    own = permissions.actor(user, match).side
    return GameToReview(
        game=record,
        names=tuple(str(sides[side].entrant) for side in seated),
        own=seated.index(own) if own in seated else None,
        with_minor=_has_minor(sides.values()),
    )


def _has_minor(sides: Collection[Side]) -> bool:
    return any(side.entrant.is_minor for side in sides)


def game_online(code: str, key: str) -> GameToReview:
    """Return a finished online game among friends, asked for with the key of a seat.

    Two statements, and one if a player of a league plays. A game of a competition is reviewed at its match.

    Raises OnlineGame.DoesNotExist, and Refused `unfinished`, `no-review`.
    """
    game = asked_game(code)
    if game.ended_at is None:
        raise unfinished()
    if game.fixture or game.started_at is None:
        raise no_review()
    seats = game.seated()
    return GameToReview(
        game=game,
        names=tuple(seat.name for seat in seats),
        own=next((seat.number for seat in seats if key and seat.key == key), None),
        with_minor=_seats_minor(seats),
    )


def _seats_minor(seats: Collection[OnlineSeat]) -> bool:
    codes = [seat.player for seat in seats if seat.player]
    return bool(codes) and any(player.is_minor for player in Player.objects.filter(code__in=codes))


def is_public(game: OnlineGame) -> bool:
    """Return whether everybody sees the reviews of a finished online game.

    One statement, two for players of a league.
    """
    seats = game.seated()
    willing = MoveReview.objects.filter(online=game, public=True).count()
    return willing == len(seats) and not _seats_minor(seats)


def ask(game: GameToReview) -> None:
    """Ask for the review of the asker's seat. Raises NotAllowed `not-your-game`."""
    ask_for_seat(game.game, _own(game))


def agree(game: GameToReview, *, public: bool) -> None:
    """Agree that the reviews of the game are public, or take it back.

    Raises NotAllowed `not-your-game`, and Refused `minor`, `no-review` before the own review was asked for.
    """
    seat = _own(game)
    if public and game.with_minor:
        raise Refused("minor", _("Reviews of a game with a player under 18 are never public."))
    if not MoveReview.objects.filter(**key_of(game.game), seat=seat).update(public=public):
        raise no_review()


def _own(game: GameToReview) -> Seat:
    if game.own is None:
        raise _not_yours()
    return game.own


def _not_yours() -> NotAllowed:
    return NotAllowed("not-your-game", _("Only the players of this game see its reviews."))


def shared_review(game: GameToReview, seat: Seat | None = None) -> SharedReview:
    """Return the review of a seat, without one of the asker's own. One statement.

    Raises NotAllowed `not-your-game` for a review that is neither public nor the asker's own.
    """
    reviews = {one.seat: one for one in MoveReview.objects.filter(**key_of(game.game))}
    willing = {number for number, one in reviews.items() if one.public}
    public = not game.with_minor and willing >= set(range(len(game.names)))
    shown = seat if seat in range(len(game.names)) else game.own or 0
    if shown != game.own and not (public and shown in reviews):
        raise _not_yours()
    review = reviews.get(shown)
    if review is not None:
        _attach(review, game.game)
    return SharedReview(
        game=game,
        seat=shown,
        public=public,
        agrees=game.own in willing,
        others_agree=willing >= set(range(len(game.names))) - {game.own},
        view=view_of(review),
    )


def _attach(review: MoveReview, game: ReviewedGame) -> None:
    """Give a review the loaded row of its game."""
    for field, row in key_of(game).items():
        setattr(review, field, row)


def links_of(page: MatchPage) -> list[ReviewLink]:
    """Return the links to reviews on the page of a match: for its players, and for everybody to public ones.

    No statement.
    """
    shown = [view for view in page.games if view.is_result_of_record and is_reviewable(view.result, view.verdict)]
    if page.one is not None and page.one.plays:
        return [ReviewLink(view.game.number, own=True) for view in shown]
    sides = page.match.sides.all()
    if _has_minor(sides):
        return []
    public = [view for view in shown if view.result and view.result.public_reviews == len(sides)]
    return [ReviewLink(view.game.number, own=False) for view in public]
