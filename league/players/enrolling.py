"""Enrolment of players in a league, changes of their data, and memberships."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from league.accounts.graphemes import longer_than
from league.accounts.models import League, User
from league.accounts.naming import this_year
from league.accounts.permissions import Act, check_may
from league.errors import Refused
from league.players.claiming import guard_account
from league.players.models import LONGEST_CLUB, Entrant, Membership, Player
from league.players.naming import clean_name, clean_words, fold, rename, tell_apart

LONGEST_NUMBER = 20
OLDEST = 120
BATCH = 500


@transaction.atomic
def enrol(
    *,
    league: League,
    name: str,
    since: date,
    user: User | None = None,
    club: str = "",
    number: str = "",
    born: int | None = None,
) -> Entrant:
    """Create a player and an entrant of a league.

    Raises Refused `bad-name`, `bad-club`, `bad-number`, `number-taken`, `bad-year`.
    """
    player = create_player(name, user=user, born=born)
    if user:
        guard_account(user)
    _begin(player, league, since, club=club, number=number)
    tell_apart([player.folded])
    return Entrant.objects.create(league=league, player=player)


@transaction.atomic
def add_player(
    league: League, *, user: User, name: str, since: date, club: str = "", number: str = "", born: int | None = None
) -> Entrant:
    """Enrol a player, as a manager of the league's people. Raises NotAllowed too."""
    check_may(user, Act.MANAGE_PEOPLE, league)
    return enrol(league=league, name=name, since=since, club=club, number=number, born=born)


def create_player(name: str, *, user: User | None = None, born: int | None = None) -> Player:
    plain = clean_name(name)
    return Player.objects.create(name=plain, folded=fold(plain), user=user, born=check_born(born))


def check_born(born: int | None) -> int | None:
    if born is not None and not this_year() - OLDEST <= born <= this_year() + 1:
        raise Refused(
            "bad-year", _("A year of birth has four figures and lies in the last %(years)d years."), years=OLDEST
        )
    return born


def current(on: date) -> Q:
    """Filter memberships valid on a day."""
    return Q(since__lte=on) & (Q(until__isnull=True) | Q(until__gt=on))


def join(player: Player, league: League, since: date, *, club: str = "", number: str = "") -> tuple[Entrant, bool]:
    """Make a known player a member from that day on, unless they are one already.

    A club or number given fills an empty one. Returns the entrant, and whether a membership began.
    """
    held = player.memberships.filter(current(since), league=league).order_by("-since").first()
    if held is None:
        before = player.memberships.filter(league=league).order_by("-since").first()
        _begin(
            player,
            league,
            since,
            club=club or (before.club if before else ""),
            number=number or (before.number if before else ""),
        )
    elif (club and not held.club) or (number and not held.number):
        held.club, held.number = held.club or check_club(club), held.number or check_number(number, player, league)
        held.save(update_fields=["club", "number"])
    entrant, _made = Entrant.objects.get_or_create(league=league, player=player, partner=None)
    return entrant, held is None


@dataclass(frozen=True, slots=True)
class Joining:
    """One person of a list.

    `player` is None for a new one, with a clean name and a free number.
    """

    player: Player | None
    name: str
    club: str = ""
    number: str = ""


def join_all(league: League, people: Sequence[Joining], since: date) -> list[Entrant]:
    """Enrol new people, join known ones, and return their entrants in list order.

    As many statements as for one person, and a few for each known person whose membership begins or gets club or
    number. Raises those of `create_player` and `join`. The caller updates the labels of namesakes.
    """
    new = iter(_enrol_all(league, [one for one in people if one.player is None], since))
    settled = _settled(league, [one for one in people if one.player is not None], since)
    return [
        next(new) if one.player is None else settled.get(one.player.pk) or _joined(one, one.player, league, since)
        for one in people
    ]


def _joined(one: Joining, player: Player, league: League, since: date) -> Entrant:
    return join(player, league, since, club=one.club, number=one.number)[0]


def _enrol_all(league: League, people: Sequence[Joining], since: date) -> list[Entrant]:
    names = [clean_name(one.name) for one in people]
    players = Player.objects.bulk_create([Player(name=name, folded=fold(name)) for name in names], batch_size=BATCH)
    Membership.objects.bulk_create(
        [
            Membership(
                player=player, league=league, since=since, club=check_club(one.club), number=clean_words(one.number)
            )
            for player, one in zip(players, people, strict=True)
        ],
        batch_size=BATCH,
    )
    return Entrant.objects.bulk_create([Entrant(league=league, player=one) for one in players], batch_size=BATCH)


def _settled(league: League, people: Sequence[Joining], since: date) -> dict[int, Entrant]:
    """Return player → entrant for known people without changes."""
    ids = [one.player.pk for one in people if one.player]
    rows = Membership.objects.filter(current(since), league=league, player__in=ids).order_by("since")
    held = {row.player_id: row for row in rows}
    entrants = Entrant.objects.filter(league=league, player__in=ids, partner=None).select_related("player")
    found = {one.player_id: one for one in entrants}
    return {
        one.player.pk: found[one.player.pk]
        for one in people
        if one.player and one.player.pk in found and _says_nothing_new(one, held.get(one.player.pk))
    }


def _says_nothing_new(one: Joining, held: Membership | None) -> bool:
    return held is not None and not (one.club and not held.club) and not (one.number and not held.number)


def _begin(player: Player, league: League, since: date, *, club: str, number: str) -> Membership:
    # A later membership would overlap, so this one ends where it begins.
    later = player.memberships.filter(league=league, since__gt=since).order_by("since").first()
    return Membership.objects.create(
        player=player,
        league=league,
        since=since,
        until=later.since if later else None,
        club=check_club(club),
        number=check_number(number, player, league),
    )


def check_club(club: str) -> str:
    plain = clean_words(club)
    if longer_than(plain, LONGEST_CLUB):
        raise Refused("bad-club", _("The name of a club has at most %(longest)d characters."), longest=LONGEST_CLUB)
    return plain


def check_number(number: str, player: Player | None, league: League) -> str:
    plain = clean_words(number)
    if len(plain) > LONGEST_NUMBER:
        raise Refused("bad-number", _("A member number has at most %(longest)d characters."), longest=LONGEST_NUMBER)
    holder = bearer(league, plain).exclude(pk=player.pk if player else 0).first() if plain else None
    if holder:
        raise Refused(
            "number-taken",
            _("%(name)s has the member number %(number)s in %(league)s."),
            name=holder.name,
            number=plain,
            league=league,
        )
    return plain


def bearer(league: League, number: str) -> QuerySet[Player]:
    held = Membership.objects.filter(league=league, number__iexact=number).values("player")
    return Player.objects.filter(pk__in=held, merged_into=None).exclude(name="")


# --- For managers of the league's people ---


def player_of(league: League, code: str) -> Player:
    """Return a present or past member of the league by code.

    Raises Player.DoesNotExist.
    """
    members = Membership.objects.filter(league=league).values("player")
    return Player.objects.select_related("user").get(pk__in=members, merged_into=None, code=code.strip().upper())


@transaction.atomic
def edit_player(
    player: Player,
    league: League,
    by: User,
    *,
    name: str,
    born: int | None = None,
    club: str = "",
    number: str = "",
) -> None:
    """Change name and year of birth of a player, and club and number of a membership.

    Club and number are those of the latest membership in this league. Raises NotAllowed; Refused `name-erased`,
    `bad-name`, `bad-year`, `bad-club`, `bad-number`, `number-taken`.
    """
    check_may(by, Act.MANAGE_PEOPLE, league)
    player = Player.objects.select_for_update().get(pk=player.pk)
    if not player.name:
        raise Refused("name-erased", _("This name was erased on request and stays away."))
    Player.objects.filter(pk=player.pk).update(born=check_born(born))
    held = player.memberships.filter(league=league).order_by("-since", "-pk").first()
    if held:
        held.club, held.number = check_club(club), check_number(number, player, league)
        held.save(update_fields=["club", "number"])
    player.born = born
    rename(player, clean_name(name))
    if player.user:
        guard_account(player.user)


@transaction.atomic
def end_membership(player: Player, league: League, by: User, *, until: date) -> None:
    """End a membership; `until` is the first day without it.

    Raises NotAllowed; Refused `no-member`, `ends-before-it-begins`.
    """
    check_may(by, Act.MANAGE_PEOPLE, league)
    open_ones = Membership.objects.select_for_update().filter(player=player, league=league)
    held = open_ones.filter(Q(until__isnull=True) | Q(until__gt=until)).order_by("-since").first()
    if held is None:
        raise Refused("no-member", _("%(name)s is not a member on that day."), name=player.name)
    if held.since >= until:
        raise Refused("ends-before-it-begins", _("The membership began on %(since)s."), since=held.since)
    Membership.objects.filter(pk=held.pk).update(until=until)


@transaction.atomic
def renew_membership(player: Player, league: League, by: User, *, since: date) -> None:
    """Start a new membership on that day. Raises NotAllowed; Refused `member-already`."""
    check_may(by, Act.MANAGE_PEOPLE, league)
    if player.memberships.filter(current(since), league=league).exists():
        raise Refused("member-already", _("%(name)s is a member on that day already."), name=player.name)
    join(player, league, since)
