"""The verbs of competitions: found, register, draw, publish, advance. Each is one transaction that locks the
competition first.
"""

from league.competitions.amendments.services import close_amendment, confirm_amendment, propose_amendment
from league.competitions.attendance.check_in import (
    check_in,
    check_oneself_in,
    check_out,
    draw_with_present,
    open_check_in,
)
from league.competitions.attendance.withdrawals import forfeit_absent, undo_withdrawal, wait_for, withdraw
from league.competitions.draw.advancing import advance, sweep
from league.competitions.draw.lots import draw_table_lots
from league.competitions.draw.plans import Plan, check, found, replan
from league.competitions.draw.publishing import publish, publish_matchday
from league.competitions.draw.rescheduling import move
from league.competitions.draw.stages import draw, draw_next, set_rounds
from league.competitions.draw.swiss_rounds import keep_pair, pair_anew, swap
from league.competitions.draw.table_wishes import put_on_stream, seat_anew, set_wishes, stream_top_boards
from league.competitions.draw.undo import bring_back, discard, undo
from league.competitions.import_export.confirming import confirm_import
from league.competitions.import_export.importing import import_competition, import_entrants, preview_import
from league.competitions.jobs import ask_to_draw
from league.competitions.ladders.closing import close_ladder, reopen_ladder
from league.competitions.ladders.services import challenge, withdraw_challenge
from league.competitions.notices import amend_notice, publish_notice, withdraw_notice
from league.competitions.ratings.services import (
    count_for_ratings,
    rate_league,
    rate_match,
    rate_missed,
    recompute,
    set_up,
)
from league.competitions.registration.admission import (
    accept_all,
    accept_sign_ups,
    reconsider_sign_up,
    refuse_sign_ups,
    take_out_who_left,
)
from league.competitions.registration.entries import register, unregister
from league.competitions.registration.fees import give_back, let_off, take_fee
from league.competitions.registration.opening import invite, revoke_invitation, set_registration
from league.competitions.registration.seeding import draw_lots, reseed, seed_by_rating, undo_seeding
from league.competitions.registration.sign_ups import (
    apply_as_player,
    apply_by_name,
    forget_contacts,
    withdraw_application,
)

__all__ = [
    "Plan",
    "accept_all",
    "accept_sign_ups",
    "advance",
    "amend_notice",
    "apply_as_player",
    "apply_by_name",
    "ask_to_draw",
    "bring_back",
    "challenge",
    "check",
    "check_in",
    "check_oneself_in",
    "check_out",
    "close_amendment",
    "close_ladder",
    "confirm_amendment",
    "confirm_import",
    "count_for_ratings",
    "discard",
    "draw",
    "draw_lots",
    "draw_next",
    "draw_table_lots",
    "draw_with_present",
    "forfeit_absent",
    "forget_contacts",
    "found",
    "give_back",
    "import_competition",
    "import_entrants",
    "invite",
    "keep_pair",
    "let_off",
    "move",
    "open_check_in",
    "pair_anew",
    "preview_import",
    "propose_amendment",
    "publish",
    "publish_matchday",
    "publish_notice",
    "put_on_stream",
    "rate_league",
    "rate_match",
    "rate_missed",
    "recompute",
    "reconsider_sign_up",
    "refuse_sign_ups",
    "register",
    "reopen_ladder",
    "replan",
    "reseed",
    "revoke_invitation",
    "seat_anew",
    "seed_by_rating",
    "set_registration",
    "set_rounds",
    "set_up",
    "set_wishes",
    "stream_top_boards",
    "swap",
    "sweep",
    "take_fee",
    "take_out_who_left",
    "undo",
    "undo_seeding",
    "undo_withdrawal",
    "unregister",
    "wait_for",
    "withdraw",
    "withdraw_application",
    "withdraw_challenge",
    "withdraw_notice",
]
