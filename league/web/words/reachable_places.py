"""Final places that an entrant can still reach, in sentences."""

from django.utils.translation import gettext as _

from league.competitions.standings.compute import Outcome
from league.competitions.standings.reachable_places import AfterNext, Prospect


def sentences(prospect: Prospect, opponent: str) -> list[str]:
    """Return certain facts only; `opponent` is empty if the name must stay hidden."""
    found = [_span(prospect)]
    if prospect.after_next and opponent:
        found += [sentence for after in prospect.after_next if (sentence := _after(after, prospect, opponent))]
    return found


def _span(prospect: Prospect) -> str:
    if prospect.best == prospect.worst:
        return _("Place %(place)d is certain.") % {"place": prospect.best}
    return _("Places %(best)d to %(worst)d are still possible.") % {"best": prospect.best, "worst": prospect.worst}


def _after(after: AfterNext, prospect: Prospect, opponent: str) -> str:
    """Return the floor after a win or the ceiling after a loss.

    "" if it adds nothing to the span of all outcomes.
    """
    if after.outcome == Outcome.WON and after.worst < prospect.worst:
        sentence = _("A win against %(name)s, by any score, gives place %(place)d or better.")
        if after.worst == 1:
            sentence = _("A win against %(name)s, by any score, gives place %(place)d.")
        return sentence % {"name": opponent, "place": after.worst}
    if after.outcome == Outcome.LOST and after.best > prospect.best:
        sentence = _("A defeat gives place %(place)d at best.")
        if after.outcome == Outcome.LOST and _silent_win(prospect):
            sentence = _("A defeat against %(name)s gives place %(place)d at best.")
        return sentence % {"name": opponent, "place": after.best}
    return ""


def _silent_win(prospect: Prospect) -> bool:
    return all(after.outcome != Outcome.WON or after.worst >= prospect.worst for after in prospect.after_next)
