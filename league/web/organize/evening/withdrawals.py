"""Withdrawals, late players, and publishing the next round without a late table."""

from collections.abc import Sequence

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from league.accounts.models import League
from league.accounts.permissions import Act, may
from league.competitions.attendance import withdrawals
from league.competitions.attendance.no_shows import forfeit_absent, nobody_came, wait_for
from league.competitions.attendance.table_absences import at_tables
from league.competitions.attendance.withdrawals import undo_withdrawal
from league.competitions.draw import publishing
from league.competitions.formats.registry import LADDERS
from league.competitions.models import Competition, Matchday, Slot, Withdrawal
from league.competitions.queries.check_in import late_sides
from league.errors import NotAllowed, Refused
from league.matches.models import Match, Result
from league.matches.officials import may_act_alone
from league.players.models import Entrant
from league.web.organize.forms.one_field_forms import OptionalReasonForm
from league.web.shared.fields import cleaned
from league.web.shared.staff import carry_out, competition_of, of_league, sent_row


@never_cache
@of_league(Act.MANAGE_COMPETITIONS)
def withdraw(request: HttpRequest, league: League, slug: str, entrant_id: int) -> HttpResponse:
    """Show the effect on the matches; a POST withdraws the entrant, with a reason unless it is a draft."""
    competition = competition_of(league, slug)
    entrant = get_object_or_404(
        Entrant.objects.select_related("player", "partner"), pk=entrant_id, registrations__competition=competition
    )
    form = OptionalReasonForm(request.POST if request.method == "POST" else None, initial={"reason": _("Left early")})
    if form.is_valid():
        try:
            done = withdrawals.withdraw(competition, entrant, user=request.user, **cleaned(form))
        except NotAllowed as refused:
            raise PermissionDenied(str(refused)) from refused
        except Refused as refused:
            messages.error(request, str(refused))
        else:
            messages.success(request, _told(competition, entrant, done))
            return _to(competition, "#withdrawn")
    context = {
        "league": league,
        "competition": competition,
        "entrant": entrant,
        "form": form,
        "at_once": not league.confirmation_required or may_act_alone(league.pk, league.officials_needed),
        "tables": at_tables(competition, entrant).filter(slot__match__state=Match.State.SCHEDULED).count(),
        "open": withdrawals.open_matches(competition, entrant).count(),
        "kept": _kept(competition),
        "hidden": withdrawals.hidden_matches(competition, entrant).count(),
        "drafts": publishing.drafts_from_results(competition),
        "area": "organize",
    }
    return render(request, "organize/withdraw.html", context, status=422 if request.method == "POST" else 200)


def _kept(competition: Competition) -> str:
    """Say which results of a player who leaves count."""
    stage = competition.stages.order_by("number").first()
    leaving = competition.leaving if stage and stage.spec.annuls else Competition.Leaving.KEEP
    told = {
        Competition.Leaving.KEEP: _("Results already played count for both sides."),
        Competition.Leaving.ANNUL: _("None of the matches counts in the standings."),
        Competition.Leaving.HALF: _(
            "If fewer than half of the matches were played, none counts in the standings. Otherwise results "
            "already played count for both sides."
        ),
    }
    return told[Competition.Leaving(leaving)]


def _told(competition: Competition, entrant: Entrant, done: Withdrawal | None) -> str:
    name = entrant.full_name
    if done is None:
        return _("%(name)s is taken out of the draft.") % {"name": name}
    told = [
        ngettext(
            "%(name)s has left, and %(count)d game is forfeited.",
            "%(name)s has left, and %(count)d games are forfeited.",
            len(done.forfeits),
        )
        % {"name": name, "count": len(done.forfeits)}
        if done.forfeits
        else _("%(name)s has left.") % {"name": name}
    ]
    told += forfeits_waiting(done.forfeits)
    if hidden := withdrawals.hidden_matches(competition, entrant).count():
        told.append(
            ngettext(
                "%(count)d upcoming match is forfeited when its round is published.",
                "%(count)d upcoming matches are forfeited, each when its round is published.",
                hidden,
            )
            % {"count": hidden}
        )
    told += [
        _("%(round)s is a draft: pair it again, then publish it.") % {"round": day}
        for day in publishing.stale_drafts(competition)
    ]
    if left := withdrawals.open_matches(competition, entrant).count():
        told.append(
            ngettext(
                "%(count)d match waits for an official who does not play in it.",
                "%(count)d matches wait for an official who does not play in them.",
                left,
            )
            % {"count": left}
        )
    return " ".join(told)


def forfeits_waiting(records: Sequence[int]) -> list[str]:
    """Say how many of these forfeits (keys of records) wait for a confirmation."""
    count = Result.objects.filter(record__in=records, current=True, state=Result.State.PROVISIONAL).count()
    told = ngettext(
        "%(count)d forfeit waits for the other side or another official.",
        "%(count)d forfeits wait for the other side or another official.",
        count,
    )
    return [told % {"count": count}] if count else []


@require_POST
@of_league(Act.SEE_NEEDS)
def undo(request: HttpRequest, league: League, slug: str, withdrawal_id: int) -> HttpResponse:
    """Take a withdrawal back, as an organizer or as an official who ruled one of its forfeits."""
    competition = competition_of(league, slug)
    done = get_object_or_404(Withdrawal, pk=withdrawal_id, competition=competition)
    if carry_out(request, lambda: undo_withdrawal(done, user=request.user)):
        stay = Result.objects.filter(record__in=done.forfeits, current=True).exists()
        back = _("%(name)s is back.")
        if done.forfeits:
            plays = _("%(name)s plays again from the next round on. The forfeits stay.")
            if competition.stages.filter(format__in=LADDERS).exists():
                plays = _("%(name)s is back. The forfeits stay.")
            back = plays if stay else _("Taken back: the forfeits count for nothing.")
        messages.success(request, back % {"name": done.entrant.full_name})
    return _to(competition, "#withdrawn")


@never_cache
@of_league(Act.RUN_DESK)
def late(request: HttpRequest, league: League, slug: str, slot_id: int) -> HttpResponse:
    """Show one match with a late side: waiting times, forfeit, and the next round.

    `do` is "wait", "here" or "forfeit", with `entrant`, or "nobody".
    """
    competition = competition_of(league, slug)
    slots = Slot.objects.filter(matchday__stage__competition=competition).select_related(
        "matchday__stage", "table", "match"
    )
    slot = get_object_or_404(slots, pk=slot_id)
    if slot.match is None:
        raise Http404
    if request.method == "POST":
        return HttpResponseRedirect(_late(request, slot) or _after(request, slot))
    sides = late_sides(slot, competition, timezone.now())
    waiting = slot.match.state == Match.State.SCHEDULED
    there = [side for side in sides if not side.absent]
    context = {
        "league": league,
        "competition": competition,
        "slot": slot,
        "sides": sides,
        "at_tables": slot.matchday.stage.is_at_tables,
        "waiting": waiting,
        "nobody": bool(there) and all(side.over for side in there),
        "now": timezone.now(),
        "next_round": _next_round(slot),
        "manages": may(request.user, Act.MANAGE_COMPETITIONS, league),
        "area": "organize",
    }
    return render(request, "organize/late.html", context)


def _after(request: HttpRequest, slot: Slot) -> str:
    """Return the address of the match, or of all tables if nobody plays at its table any more."""
    slot.refresh_from_db(fields=["not_needed"])
    competition = slot.matchday.stage.competition
    tables = reverse("organize:competition_tables", args=[competition.league.slug, competition.slug])
    return tables if slot.not_needed else request.path


def _late(request: HttpRequest, slot: Slot) -> str:
    """Do what was asked; return the address of the next step, or ""."""
    what = request.POST.get("do", "")
    if what == "nobody":
        return forfeit_all(request, slot)
    entrant = sent_row(request, "entrant", Entrant, berths__slot=slot)
    if what in {"wait", "here"}:
        carry_out(request, lambda: wait_for(slot, entrant, user=request.user, waiting=what == "wait"))
    elif what == "forfeit":
        forfeit_late(request, slot, entrant)
    return ""


def forfeit_late(request: HttpRequest, slot: Slot, entrant: Entrant) -> None:
    """Forfeit the match of a side that did not come, and say what follows."""
    records: list[int] = []
    if not carry_out(request, lambda: records.extend(forfeit_absent(slot, entrant, user=request.user))):
        return
    words = _("The match is forfeited: %(name)s did not come.")
    if slot.matchday.stage.is_at_tables:
        words = _("The others play without %(name)s.")
    messages.success(request, " ".join([words % {"name": entrant.full_name}, *forfeits_waiting(records)]))


def forfeit_all(request: HttpRequest, slot: Slot) -> str:
    """Forfeit a match to which nobody came; return the address of the decision in a knock-out, else ""."""
    records: list[int] = []
    if not carry_out(request, lambda: records.extend(nobody_came(slot, user=request.user))):
        return ""
    stage = slot.matchday.stage
    done = _("Nobody came: the table is not played.") if stage.is_at_tables else _("Nobody came: both have lost.")
    decides = [_("An official decides who advances.")] if stage.is_knock_out else []
    messages.success(request, " ".join([done, *forfeits_waiting(records), *decides]))
    return reverse("matches:detail", args=[slot.match_id]) if stage.is_knock_out else ""


def _next_round(slot: Slot) -> Matchday | None:
    """Return the round that could be published without this match."""
    if slot.matchday.published_at is None or slot.match.state == Match.State.DECIDED:
        return None
    hidden = Matchday.objects.filter(stage=slot.matchday.stage_id, published_at=None)
    return hidden.filter(number__gt=slot.matchday.number).order_by("number").first()


def _to(competition: Competition, fragment: str) -> HttpResponse:
    address = reverse("organize:competition", args=[competition.league.slug, competition.slug])
    return HttpResponseRedirect(f"{address}{fragment}")
