"""Pairs that share a seat: how two names stand on one line, and the entrant that two players are together."""

import re
from collections.abc import Sequence

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from league.accounts.models import League
from league.errors import Refused
from league.players.models import Entrant, Player, plays

# A name may hold an ampersand or a plus within a word; a stroke parts two names wherever it stands.
SIGN = re.compile(r"\s*/\s*|\s+[&+]\s+")


class Partners(list[list[str]]):
    """Of a line that is a pair: name, club and number of each partner; of another number than two where the line names
    another number of people.
    """


Fields = list[str] | Partners
"""Of one person: name, club, number; or of a pair."""


def parted(text: str) -> list[str]:
    """`"Ana Gil / Leo Paz"`, with &, + or / between the names: one text for each."""
    return SIGN.split(text)


def with_one_club(partners: Sequence[list[str]]) -> list[list[str]]:
    """A club that stands once, at the end of the line, is that of both."""
    if len(partners) == 2 and len(partners[0]) == 1 and len(partners[1]) > 1 and partners[1][1]:
        return [[*partners[0], partners[1][1]], partners[1]]
    return list(partners)


def with_partner(line: str, half: int, text: str) -> str:
    """The line with another text for one partner, 1 or 2; as it was where it is no pair."""
    halves = parted(line) if SIGN.search(line) else line.split("\t", 1)
    if len(halves) != 2:
        return line
    halves[half - 1] = text
    return " / ".join(halves)


def own_entrants(entrant: Entrant) -> QuerySet[Entrant]:
    """Whose matches the personal link of an entrant shows: those of a player in pairs too, and of a pair its own, for
    its slip is in two hands.
    """
    if entrant.is_pair:
        return Entrant.objects.filter(pk=entrant.pk)
    return Entrant.objects.filter(plays(entrant.player), league=entrant.league)


def pair_of(league: League, first: Player, second: Player) -> Entrant:
    """The entrant of a league that these two are together, made where there is none yet. Who was named first in it has
    the first game, in whatever order they are named later. Raises Refused `same-player`.
    """
    if first.pk == second.pk:
        raise Refused("same-player", _("A pair is two people, and %(name)s is one."), name=first)
    known = found_pair(league, first, second)
    return known or Entrant.objects.create(league=league, player=first, partner=second)


def pairs_in(league: League) -> QuerySet[Entrant]:
    """With their partners, none of whom was merged into somebody else."""
    pairs = Entrant.objects.filter(league=league, partner__isnull=False)
    return pairs.filter(player__merged_into=None, partner__merged_into=None).select_related("player", "partner")


def by_codes(code: str) -> Q:
    """The pair of two codes with a hyphen between them, in either order."""
    first, _, second = code.strip().upper().partition("-")
    return Q(player__code=first, partner__code=second) | Q(player__code=second, partner__code=first)


def found_pair(league: League, first: Player, second: Player) -> Entrant | None:
    """In whatever order."""
    pairs = Entrant.objects.filter(plays(first), league=league, partner__isnull=False)
    return pairs.filter(plays(second)).select_related("player", "partner").first()
