"""Plan of a competition's stages: one format, or one that leads to a knock-out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.competitions.formats.registry import MOST_DAYS, SECOND_STAGES, SPECS, FormatSpec, spec_of
from league.competitions.models import Competition, Stage

MOST_PLACE_POINTS = 100
MOST_GOING_ON = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class StagesPlan:
    """An organizer's decisions for the stages.

    `rounds` of a Swiss system (0: as many as it needs) or of table rounds; `groups` of a group stage. `seats` at a full
    table, and the points for each place there (`place_points`; empty: one less from place to place). Of a ladder:
    `challenge_reach`, the most places above one's own that can be challenged, and `challenge_days` until a challenge
    lapses (0: never).

    `then`: the knock-out that follows, with the first `advance_each` of each table and the best `advance_rest` of the
    others. `third_place` and `reset` (the deciding match of a double elimination) belong to the knock-out, first stage
    or second.
    """

    format: str = Stage.Format.ROUND_ROBIN
    third_place: bool = False
    reset: bool = True
    rounds: int = 0
    groups: int = 0
    seats: int = 0
    challenge_reach: int = 0
    challenge_days: int = 0
    place_points: Sequence[int] = ()
    then: str | None = None
    advance_each: int = 0
    advance_rest: int = 0


def write_stages(competition: Competition, plan: StagesPlan) -> None:
    """Store the planned stages of a draft whose draw is undone."""
    wanted = _fields_of_stages(plan)
    for number, fields in enumerate(wanted, start=1):
        Stage.objects.update_or_create(competition=competition, number=number, defaults=fields)
    competition.stages.filter(number__gt=len(wanted)).delete()


def new_stages(competition: Competition, plan: StagesPlan) -> list[Stage]:
    """Make the planned stages of a new competition, not stored."""
    wanted = enumerate(_fields_of_stages(plan), start=1)
    return [Stage(competition=competition, number=number, **fields) for number, fields in wanted]


def _fields_of_stages(plan: StagesPlan) -> list[dict[str, Any]]:
    knock_out = {"third_place": plan.third_place, "reset": plan.reset}
    first = {
        "format": plan.format,
        "rounds": plan.rounds,
        "groups": plan.groups,
        "seats": plan.seats,
        "place_points": list(plan.place_points),
        "challenge_reach": plan.challenge_reach,
        "challenge_days": plan.challenge_days,
        "advance_each": plan.advance_each,
        "advance_rest": plan.advance_rest,
        **({"third_place": False, "reset": True} if plan.then else knock_out),
    }
    return [first, {"format": plan.then, **knock_out}] if plan.then else [first]


def plan_of_stages(competition: Competition) -> StagesPlan:
    """Read the plan back from the stored stages."""
    first, *more = competition.stages.order_by("number")
    knock_out = more[0] if more else first
    return StagesPlan(
        format=first.format,
        third_place=knock_out.third_place,
        reset=knock_out.reset,
        rounds=first.rounds,
        groups=first.groups,
        seats=first.seats,
        place_points=list(first.place_points),
        challenge_reach=first.challenge_reach,
        challenge_days=first.challenge_days,
        then=more[0].format if more else None,
        advance_each=first.advance_each,
        advance_rest=first.advance_rest,
    )


def wrong_stages(plan: StagesPlan) -> Iterable[tuple[str, Promise, bool]]:
    """Yield (code, sentence, whether it applies)."""
    yield "bad-plan", _("This format is not known."), plan.format not in SPECS
    spec = spec_of(plan.format)
    going_on = (plan.groups if spec.groups else 1) * plan.advance_each + plan.advance_rest
    yield (
        "bad-plan",
        _("After the first stage comes a knock-out or a double elimination."),
        plan.then is not None and plan.then not in SECOND_STAGES,
    )
    yield (
        "bad-plan",
        _("A knock-out has no table from which somebody could go on."),
        plan.then is not None and not (spec.may_be_followed or spec.is_ladder),
    )
    yield (
        "bad-plan",
        _("Only a knock-out has a match for third place."),
        plan.third_place and not spec_of(plan.then or plan.format).has_third_place,
    )
    yield (
        "bad-groups",
        _("Say how many groups there are: 2 to 64."),
        spec.groups is not None and plan.groups not in spec.groups,
    )
    yield "bad-groups", _("Only the format “groups” has groups."), spec.groups is None and plan.groups != 0
    yield (
        "bad-rounds",
        _("A Swiss system has 1 to 64 rounds, other formats as many as they need."),
        not spec.is_at_tables and plan.rounds not in (spec.rounds or [0]),
    )
    yield from _wrong_tables(plan, spec)
    yield from _wrong_ladder(plan, spec)
    yield (
        "bad-advance",
        _("Say how many go on to the knock-out: two or more in all."),
        plan.then is not None and (min(plan.advance_each, plan.advance_rest) < 0 or not 2 <= going_on <= MOST_GOING_ON),
    )
    yield (
        "bad-advance",
        _("Nobody goes on where no knock-out follows."),
        plan.then is None and (plan.advance_each, plan.advance_rest) != (0, 0),
    )


def _wrong_tables(plan: StagesPlan, spec: FormatSpec) -> Iterable[tuple[str, Promise, bool]]:
    if not spec.is_at_tables:
        given = bool(plan.seats or plan.place_points)
        yield "bad-seats", _("Only rounds at tables have seats, and points by place."), given
        return
    points = list(plan.place_points)
    yield "bad-rounds", _("Say how many rounds there are: 1 to 64."), plan.rounds not in spec.rounds
    yield "bad-seats", _("Say how many sit at a table: 3 to 6."), plan.seats not in spec.seats
    yield (
        "bad-place-points",
        _("Write the points of every place at a full table, the first one first: as many numbers as seats."),
        bool(points) and len(points) != plan.seats,
    )
    yield (
        "bad-place-points",
        _("The points by place are 0 to 100, none more than the place before, and the first more than the last."),
        bool(points)
        and not (
            all(0 <= one <= MOST_PLACE_POINTS for one in points)
            and points == sorted(points, reverse=True)
            and points[0] > points[-1]
        ),
    )


def _wrong_ladder(plan: StagesPlan, spec: FormatSpec) -> Iterable[tuple[str, Promise, bool]]:
    yield (
        "bad-reach",
        _("Enter how many places above can be challenged: 1 to 100."),
        spec.is_ladder and plan.challenge_reach not in spec.challenge_reach,
    )
    yield "bad-reach", _("A challenge lapses after 1 to 366 days."), not 0 <= plan.challenge_days <= MOST_DAYS
    yield (
        "bad-reach",
        _("Only a ladder has challenges."),
        not spec.is_ladder and (plan.challenge_reach, plan.challenge_days) != (0, 0),
    )
    yield (
        "bad-plan",
        _("A ladder has no end after which something could follow."),
        spec.is_ladder and plan.then is not None,
    )
