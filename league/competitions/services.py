"""The verbs of competitions: found, register, draw, publish, advance. Each is one transaction that locks the
competition first.
"""

from league.competitions.advancing import advance, sweep
from league.competitions.checking_in import (
    check_in,
    check_oneself_in,
    check_out,
    draw_with_present,
    open_check_in,
)
from league.competitions.drawing import draw, move
from league.competitions.entries import draw_lots, register, reseed, unregister
from league.competitions.fees import give_back, let_off, take_fee
from league.competitions.plans import Plan, check, found, replan
from league.competitions.publishing import publish, publish_matchday
from league.competitions.withdrawals import forfeit_absent, undo_withdrawal, wait_for, withdraw

__all__ = [
    "Plan",
    "advance",
    "check",
    "check_in",
    "check_oneself_in",
    "check_out",
    "draw",
    "draw_lots",
    "draw_with_present",
    "forfeit_absent",
    "found",
    "give_back",
    "let_off",
    "move",
    "open_check_in",
    "publish",
    "publish_matchday",
    "register",
    "replan",
    "reseed",
    "sweep",
    "take_fee",
    "undo_withdrawal",
    "unregister",
    "wait_for",
    "withdraw",
]
