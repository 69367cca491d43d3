"""Sentences of a circuit's rules."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from league.competitions.formats.circuit import PointsBy
from league.competitions.models import Circuit


def circuit_rules(circuit: Circuit) -> Iterator[str]:
    """Yield the rules: points of a place, evenings that count, shared places, ties."""
    match PointsBy(circuit.points_by):
        case PointsBy.LIST:
            points = ", ".join(map(str, circuit.points))
            yield _("Points by place: %(points)s. Further places get 0.") % {"points": points}
        case PointsBy.ENTRANTS:
            yield _("The last place of an evening gets 1 point, each place before it 1 more.")
        case PointsBy.PERCENT:
            yield _("The first place of an evening gets 100 points, each further place less in equal steps.")
    yield pgettext("circuit", "Shared places share the mean of their points.")
    if circuit.counted:
        yield ngettext(
            "The best evening of each entrant counts; points in brackets don't.",
            "The best %(count)d evenings of each entrant count; points in brackets don't.",
            circuit.counted,
        ) % {"count": circuit.counted}
    yield _("Level on points: more evenings won, then the best single places, counted or not. Then the rank is shared.")
