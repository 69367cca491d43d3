"""What stands beside a link to a page where people share it: its title, a sentence and a picture."""

from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import get_language, pgettext

from league.accounts.models import League
from league.competitions.models import Competition, Season
from league.matches.queries.match import MatchPage
from league.matches.queries.player import PlayerPage
from league.web.shared.absolute_url import absolute
from league.web.shared.plain_text import plain
from league.web.words import labels


@dataclass(frozen=True, slots=True)
class Preview:
    """`address` is the page's one address, without what a reader has asked for on it; `image` that of its picture. Both
    are whole. Without an image nobody but who may see the page is meant to.
    """

    title: str
    about: str
    address: str
    image: str


def preview_of_match(request: HttpRequest, page: MatchPage) -> Preview | None:
    """None of one that is not published."""
    if page.match.published_at is None:
        return None
    scored = " – ".join(
        " ".join([plain(side.name), *([] if side.score is None else [str(side.score)])]) for side in page.sides
    )
    known = [str(labels.of_known(page.line.known).word)] if page.line.known else []
    about = " · ".join([str(labels.of_match(page.line).word), *known])
    return _preview(request, scored, about, "matches:detail", "share:match", [page.match.pk])


def preview_of_competition(
    request: HttpRequest, competition: Competition, name: str = "competitions:detail"
) -> Preview | None:
    """None of a draft."""
    if competition.published_at is None:
        return None
    about = pgettext("link preview", "Table, rounds and results. {league}").format(
        league=plain(competition.league.name)
    )
    args = [competition.league.slug, competition.slug]
    return _preview(request, plain(competition.name), about, name, "share:competition", args)


def preview_of_player(request: HttpRequest, page: PlayerPage) -> Preview:
    about = pgettext("link preview", "{played} matches: {won} won, {lost} lost").format(
        played=page.career.played, won=page.career.won, lost=page.career.lost
    )
    return _preview(request, plain(str(page.player)), about, "players:detail", "share:player", [page.player.code])


def preview_of_season(request: HttpRequest, season: Season) -> Preview | None:
    """None of a draft."""
    if season.published_at is None:
        return None
    args = [season.league.slug, season.slug]
    return _preview(request, plain(season.name), plain(season.league.name), "seasons:detail", "share:season", args)


def preview_of_league(request: HttpRequest, league: League) -> Preview:
    about = pgettext("link preview", "Competitions, seasons and ratings of this league")
    return _preview(request, plain(league.name), about, "leagues:detail", "share:league", [league.slug])


def _preview(request: HttpRequest, title: str, about: str, page: str, picture: str, args: list[object]) -> Preview:
    image = reverse(picture, args=[get_language() or "en", *args])
    return Preview(title, about, absolute(request, reverse(page, args=args)), absolute(request, image))
