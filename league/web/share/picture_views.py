"""Share pictures of matches, competitions, players, seasons and leagues.

Machines without an account fetch them, so a picture never depends on the reader: it shows only public data, and
minors as everywhere.
"""

from collections.abc import Callable, Sequence

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from games.rulesets import RULESETS
from league.accounts.models import League
from league.competitions.draw_view import all_days
from league.competitions.entrant_names import placed
from league.competitions.models import Competition, Matchday, Season
from league.competitions.queries import lists as queries
from league.competitions.queries.competition import CompetitionPage, page_of_competition
from league.competitions.queries.final_places import FinalPlace, final_ranking, first_places
from league.competitions.queries.rounds import front_page, round_pages
from league.competitions.ratings.queries import ratings_of_player
from league.competitions.seasons.queries import visible_seasons
from league.competitions.standings.cache import kept_tables
from league.competitions.visibility import seen_competition
from league.matches.models import Match
from league.matches.queries.lines import MatchLine, SideScore
from league.matches.queries.match import match_page
from league.matches.queries.player import player_page
from league.players.models import Player
from league.web.competitions.round_up import round_up_of
from league.web.matches.rounds import sheet_of
from league.web.share.pictures.layout import MOST_ROWS, SharePicture, ShareRow
from league.web.share.pictures.lettering import named
from league.web.shared.plain_text import plain
from league.web.words import labels

NOBODY = AnonymousUser()
FRESH_S = 300
KEPT_S = 24 * 3600


def site_name() -> str:
    return pgettext("name of the site", "Domino League")


def of_match(match_id: int) -> SharePicture:
    """Make the picture of a match. Raises Match.DoesNotExist."""
    page = match_page(NOBODY, match_id)
    place = queries.competition_of([match_id]).get(match_id)
    sheets = [sheet_of(view, page.sides) for view in page.games]
    replays = [sheet.replay for sheet in sheets if sheet.replay]
    last = replays[-1] if replays else None
    board = next((one.picture for one in reversed(last.rounds) if one.picture), None) if last else None
    known = labels.of_known(page.line.known).word if page.line.known else ""
    state = labels.of_match(page.line).word
    return SharePicture(
        site=site_name(),
        over=" · ".join([named(place.competition, place.slug), plain(place.matchday)]) if place else "",
        title="",
        rows=tuple(ShareRow(named(side.name, side.code), _points(page.line, side), side.won) for side in page.sides),
        foot=" · ".join(str(one) for one in (state, known, _rules(page.ruleset)) if one),
        board=board if len(page.sides) == 2 else None,
        marked=last.marked if last else False,
    )


def _points(line: MatchLine, side: SideScore) -> str:
    """Return the score of a side, before any result its running points."""
    points = line.live.points.get(side.number) if line.live and side.score is None else side.score
    return "–" if points is None else str(points)


def of_competition(league: str, slug: str) -> SharePicture:
    """Make the picture of the top of the standings, or of the final ranking.

    Raises Competition.DoesNotExist.
    """
    competition = seen_competition(NOBODY, league, slug)
    rounds = round_pages(competition)
    if rounds is None:
        page = page_of_competition(NOBODY, competition)
        places = final_ranking(page)
    else:
        page, _days = front_page(NOBODY, rounds, rounds.current)
        places = first_places(rounds, MOST_ROWS).places
    return SharePicture(
        site=site_name(),
        over=named(competition.league.name, competition.league.slug),
        title=named(competition.name, competition.slug),
        rows=tuple(_top_of_table(page) if page.table else _ranked(places, on_ladder=page.on_ladder)),
        foot=_rules(competition.ruleset),
    )


def of_round(league: str, slug: str, number: int) -> SharePicture:
    """Make the picture of a round: its round-up once it is finished.

    Raises Competition.DoesNotExist, Matchday.DoesNotExist.
    """
    competition = seen_competition(NOBODY, league, slug)
    days = list(all_days(competition))
    day = next((one for one in days if one.number == number), None)
    if day is None:
        raise Matchday.DoesNotExist
    told = round_up_of(competition, day, kept_tables(competition, days))
    short = [(named(fact.short, ""), fact.value) for fact in told.facts] if told else []
    return SharePicture(
        site=site_name(),
        over=named(competition.name, competition.slug),
        title=named(str(day), str(day.number)),
        rows=tuple(ShareRow(name, value) for name, value in short if name),
        foot=_rules(competition.ruleset),
    )


def _top_of_table(page: CompetitionPage) -> list[ShareRow]:
    listing = page.table.listing(official_only=not page.has_provisional)
    places = range(min(MOST_ROWS, len(listing.entrant_ids)))
    rows = page.table.plain_rows(places, official_only=not page.has_provisional)
    people = {one.entrant_id: one for one in placed(page.competition, only={row.entrant_id for row in rows})}
    return [
        ShareRow(
            named(people[row.entrant_id].name, people[row.entrant_id].code),
            f"{row.won}–{row.lost}" if row.played else "",
            rank=f"{row.rank}." if row.rank else "–",
        )
        for row in rows
        if row.entrant_id in people
    ]


def _ranked(places: Sequence[FinalPlace], *, on_ladder: bool) -> list[ShareRow]:
    return [
        ShareRow(
            named(place.entrant.name, place.entrant.code),
            won=place.first == 1 and not on_ladder,
            rank=f"{place.numbers}.",
        )
        for place in places[:MOST_ROWS]
    ]


def of_player(code: str) -> SharePicture:
    """Make the picture of ratings and matches won. Raises Player.DoesNotExist."""
    now = timezone.now()
    page = player_page(NOBODY, code, now)
    ratings = ratings_of_player(NOBODY, page.player, now)
    matches = pgettext("share picture", "Matches won and lost")
    rating = pgettext("share picture", "Rating, {rules}")
    rated = [
        ShareRow(rating.format(rules=_rules(one.rating_list.ruleset)), str(round(one.strength.rating)))
        for one in ratings[: MOST_ROWS - 1]
    ]
    return SharePicture(
        site=site_name(),
        over=" · ".join(named(one.name, one.slug) for one in page.leagues[:2]),
        title=named(str(page.player), page.player.code),
        rows=(ShareRow(matches, f"{page.career.won}–{page.career.lost}"), *rated),
        foot=page.player.code,
    )


def _rules(key: str) -> str:
    return RULESETS[key].name if key in RULESETS else key


def of_season(league: str, slug: str) -> SharePicture:
    """Make the picture of a season's divisions. Raises Season.DoesNotExist."""
    season = visible_seasons(NOBODY).get(league__slug=league, slug=slug)
    divisions = season.divisions.order_by("level")[:MOST_ROWS]
    return SharePicture(
        site=site_name(),
        over=named(season.league.name, season.league.slug),
        title=named(season.name, season.slug),
        rows=tuple(ShareRow(named(one.name, str(one.level)), rank=f"{one.level}.") for one in divisions),
        foot=pgettext("share picture", "Season"),
    )


def of_league(slug: str) -> SharePicture:
    """Make the picture of a league's latest competitions. Raises League.DoesNotExist."""
    league = League.objects.get(slug=slug)
    latest = queries.competitions(NOBODY).filter(league=league)[: MOST_ROWS - 1]
    return SharePicture(
        site=site_name(),
        over=plain(league.place) if named(league.place, "") else "",
        title=named(league.name, league.slug),
        rows=tuple(ShareRow(named(one.name, one.slug)) for one in latest),
        foot=pgettext("share picture", "League"),
    )


# --- Addresses ---


def _picture_of(read: Callable[..., SharePicture]) -> Callable[..., HttpResponse]:
    """Make a view of the picture from `read`, in the language of the address."""

    @require_safe
    def view(request: HttpRequest, language: str, **named_in_address: str | int) -> HttpResponse:
        if language not in dict(settings.LANGUAGES):
            raise Http404
        with translation.override(language):
            try:
                picture = read(**named_in_address)
            except ABSENT as absent:
                raise Http404 from absent
            return _answer(request, picture)

    return view


def _answer(request: HttpRequest, picture: SharePicture) -> HttpResponse:
    """Answer with the picture, cached until its content changes; 304 if unchanged."""
    key = f"share:{picture.fingerprint}"
    etag = f'"{picture.fingerprint[:32]}"'
    known = get_conditional_response(request, etag=etag)
    if known is None or known.status_code >= 400:
        drawn = cache.get(key)
        if drawn is None:
            drawn = picture.png()
            cache.set(key, drawn, KEPT_S)
        known = HttpResponse(drawn, content_type="image/png")
    known["ETag"] = etag
    known["Cache-Control"] = f"public, max-age={FRESH_S}"
    # Other sites show the picture beside a link.
    known["Cross-Origin-Resource-Policy"] = "cross-origin"
    return known


ABSENT = (
    *(Match.DoesNotExist, Competition.DoesNotExist, Matchday.DoesNotExist),
    *(Player.DoesNotExist, Season.DoesNotExist, League.DoesNotExist),
)

match = _picture_of(of_match)
competition = _picture_of(of_competition)
round_in_brief = _picture_of(of_round)
player = _picture_of(of_player)
season = _picture_of(of_season)
league = _picture_of(of_league)
