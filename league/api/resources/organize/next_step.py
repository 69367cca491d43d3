"""Event steps of a competition, for its staff.

The steps and reasons are those of the organizer's page.
"""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from league.accounts.permissions import Act, acts_of
from league.api.base.fields import PlayerBrief
from league.api.base.staff import of_staff
from league.api.base.views import RowsView
from league.competitions.queries.next_step import DayStep, HeldBy, Hold, Missing, OpenMatch, Part, StepState, steps
from league.competitions.queries.next_step_facts import day_facts
from league.web.words.next_step import day_words


class AwaitedFields(serializers.Serializer):
    player = PlayerBrief()
    since = serializers.DateTimeField()
    minutes = serializers.IntegerField(help_text=_("Full minutes since then."))
    over = serializers.BooleanField(help_text=_("The time is up, and an official may rule a forfeit."))


class HeldMatch(serializers.Serializer):
    match = serializers.IntegerField(allow_null=True, help_text=_("Null until both players are known."))
    round = serializers.IntegerField()
    table = serializers.CharField(allow_blank=True)
    players = PlayerBrief(many=True)
    awaited = AwaitedFields(many=True, help_text=_("Players not at the table."))


class HoldFields(serializers.Serializer):
    """Reason that holds a step up."""

    code = serializers.ChoiceField([one.value for one in HeldBy])
    sentence = serializers.CharField(help_text=_("The same as a sentence, in the requested language."))
    count = serializers.IntegerField(help_text=_("Number of people or matches; 0 for reasons without them."))
    players = PlayerBrief(many=True, help_text=_("The first people among them."))
    matches = HeldMatch(many=True, help_text=_("The first matches among them."))


class StepFields(serializers.Serializer):
    part = serializers.ChoiceField([one.value for one in Part])
    state = serializers.ChoiceField([one.value for one in StepState], help_text=_("At most one step is `now`."))
    title = serializers.CharField()
    round = serializers.IntegerField(allow_null=True, help_text=_("Number of its round."))
    number = serializers.IntegerField(
        help_text=_("Position of the round in its stage; for `played` and `later` a number of rounds.")
    )
    of = serializers.IntegerField(help_text=_("Number of rounds of the stage; 0 if it does not apply."))
    holds = HoldFields(many=True)


class DayFields(serializers.Serializer):
    league = serializers.SlugField()
    slug = serializers.SlugField()
    at = serializers.DateTimeField(help_text=_("Time of this answer."))
    steps = StepFields(many=True, help_text=_("Steps in order."))


class DayDetail(RowsView):
    serializer_class = DayFields
    rows = of_staff

    @extend_schema(
        operation_id="day",
        summary=_("Event steps of a competition"),
        description=_(
            "For the staff of its league: every step from the names to the end, its state, and the reasons that "
            "hold it up. 404 for others."
        ),
    )
    def get(self, request: Request, league: str, slug: str) -> Response:
        competition = self.row(league__slug=league, slug=slug)
        acts, now = acts_of(request.user, competition.league), timezone.now().replace(microsecond=0)
        facts = day_facts(competition, now, with_needs=Act.SEE_NEEDS in acts)
        words = day_words(competition, facts, acts).steps
        found = [
            _step(one, told.title, [hold.sentence for hold in told.holds])
            for one, told in zip(steps(facts), words, strict=True)
        ]
        return Response(self.get_serializer({"league": league, "slug": slug, "at": now, "steps": found}).data)


def _step(one: DayStep, title: str, sentences: list[str]) -> dict[str, Any]:
    return {
        "part": one.part.value,
        "state": one.state.value,
        "title": title,
        "round": one.round.number if one.round else None,
        "number": one.number,
        "of": one.of,
        "holds": [_hold(hold, sentence) for hold, sentence in zip(one.holds, sentences, strict=True)],
    }


def _hold(hold: Hold, sentence: str) -> dict[str, Any]:
    return {
        "code": hold.reason.value,
        "sentence": sentence.removesuffix(":"),
        "count": hold.count,
        "players": hold.people,
        "matches": [_match(one) for one in hold.matches],
    }


def _match(one: OpenMatch) -> dict[str, Any]:
    return {
        "match": one.match_id,
        "round": one.round_number,
        "table": one.table,
        "players": one.people,
        "awaited": [_awaited(missing) for missing in one.missing],
    }


def _awaited(missing: Missing) -> dict[str, Any]:
    return {
        "player": missing.person,
        "since": missing.since,
        "minutes": missing.minutes,
        "over": missing.over,
    }
