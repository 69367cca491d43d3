"""Ratings: a league's list, a player's curve with explanation, and list settings."""

import csv
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.validators import MaxValueValidator, MinValueValidator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_POST, require_safe

from games.rulesets import RULESETS
from league.accounts.models import League
from league.accounts.permissions import Act
from league.competitions.models import Competition, Rating, RatingList
from league.competitions.ratings import queries as rating_pages
from league.competitions.ratings.services import BOUNDS, count_for_ratings, set_up
from league.errors import NotAllowed, Refused
from league.web.charts.rating import RatingPoint, rating_chart
from league.web.shared.access import Inside, door, inside, league_or_404
from league.web.shared.forms import dress
from league.web.shared.page_cache import kept_page
from league.web.shared.pagination import page_of
from league.web.shared.staff import of_league

PLAYERS_A_PAGE = 50
PERIODS_A_PAGE = 8
# First characters of a spreadsheet formula (OWASP, CSV injection), also in full width.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")
COLUMNS = ("rank", "code", "name", "rating", "deviation", "low", "high", "games", "change", "period_from")


class RatingForm(forms.Form):
    """Parameters of a rating list."""

    period_days = forms.IntegerField(
        label=pgettext_lazy("form field", "Days of a rating period"),
        help_text=gettext_lazy(
            "All games of a period are looked at together. Glickman recommends periods in which a player has ten to "
            "fifteen games."
        ),
    )
    start_rating = forms.FloatField(label=pgettext_lazy("form field", "Rating of a newcomer"))
    start_deviation = forms.FloatField(
        label=pgettext_lazy("form field", "Deviation of a newcomer"),
        help_text=gettext_lazy("The uncertainty of a new player, which is also the greatest possible."),
    )
    start_volatility = forms.FloatField(
        label=pgettext_lazy("form field", "Volatility of a newcomer"),
        help_text=gettext_lazy("How much strengths go up and down; usually 0.06."),
    )
    tau = forms.FloatField(
        label=pgettext_lazy("form field", "τ"),
        help_text=gettext_lazy("How fast the volatility may change: 0.3 to 1.2, less where upsets are common."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, (low, high) in BOUNDS.items():
            self.fields[name].validators += [MinValueValidator(low), MaxValueValidator(high)]
            self.fields[name].widget = forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"})
        dress(self)


@require_safe
@kept_page
def index(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a rating list; `?ruleset=` chooses among several."""
    here = inside(request.user, league_or_404(slug))
    lists, chosen = _chosen(request, here.league)
    rows = rating_pages.ranked(request.user).filter(rating_list=chosen) if chosen else []
    page = page_of(request, rows, PLAYERS_A_PAGE)
    now = timezone.now()
    context = {
        "here": here,
        "league": here.league,
        "lists": lists,
        "chosen": chosen,
        "page": page,
        "rows": [rating_pages.rating_now(row, now) for row in page.object_list],
        "area": "leagues",
    }
    return render(request, "players/ratings.html", context)


@require_safe
def as_csv(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the whole list as CSV for a spreadsheet."""
    league = league_or_404(slug)
    _lists, chosen = _chosen(request, league)
    if chosen is None:
        raise Http404
    answer = HttpResponse(
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="ratings-{league.slug}-{chosen.ruleset}.csv"'},
    )
    writer = csv.writer(answer)
    writer.writerow(COLUMNS)
    now = timezone.now()
    for row in rating_pages.ranked(request.user).filter(rating_list=chosen):
        one = rating_pages.rating_now(row, now)
        numbers = [round(number, 2) for number in (one.strength.rating, one.strength.deviation, one.low, one.high)]
        writer.writerow(
            [one.rank, one.player.code, cell(str(one.player)), *numbers, one.played, round(one.change, 2), one.since]
        )
    return answer


def cell(text: str) -> str:
    """Quote a name that a spreadsheet would take for a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


def _chosen(request: HttpRequest, league: League) -> tuple[list[RatingList], RatingList | None]:
    lists = rating_pages.rating_lists(league)
    wanted = request.GET.get("ruleset", "")
    if not wanted:
        return lists, lists[0] if lists else None
    found = next((one for one in lists if one.ruleset == wanted), None)
    if found is None and wanted not in RULESETS:
        raise Http404
    return lists, found


@require_safe
@kept_page
def player(request: HttpRequest, slug: str, ruleset: str, code: str) -> HttpResponse:
    """Show the curve, its table, and for each period the opponents and chances."""
    league, now = league_or_404(slug), timezone.now()
    try:
        history = rating_pages.rating_history(request.user, league, ruleset, code, now)
    except Rating.DoesNotExist as absent:
        raise Http404 from absent
    page = page_of(request, history.rows[::-1], PERIODS_A_PAGE)
    days = history.now.rating_list.period_days
    points = [RatingPoint(rating_pages.last_day(row.period, days), row.rating, row.deviation) for row in history.rows]
    context = {
        "league": league,
        "now": history.now,
        "page": page,
        "periods": rating_pages.explained(history, page.object_list),
        "chart": rating_chart(points),
        "area": "players",
    }
    return render(request, "players/rating_player.html", context)


@door(Act.MANAGE_COMPETITIONS)
def settings(request: HttpRequest, here: Inside, ruleset: str) -> HttpResponse:
    if ruleset not in RULESETS:
        raise Http404
    one = RatingList.objects.filter(league=here.league, ruleset=ruleset).first() or RatingList(ruleset=ruleset)
    form = RatingForm(request.POST or None, initial={name: getattr(one, name) for name in BOUNDS})
    if request.method == "POST" and form.is_valid():
        try:
            set_up(here.league, ruleset, user=request.user, **form.cleaned_data)
        except Refused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _("The ratings are recomputed."))
            return redirect(f"{reverse('ratings:index', args=[here.league.slug])}?ruleset={ruleset}")
    context = {"league": here.league, "ruleset": ruleset, "form": form, "area": "leagues"}
    return render(request, "players/rating_settings.html", context, status=422 if form.errors else 200)


@require_POST
@of_league(Act.MANAGE_COMPETITIONS)
def count(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Set whether the games of a competition are rated: `rated` is 1 or 0."""
    found = Competition.objects.filter(league=league, slug=slug).select_related("league").first()
    if found is None:
        raise Http404
    rated = request.POST.get("rated") == "1"
    try:
        count_for_ratings(found, user=request.user, rated=rated)
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    said = _("Its games count for the ratings.") if rated else _("Its games do not count for the ratings any more.")
    messages.success(request, said)
    return redirect("organize:competition", league.slug, slug)
