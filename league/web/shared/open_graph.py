"""Link previews of pages: title, sentence and picture."""

from collections.abc import Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from django.http import HttpRequest
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import get_language, pgettext

from league.accounts.models import League
from league.competitions.models import Competition, Season
from league.matches.live_score import LiveScore
from league.matches.queries.lines import MatchLine
from league.matches.queries.match import MatchPage
from league.matches.queries.player import PlayerPage
from league.web.shared.absolute_url import absolute
from league.web.shared.plain_text import plain
from league.web.words import labels

ISOLATES = dict.fromkeys(map(ord, "\u2068\u2069"))


@dataclass(frozen=True, slots=True)
class Preview:
    """A link preview of a public page.

    `address`: the page's canonical address, without the reader's query; `image`: the picture's address. Both are
    absolute.
    """

    title: str
    about: str
    address: str
    image: str


def preview_of_match(request: HttpRequest, page: MatchPage, story: Sequence[str] = ()) -> Preview | None:
    """Return a match's preview with its `story`, None before publication."""
    if page.match.published_at is None:
        return None
    line = page.line
    scored = " – ".join(
        " ".join([plain(side.name), *([] if side.score is None else [str(side.score)])]) for side in page.sides
    )
    live = None if any(side.won for side in line.sides) else line.live
    title = f"{live.score} {plain(line.names)}" if live else scored
    known = [str(labels.of_known(line.known).word)] if line.known else []
    told = [_sentences(story)] if story else []
    about = " · ".join([*told, str(labels.of_match(line).word), *([_as_of(live, line)] if live else []), *known])
    return _preview(request, title, about, "matches:detail", "share:match", [page.match.pk])


def _as_of(live: LiveScore, line: MatchLine) -> str:
    """Return hand and hour of a running score: a preview may be read later."""
    at = date_format(live.as_of.astimezone(ZoneInfo(line.time_zone)), "H:i:s")
    words = pgettext("running score", "hand %(round)s, from the pad, as of %(time)s")
    return words % {"round": live.round_number, "time": at}


def preview_of_competition(
    request: HttpRequest, competition: Competition, name: str = "competitions:detail"
) -> Preview | None:
    """Return a competition's preview, None for a draft."""
    if competition.published_at is None:
        return None
    about = pgettext("link preview", "Table, rounds and results. {league}").format(
        league=plain(competition.league.name)
    )
    args = [competition.league.slug, competition.slug]
    return _preview(request, plain(competition.name), about, name, "share:competition", args)


def preview_of_round(
    request: HttpRequest, competition: Competition, number: int, name: str, told: Sequence[str]
) -> Preview:
    """Return a round's preview with the sentences of its round-up."""
    title = f"{plain(competition.name)}, {plain(name)}"
    args = [competition.league.slug, competition.slug, number]
    return _preview(request, title, _sentences(told), "competitions:round", "share:round", args)


def _sentences(told: Sequence[str]) -> str:
    """Join sentences, without the isolates around names, which `plain` would turn to spaces."""
    return plain(" ".join(told).translate(ISOLATES))


def preview_of_player(request: HttpRequest, page: PlayerPage) -> Preview:
    about = pgettext("link preview", "{played} matches: {won} won, {lost} lost").format(
        played=page.career.played, won=page.career.won, lost=page.career.lost
    )
    return _preview(request, plain(str(page.player)), about, "players:detail", "share:player", [page.player.code])


def preview_of_season(request: HttpRequest, season: Season) -> Preview | None:
    """Return a season's preview, None for a draft."""
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
