"""Referee: replays logs through the rules and judges them.

Imports `games`, nothing of Django.
"""

from referee.replay import verify, verify_text
from referee.verdict import EDITION, Finding, RoundRecord, Ruling, Severity, Status, Unreadable, Verdict

__all__ = [
    "EDITION",
    "Finding",
    "RoundRecord",
    "Ruling",
    "Severity",
    "Status",
    "Unreadable",
    "Verdict",
    "verify",
    "verify_text",
]
