"""The verbs of competitions: found, register, draw, publish, advance. Each is one transaction that locks the
competition first.
"""

from league.competitions.advancing import advance, sweep
from league.competitions.drawing import draw, move
from league.competitions.entries import draw_lots, register, reseed, unregister
from league.competitions.plans import Plan, check, found, replan
from league.competitions.publishing import publish, publish_matchday

__all__ = [
    "Plan",
    "advance",
    "check",
    "draw",
    "draw_lots",
    "found",
    "move",
    "publish",
    "publish_matchday",
    "register",
    "replan",
    "reseed",
    "sweep",
    "unregister",
]
