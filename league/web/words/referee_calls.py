"""Words of calls for the referee: their state, and rulings at the table."""

from collections.abc import Sequence
from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.moves import SEATS
from league.disputes.models import RefereeCall
from league.matches.models.tally import TallyTap
from league.web.words.games import tile_pad
from league.web.words.games.pad import words

MINUTE_S = 60
About = RefereeCall.About


def waited(since: datetime, now: datetime) -> str:
    """Return the time since a call in words."""
    minutes = max(0, int((now - since).total_seconds()) // MINUTE_S)
    if not minutes:
        return pgettext("call for the referee", "just now")
    return ngettext("%(count)d min ago", "%(count)d min ago", minutes) % {"count": minutes}


def progress_words(call: RefereeCall) -> str:
    """Return the last step of a call: nobody comes yet, on the way, at the table, decided."""
    if call.ended_at is not None:
        return _("The referee has decided. Play on.")
    if call.taken_by is None:
        return _("No referee is on the way yet.")
    if call.pause_id is not None:
        return _("%(name)s is at the table; the clock is paused.") % {"name": call.taken_by}
    return _("%(name)s is on the way.") % {"name": call.taken_by}


def state_words(call: RefereeCall, now: datetime) -> str:
    """Return the state of a call for its callers, with the time since the call while it is open."""
    progress = progress_words(call)
    if call.ended_at is not None:
        return progress
    return f"{_('Called %(when)s.') % {'when': waited(call.called_at, now)}} {progress}"


def ruling_words(call: RefereeCall, names: Sequence[str]) -> str:
    """Return a ruling at the table in a sentence."""
    name = names[(call.side or 1) - 1]
    facts = {"name": name, "points": call.points}
    if call.about == About.PENALTY:
        return _("Penalty against %(name)s: %(points)s points to the other side.") % facts
    if call.about == About.COUNT:
        if call.upheld:
            return _("Count: %(name)s announced %(points)s in time, and has them.") % facts
        return _("Count: %(name)s did not announce %(points)s in time, and does not have them.") % facts
    if call.upheld:
        return _("Muggins: %(points)s points to %(name)s.") % facts
    return _("Muggins: no points to %(name)s.") % facts


def tap_words(tap: TallyTap, names: Sequence[str]) -> str:
    """Return a tap in words, as the pad has them."""
    texts = words()
    if tap.kind == TallyTap.Kind.LINE:
        return _lines_words(tap, names)
    seat = tap.winner if tap.seat is None else tap.seat
    name = names[seat] if seat is not None else texts["nobody"]
    said = texts["taps"][tap.kind] % {"name": name, "points": tap.points}
    return texts["ruled"] % {"tap": said, "by": tap.by} if tap.ruled else said


def _lines_words(tap: TallyTap, names: Sequence[str]) -> str:
    """Return the lines of a tile pad in words, with the person who entered them, and when."""
    told = [_line_words(line, names) for line in (tap.line or "").split("\n") if not line.startswith("round ")]
    by = str(tap.by) if tap.by_id else names[(tap.for_side or 1) - 1]
    facts = {"tap": ", ".join(told), "by": by, "time": date_format(timezone.localtime(tap.received_at), "H:i:s")}
    return pgettext("tap", "%(tap)s (%(by)s, %(time)s)") % facts


def _line_words(line: str, names: Sequence[str]) -> str:
    """Return one line in words, as the pad has it (tile_face.js)."""
    texts = tile_pad.words()["lines"]
    who, *rest = line.split(" ")
    if who not in SEATS:
        return str(texts.get(who, who)) % {"what": " ".join(rest)}
    what = " ".join(rest).partition(" on ")[0]
    return str(texts.get(rest[0], texts["tile"])) % {
        "name": names[SEATS.index(who)],
        "text": " ".join(rest[1:]),
        "what": what,
    }
