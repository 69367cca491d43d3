"""Imports: a competition's file, a past season's results, a list of players.

Each is previewed first; the page carries the previewed data, so that storing needs no second upload.
"""

import base64
import zlib
from collections.abc import Callable, Mapping
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from games.rulesets import RULESETS
from league.accounts.graphemes import first_letters
from league.accounts.models import LONGEST_NAME, League
from league.accounts.permissions import Act
from league.competitions.import_export.confirming import confirm_import
from league.competitions.import_export.importing import (
    ImportPreview,
    import_competition,
    import_entrants,
    preview_import,
)
from league.competitions.import_export.player_tables import PLAYER_WORDS, read_players
from league.competitions.import_export.registry import Holds, accepted, content_of, format_of
from league.competitions.import_export.result_columns import RESULT_WORDS
from league.competitions.import_export.result_tables import ReadResults, read_results
from league.competitions.import_export.season_tables import ReadSeasonTable, read_season_results
from league.competitions.import_export.values import FiledCompetition, Mistake
from league.competitions.models import Competition
from league.competitions.registration.enrolment import rows_of
from league.errors import NotAllowed, Refused
from league.players.models import people_in
from league.players.pasting import Pasted
from league.players.services import preview_rows
from league.web.organize.pasted_tables import PastedTable, table_of
from league.web.organize.season_imports import store_or_look_at_season
from league.web.shared.fields import cleaned
from league.web.shared.return_address import next_page
from league.web.shared.staff import competition_of, of_league
from league.web.words.imports import FIELDS, added_words, told

MOST_BYTES = 8 * 1024 * 1024
MOST_UNPACKED = 32 * 1024 * 1024


# --- A competition's file ---


class FileForm(forms.Form):
    """A file, or the data and the name of the file that the page showed."""

    file = forms.FileField(required=False, allow_empty_file=True)
    packed = forms.CharField(required=False)
    name = forms.CharField(required=False)

    def clean_file(self) -> UploadedFile | None:
        file = self.cleaned_data["file"]
        if file and file.size > MOST_BYTES:
            told = _("This file is larger than %(most)d megabytes.")
            raise forms.ValidationError(told % {"most": MOST_BYTES // 1024**2})
        return file

    def clean(self) -> dict[str, Any]:
        """Return the file as `raw`, and its name as the page shows it."""
        data = self.cleaned_data
        if self.errors:
            return data
        file = data["file"]
        raw = file.read() if file else _unpacked(data["packed"])
        if not file and not raw:
            raise forms.ValidationError(_("Choose a file."))
        return {"raw": raw, "name": first_letters(file.name if file else data["name"], LONGEST_NAME)}


def _unpacked(packed: str) -> bytes:
    """Return the data carried in the page; nothing for anything else."""
    try:
        return zlib.decompressobj().decompress(base64.b64decode(packed, validate=True), MOST_UNPACKED)
    except (ValueError, zlib.error):
        return b""


@of_league(Act.MANAGE_COMPETITIONS)
def index(request: HttpRequest, league: League) -> HttpResponse:
    """Preview a file with `do=look`, import it with `do=store`."""
    files = (Holds.COMPETITION, Holds.SEASON)
    context: dict[str, Any] = {"league": league, "area": "organize", "accept": accepted(*files)}
    status = 200
    if request.method == "POST":
        try:
            sent = cleaned(FileForm(request.POST, request.FILES))
            raw = sent["raw"]
            context |= {"packed": base64.b64encode(zlib.compress(raw)).decode(), "file": sent["name"]}
            content = content_of(raw)
            chosen = format_of(content, *files)
            read, value = chosen.read(content), chosen.comparable(content)
            if chosen.holds is Holds.SEASON:
                answer = store_or_look_at_season(request, league, read, value, context)
                status = 422 if context["mistakes"] else 200
                return answer or render(request, "organize/import.html", context, status=status)
            context["mistakes"] = told(read.mistakes)
            if read.filed:
                answer = _store_or_look(request, league, read.filed, value, context)
                if answer:
                    return answer
            status = 422 if context["mistakes"] else 200
        except Refused as refused:
            context["error"], status = str(refused), 422
    return render(request, "organize/import.html", context, status=status)


def _store_or_look(
    request: HttpRequest,
    league: League,
    filed: FiledCompetition,
    value: Mapping[str, Any] | None,
    context: dict[str, Any],
    *,
    asked: bool = False,
) -> HttpResponse | None:
    """Return a redirect to the stored competition; None to show the preview, also while questions are `asked`.

    The preview is added to the `context`. Raises Refused.
    """
    try:
        seen = preview_import(league, filed, user=request.user, value=value)
        context |= {"seen": seen, "mistakes": told(seen.mistakes), "counts": _counts(seen)}
        if request.POST.get("do") != "store" or asked or not seen.may_store:
            return None
        done = import_competition(league, filed, user=request.user, value=value)
    except NotAllowed as refused:
        raise PermissionDenied(str(refused)) from refused
    if done.created:
        messages.success(request, _("It is imported. Only officials see it until you publish it."))
    else:
        messages.info(request, _("It was imported before. Nothing changed."))
    return redirect("organize:competition", league.slug, done.competition.slug)


def _counts(seen: ImportPreview) -> dict[str, int]:
    return {
        "rounds": len(seen.filed.rounds),
        "matches": seen.filed.matches,
        "games": seen.filed.games,
        "open": sum(slot.has_match and not slot.games for one in seen.filed.rounds for slot in one.slots),
        "new": sum(one.player is None and not one.undecided for one in seen.people.lines),
        "known": sum(one.player is not None and not one.undecided for one in seen.people.lines),
    }


@require_POST
@of_league(Act.SEE_DRAFTS)
def confirm(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Confirm all results of an imported competition as a second official."""
    competition = competition_of(league, slug)
    back = next_page(request, reverse("organize:competition", args=[league.slug, slug]))
    try:
        count = confirm_import(competition, user=request.user)
    except NotAllowed as refused:
        if refused.code == "own-submission":
            messages.error(request, str(refused))
            return redirect(back)
        raise PermissionDenied(str(refused)) from refused
    if count:
        done = ngettext("%(count)d result is confirmed now.", "%(count)d results are confirmed now.", count)
        messages.success(request, done % {"count": count})
    else:
        messages.info(request, _("Nothing waits for a confirmation. Nothing changed."))
    return redirect(back)


# --- Tables ---


class ArchiveForm(forms.Form):
    """Name and ruleset of a past season; its reader checks them."""

    name = forms.CharField(required=False)
    ruleset = forms.CharField(required=False)

    def clean_name(self) -> str:
        return " ".join(self.cleaned_data["name"].split())


def _unanswered(request: HttpRequest, table: PastedTable) -> dict[str, Any]:
    if request.POST.get("do") != "store" or not table.unanswered:
        return {}
    return {"error": _("Nothing was stored: say of each two names that look alike whether they are one person.")}


def _refused(request: HttpRequest, refused: Refused, context: Mapping[str, Any]) -> dict[str, Any]:
    """Return the reason of a refusal, and the typed text if it made no table."""
    return {"error": str(refused), "table": context.get("table") or {"text": request.POST.get("text", "")}}


@of_league(Act.MANAGE_COMPETITIONS)
def results(request: HttpRequest, league: League) -> HttpResponse:
    """Import a past season from a table of its results."""
    form = ArchiveForm(request.POST if request.method == "POST" else None)
    context: dict[str, Any] = {
        "league": league,
        "rulesets": list(RULESETS),
        "fields": FIELDS["results"],
        "accept": accepted(Holds.TABLE),
        "form": form,
        "area": "organize",
    }
    status = 200
    if request.method == "POST":
        try:
            said = cleaned(form)
            table = table_of(request, RESULT_WORDS)
            if table is None:
                raise Refused("no-table", _("There is no table here. Paste it, or choose a file."))
            context |= {"table": table, "columns": table.choices()}
            answer = _read_or_store(request, league, table, said, context)
            if answer:
                return answer
            status = 422 if context["mistakes"] or "error" in context else 200
        except Refused as refused:
            context |= _refused(request, refused, context)
            status = 422
    return render(request, "organize/import_results.html", context, status=status)


def _read_or_store(
    request: HttpRequest, league: League, table: PastedTable, said: Mapping[str, str], context: dict[str, Any]
) -> HttpResponse | None:
    """Return a redirect to what was stored; None to show the preview, or questions about names that look alike.

    A column for the division makes a season.
    """
    zone = ZoneInfo(league.time_zone)
    season = "division" in table.columns
    read_table: Callable[..., ReadResults | ReadSeasonTable] = read_season_results if season else read_results
    chosen = table.ask(read_table(table.sheet, table.columns, zone=zone, **said).names)
    read = read_table(table.sheet, table.columns, zone=zone, renamed=chosen, **said)
    context |= {"mistakes": told(read.mistakes, table.source), "unread": read.unread}
    context |= _unanswered(request, table)
    if isinstance(read, ReadSeasonTable):
        return store_or_look_at_season(request, league, read, None, context, asked=table.unanswered)
    if read.filed is None:
        return None
    return _store_or_look(request, league, read.filed, None, context, asked=table.unanswered)


@of_league(Act.MANAGE_COMPETITIONS)
def players(request: HttpRequest, league: League, slug: str) -> HttpResponse:
    """Register a list of players with named columns, after those registered before.

    Importing the same list again changes nothing.
    """
    competition = competition_of(league, slug)
    context: dict[str, Any] = {
        "league": league,
        "competition": competition,
        "fields": FIELDS["players"],
        "accept": accepted(Holds.TABLE),
        "area": "organize",
    }
    status = 200
    if request.method == "POST":
        try:
            table = table_of(request, PLAYER_WORDS)
            if table is None:
                raise Refused("no-table", _("There is no table here. Paste it, or choose a file."))
            context |= {"table": table, "columns": table.choices()}
            answer = _register(request, competition, table, context)
            if answer:
                return answer
            status = 422 if context["mistakes"] or "error" in context else 200
        except NotAllowed as refused:
            raise PermissionDenied(str(refused)) from refused
        except Refused as refused:
            context |= _refused(request, refused, context)
            status = 422
    return render(request, "organize/import_players.html", context, status=status)


def _registered_lines(competition: Competition, pasted: Pasted) -> set[int]:
    """Return the lines of entrants registered already; for a pair, of both together."""
    there = {frozenset(people_in(row.entrant)) for row in competition.registrations.select_related("entrant")}
    named: dict[int, set[int]] = {}
    for one in pasted.lines:
        named.setdefault(one.line, set()).add(one.player.pk if one.player else 0)
    return {line for line, players in named.items() if players in there}


def _register(
    request: HttpRequest, competition: Competition, table: PastedTable, context: dict[str, Any]
) -> HttpResponse | None:
    chosen = table.ask(read_players(table.sheet, table.columns, pairs=competition.pairs).names)
    read = read_players(table.sheet, table.columns, pairs=competition.pairs, renamed=chosen)
    mistakes: tuple[Mistake, ...] = read.mistakes
    if "name" not in table.columns:
        mistakes = (Mistake("columns", "no-column", "name"),)
    context["mistakes"] = told(mistakes, table.source)
    context |= _unanswered(request, table)
    if mistakes:
        return None
    day = timezone.localdate()
    context["pasted"] = preview_rows(competition.league, rows_of(read.entrants), user=request.user, since=day)
    context["registered"] = _registered_lines(competition, context["pasted"])
    if request.POST.get("do") != "store" or table.unanswered or context["pasted"].undecided:
        return None
    added = len(import_entrants(competition, read.entrants, user=request.user))
    if added:
        messages.success(request, added_words(added, pairs=competition.pairs))
    before = len(read.entrants) - added
    if before:
        done = ngettext(
            "%(count)d was registered already and stays as it was.",
            "%(count)d were registered already and stay as they were.",
            before,
        )
        messages.info(request, done % {"count": before})
    return redirect("organize:competition", competition.league.slug, competition.slug)
