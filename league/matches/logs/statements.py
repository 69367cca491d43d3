"""Statements of the submission of a log and of the confirmation of a result."""

from league.matches.models import IN_ORDER, Record, Result, SealedLog, Upload, log_unchecked
from league.prepared_statements import FixedInsert, FixedSelect, Given

SAME_TEXT = FixedSelect(
    lambda: (
        Record.objects.filter(game=Given("game"), upload_sha256=Given("digest"))
        .select_related("sealed", "upload")
        .order_by("pk")[:1]
    )
)
RECORDS = FixedSelect(lambda: Record.objects.filter(game=Given("game")).select_related("verdict").order_by(*IN_ORDER))
NEW_SEALED = FixedInsert(SealedLog)
NEW_UPLOAD = FixedInsert(Upload)
OFFICIAL = FixedSelect(
    lambda: (
        Result.objects.filter(game=Given("game"), current=True, state=Result.State.OFFICIAL)
        .order_by()
        .values_list("pk")
    )
)
RESULT_NOW = FixedSelect(
    lambda: (
        Result.objects.select_related("record", "game")
        .annotate(waits=log_unchecked())
        .filter(pk=Given("result"))
        .order_by()
    )
)
