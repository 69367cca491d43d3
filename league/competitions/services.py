"""The verbs of competitions: found, register, draw, publish, advance. Each is one transaction that locks the
competition first.
"""

from league.competitions.advancing import advance, sweep
from league.competitions.amending import close_amendment, confirm_amendment, propose_amendment
from league.competitions.archive_confirming import confirm_import
from league.competitions.checking_in import (
    check_in,
    check_oneself_in,
    check_out,
    draw_with_present,
    open_check_in,
)
from league.competitions.draw_jobs import ask_to_draw
from league.competitions.drawing import move
from league.competitions.entries import draw_lots, register, reseed, unregister
from league.competitions.fees import give_back, let_off, take_fee
from league.competitions.importing import import_competition, import_entrants, preview_import
from league.competitions.pairing import keep_pair, pair_anew, swap
from league.competitions.plans import Plan, check, found, replan
from league.competitions.publishing import publish, publish_matchday
from league.competitions.ratings import count_for_ratings, rate_league, rate_match, rate_missed, recompute, set_up
from league.competitions.stages import draw, draw_next, set_rounds
from league.competitions.table_lots import draw_table_lots
from league.competitions.withdrawals import forfeit_absent, undo_withdrawal, wait_for, withdraw

__all__ = [
    "Plan",
    "advance",
    "ask_to_draw",
    "check",
    "check_in",
    "check_oneself_in",
    "check_out",
    "close_amendment",
    "confirm_amendment",
    "confirm_import",
    "count_for_ratings",
    "draw",
    "draw_lots",
    "draw_next",
    "draw_table_lots",
    "draw_with_present",
    "forfeit_absent",
    "found",
    "give_back",
    "import_competition",
    "import_entrants",
    "keep_pair",
    "let_off",
    "move",
    "open_check_in",
    "pair_anew",
    "preview_import",
    "propose_amendment",
    "publish",
    "publish_matchday",
    "rate_league",
    "rate_match",
    "rate_missed",
    "recompute",
    "register",
    "replan",
    "reseed",
    "set_rounds",
    "set_up",
    "swap",
    "sweep",
    "take_fee",
    "undo_withdrawal",
    "unregister",
    "wait_for",
    "withdraw",
]
