"""Hash chain of a dispute: each entry has a `head`, SHA-256(head of the entry before it || its own line)."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime

from league.disputes.models import DisputeEntry
from league.matches.hash_chain import sha256


def head_of(before: str, entry: DisputeEntry, code: str, game: str) -> str:
    """Return the head of an entry of the dispute `code` about the game `game`, after the head `before`."""
    said = (str(entry.kind), entry.data, entry.by_id, entry.for_side, entry.at)
    line = (code, game, entry.number, *said)
    text = json.dumps(line, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=_hour)
    return sha256(before.encode() + text.encode())


def broken_at(entries: Sequence[DisputeEntry], code: str, game: str) -> int | None:
    """Return the number of the first entry that does not fit the chain, None for a sound one."""
    before = ""
    for number, entry in enumerate(entries, 1):
        if entry.number != number or head_of(before, entry, code, game) != entry.head:
            return number
        before = entry.head
    return None


def _hour(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")
