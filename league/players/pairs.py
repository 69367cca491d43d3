"""Pairs that share a seat: their names on one line, and their entrant."""

import re
from collections.abc import Sequence

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from league.accounts.models import League
from league.errors import Refused
from league.players.models import Entrant, Player, plays

# A name may contain an ampersand or a plus within a word; a stroke always separates two names.
SIGN = re.compile(r"\s*/\s*|\s+[&+]\s+")


class Partners(list[list[str]]):
    """A line of a pair: name, club and number of each partner.

    The length is not two if the line does not name two people.
    """


Fields = list[str] | Partners
"""Of one person: name, club, number; or of a pair."""


def parted(text: str) -> list[str]:
    """Split the names of a pair, `"Ana Gil / Leo Paz"`, at &, + or /."""
    return SIGN.split(text)


def with_one_club(partners: Sequence[list[str]]) -> list[list[str]]:
    """Give both partners the club at the end of the line, if it is the only one."""
    if len(partners) == 2 and len(partners[0]) == 1 and len(partners[1]) > 1 and partners[1][1]:
        return [[*partners[0], partners[1][1]], partners[1]]
    return list(partners)


def with_partner(line: str, half: int, text: str) -> str:
    """Replace the text of one partner, 1 or 2; a line without a pair is unchanged."""
    halves = parted(line) if SIGN.search(line) else line.split("\t", 1)
    if len(halves) != 2:
        return line
    halves[half - 1] = text
    return " / ".join(halves)


def own_entrants(entrant: Entrant) -> QuerySet[Entrant]:
    """Return the entrants whose matches are on an entrant's personal page.

    Those of a player include pairs; a pair has its own only, because two people hold its slip.
    """
    if entrant.is_pair:
        return Entrant.objects.filter(pk=entrant.pk)
    return Entrant.objects.filter(plays(entrant.player), league=entrant.league)


def pair_of(league: League, first: Player, second: Player) -> Entrant:
    """Return the entrant of two players in a league; create it if there is none.

    The player named first at its creation has the first game, in whatever order they are named later. Raises Refused
    `same-player`.
    """
    if first.pk == second.pk:
        raise Refused("same-player", _("A pair is two people, and %(name)s is one."), name=first)
    known = found_pair(league, first, second)
    return known or Entrant.objects.create(league=league, player=first, partner=second)


def pairs_in(league: League) -> QuerySet[Entrant]:
    """Return the pairs of a league with their partners, without merged players."""
    pairs = Entrant.objects.filter(league=league, partner__isnull=False)
    return pairs.filter(player__merged_into=None, partner__merged_into=None).select_related("player", "partner")


def by_codes(code: str) -> Q:
    """Filter the pair of two codes with a hyphen between, in either order."""
    first, _, second = code.strip().upper().partition("-")
    return Q(player__code=first, partner__code=second) | Q(player__code=second, partner__code=first)


def found_pair(league: League, first: Player, second: Player) -> Entrant | None:
    """Return the pair of two players, in either order."""
    pairs = Entrant.objects.filter(plays(first), league=league, partner__isnull=False)
    return pairs.filter(plays(second)).select_related("player", "partner").first()
