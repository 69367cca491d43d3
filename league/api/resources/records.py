"""Records: logs, tallies, cards and scores of a game, with the referee's findings."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.accounts.permissions import Asker
from league.api.base.fields import Link
from league.api.base.pagination import truth
from league.api.base.views import ListView, RowsView
from league.api.resources.verdicts import StoredVerdictFields, stored_entry
from league.matches.logs.unfinished import GameAsked, cut_heads, cut_text, game_asked, hold_back, may_be_unfinished
from league.matches.models import IN_ORDER, Game, KnownBy, Record
from league.matches.queries.match import match_page, sheet_data
from league.matches.visibility import visible_matches
from referee import verify_text

PLAYS = OpenApiParameter("plays", OpenApiTypes.BOOL, default=False, description=_("Also every play, by replay."))


class RecordFields(serializers.Serializer):
    id = serializers.IntegerField()
    game = serializers.CharField(help_text=_("Code of the game."))
    match = serializers.IntegerField()
    kind = serializers.ChoiceField(KnownBy.values, help_text=_("Kind of the record."))
    state = serializers.ChoiceField(
        Record.State.values, help_text=_("“received” while being checked, “verified” with a verdict.")
    )
    submitted_at = serializers.DateTimeField()
    for_side = serializers.IntegerField(
        allow_null=True, help_text=_("Number of the side that submitted it; null for an official.")
    )
    replaces = serializers.IntegerField(allow_null=True, help_text=_("Number of the previous record that it replaces."))
    seats = serializers.DictField(child=serializers.IntegerField(), help_text=_("Number of the side in each seat."))
    upload_sha256 = serializers.CharField(help_text=_("SHA-256 of the submitted log, with LF at line ends."))
    via = serializers.ChoiceField(
        Record.Via.values, help_text=_("Means of entry: signed in, by the desk, at the table, or by import.")
    )
    signed = serializers.BooleanField(help_text=_("Card signed by both sides."))
    withdrawn_at = serializers.DateTimeField(
        allow_null=True, help_text=_("Time of its withdrawal; it no longer counts.")
    )
    verdict = StoredVerdictFields(allow_null=True, help_text=_("Null while being checked."))
    url = Link("api:record", record_id="id")


class SealedRecordFields(RecordFields):
    """A record with its log, or with the content of its tally, card or score.

    A log shows public names; its proof is over codes in their place.
    """

    sheet = serializers.DictField(
        allow_null=True,
        help_text=_("Content of a tally, card, score or ruling, in the order of the sides; null for a log."),
    )
    log = serializers.CharField(help_text=_("Text of the log; empty without one."))
    sha256 = serializers.CharField(help_text=_("SHA-256 of the sealed log, with codes instead of names."))
    heads = serializers.ListField(
        child=serializers.CharField(), help_text=_("Hash chain: one head for the tags, then one per round.")
    )


def visible_records(asker: Asker) -> QuerySet[Record]:
    """Return visible records with the rows that an entry needs."""
    seen = Record.objects.filter(game__match__in=visible_matches(asker))
    return seen.select_related("verdict", "score_sheet", "sealed", "game__match").prefetch_related(
        "game__match__sides__entrant__player", "game__match__sides__entrant__partner"
    )


def record_entry(record: Record, asker: Asker, asked: GameAsked | None = None) -> dict[str, Any]:
    """Return a record as this asker may read it, perhaps without its last round."""
    held = hold_back(record, asker, asked)
    return {
        "id": record.pk,
        "game": record.game.code,
        "match": record.game.match_id,
        "kind": record.kind,
        "state": record.state,
        "submitted_at": record.submitted_at,
        "for_side": record.for_side,
        "replaces": record.replaces_id,
        "seats": record.seats,
        "upload_sha256": "" if held else record.upload_sha256,
        "via": record.via,
        "signed": record.signed,
        "withdrawn_at": record.withdrawn_at,
        "verdict": stored_entry(record),
    }


def shown_log(record: Record, asker: Asker) -> str:
    """Return the log as on the page of its match, with names."""
    page = match_page(asker, record.game.match_id, record_id=record.pk)
    view = next(view for view in page.games if view.record and view.record.pk == record.pk)
    return "".join(f"{line.text}\n" for line in view.log)


class GameRecords(ListView):
    serializer_class = RecordFields

    @staticmethod
    def rows(asker):
        return visible_records(asker).order_by(*(f"-{field}" for field in IN_ORDER))

    def filter_queryset(self, queryset: QuerySet[Record]) -> QuerySet[Record]:
        seen = Game.objects.filter(match__in=visible_matches(self.request.user))
        game = get_object_or_404(seen, code=self.kwargs["code"].upper())
        return super().filter_queryset(queryset).filter(game=game)

    def entries(self, page: list[Record]) -> list[dict[str, Any]]:
        asked = game_asked(page[0].game, self.request.user) if any(map(may_be_unfinished, page)) else None
        return [record_entry(record, self.request.user, asked) for record in page]

    @extend_schema(operation_id="game_records", summary=_("Records of a game"), description=_("The latest first."))
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)


class RecordDetail(RowsView):
    serializer_class = SealedRecordFields
    rows = visible_records

    @extend_schema(operation_id="record", summary=_("One record with its log and verdict"))
    def get(self, request: Request, record_id: int) -> Response:
        record = self.row(pk=record_id)
        sealed = {"log": "", "sha256": "", "heads": [], "sheet": sheet_data(record)}
        if record.kind == KnownBy.LOG:
            # A hash over few unknown words could be solved by trying them.
            held = hold_back(record, request.user)
            sealed |= {
                "log": shown_log(record, request.user),
                "sha256": "" if held else record.sealed.sha256,
                "heads": cut_heads(record.sealed) if held else record.sealed.heads,
            }
        return Response(self.get_serializer({**record_entry(record, request.user), **sealed}).data)


class VerdictDetail(RowsView):
    serializer_class = StoredVerdictFields
    parameters = frozenset({"plays"})
    rows = visible_records

    @extend_schema(
        operation_id="verdict",
        summary=_("The verdict on a record"),
        parameters=[PLAYS],
        description=_("404 while the record is being checked."),
    )
    def get(self, request: Request, record_id: int) -> Response:
        with_plays = truth(request, "plays")
        record = self.row(pk=record_id)
        held = hold_back(record, request.user)
        entry = stored_entry(record)
        if entry is None:
            raise Http404
        # Only a log has plays.
        if with_plays and "rounds" in entry and record.kind == KnownBy.LOG:
            text = cut_text(record.sealed.text) if held else record.sealed.text
            entry["plays"] = verify_text(text)[0].as_json()["plays"]
        return Response(self.get_serializer(entry).data)
