"""Invitation to a role, behind its link."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from league.accounts import services
from league.accounts.models import Role, RoleInvitation
from league.errors import Refused
from league.web.words.roles import role_line


@never_cache
@login_required
def invitation(request: HttpRequest, secret: str) -> HttpResponse:
    """Show the league and the role of an invitation; a POST takes it."""
    try:
        found = services.invitation_of(secret)
        if request.method == "POST":
            found = services.take_invitation(secret, request.user)
            facts = {"role": found.get_kind_display(), "league": found.league}
            if found.accepted:
                messages.success(request, _("You are %(role)s in %(league)s now.") % facts)
            else:
                messages.info(request, _("An owner of %(league)s has to agree. Then you are %(role)s.") % facts)
            return redirect("leagues:detail", found.league.slug)
    except RoleInvitation.DoesNotExist:
        return render(request, "accounts/invitation.html", {"gone": True, "area": "accounts"}, status=404)
    except Refused as refused:
        return render(request, "accounts/invitation.html", {"refused": str(refused), "area": "accounts"}, status=422)
    context = {
        "invitation": found,
        "line": role_line(found.kind),
        "waits": found.kind != Role.Kind.PLAYER,
        "area": "accounts",
    }
    return render(request, "accounts/invitation.html", context)
