"""The rules of a competition in a few words."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext, pgettext_lazy

from games.ruleset import Announce, Matching, Muggins, Ruleset
from games.rulesets import RULESETS
from games.wording.rulebook import Article
from league.competitions.formats.match_length import OwnLength
from league.competitions.models import Competition, Matchday
from league.competitions.models.choices import format_choices
from league.matches.models import Match
from league.matches.rules import rules_agreed

MINUTE_S = 60
OWN_LENGTHS: Mapping[str, Any] = {
    OwnLength.WINNERS: pgettext_lazy("draw", "Winners’ bracket"),
    OwnLength.LOSERS: pgettext_lazy("draw", "Losers’ bracket"),
    OwnLength.WINNERS_FINAL: pgettext_lazy("draw", "Winners’ final"),
    OwnLength.LOSERS_FINAL: pgettext_lazy("draw", "Losers’ final"),
    OwnLength.ROUND_OF_16: Matchday.Kind.ROUND_OF_16.label,
    OwnLength.QUARTER_FINALS: Matchday.Kind.QUARTER_FINALS.label,
    OwnLength.SEMI_FINALS: Matchday.Kind.SEMI_FINALS.label,
    OwnLength.THIRD_PLACE: pgettext_lazy("draw", "Third place"),
    OwnLength.FINAL: Matchday.Kind.FINAL.label,
}


def rules_in_short(competition: Competition) -> list[str]:
    """Return the rules of a competition in short phrases.

    "to 250 points", "best of 3 games", "15 minutes", "muggins on", "2 house rules"; an empty list if the rules are no
    longer known.
    """
    rules = rules_agreed(competition.ruleset, competition.options)
    return [] if rules is None else [one for one in _parts(rules, competition) if one]


def match_rules_in_short(match: Match) -> list[str]:
    """Return the rules of a match in short phrases, as above."""
    rules = rules_agreed(match.ruleset, match.options)
    if rules is None:
        return []
    length = games_a_match(match.best_of) if match.best_of > 1 else ""
    return [one for one in (_target(rules), length, *_terms(rules, len(match.options))) if one]


def system_and_format(competition: Competition) -> list[str]:
    """Return the names of rule system and format.

    The competition is a row of `queries.lists.competitions`, which adds its format.
    """
    rules = RULESETS.get(competition.ruleset)
    found = [rules.name if rules else competition.ruleset]
    found += [name for key, name in format_choices() if key == competition.format]
    return found


def own_lengths(competition: Competition) -> list[str]:
    """Return the matches with a number of games of their own: "Final: best of 5 games"."""
    own = [(name, competition.own_best_of[key]) for key, name in OWN_LENGTHS.items() if key in competition.own_best_of]
    return [f"{name}: {games_a_match(number)}" for name, number in own]


def games_a_match(number: int) -> str:
    return ngettext("one game per match", "best of %(count)d games", number) % {"count": number}


def _parts(rules: Ruleset, competition: Competition) -> list[str]:
    terms = _terms(rules, len(competition.options))
    return [_target(rules), games_a_match(competition.best_of), *own_lengths(competition), *terms]


def _target(rules: Ruleset) -> str:
    return ngettext("to %(count)d point", "to %(count)d points", rules.target) % {"count": rules.target}


def _terms(rules: Ruleset, agreed: int) -> list[str]:
    minutes = (rules.clock_s or 0) // MINUTE_S
    return [
        ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes} if minutes else "",
        _muggins(rules),
        ngettext("%(count)d house rule", "%(count)d house rules", agreed) % {"count": agreed} if agreed else "",
    ]


def _muggins(rules: Ruleset) -> str:
    if rules.matching is not Matching.PIPS:
        return ""
    on = rules.muggins is not Muggins.OFF and rules.announce is not Announce.AUTO
    return pgettext("rules in short", "muggins on") if on else pgettext("rules in short", "muggins off")


def rule_text(article: Article) -> str:
    """Return a rule in the reader's language."""
    return " ".join(_(sentence.template) % sentence.facts for sentence in article.sentences)
