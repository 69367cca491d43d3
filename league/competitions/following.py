"""Following a player, a pair or a competition: followed names, and their matches.

A name is `player:CODE`, `pair:CODE-CODE` or `competition:KEY`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from league.accounts.models import User
from league.accounts.permissions import Asker
from league.competitions.models import Competition, Followed
from league.competitions.visibility import visible_competitions
from league.errors import Refused
from league.matches.models import Match, Side
from league.matches.visibility import visible_matches, visible_pairs, visible_players
from league.players.models import Entrant, Player
from league.players.pairs import by_codes
from league.players.queries import kept_player

MOST = 40
LONGEST_KEY = 15


@dataclass(frozen=True, slots=True)
class Watched:
    """Followed objects that the asker may see, by name."""

    players: dict[str, Player] = field(default_factory=dict)
    pairs: dict[str, Entrant] = field(default_factory=dict)
    competitions: dict[str, Competition] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.players or self.pairs or self.competitions)

    @property
    def matches(self) -> Q:
        """Condition on the matches of everything followed."""
        people = [one.pk for one in self.players.values()]
        pairs = [one.pk for one in self.pairs.values()]
        sides = Side.objects.filter(
            Q(entrant__player__in=people) | Q(entrant__partner__in=people) | Q(entrant__in=pairs)
        )
        competitions = [one.pk for one in self.competitions.values()]
        return Q(pk__in=sides.values("match")) | Q(slot__matchday__stage__competition__in=competitions)


def names_of(entrant: Entrant) -> list[str]:
    """Return the names under which an entrant may be followed: its players, and the pair in either order."""
    codes = [one.code for one in entrant.players]
    pairs = ["-".join(codes), "-".join(reversed(codes))] if entrant.is_pair else []
    return [*(f"player:{code}" for code in codes), *(f"pair:{code}" for code in pairs)]


def watched(user: Asker, names: Iterable[str]) -> Watched:
    """Look up followed names.

    Three statements at most, one for each kind, and one for each merged player.
    """
    by_kind: dict[str, list[str]] = {"player": [], "pair": [], "competition": []}
    for name in names:
        kind, _colon, key = name.partition(":")
        by_kind.get(kind, []).append(key)
    return Watched(
        players=_players(user, by_kind["player"]),
        pairs=_pairs(user, by_kind["pair"]),
        competitions=_competitions(user, by_kind["competition"]),
    )


def _players(user: Asker, codes: Sequence[str]) -> dict[str, Player]:
    if not codes:
        return {}
    found = {one.code: one for one in visible_players(user).filter(code__in=codes)}
    for code in set(codes) - set(found):
        kept = kept_player(code)
        if kept and (seen := visible_players(user).filter(pk=kept.pk).first()):
            found[code] = seen
    return {f"player:{code}": found[code] for code in codes if code in found}


def _pairs(user: Asker, codes: Sequence[str]) -> dict[str, Entrant]:
    if not codes:
        return {}
    either = Q()
    for code in codes:
        either |= by_codes(code)
    found = {"-".join(sorted(one.code.split("-"))): one for one in visible_pairs(user).filter(either)}
    sorted_codes = {code: "-".join(sorted(code.upper().split("-"))) for code in codes}
    return {f"pair:{code}": found[key] for code, key in sorted_codes.items() if key in found}


def _competitions(user: Asker, keys: Sequence[str]) -> dict[str, Competition]:
    numbers = [int(key) for key in keys if key.isdecimal() and len(key) <= LONGEST_KEY]
    if not numbers:
        return {}
    found = {str(one.pk): one for one in visible_competitions(user).filter(pk__in=numbers)}
    return {f"competition:{key}": found[key] for key in keys if key in found}


def next_and_last(user: Asker, found: Watched, now: datetime) -> tuple[QuerySet[Match], QuerySet[Match]]:
    """Followed matches: open, the next first; finished, the latest first."""
    matches = visible_matches(user).filter(found.matches).distinct()
    is_over = Q(state__in=(Match.State.DECIDED, Match.State.PROVISIONAL))
    coming = matches.exclude(is_over).order_by(F("starts_at").asc(nulls_last=True), "pk")
    return coming, matches.filter(is_over).order_by(F("starts_at").desc(nulls_last=True), "-pk")


# --- Accounts ---


def followed_by(user: User) -> list[str]:
    return list(Followed.objects.filter(user=user).values_list("what", flat=True)[:MOST])


@transaction.atomic
def follow(user: User, names: Iterable[str], at: datetime) -> None:
    """Follow these names; those already followed stay.

    Raises Refused `follows-too-many`.
    """
    User.objects.select_for_update().get(pk=user.pk)
    known = followed_by(user)
    new = [name for name in dict.fromkeys(names) if name not in known]
    check_room(len(known) + len(new))
    Followed.objects.bulk_create(Followed(user=user, what=name, since=at) for name in new)


def check_room(count: int) -> None:
    if count > MOST:
        raise Refused("follows-too-many", _("You follow %(most)d already. Stop following somebody first."), most=MOST)


def unfollow(user: User, name: str) -> None:
    Followed.objects.filter(user=user, what=name).delete()


def forget_followed(user_id: int) -> None:
    Followed.objects.filter(user=user_id).delete()
