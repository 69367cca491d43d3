"""Judging of tallies, cards, bare scores and rulings: their stored verdict."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext_lazy as _

from games.moves import SEATS
from games.ruleset import Ruleset
from league.errors import Refused
from league.matches.annotated_log import card_sentence, in_words
from league.matches.models import KnownBy, Match, StoredVerdict
from league.matches.rules import rules_agreed
from league.players.models import PEOPLE
from referee import EDITION
from referee.cards import check as card
from referee.cards import tally

MOST_POINTS = 100_000


@dataclass(frozen=True, slots=True)
class JudgedSheet:
    """A judged sheet.

    `scores` and `winner` by number of the side, as in a result; `seats`: seat letter → side. `sound`: nothing worse
    than a note was found. `names`: seat letter → player. `partners`: as in a record.
    """

    scores: dict[str, int]
    winner: int | None
    seats: dict[str, int]
    sound: bool
    verdict: StoredVerdict
    names: Mapping[str, str] = field(default_factory=dict)
    partners: Mapping[str, str] = field(default_factory=dict)

    @property
    def findings(self) -> list[tuple[int, str]]:
        """Row and sentence of findings worse than a note; row 0 is the whole sheet.

        In the reader's language.
        """
        return [
            (one["row"], card_sentence(one, self.names)) for one in self.verdict.findings if one["severity"] != "note"
        ]

    @property
    def sentences(self) -> str:
        return " ".join(sentence for _row, sentence in self.findings)


def rules_of_match(match: Match) -> Ruleset:
    """Return the rules of a match with its house rules.

    Raises Refused `unknown-ruleset`.
    """
    rules = rules_agreed(match.ruleset, match.options)
    if rules is None:
        raise Refused("unknown-ruleset", _("The ruleset %(ruleset)s is not known any more."), ruleset=match.ruleset)
    return rules


def judge_sheet(match: Match, data: Mapping[str, Any], kind: str) -> JudgedSheet:
    """Judge a sheet of a match.

    Raises Refused `unreadable-sheet`, which names row and field.
    """
    sides = match.sides.select_related(*PEOPLE).order_by("number")
    return judge_sheet_of(rules_of_match(match), [str(side) for side in sides], data, kind)


def judge_sheet_of(rules: Ruleset, names: Sequence[str], data: Mapping[str, Any], kind: str) -> JudgedSheet:
    """Judge a sheet by the rules and the names of the sides in order. Pure."""
    seats = len(names)
    try:
        if kind == KnownBy.TALLY:
            read = tally.read_card(data, rules, seats)
            found = tally.check(data, rules, seats)
        else:
            read = card.read(data, rules, seats)
            found = card.check(read)
    except card.CardError as error:
        raise Refused(
            "unreadable-sheet", _("%(error)s"), error=in_words(error.template, error.facts), at=error
        ) from None
    letters = SEATS[:seats]
    verdict = StoredVerdict(
        status=found.status,
        scores=dict(zip(letters, found.scores, strict=True)),
        winner=letters[found.winner] if found.winner is not None else "",
        ended=found.ended or "",
        rounds=_rounds(read, letters),
        findings=[one.as_json() for one in found.findings],
        engine_edition=EDITION,
        ruleset_edition=rules.edition,
        chips=dict(zip(letters, read.chips, strict=True)) if None not in read.chips else None,
    )
    return JudgedSheet(
        scores={str(side): points for side, points in enumerate(found.scores, start=1)},
        winner=found.winner + 1 if found.winner is not None else None,
        seats={letter: side for side, letter in enumerate(letters, start=1)},
        sound=found.status != StoredVerdict.Status.VIOLATION,
        verdict=verdict,
        names=dict(zip(letters, names, strict=True)),
    )


def _rounds(read: card.Card, letters: str) -> list[dict[str, Any]]:
    """Return the rounds in the shape of a log's verdict; unknown values are None or 0."""
    totals = card.known_totals(read)
    return [
        {
            "number": number,
            "spinner": None if one.spinner in (None, "none") else one.spinner,
            "led": None,
            "ended": one.ended,
            "winner": letters[one.winner] if one.winner is not None else None,
            "points": {letter: points or 0 for letter, points in zip(letters, one.bonus, strict=True)},
            "scores": {letter: points or 0 for letter, points in zip(letters, totals[number - 1], strict=True)},
        }
        for number, one in enumerate(read.rounds, start=1)
    ]


def judge_ruling(match: Match, scores: Sequence[int], winner: int | None, ended: str) -> JudgedSheet:
    """Judge a ruling; only its shape is checked. Raises Refused `bad-score`."""
    return judge_ruling_of(match.sides.count(), scores, winner, ended)


def judge_ruling_of(seats: int, scores: Sequence[int], winner: int | None, ended: str) -> JudgedSheet:
    """Judge a ruling on a match with that many sides. Pure."""
    if len(scores) != seats or not all(0 <= points <= MOST_POINTS for points in scores):
        raise Refused("bad-score", _("Enter the points of each side, from 0 up."))
    if winner is not None and not 1 <= winner <= seats:
        raise Refused("bad-score", _("The winner is one of the sides."))
    letters = SEATS[:seats]
    verdict = StoredVerdict(
        status=StoredVerdict.Status.VERIFIED,
        scores=dict(zip(letters, scores, strict=True)),
        winner=letters[winner - 1] if winner else "",
        ended=ended,
        engine_edition=EDITION,
    )
    return JudgedSheet(
        scores={str(side): points for side, points in enumerate(scores, start=1)},
        winner=winner,
        seats={letter: side for side, letter in enumerate(letters, start=1)},
        sound=True,
        verdict=verdict,
    )
