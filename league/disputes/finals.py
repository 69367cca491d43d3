"""Matches after which a final is played."""

from league.competitions.models import Matchday, Slot

LAST = (Matchday.Kind.SEMI_FINALS, Matchday.Kind.FINAL, Matchday.Kind.DECIDER)


def is_before_final(match_id: int) -> bool:
    """Return whether a match is a semi-final or a final: what follows it waits for the ruling. One statement."""
    return Slot.objects.filter(match=match_id, matchday__kind__in=LAST).exists()
