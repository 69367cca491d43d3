"""Reasons of a pairing from results, as sentences."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import pgettext_lazy

from league.competitions.draw.stages import BY_SEED
from league.competitions.draw.swiss_rounds import BY_HAND
from league.competitions.formats.swiss import PairingReason

# Sentences by reason; the facts have the names of formats/swiss/values.py.
SENTENCES: Mapping[str, Any] = {
    BY_HAND: pgettext_lazy("pairing", "set by hand"),
    BY_SEED: pgettext_lazy(
        "pairing",
        "seed %(seed)d was level in everything with a player who did not advance: the seeding decided",
    ),
    PairingReason.LOCKED: pgettext_lazy("pairing", "locked"),
    PairingReason.SAME_SCORE: pgettext_lazy("pairing", "both on %(score)d points"),
    PairingReason.FOLD: pgettext_lazy("pairing", "%(top)d of the top half against %(bottom)d of the bottom half"),
    PairingReason.OFF_FOLD: pgettext_lazy(
        "pairing", "%(top)d of the top half against %(bottom)d of the bottom half, the nearest that could be"
    ),
    PairingReason.SAME_HALF: pgettext_lazy(
        "pairing", "%(higher)d and %(lower)d of their score group, no other way was left"
    ),
    PairingReason.FLOAT: pgettext_lazy("pairing", "%(higher)d against %(lower)d points"),
    PairingReason.ODD_GROUP: pgettext_lazy("pairing", "%(size)d have %(score)d points: one of them leaves the group"),
    PairingReason.ODD_REST: pgettext_lazy(
        "pairing",
        "%(size)d have %(score)d points; after floats, byes and locked pairs %(left)d are left: one leaves the group",
    ),
    PairingReason.MET_ALL: pgettext_lazy("pairing", "no opponent is left in the same score group"),
    PairingReason.UNPAIRABLE_GROUP: pgettext_lazy(
        "pairing",
        "%(left)d are left with %(score)d points; some have met or are kept apart: pairs among them, at most %(pairs)d",
    ),
    PairingReason.BEST_ROUND: pgettext_lazy(
        "pairing",
        "more of those with %(score)d points could play each other, but then others would meet again or have larger "
        "score differences",
    ),
    PairingReason.FLOATED_BEFORE: pgettext_lazy("pairing", "floats a second time, which could not be helped"),
    PairingReason.REMATCH: pgettext_lazy("pairing", "they have met before"),
    PairingReason.CLUB_MATES: pgettext_lazy(
        "pairing", "both of one club: apart, score differences would be larger, or others of one club would meet"
    ),
    PairingReason.BYE_LOWEST: pgettext_lazy("pairing", "the lowest score is %(score)d"),
    PairingReason.BYE_HIGHER: pgettext_lazy(
        "pairing", "%(score)d points: no player below, down to %(lowest)d, could have the bye"
    ),
    PairingReason.BYE_LAST: pgettext_lazy("pairing", "%(place)d of the %(size)d on that score"),
    PairingReason.BYE_AGAIN: pgettext_lazy("pairing", "everybody else has had a bye"),
    PairingReason.BYE_FORCED: pgettext_lazy(
        "pairing", "a second bye: if a player with fewer byes had it, the others couldn't be paired"
    ),
}


def told(reasons: Sequence[Mapping[str, Any]]) -> str:
    """Return the reasons of a pairing as a list of sentences.

    "both on 3 points; 2 of the top half against 2 of the bottom half". Reasons for the lead are left out: the lead is
    visible.
    """
    sentences = [SENTENCES[one["code"]] % one["facts"] for one in reasons if one["code"] in SENTENCES]
    return "; ".join(map(str, sentences))
