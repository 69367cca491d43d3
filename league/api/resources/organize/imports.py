"""Import of a competition from its file: preview, and storing."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from league.accounts.permissions import Act, check_may
from league.api.base.fields import Link
from league.api.base.parsers import StrictJson
from league.api.base.problems import Malformed
from league.api.base.views import RowsView
from league.api.models import TokenScope
from league.competitions.import_export.importing import ImportPreview, import_competition, preview_import
from league.competitions.import_export.registry import Holds, format_of
from league.competitions.import_export.values import Mistake
from league.competitions.queries import lists as queries
from league.players.pasting import PasteNote
from league.web.words.imports import told

EXAMPLE = OpenApiExample(
    "two players",
    value={
        "format": "domino-league-competition",
        "edition": 1,
        "key": "PAST2025",
        "competition": {"name": "Autumn 2025", "ruleset": "udl"},
        "stages": [{"number": 1, "format": "round_robin"}],
        "entrants": [{"key": "A", "name": "Ana Ruiz", "seed": 1}, {"key": "B", "name": "Bo Chen", "seed": 2}],
        "rounds": [
            {
                "stage": 1,
                "number": 1,
                "slots": [
                    {
                        "number": 1,
                        "berths": [{"entrant": "A"}, {"entrant": "B"}],
                        "match": {"games": [{"number": 1, "points": [150, 95], "winner": 1}]},
                    }
                ],
            }
        ],
    },
    request_only=True,
)


class ImportMistake(serializers.Serializer):
    place = serializers.CharField(help_text=_("Place in the file: rounds[2].slots[1].starts_at."))
    code = serializers.CharField()
    detail = serializers.CharField()
    found = serializers.CharField(allow_blank=True, help_text=_("Value found there."))


class UnclearEntrant(serializers.Serializer):
    entrant = serializers.IntegerField(source="line", help_text=_("Number of the entrant in the file, from 1."))
    name = serializers.CharField()
    note = serializers.ChoiceField([one.value for one in PasteNote])


class ImportOutlook(serializers.Serializer):
    """Preview of an import. It stores nothing while there are mistakes or unclear players."""

    may_store = serializers.BooleanField()
    rounds = serializers.IntegerField()
    matches = serializers.IntegerField()
    games = serializers.IntegerField()
    new_players = serializers.IntegerField()
    known_players = serializers.IntegerField()
    mistakes = ImportMistake(many=True, help_text=_("Mistakes to be corrected first."))
    unclear = UnclearEntrant(many=True, help_text=_("Entrants without a clear player: add club or number to the file."))
    known_as = serializers.CharField(
        allow_null=True, help_text=_("Address of the competition imported from this file before.")
    )
    differs = serializers.ListField(
        child=serializers.CharField(), help_text=_("Places of the file that differ from that competition now.")
    )


class ImportedFields(serializers.Serializer):
    """The imported competition, a draft whose results wait for another official."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    created = serializers.BooleanField(help_text=_("False if the same file was imported before."))
    url = Link("api:competition", league="league", slug="slug")


class ImportRehearsal(RowsView):
    serializer_class = ImportOutlook
    parser_classes = (StrictJson,)
    act_scope = TokenScope.MANAGE
    limit = "submit"
    rows = queries.leagues

    @extend_schema(
        operation_id="preview_import",
        summary=_("Preview an import"),
        request=OpenApiTypes.OBJECT,
        examples=[EXAMPLE],
        responses={200: ImportOutlook},
        description=_("For managers of competitions. The body is a competition.json. Nothing is stored."),
    )
    def post(self, request: Request, slug: str) -> Response:
        league = self.row(slug=slug)
        check_may(request.user, Act.MANAGE_COMPETITIONS, league)
        chosen = format_of(request.data, Holds.COMPETITION)
        read, value = chosen.read(request.data), chosen.comparable(request.data)
        if read.filed is None:
            return Response(self.get_serializer(_unread(read.mistakes)).data)
        seen = preview_import(league, read.filed, user=request.user, value=value)
        return Response(self.get_serializer(_entry(seen)).data)


class CompetitionImports(RowsView):
    serializer_class = ImportedFields
    parser_classes = (StrictJson,)
    act_scope = TokenScope.MANAGE
    limit = "submit"
    rows = queries.leagues

    @extend_schema(
        operation_id="import_competition",
        summary=_("Import a competition"),
        request=OpenApiTypes.OBJECT,
        examples=[EXAMPLE],
        responses={201: ImportedFields, 200: ImportedFields},
        description=_(
            "The body is a competition.json, imported completely or not at all. The same file again: 200, without a"
            " change. Its results are recorded; another official confirms all of them at once."
        ),
    )
    def post(self, request: Request, slug: str) -> HttpResponse:
        return self.once(lambda: self._import(request, slug))

    def _import(self, request: Request, slug: str) -> Response:
        league = self.row(slug=slug)
        check_may(request.user, Act.MANAGE_COMPETITIONS, league)
        chosen = format_of(request.data, Holds.COMPETITION)
        read, value = chosen.read(request.data), chosen.comparable(request.data)
        _refuse_mistakes(read.mistakes)
        _refuse_mistakes(preview_import(league, read.filed, user=request.user, value=value).mistakes)
        done = import_competition(league, read.filed, user=request.user, value=value)
        entry = {
            "slug": done.competition.slug,
            "name": done.competition.name,
            "created": done.created,
            "league": league.slug,
        }
        code = status.HTTP_201_CREATED if done.created else status.HTTP_200_OK
        return Response(self.get_serializer(entry).data, status=code)


def _refuse_mistakes(mistakes: Iterable[Mistake]) -> None:
    if found := told(mistakes):
        errors = [{"field": one.place, "detail": one.sentence} for one in found]
        raise Malformed("import-mistakes", "", errors=errors)


def _unread(mistakes: Iterable[Mistake]) -> dict[str, Any]:
    nothing = dict.fromkeys(("rounds", "matches", "games", "new_players", "known_players"), 0)
    return nothing | {
        "may_store": False,
        "mistakes": _told(mistakes),
        "unclear": [],
        "known_as": None,
        "differs": [],
    }


def _entry(seen: ImportPreview) -> dict[str, Any]:
    clear = [one for one in seen.people.lines if not one.undecided]
    return {
        "may_store": seen.may_store,
        "rounds": len(seen.filed.rounds),
        "matches": seen.filed.matches,
        "games": seen.filed.games,
        "new_players": sum(one.player is None for one in clear),
        "known_players": sum(one.player is not None for one in clear),
        "mistakes": _told(seen.mistakes),
        "unclear": seen.people.undecided,
        "known_as": seen.known.slug if seen.known else None,
        "differs": seen.differs,
    }


def _told(mistakes: Iterable[Mistake]) -> list[dict[str, str]]:
    listed = list(mistakes)
    return [
        {"place": one.place, "code": one.code, "detail": said.sentence, "found": said.found}
        for one, said in zip(listed, told(listed), strict=True)
    ]
