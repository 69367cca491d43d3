"""Signals of matches, received by higher packages, which matches does not import."""

from typing import Any

from django.dispatch import Signal

# --- After the commit ---

# A match has its official result. Arguments: match_id, winner (number of the side, or None if nobody won).
match_decided = Signal()

# A match has its result, which waits for a confirmation: its table is free. Arguments: match_id.
table_left = Signal()

# An official result was amended, or a match became void by that. Arguments: match_id (of the amended match).
result_amended = Signal()

# --- In the transaction; an exception passes to the sender ---

# An official result is to be taken back; the match has no lock yet. Arguments: match_id. Receivers take their own
# locks and undo what depends on the result, or raise Refused.
result_withdrawn = Signal()

# An entry was taken back. Arguments: match_id. Receivers raise Refused if the match must not stay open.
entry_withdrawn = Signal()

# --- Questions, answered by higher packages ---

# Have both sides of a match checked in? Arguments: match_id, at. Answer: bool.
check_in_asked = Signal()

# Is a match part of a knock-out? Arguments: match_id. Answer: bool.
knock_out_asked = Signal()

# By how many seconds are the running scores of a match delayed? Arguments: match_id. Answer: int.
live_delay_asked = Signal()

# Is a protest of a match open that no official can decide? Arguments: match_id. Answer: bool.
judge_asked = Signal()

# Which entrants wait for a ruling, so that their next matches are not called? Arguments: at. Answer: a queryset of ids.
held_entrants_asked = Signal()

# Which differences have the rows of higher packages that are evidence? Answer: an iterator of `RowDifference`.
evidence_asked = Signal()

# May this account decide an open dispute of a match without being one of its officials: as the judge of the case or the
# body of its appeal? Arguments: match_id, user_id. Answer: bool.
decider_asked = Signal()

# Which proposed amendments come from a case whose ruling this account may not confirm? Arguments: user_id, amendments
# (their keys). Answer: a mapping of the key to the refusal (`NotAllowed`).
amendments_withheld_asked = Signal()

# Which entrants are public beyond those of visible matches? Answer: a queryset of their ids.
public_entrants_asked = Signal()


def answers(question: Signal, **arguments: object) -> list[Any]:
    """Return the answers of all receivers."""
    return [answer for _receiver, answer in question.send(None, **arguments)]
