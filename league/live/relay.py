"""From the rows to the streams: one thread, with the one database connection of all streams.

It looks ten times a second; where Redis carries the news of a commit (league/pokes.py), twice. The row is the truth: a
lost message costs the time between two looks. It rests while no stream is open.
"""

import logging
import threading
import time
from collections.abc import Callable, Sequence
from datetime import datetime

from django.db import DatabaseError, connection
from django.utils import timezone

from league import pokes
from league.live.log import LONGEST_DELAY, Changed, LogPosition, here, recent_matches, scores_due, write
from league.live.messages import Messages, Messenger

log = logging.getLogger(__name__)

LOOK_S = 0.1
LOOK_WITH_POKES_S = 0.5
MOST_AT_ONCE = 64
"""Changed matches of one look with messages of their own; after a larger round every page looks again."""
PAUSE_AFTER_FAULT_S = 1.0


class Relay:
    """Reads the changes and hands each to `publish(position, messages)`, once.

    `messages` is None at the beginning, and where every page has to look again: after too many changes at once, or
    after a change whose message the code of the pages can't make.
    """

    def __init__(self, publish: Callable[[str, Messages | None], None]) -> None:
        self.publish = publish
        self.messenger = Messenger()
        self.position: LogPosition | None = None
        # By match: when its delayed scores become public.
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
        try:
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
                self.woken.wait(LOOK_WITH_POKES_S if self.pokes.heard else LOOK_S)
                self.woken.clear()
        finally:
            connection.close()

    def look(self) -> None:
        """Publish the changes since the last look. Raises DatabaseError."""
        if self.position is None:
            self.position = here()
            self.due = dict(scores_due(recent_matches(timezone.now() - LONGEST_DELAY)))
            self.publish(event_id(self.position), None)
            return
        self._announce_due()
        changes, after = self.position.changes_after()
        messages = self._messages_of(changes) if changes else {}
        self.position = after
        if changes:
            self.publish(event_id(after), messages)

    def _messages_of(self, changes: Sequence[Changed]) -> Messages | None:
        try:
            self.due |= dict(scores_due({change.match_id for change in changes if change.match_id}))
            if len({change.match_id for change in changes}) <= MOST_AT_ONCE:
                return self.messenger.messages_of(changes)
        except DatabaseError:
            raise
        except Exception:  # of any template, filter or query of the pages; reading the change again would not help
            log.exception("live pages: a change has no message; the pages look again")
        self.messenger.last.clear()
        return None

    def _announce_due(self) -> None:
        """Write a row for each score whose delay is over: it ends kept pages, and other processes see it too."""
        now = timezone.now()
        for match, moments in list(self.due.items()):
            if moments[0] <= now:
                write(match, now)
                self.due[match] = [moment for moment in moments if moment > now]
            if not self.due[match]:
                del self.due[match]


def event_id(position: LogPosition) -> str:
    """Return the id of an event: its second, and the position after it."""
    return f"{int(time.time())}.{position.text}"
