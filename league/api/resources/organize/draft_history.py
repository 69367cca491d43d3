"""Draft history: undo, discard, and discarded drafts."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.accounts.models import League
from league.accounts.permissions import Act, check_may
from league.api.base.fields import Link
from league.api.base.parsers import StrictJson
from league.api.base.staff import DoneBy, ManagedView, RowKey, given, in_its_time, leagues_of_staff
from league.api.base.views import ListView, RowsView
from league.api.models import TokenScope
from league.competitions.draw.undo import bring_back, discard, discarded, situation, undo
from league.competitions.models import EarlierState
from league.competitions.snapshots import undoable
from league.errors import Refused


class KeptStateFields(serializers.Serializer):
    """State of a draft before an action, with its numbers of entrants, matches and rounds."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    before = serializers.ChoiceField(EarlierState.Before.values, help_text=_("The action that followed this state."))
    made_at = serializers.DateTimeField(help_text=_("Time of that action."))
    made_by = DoneBy(allow_null=True, help_text=_("Null for a program, or for a player's own withdrawal."))
    entrants = serializers.IntegerField()
    matches = serializers.IntegerField()
    rounds = serializers.IntegerField()
    restored_at = serializers.DateTimeField(allow_null=True)
    restored_by = DoneBy(allow_null=True)


class InTheWay(serializers.Serializer):
    code = serializers.CharField()
    detail = serializers.SerializerMethodField()

    def get_detail(self, refused: Refused) -> str:
        return str(refused)


class EarlierStateFields(KeptStateFields):
    in_the_way = InTheWay(
        allow_null=True, help_text=_("Reason against restoring this state; null if it can be restored.")
    )


class RestorationBody(serializers.Serializer):
    newest = RowKey(help_text=_("First state of the list that you read: refused after another action."))


class RestoredFields(serializers.Serializer):
    done = serializers.BooleanField(help_text=_("False if it was already restored."))
    left_out = serializers.ListField(
        child=serializers.CharField(), help_text=_("Full names of the entrants added since that state.")
    )


class BroughtBackFields(serializers.Serializer):
    slug = serializers.SlugField(help_text=_("Address of the competition; a new one if its own is taken."))
    name = serializers.CharField()
    url = Link("api:competition", league="league.slug", slug="slug")


class EarlierStates(ManagedView, ListView):
    serializer_class = EarlierStateFields

    def filter_queryset(self, _rows: object) -> QuerySet[EarlierState]:
        competition = self.managed()
        self.now = situation(competition)
        return undoable(competition).defer("rows").select_related("made_by", "restored_by")

    def entries(self, page: list[EarlierState]) -> list[EarlierState]:
        for state in page:
            state.in_the_way = self.now.in_the_way(state)
        return page

    @extend_schema(
        operation_id="earlier_states",
        summary=_("Earlier states of a draft"),
        description=_("For managers of the competition: the state before each action, latest first."),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)


class EarlierStateRestoration(ManagedView):
    serializer_class = RestoredFields

    @extend_schema(
        operation_id="restore_earlier_state",
        summary=_("Restore an earlier state"),
        request=RestorationBody,
        examples=[OpenApiExample("the last act undone", value={"newest": 7}, request_only=True)],
        responses={200: RestoredFields},
        description=_(
            "Undoes this action and all later ones. The present state is kept too. Check-ins and payments stay "
            "unchanged."
        ),
    )
    def post(self, request: Request, league: str, slug: str, state_id: int) -> HttpResponse:
        return self.once(lambda: self._restore(request, state_id))

    def _restore(self, request: Request, state_id: int) -> Response:
        competition, newest = self.managed(), given(RestorationBody, request)["newest"]
        with in_its_time(competition.league):
            done = undo(competition, state_id, newest=newest, user=request.user)
        return Response(self.get_serializer(done).data)


class DraftDiscarding(ManagedView):
    serializer_class = KeptStateFields

    @extend_schema(
        operation_id="discard_draft",
        summary=_("Discard a draft"),
        request=None,
        responses={200: KeptStateFields},
        description=_(
            "Together with its draw. It can be restored for some weeks, from the discarded drafts of its league."
        ),
    )
    def post(self, request: Request, league: str, slug: str) -> HttpResponse:
        return self.once(self._discard)

    def _discard(self) -> Response:
        return Response(self.get_serializer(discard(self.managed(), user=self.request.user)).data)


class OfLeague(RowsView):
    """A view of a league for its competition managers."""

    parser_classes = (StrictJson,)
    act_scope = TokenScope.MANAGE
    limit = "submit"
    rows = leagues_of_staff

    def league(self) -> League:
        """Raises Http404, NotAllowed."""
        found = self.row(slug=self.kwargs["slug"])
        check_may(self.request.user, Act.MANAGE_COMPETITIONS, found)
        return found


class DiscardedDrafts(OfLeague, ListView):
    serializer_class = KeptStateFields

    def filter_queryset(self, _rows: object) -> QuerySet[EarlierState]:
        return discarded(self.league()).filter(restored_at=None).defer("rows").select_related("made_by", "restored_by")

    @extend_schema(
        operation_id="discarded_drafts",
        summary=_("Discarded drafts of a league"),
        description=_("For managers of its competitions. Latest first, while they are kept."),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)


class DraftReturn(OfLeague):
    serializer_class = BroughtBackFields

    @extend_schema(
        operation_id="bring_draft_back",
        summary=_("Restore a discarded draft"),
        request=None,
        responses={200: BroughtBackFields},
        description=_("Unchanged. A repeated request answers with the restored draft."),
    )
    def post(self, request: Request, slug: str, state_id: int) -> HttpResponse:
        return self.once(lambda: self._bring_back(state_id))

    def _bring_back(self, state_id: int) -> Response:
        back: Any = bring_back(self.league(), state_id, user=self.request.user)
        return Response(self.get_serializer(back).data)
