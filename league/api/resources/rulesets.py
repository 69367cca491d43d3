"""Rule systems, with the options that an organizer may set."""

from typing import Any

from django.http import Http404
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.ruleset import Ruleset
from games.rulesets import KEYS, RULESETS
from games.wording.rulebook import Article, articles, settings
from league.api.base.fields import Link
from league.api.base.views import ApiView


class OptionFields(serializers.Serializer):
    key = serializers.CharField(help_text=_("Key of the tag Option.<key> in a log."))
    value = serializers.CharField(help_text=_("Default value."))
    allowed = serializers.CharField(help_text=_("Allowed values, as a sentence."))


class RuleFields(serializers.Serializer):
    id = serializers.CharField(help_text=_("Id cited by findings: udl.muggins."))
    number = serializers.CharField()
    text = serializers.CharField()


class RulesetBrief(serializers.Serializer):
    key = serializers.ChoiceField(KEYS)
    name = serializers.CharField()
    edition = serializers.IntegerField()
    seats = serializers.ListField(child=serializers.IntegerField(), help_text=_("Fewest and most players."))
    target = serializers.IntegerField(help_text=_("Points that end a game."))
    clock_s = serializers.IntegerField(help_text=_("Seconds on the clock of a game; 0 without a clock."))
    url = Link("api:ruleset", key="key")


class RulesetFields(RulesetBrief):
    options = OptionFields(many=True)
    rules = RuleFields(many=True)


def ruleset_entry(rules: Ruleset) -> dict[str, Any]:
    return {
        "key": rules.key,
        "name": rules.name,
        "edition": rules.edition,
        "seats": rules.seats,
        "target": rules.target,
        "clock_s": rules.clock_s,
        "options": settings(rules),
        "rules": [_rule(one) for one in articles(rules)],
    }


def _rule(one: Article) -> dict[str, str]:
    text = " ".join(gettext(sentence.template) % sentence.facts for sentence in one.sentences)
    return {"id": one.id, "number": one.number, "text": text}


class RulesetList(ApiView):
    @extend_schema(
        operation_id="rulesets",
        summary=_("All rulesets"),
        responses=RulesetBrief(many=True),
        description=_("In the order of the rules document."),
    )
    def get(self, request: Request) -> Response:
        return Response(RulesetBrief(RULESETS.values(), many=True, context={"request": request}).data)


class RulesetDetail(ApiView):
    @extend_schema(
        operation_id="ruleset",
        summary=_("One ruleset"),
        responses=RulesetFields,
        description=_("With the options of a match and the rules cited by findings."),
    )
    def get(self, request: Request, key: str) -> Response:
        if key not in RULESETS:
            raise Http404
        return Response(RulesetFields(ruleset_entry(RULESETS[key]), context={"request": request}).data)
