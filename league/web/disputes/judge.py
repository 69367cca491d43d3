"""Invitation to judge one case, behind its link."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from league.disputes.judge_invitations import judge_invitation, take_judge_invitation
from league.disputes.models import Dispute
from league.errors import Refused
from league.web.components.disputes import names_in, protest_title


@never_cache
@login_required
def page(request: HttpRequest, secret: str) -> HttpResponse:
    """Show the case of an invitation; a POST makes the asker its judge."""
    try:
        found = judge_invitation(secret)
        if request.method == "POST":
            named = take_judge_invitation(secret, request.user)
            told = _("%(name)s is named. Once both sides accept, %(name)s decides.")
            messages.success(request, told % {"name": named})
            return redirect("matches:detail", found.dispute.match_id)
    except Dispute.DoesNotExist:
        return render(request, "disputes/invited.html", {"gone": True, "area": "competitions"}, status=404)
    except Refused as refused:
        return render(request, "disputes/invited.html", {"refused": refused, "area": "competitions"}, status=422)
    dispute, names = found.dispute, names_in(found.dispute.match)
    with timezone.override(dispute.match.league.time_zone):
        context = {
            "by": found.made_by,
            "league": dispute.match.league,
            "match": " – ".join(names),
            "title": protest_title(dispute, names),
            "area": "competitions",
        }
        return render(request, "disputes/invited.html", context)
