"""Review of a finished practice game: the player's moves against the best ones, and luck apart from skill."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.rulesets import RULESETS
from league.errors import Refused
from league.play.models import PracticeGame
from league.play.reviews import ask, review_view
from league.web.words.practice_review import hands_in_words, sums


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def page(request: HttpRequest, code: str) -> HttpResponse:
    """Show the review; a POST asks for it."""
    try:
        if request.method == "POST":
            ask(code)
            return redirect("play:review", code)
        view = review_view(code)
    except (PracticeGame.DoesNotExist, Refused):
        raise Http404 from None
    context = {
        "view": view,
        "name": RULESETS[view.ruleset].name,
        "sums": sums(view),
        "hands": hands_in_words(view),
        "area": "play",
    }
    return render(request, "play/review.html", context)
