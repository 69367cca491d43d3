"""Import of a season from a file or a table: preview and storing."""

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from league.accounts.models import League
from league.competitions.import_export.season_importing import import_season, preview_season_import
from league.competitions.import_export.season_reading import ReadSeason
from league.errors import NotAllowed
from league.web.words.imports import told


def store_or_look_at_season(
    request: HttpRequest,
    league: League,
    read: ReadSeason,
    value: Mapping[str, Any] | None,
    context: dict[str, Any],
    *,
    asked: bool = False,
) -> HttpResponse | None:
    """Return a redirect to the stored season; None to show the preview, also while questions are `asked`.

    The preview is added to the `context`. Raises Refused.
    """
    context.setdefault("mistakes", told(read.mistakes))
    if read.filed is None:
        return None
    try:
        seen = preview_season_import(league, read.filed, user=request.user, value=value)
        context |= {"season_seen": seen, "mistakes": told(seen.mistakes), "counts": seen.counts}
        if request.POST.get("do") != "store" or asked or not seen.may_store:
            return None
        done = import_season(league, read.filed, user=request.user, value=value)
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    if done.created:
        messages.success(request, _("It is imported. Only officials see it until you publish it."))
    else:
        messages.info(request, _("It was imported before. Nothing changed."))
    return redirect("organize:season", league.slug, done.season.slug)
