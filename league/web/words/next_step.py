"""Event steps in words: titles, obstacles, links to the pages that remove them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from league.accounts.permissions import Act
from league.competitions.models import Competition
from league.competitions.queries.next_step import (
    DayFacts,
    DayPerson,
    DayStep,
    HeldBy,
    Hold,
    Missing,
    OpenMatch,
    Part,
    StepState,
    steps,
)

TITLES: dict[Part, Promise] = {
    Part.NAMES: pgettext_lazy("step of the day", "Names"),
    Part.FEES: pgettext_lazy("step of the day", "Fees"),
    Part.CHECK_IN: pgettext_lazy("step of the day", "Check-in"),
    Part.SEEDS: pgettext_lazy("step of the day", "Seeds"),
    Part.DRAW: pgettext_lazy("step of the day", "Draw"),
    Part.PUBLISH: pgettext_lazy("step of the day", "Publish"),
    Part.CHALLENGES: pgettext_lazy("step of the day", "Challenges"),
    Part.FINISH: pgettext_lazy("step of the day", "Finish"),
}
STATES: dict[StepState, tuple[Promise, str]] = {
    StepState.DONE: (pgettext_lazy("state of a step", "done"), "check"),
    StepState.NOW: (pgettext_lazy("state of a step", "now"), "play"),
    StepState.WAITS: (pgettext_lazy("state of a step", "waits"), "clock"),
}
# Reasons without a number or a name.
PLAIN: dict[HeldBy, Promise] = {
    HeldBy.DRAWING: gettext_lazy("The draw is being made."),
    HeldBy.STALE: gettext_lazy(
        "Results have changed, or an entrant has left, since this was paired. Pair it again, then publish it."
    ),
    HeldBy.LOTS: gettext_lazy("The last tie-break is a draw of lots, not made yet."),
}


@dataclass(frozen=True, slots=True)
class HoldItem:
    """A match or a person, and the page to act on it."""

    text: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class HoldWords:
    """An obstacle in one sentence.

    `items`: its first matches or people; `more`: the number of further ones; `count`: the number of all.
    """

    code: str
    sentence: str
    url: str = ""
    items: Sequence[HoldItem] = ()
    more: int = 0
    count: int = 0


@dataclass(frozen=True, slots=True)
class StepWords:
    part: str
    state: str
    state_word: Promise
    icon: str
    title: str
    note: str
    holds: Sequence[HoldWords]
    round_number: int = 0

    @property
    def now(self) -> bool:
        return self.state == StepState.NOW

    @property
    def stale(self) -> bool:
        """Whether the step is a draft that cannot be published in this state."""
        return any(one.code == HeldBy.STALE for one in self.holds)

    @property
    def folded(self) -> bool:
        """Whether the step has content that is folded away."""
        return bool(self.holds) and not self.now


@dataclass(frozen=True, slots=True)
class DayWords:
    steps: Sequence[StepWords]

    @property
    def now(self) -> StepWords | None:
        return next((one for one in self.steps if one.now), None)

    @property
    def upcoming(self) -> StepWords | None:
        """The next round, while another round is being played."""
        return next((one for one in self.steps if one.part == Part.NEXT and not one.now), None)


def day_words(competition: Competition, facts: DayFacts, acts: frozenset[Act]) -> DayWords:
    """Return the steps in words; links lead only to pages open to the user."""
    place = _Place(competition, acts)
    return DayWords([_step(one, facts, place) for one in steps(facts)])


@dataclass(frozen=True, slots=True)
class _Place:
    competition: Competition
    acts: frozenset[Act]

    def __call__(self, name: str, *more: object, act: Act | None = None) -> str:
        if act is not None and act not in self.acts:
            return ""
        return reverse(f"organize:{name}", args=[self.competition.league.slug, self.competition.slug, *more])


def _step(one: DayStep, facts: DayFacts, place: _Place) -> StepWords:
    word, icon = STATES[one.state]
    return StepWords(
        part=one.part.value,
        state=one.state.value,
        state_word=word,
        icon="alert" if one.holds and one.state is StepState.WAITS else icon,
        title=_title(one),
        note=_note(one, facts),
        holds=[_hold(hold, one, place, facts) for hold in one.holds],
        round_number=one.round.number if one.round else 0,
    )


def _title(one: DayStep) -> str:
    if one.round:
        return one.round.name
    if one.part is Part.PLAYED:
        return ngettext("%(count)d round played", "%(count)d rounds played", one.number) % {"count": one.number}
    if one.part is Part.LATER:
        return ngettext("%(count)d more round", "%(count)d more rounds", one.number) % {"count": one.number}
    if one.part is Part.NEXT and one.stage:
        if one.stage.paired:
            return pgettext("matchday", "Round %(number)d") % {"number": one.number}
        return one.stage.format[:1].upper() + one.stage.format[1:]
    return str(TITLES[one.part])


def _note(one: DayStep, facts: DayFacts) -> str:
    if one.part is Part.NAMES and facts.pairs:
        return ngettext("%(count)d pair", "%(count)d pairs", facts.entrants) % {"count": facts.entrants}
    if one.part is Part.CHALLENGES and one.number:
        return ngettext("%(count)d is open", "%(count)d are open", one.number) % {"count": one.number}
    if one.part is Part.NAMES:
        return ngettext("%(count)d player", "%(count)d players", facts.entrants) % {"count": facts.entrants}
    if one.part in {Part.ROUND, Part.NEXT} and one.of > 1 and one.number:
        return pgettext("round", "%(number)d of %(count)d") % {"number": one.number, "count": one.of}
    return ""


# --- Obstacles ---


def _hold(hold: Hold, step: DayStep, place: _Place, facts: DayFacts) -> HoldWords:
    if hold.reason is HeldBy.TOO_FEW:
        return HoldWords(hold.reason.value, too_few(facts.fewest, pairs=facts.pairs), _mended_at(hold, place))
    if hold.reason in PLAIN:
        return HoldWords(hold.reason.value, str(PLAIN[hold.reason]), _mended_at(hold, place))
    if hold.reason is HeldBy.DRAW_REFUSED:
        return HoldWords(hold.reason.value, hold.text)
    if hold.reason is HeldBy.AWAITED:
        items, more = list(_awaited(hold, place)), hold.count - len(hold.matches)
        return HoldWords(hold.reason.value, _counted(hold), "", items, more)
    if hold.matches:
        items = [_match(one, place) for one in hold.matches]
        return HoldWords(hold.reason.value, _counted(hold), "", items, hold.count - len(items), hold.count)
    if hold.people:
        items = [HoldItem(one.whole) for one in hold.people]
        return HoldWords(hold.reason.value, _counted(hold), _mended_at(hold, place), items, hold.count - len(items))
    if hold.reason is HeldBy.TO_DRAW:
        return HoldWords(hold.reason.value, _to_draw(step))
    told = _counted(hold) % {"round": step.round.name if step.round else _title(step)}
    return HoldWords(hold.reason.value, told, _mended_at(hold, place), count=hold.count)


def too_few(fewest: int, *, pairs: bool) -> str:
    """Ask for more entrants before a draw, in the words of the desk and of the event."""
    if pairs:
        told = ngettext("Add pairs: a draw needs %d.", "Add pairs: a draw needs at least %d.", fewest)
    else:
        told = ngettext("Add players: a draw needs %d.", "Add players: a draw needs at least %d.", fewest)
    return told % fewest


def _to_draw(step: DayStep) -> str:
    if step.stage and step.stage.paired:
        return _("Every result is confirmed. Pair the next round: it is a draft that only officials see.")
    return _("The stage is over. Draw the next one from its confirmed standings: only officials see the draft.")


def _counted(hold: Hold) -> str:
    """Return the sentence with its count; `%(round)s` is left to the caller."""
    count = hold.count
    told: dict[HeldBy, Callable[[], str]] = {
        HeldBy.FEES_OWED: lambda: ngettext("%d still owes the fee:", "%d still owe the fee:", count),
        HeldBy.NOT_HERE: lambda: ngettext("%d has not checked in:", "%d have not checked in:", count),
        HeldBy.AWAITED: lambda: ngettext("%d match waits for a player:", "%d matches wait for players:", count),
        HeldBy.DIFFERS: lambda: ngettext("%d match is under review:", "%d matches are under review:", count),
        HeldBy.TO_DECIDE: lambda: ngettext("%d result needs a decision:", "%d results need a decision:", count),
        HeldBy.TO_MEND: lambda: ngettext("%d log needs fixing:", "%d logs need fixing:", count),
        HeldBy.UNCONFIRMED: lambda: ngettext(
            "%d result waits for confirmation by another person:",
            "%d results wait for confirmation by another person:",
            count,
        ),
        HeldBy.CHECKING: lambda: ngettext("%d log is being checked:", "%d logs are being checked:", count),
        HeldBy.PLAYING: lambda: ngettext("%d match is being played:", "%d matches are being played:", count),
        HeldBy.NO_RESULT: lambda: ngettext("%d match has no result yet:", "%d matches have no result yet:", count),
        HeldBy.UNKNOWN: lambda: ngettext(
            "%d match waits for its players:", "%d matches wait for their players:", count
        ),
        HeldBy.NO_WINNER: lambda: ngettext(
            "%d match ended without a winner; an official decides who advances:",
            "%d matches ended without a winner; an official decides who advances:",
            count,
        ),
        HeldBy.WISHES_UNMET: lambda: ngettext(
            "%d table request can’t be met.", "%d table requests can’t be met.", count
        ),
        HeldBy.RESULTS_MISSING: lambda: ngettext(
            "%d confirmed result is missing before it.", "%d confirmed results are missing before it.", count
        ),
        HeldBy.AMENDMENT: lambda: ngettext(
            "%d amendment waits for another official.", "%d amendments wait for another official.", count
        ),
        HeldBy.IMPORTED: lambda: ngettext(
            "%d imported result waits for an official to confirm it.",
            "%d imported results wait for an official to confirm them.",
            count,
        ),
    }
    if hold.reason is HeldBy.IS_DRAFT:
        return _("%(round)s: still a draft. Look through it, then publish it.")
    return told[hold.reason]() % count


def _mended_at(hold: Hold, place: _Place) -> str:
    """Return the address of the page to act on the obstacle, or ""."""
    pages = {
        HeldBy.TOO_FEW: lambda: place("entrants", act=Act.MANAGE_COMPETITIONS),
        HeldBy.FEES_OWED: lambda: place("check_in", act=Act.RUN_DESK),
        HeldBy.NOT_HERE: lambda: place("check_in", act=Act.RUN_DESK),
        HeldBy.WISHES_UNMET: lambda: place("wishes", act=Act.SEE_NEEDS),
        HeldBy.LOTS: lambda: f"{place('competition')}#entrants",
    }
    return pages[hold.reason]() if hold.reason in pages else ""


# Kinds of matches that are handled on the results grid instead of their own page.
AT_GRID = {HeldBy.NO_RESULT, HeldBy.PLAYING, HeldBy.DIFFERS}


def _match(one: OpenMatch, place: _Place) -> HoldItem:
    if one.match_id is None:
        return HoldItem(_where(one))
    if one.reason in AT_GRID and Act.ENTER_RESULTS in place.acts:
        return HoldItem(_where(one), f"{place('competition_grid')}?match={one.match_id}")
    return HoldItem(_where(one), reverse("matches:detail", args=[one.match_id]))


def _where(one: OpenMatch) -> str:
    """ "Ana – Leo (table 4)"."""
    names = versus(one.people)
    if not one.table:
        return names
    return pgettext("a match and its table", "%(names)s (table %(table)s)") % {"names": names, "table": one.table}


def versus(people: Sequence[DayPerson]) -> str:
    """Return both sides, or every side of a larger table."""
    names = [one.whole for one in people] + ["?"] * (2 - len(people))
    told = names[0]
    for name in names[1:]:
        told = pgettext("two sides", "%(first)s – %(second)s") % {"first": told, "second": name}
    return told


def _awaited(hold: Hold, place: _Place) -> Sequence[HoldItem]:
    late = [(missing, one) for one in hold.matches for missing in one.missing]
    return [HoldItem(_waited(missing, one), place("late", one.slot_id, act=Act.RUN_DESK)) for missing, one in late]


def _waited(missing: Missing, one: OpenMatch) -> str:
    facts = {"name": missing.person.whole, "table": one.table, "minutes": missing.minutes, "names": versus(one.people)}
    if not one.table:
        absent = _("%(name)s has not come (%(names)s)")
    else:
        absent = _("%(name)s has not come to table %(table)s")
    since = ngettext("%(minutes)d minute since", "%(minutes)d minutes since", missing.minutes)
    waited = since if missing.minutes else _("since a moment ago")
    told = pgettext("who is absent: since when", "%(absent)s: %(since)s") % {"absent": absent, "since": waited}
    sentence = told % facts
    if not missing.over:
        return sentence
    if len(one.people) > 2:
        return _("%(sentence)s. The others can play without them.") % {"sentence": sentence}
    return _("%(sentence)s. The match can be forfeited.") % {"sentence": sentence}
