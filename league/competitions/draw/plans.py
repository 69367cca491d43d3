"""Plan of a competition, and the draft made from it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction
from django.utils.functional import Promise
from django.utils.timezone import is_aware
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from games.errors import OptionError
from games.rulesets import RULESETS
from league.accounts.graphemes import longer_than
from league.accounts.models import LONGEST_NAME, League, User
from league.accounts.permissions import Act, check_may
from league.competitions.draw.addresses import free_slugs
from league.competitions.draw.stage_plans import StagesPlan, new_stages, write_stages, wrong_stages
from league.competitions.formats.match_length import BRACKETS, GAMES, OwnLength
from league.competitions.formats.registry import TABLE_FORMATS, spec_of
from league.competitions.locks import locked_draft, refuse_unless_division, undo_draw
from league.competitions.models import (
    YEARS,
    Applicant,
    Competition,
    EarlierState,
    Stage,
    usual_tie_breaks,
)
from league.competitions.snapshots import keep
from league.competitions.standings.choices import tie_break_choices
from league.competitions.standings.tiebreaks.registry import TIE_BREAKS
from league.errors import Refused
from league.matches.models import LEVELS, LONGEST_TABLE, KnownBy, Table
from league.matches.rules import option_text, rules_agreed

LONGEST_MATCH = 24 * 60
LONGEST_PAUSE = 366
LONGEST_WAIT = 240
LONGEST_REST = 120
HIGHEST_FEE = 100_000_000
LONGEST_CURRENCY = 8
MOST_TIE_BREAKS = 6
MOST_BYES = 10
MOST_POINTS = 100
BATCH = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(StagesPlan):
    """An organizer's decisions for one competition.

    `options`: house rules by their key in the ruleset, as a log writes them or as plain values. `tables`: names;
    missing ones are created in the league. `starts_at` is aware. `fee` is in hundredths. `win_points`, `draw_points`,
    `loss_points` and `bye_points` are match points. `forfeit_points`: a forfeit counts target to nothing in points for
    and against. `pairs`: the entrants are pairs that share a seat. `own_best_of`: games of the matches named in
    `OwnLength`, where they differ from `best_of`. `clubs_apart`: members of one club meet late in a knock-out, and in a
    Swiss system only where no other pairing has as small score differences. `dispatches`: the next ready match goes to
    the next free table (calling.py); players rest `rest_minutes` between two matches.
    """

    name: str
    ruleset: str
    options: Mapping[str, object] = field(default_factory=dict)
    best_of: int = 1
    own_best_of: Mapping[str, int] = field(default_factory=dict)
    clubs_apart: bool = False
    pairs: bool = False
    tie_breaks: Sequence[str] = field(default_factory=usual_tie_breaks)
    tie_break_edition: int = Competition.TieBreakEdition.OF_2026
    win_points: int = 2
    draw_points: int = 1
    loss_points: int = 0
    bye_points: int = 2
    forfeit_points: bool = False
    direct_by: Competition.DirectBy = Competition.DirectBy.POINTS
    leaving: Competition.Leaving = Competition.Leaving.HALF
    requested_bye: Competition.RequestedBye = Competition.RequestedBye.DRAW
    most_byes: int = 1
    release: Competition.Release = Competition.Release.ALL
    starts_at: datetime | None = None
    minutes: int = 30
    days_between: int = 0
    tables: Sequence[str] = ()
    dispatches: bool = False
    rest_minutes: int = 0
    fee: int = 0
    currency: str = ""
    level: KnownBy = KnownBy.SCORE
    final_level: KnownBy = KnownBy.SCORE
    forfeit_after_min: int = 15


@transaction.atomic
def found(league: League, plan: Plan, *, user: User) -> Competition:
    """Create a draft that only the league's staff can see.

    Its address is made from its name.

    Raises NotAllowed; Refused `bad-name`, `unknown-ruleset`, `bad-option`, `bad-plan`, `bad-seats`, `bad-groups`,
    `bad-rounds`, `bad-advance`, `bad-place-points`, `bad-reach`, `bad-order`, `bad-bye-points`.
    """
    return found_all(league, [plan], user=user)[0]


@transaction.atomic
def found_all(league: League, plans: Sequence[Plan], *, user: User) -> list[Competition]:
    """Create several drafts, in as many statements as one. Raises as `found`."""
    check_may(user, Act.MANAGE_COMPETITIONS, league)
    for plan in plans:
        check(plan)
    League.objects.select_for_update().get(pk=league.pk)  # competitions with the same name get different addresses
    slugs = free_slugs(league, [plan.name for plan in plans])
    competitions = [Competition(league=league, slug=slug) for slug in slugs]
    for competition, plan in zip(competitions, plans, strict=True):
        _fill(competition, plan)
    Competition.objects.bulk_create(competitions)
    both = list(zip(competitions, plans, strict=True))
    Stage.objects.bulk_create([stage for competition, plan in both for stage in new_stages(competition, plan)])
    tables = _tables(league, [name for plan in plans for name in plan.tables])
    links = [(one, tables[_clean(name)]) for one, plan in both for name in plan.tables]
    at = Competition.tables.through
    at.objects.bulk_create([at(competition=one, table=table) for one, table in links], batch_size=BATCH)
    return competitions


@transaction.atomic
def replan(competition: Competition, plan: Plan, *, user: User) -> Competition:
    """Change the plan of a draft; its draw is undone, its entrants and address stay.

    Raises as `found`, and Refused `already-published`, `has-logs`, `has-entrants`, `sign-ups-wait`.
    """
    competition = locked_draft(competition.pk, user)
    check(plan)
    refuse_unless_division(competition, plan.format, plan.then)
    _refuse_other_entrants(competition, plan)
    keep(competition, EarlierState.Before.PLANNED, user=user)
    undo_draw(competition)
    _write(competition, plan)
    write_stages(competition, plan)
    return competition


def _refuse_other_entrants(competition: Competition, plan: Plan) -> None:
    if plan.pairs == competition.pairs:
        return
    if waiting := competition.applicants.filter(state=Applicant.State.WAITING).count():
        told = ngettext_lazy(
            "%(count)d sign-up for %(competition)s waits. Answer it before you change who plays.",
            "%(count)d sign-ups for %(competition)s wait. Answer them before you change who plays.",
            waiting,
        )
        raise Refused("sign-ups-wait", told, count=waiting, competition=competition)
    if not competition.registrations.exists():
        return
    if competition.pairs:
        told = _("Pairs are registered for %(competition)s already. Take them out before everybody plays alone.")
    else:
        told = _("Players are registered for %(competition)s already. Take them out before it is played by pairs.")
    raise Refused("has-entrants", told, competition=competition)


def _write(competition: Competition, plan: Plan) -> None:
    _fill(competition, plan)
    competition.save()
    competition.tables.set(_tables(competition.league, plan.tables).values())


def _fill(competition: Competition, plan: Plan) -> None:
    competition.name = " ".join(plan.name.split())
    competition.ruleset = plan.ruleset
    competition.options = {key: option_text(value) for key, value in plan.options.items()}
    competition.best_of = plan.best_of
    competition.own_best_of = dict(plan.own_best_of)
    competition.clubs_apart = plan.clubs_apart
    competition.pairs = plan.pairs
    competition.tie_breaks = list(plan.tie_breaks)
    competition.tie_break_edition = plan.tie_break_edition
    competition.win_points = plan.win_points
    competition.draw_points = plan.draw_points
    competition.loss_points = plan.loss_points
    competition.bye_points = plan.bye_points
    competition.forfeit_points = plan.forfeit_points
    competition.direct_by = plan.direct_by
    competition.leaving = plan.leaving
    competition.requested_bye = plan.requested_bye
    competition.most_byes = plan.most_byes
    competition.release = plan.release
    competition.starts_at = plan.starts_at
    competition.minutes = plan.minutes
    competition.days_between = plan.days_between
    competition.dispatches = plan.dispatches
    competition.rest_minutes = plan.rest_minutes
    competition.fee = plan.fee
    competition.currency = plan.currency
    competition.level = plan.level
    competition.final_level = plan.final_level
    competition.forfeit_after_min = plan.forfeit_after_min


def check(plan: Plan) -> None:
    """Check a plan without a league, for the preview of a form. Raises as `found`."""
    name = " ".join(plan.name.split())
    if not name or longer_than(name, LONGEST_NAME):
        raise Refused("bad-name", _("A name has 1 to %(longest)d characters."), longest=LONGEST_NAME)
    check_rules(plan.ruleset, plan.options)
    _check_seats(plan)
    for code, sentence, wrong in _wrong(plan):
        if wrong:
            raise Refused(code, sentence)


def may_keep_clubs_apart(key: str) -> bool:
    """Tell whether a first stage of this format can keep club mates apart."""
    spec = spec_of(key)
    return spec.is_knock_out or spec.is_paired_by_round


def check_rules(ruleset: str, options: Mapping[str, object]) -> None:
    """Check ruleset and options.

    Raises Refused `unknown-ruleset`, and `bad-option`, which names the allowed values.
    """
    if ruleset not in RULESETS:
        raise Refused(
            "unknown-ruleset",
            _("No ruleset is called “%(ruleset)s”. Known: %(known)s."),
            ruleset=ruleset,
            known=", ".join(RULESETS),
        )
    try:
        RULESETS[ruleset].with_options({key: option_text(value) for key, value in options.items()})
    except OptionError as error:
        raise Refused("bad-option", _("This house rule does not fit: %(error)s."), error=str(error)) from None


def _check_seats(plan: Plan) -> None:
    """Raise Refused `bad-seats`, with the seats that the ruleset allows."""
    rules = rules_agreed(plan.ruleset, plan.options)
    if plan.format not in TABLE_FORMATS or not plan.seats or rules is None or rules.seats_allowed(plan.seats):
        return
    low, high = rules.players or rules.seats
    raise Refused(
        "bad-seats",
        _("%(ruleset)s is for %(low)d to %(high)d players at a table, not for %(seats)d."),
        ruleset=rules.name,
        low=low,
        high=high,
        seats=plan.seats,
    )


def _wrong(plan: Plan) -> Iterable[tuple[str, str | Promise, bool]]:
    tables = list(map(_clean, plan.tables))
    yield from wrong_stages(plan)
    lengths = {plan.best_of, *plan.own_best_of.values()}
    yield "bad-plan", _("A match is best of 1, 3, 5, 7, 9 or 11 games."), not lengths.issubset(GAMES)
    yield (
        "bad-plan",
        _(
            "Only brackets and their finals, round of 16, quarter-finals, semi-finals, third place and final have a "
            "length of their own."
        ),
        not set(plan.own_best_of).issubset(list(OwnLength)),
    )
    yield (
        "bad-plan",
        _("Only a knock-out has a final with a number of games of its own."),
        bool(plan.own_best_of) and not spec_of(plan.then or plan.format).is_knock_out,
    )
    last = spec_of(plan.then or plan.format).own_lengths
    yield (
        "bad-plan",
        _("Only a double elimination has brackets with a number of games of their own."),
        bool(last) and not BRACKETS.isdisjoint(plan.own_best_of) and not last >= BRACKETS,
    )
    yield (
        "bad-plan",
        _("Club mates are kept apart in a Swiss system and in a knock-out."),
        plan.clubs_apart and not may_keep_clubs_apart(plan.format),
    )
    yield from _wrong_order(plan)
    yield "bad-plan", _("Rounds are shown all at once or round by round."), plan.release not in Competition.Release
    yield "bad-plan", _("The start needs a time zone."), plan.starts_at is not None and not is_aware(plan.starts_at)
    yield (
        "bad-plan",
        _("A date is in the years 1900 to 2200."),
        plan.starts_at is not None and plan.starts_at.year not in YEARS,
    )
    yield "bad-plan", _("A match takes 1 to 1440 minutes."), not 1 <= plan.minutes <= LONGEST_MATCH
    yield "bad-plan", _("There are 0 to 366 days between rounds."), not 0 <= plan.days_between <= LONGEST_PAUSE
    yield (
        "bad-plan",
        _("A table's name has 1 to 40 characters."),
        not all(one and not longer_than(one, LONGEST_TABLE) for one in tables),
    )
    yield "bad-plan", _("Each table is named once."), len(set(tables)) < len(tables)
    yield from _wrong_evening(plan)


def _wrong_order(plan: Plan) -> Iterable[tuple[str, str | Promise, bool]]:
    breaks = list(plan.tie_breaks)
    points = (plan.win_points, plan.draw_points, plan.loss_points, plan.bye_points)
    yield (
        "bad-plan",
        _("Choose at least one tie-break, each of them once."),
        not breaks or len(set(breaks)) < len(breaks) or not set(breaks) <= set(TIE_BREAKS),
    )
    yield "bad-plan", _("At most six tie-breaks."), len(breaks) > MOST_TIE_BREAKS
    yield from _wrong_at_tables(plan)
    yield (
        "bad-plan",
        _("This edition of the tie-breaks is not known."),
        plan.tie_break_edition not in Competition.TieBreakEdition.values,
    )
    yield (
        "bad-plan",
        _("The direct encounter is by wins, or by wins and points."),
        plan.direct_by not in Competition.DirectBy,
    )
    yield (
        "bad-plan",
        _("Matches of a player who leaves are kept, annulled, or annulled under half of them."),
        plan.leaving not in Competition.Leaving,
    )
    yield (
        "bad-plan",
        _("A requested bye gives the points of a draw or of a win, or none."),
        plan.requested_bye not in Competition.RequestedBye,
    )
    yield "bad-plan", _("A player has 0 to 10 requested byes."), not 0 <= plan.most_byes <= MOST_BYES
    yield "bad-plan", _("A match gives 0 to 100 points."), not all(0 <= one <= MOST_POINTS for one in points)
    yield (
        "bad-plan",
        _("A win must give more points than a draw, and a draw at least as many as a loss."),
        not plan.win_points > plan.draw_points >= plan.loss_points,
    )
    at_tables = spec_of(plan.format).is_at_tables
    yield (
        "bad-plan",
        _("A bye gives no more points than a win."),
        not at_tables and plan.bye_points > plan.win_points,
    )


def _wrong_at_tables(plan: Plan) -> Iterable[tuple[str, str | Promise, bool]]:
    at_tables = spec_of(plan.format).is_at_tables
    only_at_tables = {key for key, one in TIE_BREAKS.items() if not one.between_two}
    for_tables = {key: name for key, name in tie_break_choices() if TIE_BREAKS[key].at_tables}
    yield (
        "bad-order",
        _("Points by place are of rounds at tables."),
        not at_tables and not only_at_tables.isdisjoint(plan.tie_breaks),
    )
    yield (
        "bad-order",
        _("At tables of more than two the order of the table is made of: %(known)s.")
        % {"known": ", ".join(for_tables.values())},
        at_tables and not set(for_tables).issuperset(plan.tie_breaks),
    )
    yield (
        "bad-bye-points",
        _("A bye gives no more points than the first place at a table."),
        at_tables and plan.bye_points > max(plan.place_points, default=plan.seats - 1),
    )


def _wrong_evening(plan: Plan) -> Iterable[tuple[str, str | Promise, bool]]:
    yield "bad-plan", _("A fee is between nothing and a million."), not 0 <= plan.fee <= HIGHEST_FEE
    yield "bad-plan", _("A currency has at most 8 letters."), len(plan.currency) > LONGEST_CURRENCY
    yield (
        "bad-plan",
        _("A result is known by a log, a tally, a card or a score."),
        plan.level not in LEVELS or plan.final_level not in LEVELS,
    )
    yield "bad-plan", _("One waits 1 to 240 minutes for a side."), not 1 <= plan.forfeit_after_min <= LONGEST_WAIT
    yield "bad-plan", _("A player rests 0 to 120 minutes."), not 0 <= plan.rest_minutes <= LONGEST_REST


def _clean(table: str) -> str:
    return " ".join(table.split())


def _tables(league: League, names: Iterable[str]) -> dict[str, Table]:
    """Get or create tables by name. One statement, and a few for each new table."""
    wanted = set(map(_clean, names))
    found = {table.name: table for table in league.tables.filter(name__in=wanted)} if wanted else {}
    new = sorted(wanted - found.keys())
    return found | {name: Table.objects.get_or_create(league=league, name=name)[0] for name in new}
