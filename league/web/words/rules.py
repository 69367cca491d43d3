"""The rules of a competition in a few words."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from games.ruleset import Announce, Matching, Muggins, Ruleset
from games.rulesets import RULESETS
from games.wording.rulebook import Article
from league.competitions.models import Competition
from league.competitions.models.choices import format_choices
from league.matches.rules import rules_agreed

MINUTE_S = 60


def rules_in_short(competition: Competition) -> list[str]:
    """Return the rules of a competition in short phrases.

    "to 250 points", "best of 3 games", "15 minutes", "muggins on", "2 house rules"; an empty list if the rules are no
    longer known.
    """
    rules = rules_agreed(competition.ruleset, competition.options)
    return [] if rules is None else [one for one in _parts(rules, competition) if one]


def format_and_rules(competition: Competition) -> list[str]:
    """Return the names of rule system and format, then the rules in short phrases.

    The competition is a row of `queries.lists.competitions`, which adds its format.
    """
    rules = RULESETS.get(competition.ruleset)
    found = [rules.name if rules else competition.ruleset]
    found += [name for key, name in format_choices() if key == competition.format]
    return [*found, *rules_in_short(competition)]


def _parts(rules: Ruleset, competition: Competition) -> list[str]:
    minutes, agreed = (rules.clock_s or 0) // MINUTE_S, len(competition.options)
    return [
        ngettext("to %(count)d point", "to %(count)d points", rules.target) % {"count": rules.target},
        ngettext("one game a match", "best of %(count)d games", competition.best_of) % {"count": competition.best_of},
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
