"""Invitations to a role: made, revoked and decided on the page of roles."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from league import qr
from league.accounts import services
from league.accounts.models import RoleInvitation
from league.accounts.permissions import Act
from league.errors import Refused
from league.web.leagues.people import Handed, roles_page, told
from league.web.shared.absolute_url import absolute
from league.web.shared.access import Inside, door
from league.web.shared.return_address import next_page
from league.web.words.roles import role_line


@never_cache
@require_POST
@door(Act.MANAGE_PEOPLE, Act.RUN_LEAGUE)
def invite(request: HttpRequest, here: Inside) -> HttpResponse:
    """Make an invitation; its link and QR code are shown only in this answer."""
    try:
        secret = services.invite_to_role(here.league, request.user, kind=request.POST.get("kind", ""))
    except Refused as refused:
        told(request, refused)
        return redirect("people:roles", here.league.slug)
    address = absolute(request, reverse("accounts:invitation", args=[secret]))
    size, path = qr.path(address)
    return roles_page(request, here, invited=Handed(role_line(request.POST["kind"]), address, size, path))


def _invitation(here: Inside, invitation_id: int) -> RoleInvitation:
    found = RoleInvitation.objects.select_related("league").filter(pk=invitation_id, league=here.league).first()
    if found is None:
        raise Http404
    return found


@require_POST
@door(Act.MANAGE_PEOPLE, Act.RUN_LEAGUE)
def revoke(request: HttpRequest, here: Inside, invitation_id: int) -> HttpResponse:
    try:
        services.revoke_invitation(_invitation(here, invitation_id), request.user)
    except Refused as refused:
        told(request, refused)
    else:
        messages.success(request, _("The invitation is revoked."))
    return redirect("people:roles", here.league.slug)


@require_POST
@door(Act.RUN_LEAGUE)
def decide(request: HttpRequest, here: Inside, invitation_id: int) -> HttpResponse:
    """Give the role, or refuse it with `refuse`."""
    try:
        done = services.decide_invitation(
            _invitation(here, invitation_id), request.user, accept="refuse" not in request.POST
        )
    except Refused as refused:
        told(request, refused)
    else:
        said = _("%(name)s is %(role)s now.") if done.accepted else _("%(name)s does not become %(role)s.")
        messages.success(request, said % {"name": done.taken_by, "role": done.get_kind_display()})
    return redirect(next_page(request, reverse("people:roles", args=[here.league.slug])))
