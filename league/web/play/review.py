"""Reviews of finished games: of practice games for anybody with the link, of games between people for their players."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.moves import SEATS
from games.rulesets import RULESETS
from league.errors import NotAllowed, Refused
from league.matches.models import Game
from league.play import shared_reviews
from league.play.models import OnlineGame, PracticeGame
from league.play.review_view import ReviewView
from league.play.reviews import ask, review_of_practice
from league.play.shared_reviews import GameToReview, game_of_match, game_online, shared_review
from league.web.play.seat_cookie import key_in
from league.web.words.games import practice_review


@dataclass(frozen=True, slots=True)
class Replayed:
    """The page with the replay of a game. `prefix`: of its hands and steps; `area`: of the menu."""

    address: str
    prefix: str
    area: str


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def page(request: HttpRequest, code: str) -> HttpResponse:
    """Show the review of a practice game; a POST asks for it."""
    try:
        if request.method == "POST":
            ask(code)
            return redirect("play:review", code)
        found = review_of_practice(code)
    except (PracticeGame.DoesNotExist, Refused):
        raise Http404 from None
    game = practice_review.game_in_words(RULESETS[found.ruleset].name, found.scores)
    place = Replayed(reverse("play:table", args=[code]), "", "play")
    return _shown(request, found.view, place, game=game, asks=True, words=practice_review.against_computer())


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def of_match(request: HttpRequest, match_id: int, number: int) -> HttpResponse:
    """Show the review of a player in a game of a match; a POST asks for it, or says who may see it."""
    prefix = "" if number == 1 else f"g{number}."
    place = Replayed(reverse("matches:detail", args=[match_id]), prefix, "competitions")
    return _of_people(request, lambda: game_of_match(request.user, match_id, number), place)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def of_online_game(request: HttpRequest, code: str) -> HttpResponse:
    """Show the review of a seat of an online game; a POST asks for it, or says who may see it."""
    place = Replayed(reverse("play:online_game", args=[code]), "", "play")
    return _of_people(request, lambda: game_online(code, key_in(request)), place)


def _of_people(request: HttpRequest, find: Callable[[], GameToReview], place: Replayed) -> HttpResponse:
    try:
        game = find()
        if request.method == "POST":
            return _act(request, game)
        letter = request.GET.get("seat", "")
        found = shared_review(game, SEATS.find(letter) if letter else None)
    except NotAllowed as refused:
        if place.area == "competitions" and not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path(), reverse("accounts:sign_in"))
        raise PermissionDenied(str(refused)) from None
    except (Game.DoesNotExist, OnlineGame.DoesNotExist, Refused):
        raise Http404 from None
    return _shown(
        request,
        found.view,
        place,
        game=practice_review.names_in_words(game.names),
        asks=found.seat == game.own,
        words=practice_review.between_people(),
        name=game.names[found.seat],
        seats=[(SEATS[seat], name, seat == found.seat) for seat, name in enumerate(game.names)] if found.public else [],
        shared=practice_review.shared_in_words(found),
    )


def _act(request: HttpRequest, game: GameToReview) -> HttpResponse:
    do = request.POST.get("do", "")
    if do in ("share", "hide"):
        try:
            shared_reviews.agree(game, public=do == "share")
        except NotAllowed:
            raise
        except Refused as refused:
            messages.error(request, str(refused))
    else:
        shared_reviews.ask(game)
    return redirect(request.path)


def _shown(request: HttpRequest, view: ReviewView, place: Replayed, **context: Any) -> HttpResponse:
    """Show a review. `asks`: the reader may ask for it; `game`: its name; `seats`: letter, name, whether shown."""
    about = {
        "view": view,
        "sums": practice_review.sums(view),
        "hands": practice_review.hands_in_words(view, context["words"]),
        "place": place,
        "area": place.area,
    }
    return render(request, "play/review.html", about | context)
