"""The rules of a league for its court: reading and changing them."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.accounts.models import League
from league.accounts.permissions import Act, Asker, check_may
from league.disputes.models import CourtRules
from league.errors import Refused
from referee.rulings.court import ProofRule
from referee.rulings.penalties import TABLE_PLAY, PenaltyPolicy

MOST_POINTS = 500
MOST_MINUTES = 60 * 24 * 60
VIOLATIONS = tuple(TABLE_PLAY.points)
"""Codes of the violations that a league may punish."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedRules:
    """New rules; a field that is None stays. `penalties`: points by the code of a violation, 0 for none."""

    minutes_in_hall: int | None = None
    minutes_elsewhere: int | None = None
    hold_minutes: int | None = None
    appeal_minutes: int | None = None
    hears: str | None = None
    proof: str | None = None
    penalties: Mapping[str, int] | None = None


def rules_of_court(league_id: int) -> CourtRules:
    """Return the rules of a league, not saved where it has no row. One statement."""
    return CourtRules.objects.filter(league=league_id).first() or CourtRules(league_id=league_id)


def proof_of(rules: CourtRules) -> ProofRule:
    return ProofRule(rules.proof)


def policy_of(rules: CourtRules) -> PenaltyPolicy:
    return PenaltyPolicy(rules.penalties)


@transaction.atomic
def change_rules(league: League, user: Asker, wanted: WantedRules) -> CourtRules:
    """Change the rules of a league's court, by its owner.

    Raises NotAllowed `sign-in`, `no-permission`; Refused `bad-rules` (fact `field`).
    """
    check_may(user, Act.RUN_LEAGUE, league)
    League.objects.select_for_update().get(pk=league.pk)
    rules = rules_of_court(league.pk)
    for one in fields(wanted):
        value = getattr(wanted, one.name)
        if value is not None:
            setattr(rules, one.name, _checked(one.name, value))
    rules.save()
    return rules


def _checked(name: str, value: Any) -> Any:
    if name == "hears" and value in CourtRules.Hears.values:
        return value
    if name == "proof" and value in CourtRules.Proof.values:
        return value
    if name.endswith(("minutes", "hall", "elsewhere")) and type(value) is int and 0 <= value <= MOST_MINUTES:
        return value
    if name == "penalties" and all(
        code in VIOLATIONS and type(points) is int and 0 <= points <= MOST_POINTS for code, points in value.items()
    ):
        return {code: points for code, points in value.items() if points}
    raise Refused("bad-rules", _("This is not a rule of the court: %(field)s."), field=name)
