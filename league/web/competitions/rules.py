"""Rules of a competition in words, made from the ruleset data.

Differences to the usual rules of the system are marked.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import pgettext

from games.ruleset import Matching, Ruleset
from games.rulesets import RULESETS
from games.uno.markings import WILD, MarkedSet
from games.wording.rulebook import UNSAID, Article, Setting, article, articles, settings
from league.competitions.queries.rounds import head_page
from league.matches.rules import rules_agreed
from league.web.competitions.standings import seen_or_404
from league.web.components import tie_break_cells
from league.web.disputes.court_settings import court_in_words
from league.web.words.rules import rule_text
from referee.questions.open_ends import QuestionError, read_ends
from referee.questions.question import Question, answer

# Players ask most often about a double, which counts both halves while a side of it is free. The second is for rules
# without a spinner, which leave two ends.
EXAMPLES = ((("6-6", "6-5", "6-3"), "6-6 5 3"), (("6-6", "6-3"), "6-6 3"))


@dataclass(frozen=True, slots=True)
class RuleLine:
    """A rule as it applies here.

    `usual`: the text in the unchanged system if it differs, else empty; also empty if the system has no such rule.
    """

    id: str
    number: str
    text: str
    usual: str
    differs: bool


@dataclass(frozen=True, slots=True)
class HouseRule:
    """An option with a value other than the usual one.

    Both values are written as in a log's header. `rules`: (id, number) of the rules whose text changes with it.
    """

    key: str
    value: str
    usual: str
    rules: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class CountExample:
    """Count of sample open ends under these rules."""

    tiles: Sequence[str]
    sum: str
    count: int
    points: int


@dataclass(frozen=True, slots=True)
class JoinExample:
    """The doublet that starts, and tiles that may be joined to it.

    Each tile is written with the touching half first, and has its reason.
    """

    start: str
    joined: Sequence[tuple[str, str]]


def detail(request: HttpRequest, league_slug: str, slug: str) -> HttpResponse:
    """Show the rules; each rule has the address of its id: `#udl.muggins`."""
    competition = seen_or_404(request, league_slug, slug)
    rules = rules_agreed(competition.ruleset, competition.options)
    page = head_page(competition)
    context = {
        "page": page,
        "rules": rules,
        "lines": rule_lines(rules) if rules else [],
        "house_rules": house_rules(rules) if rules else [],
        "settings": settings_here(rules) if rules else [],
        "example": example(rules) if rules else None,
        "joins": joins(rules) if rules else None,
        "court": court_in_words(competition.league_id),
        "columns": tie_break_cells.columns(competition.tie_breaks) if page.table_stage else [],
        "area": "competitions",
        "tab": "rules",
    }
    return render(request, "competitions/rules.html", context)


def rule_lines(rules: Ruleset) -> list[RuleLine]:
    """Return every rule in force here, and those that a house rule puts out of force."""
    usually = {one.id: one for one in articles(RULESETS[rules.key])}
    here = {one.id: one for one in articles(rules)}
    return [
        _line(here.get(one), usually.get(one))
        for one in (article(rules, slug).id for slug in rules.rules)
        if one in here or one in usually
    ]


def _line(here: Article | None, usual: Article | None) -> RuleLine:
    text, usually = (rule_text(one) if one else "" for one in (here, usual))
    one = here or usual
    return RuleLine(one.id, one.number, text, usually if text != usually else "", differs=text != usually)


def house_rules(rules: Ruleset) -> list[HouseRule]:
    """List the house rules, each with the rules that change if it alone is as usual."""
    plain = {one.key: one.value for one in settings(RULESETS[rules.key])}
    return [
        HouseRule(one.key, one.value, plain[one.key], _changed(rules, one.key))
        for one in settings(rules)
        if one.value != plain[one.key]
    ]


def _changed(rules: Ruleset, key: str) -> list[tuple[str, str]]:
    base = RULESETS[rules.key]
    others = {one.key: one.value for one in settings(rules) if one.overridden and one.key != key}
    without = {one.id: one.text for one in articles(base.with_options(others))}
    found = [one for one in articles(rules) if without.get(one.id) != one.text]
    return [(one.id, one.number) for one in found]


def settings_here(rules: Ruleset) -> list[tuple[Setting, str]]:
    """List every option, with the usual value beside each that differs."""
    plain = {one.key: one.value for one in settings(RULESETS[rules.key])}
    return [
        (one._replace(value=_told(one.value)), _told(plain[one.key]) if one.value != plain[one.key] else "")
        for one in settings(rules)
    ]


def _told(value: str) -> str:
    return pgettext("rule", "as the settlement says") if value == UNSAID else value


def example(rules: Ruleset) -> CountExample | None:
    """Count the example with the referee, so that it agrees with a verdict.

    None if nothing is counted.
    """
    if rules.matching is not Matching.PIPS:
        return None
    for tiles, ends in EXAMPLES:
        try:
            found = answer(Question(rules=rules, ends=read_ends(ends), seats=rules.seats[0]))
        except QuestionError:  # open ends that these rules never leave
            continue
        return CountExample(tiles, " + ".join(map(str, found.terms)), found.count, found.worth)
    return None


def joins(rules: Ruleset) -> JoinExample | None:
    """Show which tiles join, from the tile set; None if pips match pips."""
    if not isinstance(rules.tiles, MarkedSet):
        return None
    tiles = rules.tiles
    start = tiles.tiles[tiles.starters[0]]
    end = tiles.markings[start.high]
    others = [one for tile in tiles.tiles if not tile.double for one in (tile, tiles.turned(tile))]
    told = (
        (pgettext("rule", "the same colour"), lambda half: half.colour == end.colour and half.kind != end.kind),
        (pgettext("rule", "the same kind"), lambda half: half.kind == end.kind and half.colour != end.colour),
        (pgettext("rule", "a wild half"), lambda half: half.kind in WILD),
    )
    found = [(next(one.name for one in others if fits(tiles.markings[one.high])), why) for why, fits in told]
    return JoinExample(start.name, found)
