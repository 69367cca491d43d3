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
    """A draft as it was before an act. `entrants`, `matches` and `rounds`: how many there were."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    before = serializers.ChoiceField(EarlierState.Before.values, help_text=_("The act."))
    made_at = serializers.DateTimeField(help_text=_("When it was done."))
    made_by = DoneBy(allow_null=True, help_text=_("Null where a program did it, or somebody who left by themselves."))
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
    in_the_way = InTheWay(allow_null=True, help_text=_("Why there is no way back to it; null where there is one."))


class RestorationBody(serializers.Serializer):
    newest = RowKey(help_text=_("The first of the list that was looked at: if another act came since, it is refused."))


class RestoredFields(serializers.Serializer):
    done = serializers.BooleanField(help_text=_("False where it had been brought back before."))
    left_out = serializers.ListField(
        child=serializers.CharField(), help_text=_("Whole names of those who had been added since.")
    )


class BroughtBackFields(serializers.Serializer):
    slug = serializers.SlugField(help_text=_("Another one where its own was taken meanwhile."))
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
        description=_("For those who manage the competition: what it was before each act, the latest first."),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)


class EarlierStateRestoration(ManagedView):
    serializer_class = RestoredFields

    @extend_schema(
        operation_id="restore_earlier_state",
        summary=_("Bring an earlier state back"),
        request=RestorationBody,
        examples=[OpenApiExample("the last act undone", value={"newest": 7}, request_only=True)],
        responses={200: RestoredFields},
        description=_(
            "The draft becomes what it was before that act and all that came after it; what it is now is kept as well. "
            "Who is checked in, and who paid, stays."
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
        description=_("With its draw. It can be brought back for some weeks, from the discarded drafts of its league."),
    )
    def post(self, request: Request, league: str, slug: str) -> HttpResponse:
        return self.once(self._discard)

    def _discard(self) -> Response:
        return Response(self.get_serializer(discard(self.managed(), user=self.request.user)).data)


class OfLeague(RowsView):
    """A view of a league for whoever manages its competitions."""

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
        description=_("For those who manage its competitions, the latest first, as long as they are kept."),
    )
    def get(self, request: Request, *args: object, **kwargs: object) -> Response:
        return super().get(request, *args, **kwargs)


class DraftReturn(OfLeague):
    serializer_class = BroughtBackFields

    @extend_schema(
        operation_id="bring_draft_back",
        summary=_("Bring a discarded draft back"),
        request=None,
        responses={200: BroughtBackFields},
        description=_("As it was. Again gives the one that is back."),
    )
    def post(self, request: Request, slug: str, state_id: int) -> HttpResponse:
        return self.once(lambda: self._bring_back(state_id))

    def _bring_back(self, state_id: int) -> Response:
        back: Any = bring_back(self.league(), state_id, user=self.request.user)
        return Response(self.get_serializer(back).data)
