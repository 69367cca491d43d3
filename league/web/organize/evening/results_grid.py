"""Results grid of the desk: results of all tables typed with the keyboard alone."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Prefetch
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from league.accounts.models import League
from league.accounts.permissions import Act
from league.competitions.attendance.withdrawals import forfeit_left
from league.competitions.models import Competition
from league.competitions.queries.desk import in_play
from league.competitions.queries.results_grid import Grid, GridRow, grid
from league.errors import Refused
from league.matches import guests
from league.matches.logs import submission
from league.matches.models import Game, KnownBy, Match, Record, Reply, Result, Side
from league.matches.results.entering import enter_sheet, rule, undo_entry
from league.matches.results.reviews import choose, disagree, objections
from league.matches.results.standing import is_official
from league.matches.rules import rules_agreed
from league.players.models import PEOPLE
from league.web.components.result_row import Field, RowView, label_of, objection_of, said_of, version_of
from league.web.components.score_fields import (
    BEATS,
    ENDS,
    LEVEL,
    NOBODY,
    TypedScore,
    number_of,
    result_in_words,
    typed_score,
)
from league.web.components.score_fields import sheet_in_words as in_words
from league.web.organize.evening.withdrawals import forfeits_waiting
from league.web.shared.fields import KeyField, KeysField, cleaned
from league.web.shared.return_address import own_correction
from league.web.shared.staff import competition_of, of_league

MOST_ROWS = 400
NO_RESULT = gettext_lazy("There is no such result any more. Look at the one shown now.")


@dataclass(kw_only=True)
class Saving:
    """Outcome of a form: `saved` in words, and refusals by game; `to`: the page on which it is done instead."""

    saved: list[str] = field(default_factory=list)
    refused: dict[int, Refused] = field(default_factory=dict)
    general: str = ""
    to: str = ""


class RowForm(forms.Form):
    """Fields of a row beside its score; their names end with the number of the game."""

    signed = forms.BooleanField(required=False)
    after = KeyField(required=False)
    reason = forms.CharField(required=False)
    decide = forms.CharField(required=False)
    disagree = forms.CharField(required=False)

    def add_prefix(self, field_name: str) -> str:
        return f"{field_name}-{self.prefix}"


class RowsForm(forms.Form):
    game = KeysField(required=False)


@of_league(Act.ENTER_RESULTS)
def page(request: HttpRequest, league: League, slug: str | None = None) -> HttpResponse:
    """Show one form with all rows, and save it.

    `act` names the action; without it the filled rows are saved. A script sends one row at a time and asks for JSON.
    `?scan=` jumps to the row of a card.
    """
    competition = competition_of(league, slug) if slug else None
    if request.method == "POST":
        return _posted(request, league, competition)
    found = grid(request.user, league, competition, timezone.now())
    if wanted := number_of(request.GET.get("match", "")):
        return _to_row(league, competition, next((one for one in found.rows if one.match.pk == wanted), None))
    if request.GET.get("scan"):
        return _jump(request, league, competition, found)
    return _answer(request, league, competition, found, Saving())


def _posted(request: HttpRequest, league: League, competition: Competition | None) -> HttpResponse:
    verb, _colon, key = request.POST.get("act", "save").partition(":")
    act = ACTS.get(verb, _save)
    outcome = act(request, league, number_of(key) or 0)
    if outcome.to:
        messages.info(request, outcome.general)
    if "application/json" in request.headers.get("Accept", ""):
        return _json(outcome)
    if outcome.to:
        return HttpResponseRedirect(outcome.to)
    found = grid(request.user, league, competition, timezone.now())
    # Keep typed but unsaved values after every button.
    typed_left = verb in ACTS and any(not _typed(request, row).empty for row in found.rows if row.may_enter)
    if outcome.refused or typed_left:
        for told in outcome.saved:
            messages.success(request, told)
        if outcome.general:
            messages.error(request, outcome.general)
        return _answer(request, league, competition, found, outcome, status=422 if outcome.refused else 200)
    if outcome.general:
        messages.error(request, outcome.general)
    elif verb in ACTS:
        messages.success(request, " ".join(outcome.saved))
    elif outcome.saved:
        told = ngettext(
            "%(count)d result is saved: %(each)s", "%(count)d results are saved: %(each)s", len(outcome.saved)
        )
        messages.success(request, told % {"count": len(outcome.saved), "each": "; ".join(outcome.saved)})
    else:
        messages.info(request, _("Nothing was typed, so nothing was saved."))
    return _back(league, competition)


def _json(outcome: Saving) -> JsonResponse:
    """Answer for one row: 200 with the saved result, 422 with the reason of a refusal."""
    refused = next(iter(outcome.refused.values()), None)
    told = str(refused) if refused else outcome.general
    body = {
        "said": " ".join(outcome.saved),
        "error": told,
        "code": refused.code if refused else "",
        "insist": bool(refused) and refused.code == "does-not-add-up",
        "to": outcome.to,
    }
    return JsonResponse(body, status=422 if told else 200, headers={"Cache-Control": "no-store"})


def _back(league: League, competition: Competition | None) -> HttpResponseRedirect:
    if competition:
        return redirect("organize:competition_grid", league.slug, competition.slug)
    return redirect("organize:grid", league.slug)


# --- Actions ---


def _games(request: HttpRequest, league: League) -> list[Game]:
    """Return the games of the sent rows that belong to this league."""
    keys = cleaned(RowsForm(request.POST))["game"][:MOST_ROWS]
    sides = Prefetch("match__sides", Side.objects.select_related(*PEOPLE).order_by("number"))
    games = Game.objects.filter(pk__in=keys, match__league=league, match__published_at__isnull=False)
    by_key = {game.pk: game for game in games.select_related("match").prefetch_related(sides)}
    return [by_key[key] for key in dict.fromkeys(keys) if key in by_key]


def _row(request: HttpRequest, game: int) -> dict[str, Any]:
    return cleaned(RowForm(request.POST, prefix=str(game)))


def _names(game: Game) -> list[str]:
    return [str(side.entrant) for side in game.match.sides.all()]


def _save(request: HttpRequest, league: League, insisted: int) -> Saving:
    """Save every filled row in its own transaction.

    `insisted`: the game whose row is entered although it does not add up.
    """
    outcome = Saving()
    for game in _games(request, league):
        names = _names(game)
        typed = typed_score(request.POST, len(names), f"-{game.pk}")
        if typed.empty or (insisted and game.pk != insisted):
            continue
        # A player enters for their own side; `signed` (both signatures on the card) is for the desk.
        plays = any(side.entrant.is_of(request.user.pk) for side in game.match.sides.all())
        try:
            row = _row(request, game.pk)
            sheet = typed.sheet()
            enter_sheet(
                game,
                request.user,
                sheet,
                kind=KnownBy.SCORE,
                signed=row["signed"] and not plays,
                insist=game.pk == insisted,
                after=row["after"],
            )
        except Refused as refused:
            outcome.refused[game.pk] = refused
            continue
        outcome.saved.append(in_words(names, sheet))
    return outcome


def _undo(request: HttpRequest, league: League, key: int) -> Saving:
    record = Record.objects.filter(pk=key, game__match__league=league).select_related("game__match").first()
    if record is None:
        return Saving(general=_("There is nothing to take back any more."))
    try:
        undo_entry(record, request.user)
    except Refused as refused:
        to = own_correction(request, record.game, back=request.get_full_path())
        told = pgettext("refusal, then what to do instead", "%(refusal)s Correct it here: you see first what changes.")
        return Saving(general=told % {"refusal": refused} if to else str(refused), to=to)
    return Saving(saved=[_("Taken back. It stays on record and counts for nothing.")])


def _open(request: HttpRequest, league: League, key: int) -> Saving:
    match = Match.objects.filter(pk=key, league=league, published_at__isnull=False).select_related("league").first()
    if match is None:
        return Saving(general=_("There is no such match."))
    return _done(lambda: guests.open_door(match, by=request.user), _("Entry by code is open now."))


def _choose(request: HttpRequest, league: League, key: int) -> Saving:
    result = Result.objects.filter(pk=key, game__match__league=league).select_related("game__match").first()
    if result is None:
        return Saving(general=NO_RESULT)
    return _done(
        lambda: choose(result, request.user, reason=_row(request, result.game_id)["decide"]),
        _("Decided. Everybody can read why."),
    )


def _confirm(request: HttpRequest, league: League, key: int) -> Saving:
    result = Result.objects.filter(pk=key, game__match__league=league).select_related("game__match").first()
    if result is None:
        return Saving(general=NO_RESULT)
    return _done(
        lambda: submission.confirm_result(result=result, user=request.user),
        _("The result is confirmed now. The standings count it."),
    )


def _disagree(request: HttpRequest, league: League, key: int) -> Saving:
    result = Result.objects.filter(pk=key, game__match__league=league).select_related("game__match").first()
    if result is None:
        return Saving(general=NO_RESULT)
    return _done(
        lambda: disagree(result, request.user, sentence=_row(request, result.game_id)["disagree"]),
        _("Under review now. It ends when both sides agree, or when an official decides."),
    )


def _rule(request: HttpRequest, league: League, key: int) -> Saving:
    """Rule a forfeit or no-show; without typed points target to nothing."""
    game = next((one for one in _games(request, league) if one.pk == key), None)
    if game is None:
        return Saving(general=_("There is no such game any more."))
    names = _names(game)
    typed = typed_score(request.POST, len(names), f"-{game.pk}")
    try:
        if typed.empty and not typed.winner:
            raise Refused("bad-winner", _("Choose who wins, and rule again."))
        sheet = (_forfeit(game, typed) if typed.empty else typed).sheet()
        winner = sheet.get("winner")
        if winner is None and typed.winner != NOBODY:
            raise Refused("bad-winner", _("Choose who wins, and rule again."))
        entered = rule(
            game,
            request.user,
            scores=sheet["scores"],
            winner=None if winner is None else winner + 1,
            reason=_row(request, game.pk)["reason"],
            ended=typed.ended or "forfeit",
        )
    except Refused as refused:
        return Saving(refused={game.pk: refused})
    ruled = {"result": in_words(names, sheet)}
    if is_official(entered.result):
        return Saving(saved=[_("Ruled and confirmed: %(result)s.") % ruled])
    if entered.contested:
        return Saving(saved=[_("Ruled: %(result)s. An entry differs: another official takes one of them.") % ruled])
    return Saving(saved=[_("Ruled: %(result)s. The other side or another official confirms it.") % ruled])


def _forfeit_left(request: HttpRequest, league: League, key: int) -> Saving:
    """Forfeit a match that one side has left."""
    rows = Match.objects.filter(pk=key, league=league, published_at__isnull=False, slot__isnull=False)
    match = rows.select_related("slot__matchday__stage").first()
    if match is None:
        return Saving(general=_("There is no such match."))
    try:
        records = forfeit_left(match, user=request.user)
    except Refused as refused:
        return Saving(general=str(refused))
    if not records:
        return Saving(general=_("This match waits for no forfeit any more. Nothing changed."))
    return Saving(saved=[_("The match is forfeited."), *forfeits_waiting(records)])


def _forfeit(game: Game, typed: TypedScore) -> TypedScore:
    """Give target to nothing to the chosen side (COMPETITIONS.md)."""
    rules = rules_agreed(game.match.ruleset, game.match.options)
    sides = range(1, len(_names(game)) + 1)
    points = tuple(str(rules.target) if rules and str(number) == typed.winner else "0" for number in sides)
    return replace(typed, points=points)


def _done(act: Callable[[], object], told: str) -> Saving:
    try:
        act()
    except Refused as refused:
        return Saving(general=str(refused))
    return Saving(saved=[told])


ACTS: Mapping[str, Callable[[HttpRequest, League, int], Saving]] = {
    "undo": _undo,
    "open": _open,
    "choose": _choose,
    "confirm": _confirm,
    "disagree": _disagree,
    "rule": _rule,
    "forfeit": _forfeit_left,
}


# --- Rendering ---


def _answer(
    request: HttpRequest,
    league: League,
    competition: Competition | None,
    found: Grid,
    outcome: Saving,
    status: int = 200,
) -> HttpResponse:
    against = objections([row.game.pk for row in found.rows if row.contested], sentences=True)
    lines = [_line(request, row, outcome, against.get(row.game.pk, ())) for row in found.rows]
    context = {
        "league": league,
        "competition": competition,
        "competitions": in_play(league),
        "lines": lines,
        "missing": sum(line.row.missing for line in lines),
        "unconfirmed": sum(line.row.unconfirmed for line in lines),
        "differ": sum(line.row.contested for line in lines),
        "recent": [(one, result_in_words(one.names, one.record.result)) for one in found.recent],
        "ends": ENDS,
        "nobody": NOBODY,
        "beats": BEATS,
        "level": LEVEL,
        "unsent": f"grid:{request.user.pk}:{league.slug}",
        "jump": number_of(request.GET.get("row", "")),
        "now": timezone.now(),
        "area": "organize",
    }
    answer = render(request, "organize/grid.html", context, status=status)
    answer["Cache-Control"] = "no-store"
    return answer


def _typed(request: HttpRequest, row: GridRow) -> TypedScore:
    return typed_score(request.POST, len(row.line.sides), f"-{row.game.pk}")


def _line(request: HttpRequest, row: GridRow, outcome: Saving, against: Sequence[Reply]) -> RowView:
    names = [side.name for side in row.line.sides]
    sent = request.method == "POST" and str(row.game.pk) in request.POST.getlist("game")
    refused = outcome.refused.get(row.game.pk)
    # A saved row shows its stored result, an unsaved one the typed values.
    kept = sent and (refused is not None or request.POST.get("act", "save") != "save")
    typed = _typed(request, row) if kept else TypedScore(points=("",) * len(names))
    form = RowForm(request.POST, prefix=str(row.game.pk)) if kept else None
    return RowView(
        row=row,
        label=label_of(row),
        fields=[
            Field(number=side.number, name=side.name, apart=side.apart, value=value)
            for side, value in zip(row.line.sides, typed.points, strict=True)
        ],
        typed=typed,
        signed=kept and form["signed"].value(),
        entries=[said_of(entry, names) for entry in row.entries],
        objections=[objection_of(one, names) for one in against],
        words=result_in_words(names, row.current.result) if row.current else "",
        undo_words=result_in_words(names, row.undo.result) if row.undo else "",
        version=version_of(row),
        error=str(refused) if refused else "",
        may_insist=refused is not None and refused.code == "does-not-add-up",
        reason=(kept and form["reason"].value()) or "",
    )


# --- Scanning ---


def _jump(request: HttpRequest, league: League, competition: Competition | None, found: Grid) -> HttpResponse:
    """Redirect to the row of the scanned card, without a script."""
    door = door_in(request.GET["scan"])
    row = next((one for one in found.rows if door and one.match.door == door), None)
    if row is None:
        messages.error(request, NO_SUCH_CARD)
        return _back(league, competition)
    return _to_row(league, competition, row)


def _to_row(league: League, competition: Competition | None, row: GridRow | None) -> HttpResponse:
    if row is None:
        return _back(league, competition)
    name = "organize:competition_grid" if competition else "organize:grid"
    args = [league.slug, competition.slug] if competition else [league.slug]
    return redirect(f"{reverse(name, args=args)}?row={row.game.pk}#game-{row.game.pk}")


NO_SUCH_CARD = gettext_lazy("No row here belongs to that card. It is of another round, or of another league.")


def door_in(scanned: str) -> str:
    """Return the table code in scanned text: the address on a card, or the code alone."""
    text = scanned.strip().rstrip("/")
    return text.rpartition("/")[2].upper() if text else ""
