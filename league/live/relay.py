"""From the rows to the streams: one thread, with the one database connection of all streams.

It looks ten times a second; where Redis carries the news of a commit (league/pokes.py), twice. The row is the truth: a
lost message costs the time between two looks. It rests while no stream is open.
"""

import logging
import threading
import time
from collections.abc import Callable
from datetime import datetime

from django.db import DatabaseError, connection
from django.utils import timezone

from league import pokes
from league.live.log import LONGEST_DELAY, LogPosition, here, recent_matches, scores_due, write
from league.live.messages import Messages, Messenger

log = logging.getLogger(__name__)

LOOK_S = 0.1
LOOK_WITH_POKES_S = 0.5
MOST_AT_ONCE = 64
"""Changed matches of one look that are told one by one; those of a large round are "look again" for everybody."""
PAUSE_AFTER_FAULT_S = 1.0


class Relay:
    """Reads what changed and hands it to `tell(position, messages)`: every change once.

    `messages` is None where the reading begins, begins again after a fault, or finds too much to tell.
    """

    def __init__(self, tell: Callable[[str, Messages | None], None]) -> None:
        self.tell = tell
        self.messenger = Messenger()
        self.position: LogPosition | None = None
        # By match: when scores of it become public, for those that are delayed.
        self.due: dict[int, list[datetime]] = {}
        self.woken = threading.Event()
        self.stopped = threading.Event()
        self.pokes = pokes.Listener(self.woken.set)
        self.thread = threading.Thread(target=self.run, name="live relay", daemon=True)

    def start(self) -> None:
        self.thread.start()

    def stop(self) -> None:
        self.stopped.set()
        self.woken.set()
        self.pokes.stop()

    def run(self) -> None:
        self.pokes.start()
        failed = False
        while not self.stopped.is_set():
            try:
                self.look()
                failed = False
            except DatabaseError as error:
                if not failed:
                    log.warning("live pages wait for the database: %s", error)
                failed = True
                connection.close()
                self.stopped.wait(PAUSE_AFTER_FAULT_S)
            except Exception:
                log.exception("live pages: a change could not be told; the pages look for themselves")
                self.position = None
                self.stopped.wait(PAUSE_AFTER_FAULT_S)
            self.woken.wait(LOOK_WITH_POKES_S if self.pokes.heard else LOOK_S)
            self.woken.clear()
        connection.close()

    def look(self) -> None:
        """Tell what changed since the last look."""
        if self.position is None:
            self.position = here()
            self.due = dict(scores_due(recent_matches(timezone.now() - LONGEST_DELAY)))
            self.tell(event_id(self.position), None)
            return
        self._announce_due()
        changes, after = self.position.changes_after()
        self.due |= dict(scores_due({one.match_id for one in changes if one.match_id})) if changes else {}
        many = len({one.match_id for one in changes}) > MOST_AT_ONCE
        if many:
            self.messenger.last.clear()
        messages = None if many else self.messenger.messages_of(changes) if changes else {}
        self.position = after
        if changes:
            self.tell(event_id(after), messages)

    def _announce_due(self) -> None:
        """Write a row for each score whose delay is over: kept pages end with it, and other processes see it too."""
        now = timezone.now()
        for match, moments in list(self.due.items()):
            if moments[0] <= now:
                write(match, now)
                self.due[match] = [one for one in moments if one > now]
            if not self.due[match]:
                del self.due[match]


def event_id(position: LogPosition) -> str:
    """Return the id of an event: the second it was sent in, and the position after it."""
    return f"{int(time.time())}.{position.text}"
