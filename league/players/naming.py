"""Names of players: valid names, equal names, and labels of namesakes."""

import unicodedata
from collections.abc import Iterable

from django.db.models import CharField, F, Func, Value
from django.db.models.functions import Length, Replace, Substr
from django.utils.translation import gettext_lazy as _

from league.accounts.folding import clean_words, fold
from league.accounts.graphemes import longer_than
from league.accounts.naming import initials, this_year
from league.errors import Refused
from league.players.models import LONGEST, Membership, Player

__all__ = ["LONGEST", "by_surname", "clean_name", "clean_words", "fold", "rename", "same", "surname", "tell_apart"]


def clean_name(name: str) -> str:
    """Return a valid name.

    Raises Refused `bad-name` if nothing is left or it has over 60 letters, as people count them.
    """
    plain = clean_words(name)
    if not plain or longer_than(plain, LONGEST):
        raise Refused("bad-name", _("A name has 1 to %(longest)d characters."), longest=LONGEST)
    return plain


def same(name: str) -> str:
    """Normalize a name: case does not count, accents do."""
    return unicodedata.normalize("NFC", clean_words(name).casefold())


def by_surname(name: str) -> tuple[str, str]:
    """Sort key of a name in a list: the surname, then the whole name.

    The surname is the last word; of a pair that of the first partner (`together`).
    """
    first = fold(name.split(" & ", maxsplit=1)[0])
    return first.rsplit(" ", 1)[-1], fold(name)


def surname(folded: str = "folded") -> Substr:
    """Give the surname in a query, from the column with the folded name."""
    # RTRIM takes the letters of the last word away, up to the space before it.
    letters = Replace(F(folded), Value(" "), Value(""))
    before = Func(F(folded), letters, function="RTRIM", output_field=CharField())
    return Substr(F(folded), Length(before) + 1)


def rename(player: Player, name: str) -> None:
    """Set a clean name and its copies, and update old and new namesakes' labels."""
    before = Player.objects.values_list("folded", flat=True).get(pk=player.pk)
    player.name, player.folded = name, fold(name)
    player.save(update_fields=["name", "folded"])
    tell_apart([before, player.folded])


def tell_apart(folded: Iterable[str]) -> None:
    """Update the labels of namesakes with these folded names: club, number or code.

    Three statements, and one a player whose label changes.
    """
    wanted = set(folded) - {""}
    if not wanted:
        return
    players = list(Player.objects.filter(folded__in=wanted, merged_into=None))
    minors = list(Player.objects.filter(born__gte=this_year() - 18, merged_into=None).exclude(name=""))
    touched = {initials(player.name) for player in players if player.is_minor}
    minors = [player for player in minors if initials(player.name) in touched]
    everybody = {player.pk: player for player in [*players, *minors]}
    marks = _marks(everybody)
    labels: dict[int, str] = {}
    namesakes_of: dict[str, list[Player]] = {}
    for player in players:
        namesakes_of.setdefault(player.folded, []).append(player)
    for bearers in namesakes_of.values():
        labels |= _labels(bearers, marks)
    for letters in touched:
        namesakes = _labels([one for one in minors if initials(one.name) == letters], marks)
        labels |= {pk: label for pk, label in namesakes.items() if label or pk not in labels}
    for pk, label in labels.items():
        if everybody[pk].apart != label:
            Player.objects.filter(pk=pk).update(apart=label)


def _marks(players: Iterable[int]) -> dict[int, tuple[str, str]]:
    """Return the latest club and the latest number of each player."""
    rows = Membership.objects.filter(player__in=list(players)).order_by("since", "pk")
    found: dict[int, tuple[str, str]] = {}
    for player, club, number in rows.values_list("player", "club", "number"):
        before = found.get(player, ("", ""))
        found[player] = (club or before[0], number or before[1])
    return found


def _labels(namesakes: list[Player], marks: dict[int, tuple[str, str]]) -> dict[int, str]:
    if len(namesakes) < 2:
        return {player.pk: "" for player in namesakes}
    clubs = [fold(marks.get(player.pk, ("", ""))[0]) for player in namesakes]
    found = {}
    for player, folded in zip(namesakes, clubs, strict=True):
        club, number = marks.get(player.pk, ("", ""))
        if club and clubs.count(folded) == 1:
            found[player.pk] = club
        else:
            found[player.pk] = f"#{number}" if number else player.code
    return found
