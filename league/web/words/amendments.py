"""Effect of an amendment in words: matches, standings, places and rounds."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from league.competitions.amendments.diff import Effect, RatingChange, SlotChange, SlotState
from league.competitions.amendments.services import PairedAgain
from league.competitions.standings.tiebreaks.registry import TIE_BREAKS
from league.matches.models import Match
from league.web.words.labels import Label
from league.web.words.numbers import number_text, signed
from league.web.words.tie_breaks import COLUMNS

KINDS: dict[str, Label] = {
    "result": Label(word=pgettext_lazy("effect", "Result changes"), icon="amended", tone="warm"),
    "replaced": Label(word=pgettext_lazy("effect", "Others meet"), icon="lots", tone="warm"),
    "emptied": Label(word=pgettext_lazy("effect", "Not known any more"), icon="part", tone="warm"),
    "filled": Label(word=pgettext_lazy("effect", "Known now"), icon="plus", tone="cool"),
    "void": Label(word=pgettext_lazy("effect", "Void"), icon="stop", tone="bad"),
    "stands": Label(word=pgettext_lazy("effect", "Stands as played"), icon="seal", tone="cool"),
}
MOST_RATINGS = 12
STATES: dict[str, Any] = {
    Match.State.SCHEDULED: gettext_lazy("upcoming"),
    Match.State.PLAYING: gettext_lazy("being played"),
    Match.State.PROVISIONAL: gettext_lazy("waiting for confirmation"),
    Match.State.DECIDED: gettext_lazy("confirmed"),
}
NUMBERS: dict[str, Any] = {
    "played": pgettext_lazy("column", "Played"),
    "won": pgettext_lazy("column", "Won"),
    "drawn": pgettext_lazy("column", "Nobody won"),
    "lost": pgettext_lazy("column", "Lost"),
    "points_for": pgettext_lazy("column", "Points for"),
    "points_against": pgettext_lazy("column", "Points against"),
    "difference": pgettext_lazy("column", "Points difference"),
}


@dataclass(frozen=True, slots=True)
class ChangeLine:
    label: Label
    where: str
    sentence: str


@dataclass(frozen=True, slots=True)
class StandingChange:
    """One row's change in the standings; `numbers`: (column's name, before, after)."""

    name: str
    before: int | str
    after: int | str
    numbers: list[tuple[Any, str, str]]


@dataclass(frozen=True, slots=True)
class EffectWords:
    """An amendment's effect in words; `unchanged`: sentences about unchanged parts."""

    effect: Effect
    lines: list[ChangeLine]
    standings: list[StandingChange]
    further: list[str]
    ratings: list[str]
    more_ratings: int
    unchanged: list[str]


def in_words(effect: Effect) -> EffectWords:
    return EffectWords(
        effect=effect,
        lines=[_line(one) for one in effect.slots],
        standings=[
            StandingChange(
                one.name,
                one.rank_before or "–",
                one.rank_after or "–",
                [(_column(n.key), _number(n.key, n.before), _number(n.key, n.after)) for n in one.numbers],
            )
            for one in effect.rows
        ],
        further=list(_further(effect)),
        ratings=[_rating(one) for one in effect.ratings[:MOST_RATINGS]],
        more_ratings=max(len(effect.ratings) - MOST_RATINGS, 0),
        unchanged=list(_unchanged(effect)),
    )


@dataclass(frozen=True, slots=True)
class ChoiceWords:
    """The choice to pair a round again: its effect, or `why_not`."""

    round: str
    words: EffectWords | None
    why_not: str


def in_choice(found: PairedAgain) -> ChoiceWords:
    words = in_words(found.effect) if found.effect else None
    return ChoiceWords(found.round, words, str(found.why_not or ""))


def _column(key: str) -> Any:
    return NUMBERS.get(key) or COLUMNS[key].title


def _number(key: str, text: str) -> str:
    """Return a number as the standings write it."""
    if not text:
        return "–"
    return signed(Fraction(text)) if key in TIE_BREAKS and TIE_BREAKS[key].signed else number_text(Fraction(text))


def _line(change: SlotChange) -> ChangeLine:
    sentence = {
        "result": _result,
        "stands": _stands,
        "void": _void,
    }.get(change.kind, _meets)
    return ChangeLine(KINDS[change.kind], change.after.round, sentence(change))


def pair(slot: SlotState) -> str:
    return " – ".join(one or pgettext("draw", "not known yet") for one in slot.berths)


def _result(change: SlotChange) -> str:
    told = _("%(pair)s: %(before)s becomes %(after)s.")
    return told % {"pair": pair(change.after), "before": _outcome(change.before), "after": _outcome(change.after)}


def _outcome(slot: SlotState) -> str:
    if not slot.score:
        return str(STATES.get(slot.state, pgettext("effect", "no result")))
    if not slot.winner:
        return _("%(score)s (nobody has won, %(state)s)") % {"score": slot.score, "state": STATES.get(slot.state, "")}
    return _("%(score)s (%(winner)s wins)") % {"score": slot.score, "winner": slot.winner}


def _stands(change: SlotChange) -> str:
    told = (
        _("%(pair)s stays as drawn, with a note, although the amended result would give another pairing.")
        if change.after.state in ("", Match.State.SCHEDULED)
        else _("%(pair)s stays as played, with a note, although the amended result would give another pairing.")
    )
    return told % {"pair": pair(change.after)}


def _rating(one: RatingChange) -> str:
    none = pgettext("rating", "none")
    told = {"name": one.name, "before": one.before, "after": one.after}
    return _("%(name)s: %(before)s → %(after)s") % {
        key: none if value is None else value for key, value in told.items()
    }


def _void(change: SlotChange) -> str:
    if change.after.not_needed:
        text = _("%(before)s no longer counts; its results are kept. It is not needed any more.")
        return text % {"before": pair(change.before)}
    told = (
        _("%(before)s no longer counts; its results are kept. %(after)s is played instead.")
        if all(change.after.berths)
        else _("%(before)s no longer counts; its results are kept. The new opponents are not known yet.")
    )
    return told % {"before": pair(change.before), "after": pair(change.after)}


def _meets(change: SlotChange) -> str:
    if change.after.not_needed:
        return _("%(before)s is not needed any more.") % {"before": pair(change.before)}
    return _("%(before)s becomes %(after)s.") % {"before": pair(change.before), "after": pair(change.after)}


def _further(effect: Effect) -> Iterator[str]:
    if effect.goes_on or effect.goes_not:
        told = (
            _("%(come)s would have gone on instead of %(go)s; the published knock-out stays as it was drawn.")
            if effect.of("stands")
            else _("%(come)s goes on to the published knock-out instead of %(go)s.")
        )
        yield told % {"come": _names(effect.goes_on), "go": _names(effect.goes_not)}
    for name in effect.stale:
        yield _("%(round)s is a draft from the earlier results: redraw it before you publish it.") % {"round": name}
    if effect.places_change:
        yield _("Final places: %(before)s; then %(after)s.") % {
            "before": _places(one for one in effect.places_before if one not in effect.places_after),
            "after": _places(one for one in effect.places_after if one not in effect.places_before),
        }
    if effect.finished_before and not effect.finished_after:
        yield _("The competition is not over any more.")
    if effect.finished_after and not effect.finished_before:
        yield _("The competition is over by this.")
    for one in effect.further:
        yield _("%(what)s: %(before)s becomes %(after)s.") % {
            "what": one.key,
            "before": _said(one.before),
            "after": _said(one.after),
        }
    for name in effect.paired_before:
        yield _("%(round)s was published before this: its pairings stay, with a note.") % {"round": name}


# Codes of `league.competitions.seasons.promotion.next_season_of`.
NEXT_SEASON: dict[str, Any] = {
    "stays": pgettext_lazy("next season", "stays in %(where)s"),
    "promoted": pgettext_lazy("next season", "promoted to %(where)s"),
    "relegated": pgettext_lazy("next season", "relegated to %(where)s"),
    "won-up": pgettext_lazy("next season", "promoted to %(where)s by the play-off"),
    "missed-up": pgettext_lazy("next season", "stays in %(where)s after the play-off"),
    "held": pgettext_lazy("next season", "stays in %(where)s by the play-off"),
    "lost-down": pgettext_lazy("next season", "relegated to %(where)s by the play-off"),
    "waits": pgettext_lazy("next season", "play-off against %(where)s"),
    "left": pgettext_lazy("next season", "has left"),
    "agrees": pgettext_lazy("next season", "made as the tables say"),
    "differs": pgettext_lazy("next season", "stays as drawn, with a note"),
}


def _said(value: str) -> str:
    """Return a number as it is, a code with a name after it as a sentence."""
    code, sign, where = value.partition("|")
    told = NEXT_SEASON.get(code) if sign else None
    return str(told) % {"where": where} if told else value or "–"


def _names(names: Iterable[str]) -> str:
    return ", ".join(names) or pgettext("knock-out", "nobody")


def _places(places: Iterable[tuple[int, str]]) -> str:
    return ", ".join(f"{rank}. {name}" for rank, name in places) or pgettext("final places", "none")


def _unchanged(effect: Effect) -> Iterator[str]:
    if effect.slots_unchanged:
        told = ngettext(
            "%(count)d other pairing and its result do not change (published: %(published)d).",
            "%(count)d other pairings and their results do not change (published: %(published)d).",
            effect.slots_unchanged,
        )
        yield told % {"count": effect.slots_unchanged, "published": effect.published_unchanged}
    if effect.rows_unchanged:
        told = ngettext(
            "%(count)d other line of the standings does not change.",
            "%(count)d other lines of the standings do not change.",
            effect.rows_unchanged,
        )
        yield told % {"count": effect.rows_unchanged}
    if not effect.places_change and effect.places_before:
        yield _("The final places stay as they are.")
