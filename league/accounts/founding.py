"""Creation and settings of leagues."""

from zoneinfo import available_timezones

from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext_lazy as _

from league.accounts.contacts import Contact, write_contact
from league.accounts.graphemes import longer_than
from league.accounts.models import LONGEST_NAME, League, Role, User
from league.accounts.permissions import Act, check_may, may
from league.errors import NotAllowed, Refused

LONGEST_SLUG = 60
# Words with another meaning in the place of a league's address.
RESERVED = frozenset({"new"})
LEVELS = 10


def time_zones() -> list[str]:
    """Return names of time zones by place, sorted; `UTC` first."""
    places = {name for name in available_timezones() if "/" in name and not name.startswith(("Etc/", "SystemV/"))}
    return ["UTC", *sorted(places)]


def may_found(user: User, parent: League | None) -> bool:
    """Return whether a user may create a league.

    Administrators of the site may, and owners within their league.

    A league's owner reads accounts by e-mail and gives roles, so it is not open to everybody.
    """
    return user.is_superuser or (parent is not None and may(user, Act.RUN_LEAGUE, parent))


@transaction.atomic
def found_league(
    user: User,
    *,
    name: str,
    place: str = "",
    time_zone: str = "UTC",
    confirmation_required: bool = True,
    second_side_proves: bool = False,
    silence_minutes: int | None = None,
    officials_needed: int | None = None,
    parent: League | None = None,
) -> League:
    """Create a league owned by the user.

    Raises NotAllowed `no-permission`, Refused `bad-league-name`, `bad-time-zone`.
    """
    if not may_found(user, parent):
        raise NotAllowed(
            "no-permission", _("Only site administrators and owners of the parent league can create a league here.")
        )
    league = create_league(
        name=name,
        place=place,
        time_zone=time_zone,
        confirmation_required=confirmation_required,
        second_side_proves=second_side_proves,
        silence_minutes=silence_minutes,
        officials_needed=officials_needed or 2,
        parent=parent,
    )
    Role.objects.create(user=user, league=league, kind=Role.Kind.OWNER)
    return league


def create_league(*, name: str, time_zone: str = "UTC", **facts: object) -> League:
    plain = check_name(name)
    return League.objects.create(name=plain, slug=free_slug(plain), time_zone=check_time_zone(time_zone), **facts)


@transaction.atomic
def edit_league(
    league: League,
    user: User,
    *,
    name: str,
    place: str,
    time_zone: str,
    confirmation_required: bool,
    parent: League | None,
    second_side_proves: bool = False,
    silence_minutes: int | None = None,
    officials_needed: int | None = None,
    contact: Contact | None = None,
) -> League:
    """Change a league.

    Its address stays; contact and `officials_needed` stay unless given.

    Raises NotAllowed, Refused `bad-league-name`, `bad-time-zone`, `league-in-itself`, and those of `write_contact`.
    """
    check_may(user, Act.RUN_LEAGUE, league)
    league = League.objects.select_for_update().get(pk=league.pk)
    if parent and parent.pk != league.parent_id:
        if not may_found(user, parent):
            raise NotAllowed("no-permission", _("Only an owner of %(league)s puts a league into it."), league=parent)
        _check_above(league, parent)
    league.name, league.place = check_name(name), " ".join(place.split())
    league.time_zone, league.confirmation_required = check_time_zone(time_zone), confirmation_required
    league.parent, league.silence_minutes = parent, silence_minutes
    league.officials_needed = officials_needed or league.officials_needed
    league.second_side_proves = second_side_proves
    if contact is not None:
        write_contact(league, contact)
    league.save()
    return league


def _check_above(league: League, parent: League) -> None:
    above: League | None = parent
    for _level in range(LEVELS):
        if above is None:
            return
        if above.pk == league.pk:
            break
        above = above.parent
    raise Refused("league-in-itself", _("A league cannot be part of itself."))


def check_name(name: str) -> str:
    plain = " ".join(name.split())
    if not plain or longer_than(plain, LONGEST_NAME):
        raise Refused(
            "bad-league-name", _("The name of a league has 1 to %(longest)d characters."), longest=LONGEST_NAME
        )
    return plain


def check_time_zone(time_zone: str) -> str:
    if time_zone not in available_timezones():
        raise Refused("bad-time-zone", _("There is no time zone “%(name)s”."), name=time_zone)
    return time_zone


def free_slug(name: str) -> str:
    """Return a free address: `Harbour Domino Club` → `harbour-domino-club`.

    A number is added if it is taken.
    """
    stem = slugify(name)[: LONGEST_SLUG - 5].strip("-") or "league"
    taken = set(League.objects.filter(slug__startswith=stem).values_list("slug", flat=True)) | RESERVED
    return next(slug for slug in (stem, *(f"{stem}-{number}" for number in range(2, 10_000))) if slug not in taken)
