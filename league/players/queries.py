"""Players of a league for its managers, and players of an account."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, Subquery

from league.accounts.folding import skeleton
from league.accounts.models import League, User
from league.accounts.naming import OF_AGE, this_year
from league.players.enrolling import current
from league.players.models import Entrant, Membership, Player, PlayerClaim, PlayerMerge, people_in
from league.players.naming import fold, surname


def members(league: League, *, on: date, wanted: str = "", past: bool = False) -> QuerySet[Player]:
    """Return players who are members on a day, by surname; with `past` former members.

    Annotated with `club`, `number`, `since` and `until` of their latest membership here. `wanted` is a part of the
    name, the club, the number or a whole code.
    """
    held = Membership.objects.filter(player=OuterRef("pk"), league=league)
    latest = held.order_by("-since", "-pk")
    here = Exists(held.filter(current(on)))
    players = Player.objects.filter(Exists(held), merged_into=None).filter(~here if past else here)
    players = players.annotate(
        **{field: Subquery(latest.values(field)[:1]) for field in ("club", "number", "since", "until")}
    )
    if wanted:
        players = players.filter(
            Q(folded__contains=fold(wanted))
            | Q(code__iexact=wanted)
            | Q(club__icontains=wanted)
            | Q(number__iexact=wanted)
        )
    return players.select_related("user").order_by(surname(), "folded", "code")


def clubs_of(entrants: Iterable[Entrant], league_id: int) -> dict[int, frozenset[str]]:
    """Return the folded clubs of each entrant by its key; of a pair both. One statement.

    Of a player the club of the latest membership in the league that names one.
    """
    people = {one.pk: people_in(one) for one in entrants}
    rows = Membership.objects.filter(league=league_id, player__in={pk for both in people.values() for pk in both})
    latest = dict(rows.exclude(club="").order_by("since", "pk").values_list("player", "club"))
    return {entrant: frozenset(fold(latest[pk]) for pk in both if pk in latest) for entrant, both in people.items()}


def count_members(league: League, on: date) -> int:
    held = Membership.objects.filter(current(on), league=league, player__merged_into=None)
    return held.values("player").distinct().count()


@dataclass(frozen=True, slots=True)
class PlayerFile:
    """A manager's view of a player: memberships (latest first), namesakes, merges."""

    player: Player
    memberships: list[Membership]
    namesakes: list[Player]
    merges: list[PlayerMerge]
    is_member: bool


def player_file(league: League, player: Player, on: date) -> PlayerFile:
    held = list(player.memberships.filter(league=league).order_by("-since"))
    of_league = Membership.objects.filter(league=league).values("player")
    others = Player.objects.filter(pk__in=of_league, merged_into=None, folded=player.folded).exclude(pk=player.pk)
    merges = PlayerMerge.objects.filter(kept=player, undone_at=None).select_related("absorbed", "made_by")
    return PlayerFile(
        player=player,
        memberships=held,
        namesakes=list(others.order_by("code")) if player.name else [],
        merges=list(merges),
        is_member=any(row.since <= on and (row.until is None or row.until > on) for row in held),
    )


def looks_like_another(league: League, player: Player) -> bool:
    """Return whether a name of the league looks like another one. One statement."""
    others = Player.objects.filter(memberships__league=league, merged_into=None).exclude(pk=player.pk)
    return skeleton(player.name) in {skeleton(name) for name in others.values_list("name", flat=True).distinct()}


def claims_of_league(*leagues: League | int) -> QuerySet[PlayerClaim]:
    """Return claims on players of the leagues, the oldest first."""
    members = Membership.objects.filter(league__in=leagues).values("player")
    return PlayerClaim.objects.filter(player__in=members).select_related("player", "user")


def claims_to_decide(*leagues: League | int) -> QuerySet[PlayerClaim]:
    """Return the waiting claims on players of the leagues."""
    return claims_of_league(*leagues).filter(state=PlayerClaim.State.WAITING)


def players_of(user: User) -> list[Player]:
    """Return the account's own players, each with its leagues in `memberships`."""
    leagues = Prefetch("memberships", Membership.objects.select_related("league").order_by("league__name", "-since"))
    return list(Player.objects.filter(user=user).prefetch_related(leagues).order_by("name", "code"))


def claims_of(user: User) -> list[PlayerClaim]:
    """Return the waiting claims of an account."""
    return list(PlayerClaim.objects.filter(user=user, state=PlayerClaim.State.WAITING).select_related("player"))


def kept_player(code: str) -> Player | None:
    """Return the player into which this code was merged, at the end of the chain.

    None if it was not merged.
    """
    player = Player.objects.select_related("merged_into").filter(code=code, merged_into__isnull=False).first()
    while player and player.merged_into:
        player = Player.objects.select_related("merged_into").get(pk=player.merged_into.pk)
    return player


def found_by_name(wanted: str) -> Q:
    """Filter players by name or code; minors are found by code only.

    A text that is nothing but accents matches no name.
    """
    part = fold(wanted)
    grown = Q(born__isnull=True) | Q(born__lt=this_year() - OF_AGE)
    return Q(code__iexact=wanted) | grown & Q(folded__contains=part) if part else Q(code__iexact=wanted)
