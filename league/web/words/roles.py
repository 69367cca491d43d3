"""Roles in words: one line saying what each may do. The table of permissions: `league/accounts/permissions.py`."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.translation import pgettext_lazy

from league.accounts.models import Role
from league.accounts.roles import HIGH

MAY: Mapping[str, str] = {
    Role.Kind.OWNER: pgettext_lazy("role", "Everything: settings, owners and managers too."),
    Role.Kind.MANAGER: pgettext_lazy("role", "Players, competitions, notices, and the roles below."),
    Role.Kind.HEAD_REFEREE: pgettext_lazy("role", "Results, rulings, clocks and the desk."),
    Role.Kind.REFEREE: pgettext_lazy("role", "Results, rulings, clocks and the desk."),
    Role.Kind.DESK_HELPER: pgettext_lazy("role", "Check-in, fees, clocks, and results from cards."),
    Role.Kind.PLAYER: pgettext_lazy("role", "Belongs to the league; runs nothing."),
    Role.Kind.READ_ONLY: pgettext_lazy("role", "Sees drafts and full names; changes nothing."),
}


@dataclass(frozen=True, slots=True)
class RoleLine:
    kind: str
    name: str
    may: str


def role_line(kind: str) -> RoleLine:
    return RoleLine(kind, str(Role.Kind(kind).label), str(MAY[kind]))


def role_lines(*, all_kinds: bool) -> list[RoleLine]:
    """Return the roles that a person may give; `all_kinds`: those of owners and managers too."""
    return [role_line(kind) for kind in Role.Kind if all_kinds or kind not in HIGH]
