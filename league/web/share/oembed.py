"""oEmbed (oembed.com): frames of standings and brackets for programs given a link.

The answer is the public frame of `league.web.share.embed`, the same for every reader.
"""

from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBadRequest, JsonResponse
from django.urls import Resolver404, resolve, reverse
from django.utils import translation
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from league.competitions.models import Competition
from league.competitions.queries.rounds import head_page
from league.web.share.embed import AROUND_PX, BRACKET_PX, FRESH_S, MOST_ROWS, ROW_PX, ROWS, frame, published_or_404
from league.web.shared.absolute_url import absolute

WIDTH_PX = 640
# A long lifetime is safe: a site stores only the frame element, and the frame's content is always current.
KEPT_S = 86_400
LONGEST_ADDRESS, LONGEST_NUMBER = 2000, 6
# Query parameters that the frame takes from the page's address.
KEPT = {"standings": ("group", "lang", "theme"), "bracket": ("section", "player", "lang", "theme")}
# The competition's front page embeds its standings, else its bracket.
KINDS = {
    "competitions:detail": ("standings", "bracket"),
    "competitions:standings": ("standings",),
    "competitions:bracket": ("bracket",),
    "embed:standings": ("standings",),
    "embed:bracket": ("bracket",),
}


@dataclass(frozen=True, slots=True)
class _Meant:
    """A page of this site: kind, competition and query."""

    kind: str
    competition: Competition
    query: dict[str, str]


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Answer an oEmbed request.

    `?url=`, `?maxwidth=`, `?maxheight=` in pixels, `?format=json`. 501 for another format, 404 for an address of
    another site or a page that is not public.
    """
    if request.GET.get("format", "json") != "json":
        return HttpResponse(status=501)
    if "url" not in request.GET:
        return HttpResponseBadRequest()
    with translation.override(settings.LANGUAGE_CODE):
        answer = JsonResponse(_told(request, _meant(request, request.GET["url"])))
    answer["Cache-Control"] = f"public, max-age={FRESH_S}"
    answer["Content-Language"] = settings.LANGUAGE_CODE
    return answer


def discovery(request: HttpRequest) -> str:
    """Return the oEmbed address of this page."""
    page = absolute(request, request.get_full_path())
    return f"{absolute(request, reverse('oembed:index'))}?{urlencode({'url': page, 'format': 'json'})}"


def _told(request: HttpRequest, meant: _Meant) -> dict[str, str | int]:
    width = min(WIDTH_PX, _most(request, "maxwidth"))
    rows = _rows(meant.query)
    height = min(AROUND_PX + ROW_PX * rows if meant.kind == "standings" else BRACKET_PX, _most(request, "maxheight"))
    query = {key: value for key, value in meant.query.items() if key in KEPT[meant.kind]}
    if meant.kind == "standings":  # as many rows as fit the height
        query["rows"] = str(max(1, min(rows, (height - AROUND_PX) // ROW_PX)))
    competition = meant.competition
    path = reverse(f"embed:{meant.kind}", args=[competition.league.slug, competition.slug])
    title = f"{competition.name} · {competition.league.name}"
    return {
        "version": "1.0",
        "type": "rich",
        "title": title,
        "provider_name": pgettext("name of the site", "Domino League"),
        "provider_url": absolute(request),
        "cache_age": KEPT_S,
        "width": width,
        "height": height,
        "html": frame(absolute(request, f"{path}?{urlencode(query)}" if query else path), title, height, width=width),
    }


def _meant(request: HttpRequest, address: str) -> _Meant:
    """Resolve the address of a public page with standings or a bracket.

    Raises Http404 for every other address.
    """
    try:
        parts = urlsplit(address[:LONGEST_ADDRESS])
        found = resolve(parts.path)
    except (ValueError, Resolver404) as absent:
        raise Http404 from absent
    ours = {request.get_host().lower(), urlsplit(absolute(request)).netloc.lower()}
    if parts.scheme not in {"http", "https"} or parts.netloc.lower() not in ours or found.view_name not in KINDS:
        raise Http404
    competition = published_or_404(found.kwargs["league_slug"], found.kwargs["slug"])
    page = head_page(competition)
    shown = {"standings": page.table_stage is not None, "bracket": page.knock_out}
    kind = next((one for one in KINDS[found.view_name] if shown[one]), None)
    if kind is None:
        raise Http404
    return _Meant(kind, competition, dict(parse_qsl(parts.query)))


def _most(request: HttpRequest, name: str) -> int:
    """Return the size limit; an unreadable one is ignored."""
    asked = request.GET.get(name, "")
    return max(int(asked), 1) if _is_number(asked) else 10**LONGEST_NUMBER


def _rows(query: dict[str, str]) -> int:
    asked = query.get("rows", "")
    return min(max(int(asked), 1), MOST_ROWS) if _is_number(asked) else ROWS


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= LONGEST_NUMBER
