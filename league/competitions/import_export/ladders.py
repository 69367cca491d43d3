"""Ladder part of an export: challenges, and the order of their decisions."""

from collections.abc import Mapping, Sequence
from typing import Any

from league.competitions.ladders.services import places
from league.competitions.models import Challenge, Stage
from league.competitions.queries.competition import CompetitionPage


def ladder_terms(stage: Stage) -> dict[str, Any]:
    return {"challenge_reach": stage.challenge_reach, "challenge_days": stage.challenge_days}


def challenges_of(
    page: CompetitionPage, keys: Mapping[int, str], slots: Mapping[int, Sequence[int]]
) -> list[dict[str, Any]]:
    """Challenges in the order in which they were made, unplayed ones included.

    `keys`: of entrants; `slots`: stage, round and number of each slot. A constant number of statements.
    """
    return [
        {
            "stage": stage.number,
            "challenger": keys[one.challenger_id],
            "challenged": keys[one.challenged_id],
            "made_at": one.made_at.isoformat().replace("+00:00", "Z"),
            "slot": slots[one.slot_id] if one.slot_id else None,
            "decided": decided.get(one.slot_id, 0),
            "closed_at": one.closed_at.isoformat().replace("+00:00", "Z") if one.closed_at else None,
            "closed_how": one.closed_how,
        }
        for stage in page.stages
        if stage.is_ladder
        for decided in [_decided(stage)]
        for one in Challenge.objects.filter(stage=stage).order_by("made_at", "pk")
    ]


def _decided(stage: Stage) -> dict[int | None, int]:
    """Number in the order of decisions, by slot."""
    return {one.slot: number for number, one in enumerate(reversed(places(stage).history), start=1)}
