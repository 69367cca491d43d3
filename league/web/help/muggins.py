"""Muggins check: settle a muggins call after the fact.

The whole question is in the address, so that the answer can be cited.
"""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.layout import Layout
from games.moves import SEATS
from games.ruleset import Ruleset
from games.tile import Tile
from games.tiles import DOUBLE_SIX
from games.wording.rulebook import articles
from league.web.help import muggins_answer
from league.web.help.muggins_form import AskForm
from league.web.words.rules import rule_text
from referee.questions.open_ends import Joined, QuestionError, layout_of
from referee.questions.question import Answer, Owner, Question

# Four rows of seven, as on every score pad: highest halves first (SCREENS.md B-8).
KEYPAD = (
    "6-6 6-5 6-4 6-3 6-2 6-1 6-0",
    "5-5 5-4 5-3 5-2 5-1 5-0 0-0",
    "4-4 4-3 4-2 4-1 4-0 1-1 1-0",
    "3-3 3-2 3-1 3-0 2-2 2-1 2-0",
)
TONES = {
    Owner.SCORER: ("check", "good"),
    Owner.CALLER: ("check", "good"),
    Owner.SHARED: ("check", "good"),
    Owner.NEXT_PLAYER: ("amended", "warm"),
    Owner.OPEN: ("clock", "cool"),
    Owner.NOBODY: ("remove", "warm"),
}


@dataclass(frozen=True, slots=True)
class Key:
    """A tile of the keypad; `href` plays it, empty if it does not fit."""

    tile: str
    href: str
    played: bool


@dataclass(frozen=True, slots=True)
class TappedTable:
    """The tiles on the table and the next taps; `joins`: places for the tile `picked`."""

    tiles: tuple[Joined, ...]
    keys: list[Key]
    picked: str
    joins: list[Key]
    undo: str
    total: str
    error: str = ""


@dataclass(frozen=True, slots=True)
class AnswerView:
    """The answer in words."""

    sum: str
    count: int
    worth: int
    icon: str
    tone: str
    sentence: str
    further: list[str]
    calls: list[tuple[str, bool, str]]
    warnings: list[str]
    rules: list[dict[str, str]]
    record: str


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    asked = "asked" in request.GET
    form = AskForm(request.GET) if asked else AskForm(initial=_initial(request.GET))
    good = form.is_valid() if asked else True
    rules = _rules(request.GET)
    by_board = request.GET.get("by") == "board"
    context = {
        "form": form,
        "by_board": by_board,
        "board": _board(request.GET, rules) if by_board else None,
        "answer": _answer_view(form.question, form.found) if form.question and form.found else None,
        "rules": rules,
        "articles": [_cited(one) for one in articles(rules)],
        "to_board": _address(request.GET, by="board"),
        "to_ends": _address(request.GET, by="", board=""),
        "area": "ask",
    }
    return render(request, "help/muggins.html", context, status=200 if good else 422)


def _initial(query: QueryDict) -> dict[str, str]:
    return {"c1": "B", "c1_when": "after-next", "ruleset": "udl"} | query.dict()


def _rules(query: QueryDict) -> Ruleset:
    """Return the rules asked about; an invalid option is ignored."""
    key = query.get("ruleset", "")
    options = {"spinner": query["spinner"]} if query.get("spinner") else {}
    try:
        return muggins_answer.rules_of(key if key in muggins_answer.SYSTEMS else "udl", options)
    except QuestionError:
        return muggins_answer.rules_of(key if key in muggins_answer.SYSTEMS else "udl", {})


def _address(query: QueryDict, **changes: str) -> str:
    """Return the address of the same question with these changes, without asking it."""
    told = {name: value for name, value in query.items() if value and name not in ("asked", "pick")} | changes
    made = QueryDict(mutable=True)
    made.update({name: value for name, value in told.items() if value})
    return f"?{made.urlencode(safe='@')}#ends"


def _cited(article: object) -> dict[str, str]:
    return {"rule": article.id, "rule_number": article.number, "rule_text": rule_text(article)}


def _answer_view(question: Question, found: Answer) -> AnswerView:
    icon, tone = TONES[found.owner]
    return AnswerView(
        sum=" + ".join(map(str, found.terms)),
        count=found.count,
        worth=found.worth,
        icon=icon,
        tone=tone,
        sentence=muggins_answer.verdict_sentence(question, found),
        further=muggins_answer.further_sentences(question, found),
        calls=[(SEATS[call.seat], call.upheld, muggins_answer.call_sentence(question, call)) for call in found.calls],
        warnings=[muggins_answer.warning_sentence(question, one) for one in found.warnings],
        rules=[_cited(one) for one in found.rules],
        record=found.notation,
    )


# ---- board by taps: every key is a link, and the address holds the table


def _board(query: QueryDict, rules: Ruleset) -> TappedTable:
    try:
        tiles = muggins_answer.board_of(query.get("board", ""))
        layout = layout_of(tiles, rules.spinner)
    except QuestionError as error:
        empty = Layout(DOUBLE_SIX, rules.spinner)
        return TappedTable((), _keys(query, (), empty), "", [], "", "", muggins_answer.refusal(error))
    picked = _picked(query, layout)
    return TappedTable(
        tiles=tiles,
        keys=_keys(query, tiles, layout),
        picked=picked.name if picked else "",
        joins=_joins(query, tiles, layout, picked) if picked else [],
        undo=_address(query, by="board", board=muggins_answer.write_board(tiles[:-1])) if tiles else "",
        total=" + ".join(map(str, layout.terms())),
    )


def _picked(query: QueryDict, layout: Layout) -> Tile | None:
    """Return the tile that waits for the choice of its place, if it fits in several."""
    name = query.get("pick", "")
    tile = DOUBLE_SIX.read(name)
    return (
        tile if tile.index >= 0 and layout.order and layout.places(tile.index) and not layout.table & tile.bit else None
    )


def _keys(query: QueryDict, tiles: tuple[Joined, ...], layout: Layout) -> list[Key]:
    fitting = layout.fitting() & ~layout.table
    keys = []
    for name in " ".join(KEYPAD).split():
        tile = DOUBLE_SIX.tile(name)
        fits = fitting & tile.bit
        href = _put(query, tiles, layout, tile) if fits else ""
        keys.append(Key(name, href, bool(layout.table & tile.bit)))
    return keys


def _put(query: QueryDict, tiles: tuple[Joined, ...], layout: Layout, tile: Tile) -> str:
    """Return the target of a tap on the tile: the table, or the choice of its place."""
    places = list(DOUBLE_SIX.in_mask(layout.places(tile.index))) if tiles else []
    if len(places) > 1:
        return _address(query, by="board", pick=tile.name)
    return _address(
        query, by="board", board=muggins_answer.write_board((*tiles, Joined(tile, places[0] if places else None)))
    )


def _joins(query: QueryDict, tiles: tuple[Joined, ...], layout: Layout, tile: Tile) -> list[Key]:
    return [
        Key(
            on.name,
            _address(query, by="board", board=muggins_answer.write_board((*tiles, Joined(tile, on)))),
            played=True,
        )
        for on in DOUBLE_SIX.in_mask(layout.places(tile.index))
    ]
