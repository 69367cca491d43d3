"""Acts on the clock of a game. Pure."""

from __future__ import annotations

from enum import StrEnum


class ClockAct(StrEnum):
    """An act on a clock."""

    START = "start"
    PAUSE = "pause"
    RESUME = "resume"
    GIVE = "give"
    BELL = "bell"
    OVERTIME = "overtime"
    STOP = "stop"
    CANCEL = "cancel"
