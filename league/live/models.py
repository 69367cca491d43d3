"""Log of changes: what the streams are fed from."""

from django.db import models


class LiveChange(models.Model):
    """A change of a watched fact, written by a trigger in the transaction of the fact (migrations/).

    No code announces a change, so none can forget it. A row names what changed, never how: that is read when it is
    sent, by the code of the pages. Keys, not foreign keys: a row may outlive its match until it is pruned.
    """

    match_id = models.BigIntegerField(null=True)
    competition_id = models.BigIntegerField(null=True)
    # Of the clock of a game, whose state is no part of a line of a list.
    clock = models.BooleanField(default=False)
    # No outsider sees it: check-in, fees, disputes, calls for the referee (migrations/0002).
    desk = models.BooleanField(db_default=False)
    # The transaction in PostgreSQL; null in SQLite, which commits in the order of the ids.
    transaction_id = models.BigIntegerField(null=True, db_index=True)
    at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"match {self.match_id}" if self.match_id else f"competition {self.competition_id}"
