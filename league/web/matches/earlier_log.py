"""What the page says when the log it shows is not the one that was handed in last."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.matches.models import KnownBy
from league.matches.queries.match import GameView, verdict_of
from league.web.words import labels


@dataclass(frozen=True, kw_only=True)
class Earlier:
    """`sentence` says which log is shown and what became of the newer one; `checking` while that is being replayed."""

    sentence: str
    checking: bool


def earlier(view: GameView) -> Earlier | None:
    """None where the log shown is the latest, or where there is none. What people enter beside each other has no
    earlier and later: it is weighed.
    """
    if view.record is None or view.newer is None or view.newer.kind != KnownBy.LOG:
        return None
    zone = view.game.match.league.time_zone
    shown, newer = _when(view.record.submitted_at, zone), _when(view.newer.submitted_at, zone)
    return Earlier(sentence=_sentence(view, shown, newer), checking=view.checking)


def _sentence(view: GameView, shown: str, newer: str) -> str:
    if view.sheet is not None:
        return _beside_a_log(view, shown, newer)
    if view.checking:
        return _("The log was received and is being checked; below is still the earlier log of %(when)s.") % {
            "when": shown
        }
    stored = verdict_of(view.newer)
    told: dict[str, Any] = {
        "when": shown,
        "newer": newer,
        "word": labels.VERDICTS[stored.status].word if stored else labels.CHECKING.word,
    }
    if stored and stored.status in labels.WITHOUT_RESULT:
        return _("Below is the earlier log of %(when)s. The newer one of %(newer)s gives no result: %(word)s.") % told
    return _("Below is the earlier log of %(when)s. A newer one came on %(newer)s: %(word)s.") % told


def _beside_a_log(view: GameView, shown: str, newer: str) -> str:
    """A log came after what was entered without one."""
    if view.checking:
        return _("A log was received and is being checked; below is still what was entered on %(when)s.") % {
            "when": shown
        }
    told = {"when": shown, "newer": newer}
    return _("Below is what was entered on %(when)s. The log of %(newer)s gives no result.") % told


def _when(moment: datetime, zone: str) -> str:
    """Day and time in the zone of the league."""
    return date_format(timezone.localtime(moment, ZoneInfo(zone)), "j M Y, H:i")
