"""Notice that the page shows an earlier log than the latest."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from league.matches.models import KnownBy
from league.matches.queries.match import GameView, verdict_of
from league.web.words import labels


def earlier_log(view: GameView) -> str:
    """Return the log shown and the state of the newer one in words.

    Empty if the log shown is the latest or no log exists. Entries of people have no order in time: they are compared
    (league/matches/results/weighing.py).
    """
    if view.record is None or view.newer is None or view.newer.kind != KnownBy.LOG:
        return ""
    zone = view.game.match.league.time_zone
    shown, newer = _when(view.record.submitted_at, zone), _when(view.newer.submitted_at, zone)
    return _sentence(view, shown, newer)


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
    """Return the notice for a log that came after an entry without one."""
    if view.checking:
        return _("A log was received and is being checked; below is still what was entered on %(when)s.") % {
            "when": shown
        }
    told = {"when": shown, "newer": newer}
    return _("Below is what was entered on %(when)s. The log of %(newer)s gives no result.") % told


def _when(moment: datetime, zone: str) -> str:
    """Return day and time in the league's time zone."""
    return date_format(timezone.localtime(moment, ZoneInfo(zone)), "j M Y, H:i")
