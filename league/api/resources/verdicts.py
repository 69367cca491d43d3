"""Verdicts in the shape of NOTATION.md 6, stored or of an unstored text."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from games.rulesets import KEYS
from league.matches.models import KnownBy, Record, StoredVerdict

SEVERITIES = ("impossible", "violation", "correction", "note")
ENDS = ("target", "bell", "overtime", "concession", "forfeit")
ROUND_ENDS = ("domino", "blocked", "bell", "dead-end")


class Points(serializers.DictField):
    """Numbers by seat: `{"A": 150, "B": 95}`."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(child=serializers.IntegerField(), **kwargs)


class RoundOfVerdict(serializers.Serializer):
    number = serializers.IntegerField()
    spinner = serializers.CharField(allow_null=True)
    led = serializers.CharField(allow_null=True)
    ended = serializers.ChoiceField(ROUND_ENDS, allow_null=True)
    winner = serializers.CharField(allow_null=True)
    points = Points(help_text=_("Round-end points by seat."))
    scores = Points(help_text=_("Running totals by seat after the round."))


class PlayOfVerdict(serializers.Serializer):
    line = serializers.IntegerField()
    seat = serializers.CharField()
    tile = serializers.CharField()
    on = serializers.CharField(allow_null=True)
    count = serializers.IntegerField(allow_null=True, help_text=_("Open-end count after the play."))
    worth = serializers.IntegerField(help_text=_("Points that the play is worth."))
    announced = serializers.IntegerField(allow_null=True)
    awarded = Points(help_text=_("Points of each seat in the end."))


class RulingOfVerdict(serializers.Serializer):
    line = serializers.IntegerField()
    claimant = serializers.CharField()
    against = serializers.CharField(allow_null=True)
    play = serializers.IntegerField(allow_null=True, help_text=_("Line of the play."))
    claimed = serializers.IntegerField(allow_null=True)
    upheld = serializers.BooleanField()
    points = serializers.IntegerField()
    rule = serializers.CharField()


class FindingFields(serializers.Serializer):
    line = serializers.IntegerField(required=False, help_text=_("Line of the log."))
    row = serializers.IntegerField(
        required=False,
        help_text=_("Number of the round of a card or of the tap of a tally, instead of a line; 0 for the whole."),
    )
    column = serializers.IntegerField(required=False, help_text=_("Only if the log cannot be read."))
    code = serializers.CharField(help_text=_("One of the codes in docs/notation.md."))
    severity = serializers.ChoiceField(SEVERITIES)
    rule = serializers.CharField(required=False, help_text=_("Id of the rule: udl.muggins."))
    message = serializers.CharField(help_text=_("Sentence of the referee, in English."))


class VerdictFields(serializers.Serializer):
    """Verdict on a game. An unreadable log has `file`, `status` and `findings` only."""

    file = serializers.CharField()
    game = serializers.IntegerField(required=False, help_text=_("Number of the game in the file."))
    ruleset = serializers.ChoiceField(KEYS, required=False)
    status = serializers.ChoiceField(StoredVerdict.Status.values)
    evidence = serializers.ChoiceField(["complete", "partial"], required=False)
    seats = serializers.DictField(child=serializers.CharField(), required=False, help_text=_("Name in each seat."))
    scores = Points(required=False)
    winner = serializers.CharField(required=False, allow_null=True)
    ended = serializers.ChoiceField(ENDS, required=False, allow_null=True)
    rounds = RoundOfVerdict(many=True, required=False)
    plays = PlayOfVerdict(many=True, required=False, help_text=_("Only on request."))
    rulings = RulingOfVerdict(many=True, required=False)
    findings = FindingFields(many=True)
    chips = Points(required=False, help_text=_("Only in a game with chips."))
    points_on_word = serializers.IntegerField(
        required=False, help_text=_("Round-end points taken from the record without a proof; only if there are any.")
    )

    def to_representation(self, entry: Mapping[str, Any]) -> dict[str, Any]:
        """Omit missing members: the framework would show null."""
        return {name: value for name, value in super().to_representation(entry).items() if name in entry}


class StoredVerdictFields(VerdictFields):
    """Verdict with the editions of referee and ruleset that gave it."""

    engine_edition = serializers.IntegerField()
    ruleset_edition = serializers.IntegerField(allow_null=True)
    verified_at = serializers.DateTimeField()


def stored_entry(record: Record) -> dict[str, Any] | None:
    """The stored verdict, with names in the seats; None while the record is being checked. No statement where the
    record came with its verdict, its game's match and that one's sides (`records.with_names`).
    """
    verdict = getattr(record, "verdict", None)
    if verdict is None:
        return None
    entry = {
        "file": f"{record.game.code}.domino",
        "status": verdict.status,
        "findings": verdict.findings,
        "engine_edition": verdict.engine_edition,
        "ruleset_edition": verdict.ruleset_edition,
        "verified_at": verdict.verified_at,
    }
    if verdict.status != StoredVerdict.Status.UNREADABLE:
        entry |= _readable(record, verdict)
    return entry


def _readable(record: Record, verdict: StoredVerdict) -> Mapping[str, Any]:
    match = record.game.match
    names = {side.number: str(side.entrant) for side in match.sides.all()}
    facts = {
        "game": 1,
        "ruleset": match.ruleset,
        "seats": {seat: names.get(side, "") for seat, side in record.seats.items()},
        "scores": verdict.scores,
        "winner": verdict.winner or None,
        "ended": verdict.ended or None,
        # A gap on a card is not a zero, so the rounds of a card appear only in the record's sheet.
        "rounds": verdict.rounds if record.kind == KnownBy.LOG else [],
        "rulings": verdict.rulings,
    }
    more = {"evidence": verdict.evidence, "chips": verdict.chips, "points_on_word": verdict.points_on_word}
    return facts | {name: value for name, value in more.items() if value}
