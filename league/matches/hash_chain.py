"""Hash chain of a sealed log: one head a round, so that an alarm names the round.

    head 0 = SHA-256(text of the header: every line before the first `round` line)
    head k = SHA-256(head k-1 || text of round k: its `round` line up to the line before the next one)

Texts are hashed as UTF-8 with unchanged line ends; `head k-1` enters as its 64 lower-case
hexadecimal digits in ASCII. The last
head covers the whole log, so publishing it is enough to pin every line.
"""

import hashlib
import re

# An event line may carry the match clock before the event (NOTATION.md 2).
ROUND_LINE = re.compile(r"^[ \t]*(?:\d+:\d\d(?:\.\d)?[ \t]+)?round[ \t]", re.MULTILINE)


def sha256(data: bytes) -> str:
    """Return 64 lower-case hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def parts(text: str) -> list[str]:
    """Split into the header and one text a round; joined they are the log."""
    starts = [match.start() for match in ROUND_LINE.finditer(text)]
    return [text[start:end] for start, end in zip([0, *starts], [*starts, len(text)], strict=True)]


def heads(text: str) -> list[str]:
    """Return one head for the header and one a round, in order."""
    chain: list[str] = []
    for part in parts(text):
        chain.append(sha256((chain[-1] if chain else "").encode() + part.encode()))
    return chain


def broken_at(text: str, stored: list[str]) -> int | None:
    """Return the first part with another head: 0 the header, k round k, else None."""
    found = heads(text)
    for number, (now, then) in enumerate(zip(found, stored, strict=False)):
        if now != then:
            return number
    return None if len(found) == len(stored) else min(len(found), len(stored))
