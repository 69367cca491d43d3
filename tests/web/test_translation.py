"""Every word that people read goes through gettext, or is somebody's own."""

import re
from collections.abc import Iterator

import pytest
from babel.messages.pofile import read_po
from django.conf import settings
from django.utils import translation
from django.utils.dates import MONTHS_3

from games.rulesets import RULESETS
from league.accounts.founding import time_zones
from league.api.docs.schema import description
from league.disputes.models import Dispute
from league.management.commands.catalogues import folder
from league.matches.models import Game, Match
from league.play.table import COMPANY
from league.players.models import Entrant, Player
from league.rehearsals.clone import NAMES as INVENTED
from league.web.competitions import standings_rows
from league.web.components import kept, match_row, tiles
from league.web.matches import replay
from tests.browser.call_places import NAMES as CALL_NAMES
from tests.browser.organize_places import SIGNED_UP
from tests.browser.places import Spot, furnish
from tests.web.world import World

# What is data and not speech: names of people and things, codes, the ruleset's name, what the referee wrote, and the
# languages, each in its own words.
OWN = [
    "&amp;",  # between partners, in every language
    "English",
    "español",
    # Places, as the time zones are called everywhere.
    *sorted((zone.replace("_", " ") for zone in time_zones()), key=len, reverse=True),
    "Tables of Spring",
    "Ladder of Spring",
    "Uno Evening",
    "Pia Moss",
    "Ana Ruiz",
    *SIGNED_UP,
    "Comes by bus, at seven at the earliest",
    "Players of Mill Street",
    "Pocket Cup",
    "Drawn Again Cup",
    "Reopened Cup",
    "Running Cup",
    "Cancelled Cup",
    "The hall is flooded",
    "Dispatched Cup",
    "Referee Cup",
    *CALL_NAMES,
    *(f"Guest Nr. {number}" for number in range(6)),
    "Winter Circuit",
    *(f"Circuit Evening {number}" for number in range(1, 6)),
    "Fair Play Robin",
    "Wrong player",
    "Fair play",
    "Came to the table after the second call",
    "Pier 3",
    "Olga at the bar, Thursdays from seven",
    "club@example.org",
    "https://example.org/dominoes",
    "We meet at the pier",
    "We meet at the bar",
    "From March on.",
    "The bar opens at six.",
    "Round 3 begins at eight",
    "The hall is taken until then.",
    "No play on Friday",
    "The hall is closed.",
    "It is open after all",
    # What people wrote in a case, and the rules by their ids.
    "I said five while the tile was still in my hand, and the people at the next table heard it.",
    "I said it in time.",
    "The referee did not ask the next table.",
    "The call came after the next tile, so it was too late",
    "The call was in time: nobody had played on",
    "udl.score, udl.announce, udl.muggins",
    # Reasons of a review, as people wrote them.
    "I had five more: 4-1 on the open end of the second hand.",
    "Both cards say 150–95.",
    "Mill Street",
    "una@example.org",
    "Open Cup",
    "Guests Cup",
    "Bo Chen",
    "Cleo Diaz",
    "Harbour",
    "Autumn Round Robin",
    "Friendly online",
    "Friday Cup",
    "Club Night",
    "Winter Season",
    "Club Draft",
    "Amended Cup",
    "Zoe New",
    "Pia Ros",
    "Rui Lund",
    "Eda Wyn",
    "Ivo Karr",
    "Night of Two",
    "Drew from the boneyard although a tile in hand could have been played, and did so twice",
    "José Peña",
    "Lía Soto",
    "Season of 2025",
    "goes home",
    "lent the tables",
    "Saturday Cup",
    "Sunday Cup",
    "Monday Cup",
    *(f"{name} {number}" for number, name in enumerate(INVENTED[:8], start=1)),
    "Cup",
    *(f"Guest of the Evening {number}" for number in range(4)),
    *(f"Guest of the Season {number}" for number in range(8)),
    "Season One",
    "Season Two",
    "Season Three",
    "Upper House",
    "Lower House",
    *(f"Guest {number}" for number in range(9)),
    *(rules.name for rules in RULESETS.values()),
    *COMPANY[1:],
    "alice",
    "bob",
    "ref",
    "charlie",
    "owner",
    "Two Lives",
    "Hillside",
    "Hill",
    "Dee Fox",
    "Anna Ruiz",
    "New Name",
    "Cléo Diaz",
    "testserver",
    "@example.org",
]


# Headings of the tables that somebody pasted, which pages show as they came.
PASTED = {
    "past season refused": ["Fecha", "Jornada", "Jugador 1", "Jugador 2", "Tanteo"],
    "import of a cross-table": ["Liga", "Invierno", "Nr", "Jugador", "Ana Ruíz"],
    "players from a table": ["Rank", "Participant", "Match W-L-T"],
    "bracket on paper": ["Letter"],  # the size of American paper
    "following": ["player:NOBODY"],
    "search without a find": ["zzz"],
    # Names of players without an account.
    "online game, getting ready": ["Ana", "Bo"],
    "online game, watched": ["Ana", "Bo"],
    "online game of Uno Dominoes": ["Ana", "Bo", "Cy", "Di", "DE", "WD4"],
    # As it is written in a log.
    "rules of Uno Dominoes": ["WD4-b1"],
    "match of Uno Dominoes": ["DE"],
    "practice of Uno Dominoes, a wild in hand": ["DE", "WD4"],
    "practice of Uno Dominoes, time to catch": ["DE", "WD4"],
    "practice of Uno Dominoes, four to draw": ["DE", "WD4"],
}


@pytest.fixture
def english(monkeypatch) -> Iterator[set[str]]:
    """Mark every text of gettext, and collect those without a Spanish translation."""
    same, found = same_in_spanish(), set()
    forget_what_is_made_once_a_language()
    for name in ("gettext", "pgettext", "ngettext", "npgettext"):
        real = getattr(translation._trans, name)

        def marked(*given, real=real) -> str:
            said = real(*given)
            # A translated text may be translated again with its marks.
            speaks = re.search(r"[^\W\d_]{2,}", re.sub(r"%\(\w+\)s", "", said)) and "‹" not in said
            if speaks and translation.get_language() == "es" and said in given and said not in same:
                found.add(said)
            return f"‹{said}›"

        monkeypatch.setattr(translation._trans, name, marked)
    yield found
    forget_what_is_made_once_a_language()


def same_in_spanish() -> set[str]:
    """Texts that are the same in both languages."""
    with (folder("es") / "django.po").open("rb") as file:
        messages = [one for one in read_po(file, locale="es") if one.id]
    pairs = [(one.id, one.string) if isinstance(one.id, str) else (one.id[0], one.string[0]) for one in messages]
    with translation.override("en"):
        months = {str(one) for one in MONTHS_3.values()}  # Django's own
    return months | {said for said, string in pairs if said == string}


def forget_what_is_made_once_a_language() -> None:
    """The API's description of itself, and pieces of what pages repeat."""
    modules = (match_row, standings_rows, tiles, kept, replay)
    for made in (description, *(one for module in modules for one in vars(module).values())):
        getattr(made, "cache_clear", list)()


def unmarked(html: str, own: list[str]) -> list[str]:
    """Pieces with letters that stand outside the marks: of the text, and of attributes that are read out."""
    html = re.sub(r"<(script|style|code|pre|textarea)\b.*?</\1>", "", html, flags=re.DOTALL)
    read = re.findall(r'(?:title|aria-label|placeholder|alt|data-said)="([^"]*)"', html)
    # Marks may have tags between them, so tags go first.
    rest = "|".join([*read, re.sub(r"<[^>]+>", "|", html)])
    while (less := re.sub(r"‹[^‹›]*›", " ", rest)) != rest:
        rest = less
    rest = re.sub(r"\bde\b", " ", rest)  # of a Spanish date
    rest = re.sub(r"https?://testserver/[^\s|]*", " ", rest)  # addresses as they are printed
    for word in sorted(own, key=len, reverse=True):
        rest = rest.replace(word, " ")
    return [piece.strip() for piece in rest.split("|") if re.search(r"[^\W\d_]{2,}", piece)]


@pytest.mark.slow("every page")
def test_no_page_in_spanish_speaks_english(world: World, browse, english: set[str]) -> None:
    from tests.web import world as small

    spots = furnish(world)
    codes = [game.code for game in Game.objects.all()]
    codes += Player.objects.values_list("code", flat=True)
    codes += [code for match in Match.objects.all() for code in (match.door, *re.findall("....", match.door))]
    codes += Entrant.objects.values_list("door", flat=True)
    codes += Dispute.objects.values_list("code", flat=True)
    own = ["http://testserver/", *OWN, *codes, small.CORRECTION["message"].capitalize(), small.CORRECTION["message"]]
    own += ["Line 4, column 12: expected a tile, found &#x27;ten&#x27;"]
    found = {}
    for spot in spots:
        english.clear()
        html = page_of(spot, world, browse)
        left = unmarked(html, [*own, *PASTED.get(spot.name, ())])
        # The message of the reader of the notation is English, like the notation.
        left = [word for word in left if not word.startswith(("Line ", "line "))]
        if left or english:
            found[spot.name] = [*left, *english]
    assert found == {}


def page_of(spot: Spot, world: World, browse) -> str:
    client = browse(getattr(world, spot.user) if spot.user else None)
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "es"
    answer = client.post(spot.path, {"text": spot.text}) if spot.text else client.get(spot.path)
    return answer.content.decode()


def test_a_word_that_escapes_is_found(english: set[str]) -> None:
    """The control."""
    with translation.override("es"):
        translation.gettext("In 5 % of the hands")
    assert english == {"In 5 % of the hands"}
    assert unmarked('<p title="Rank">‹Wins ‹of› Ana Ruiz› Ana Ruiz lost</p>', OWN) == ["Rank", "lost"]
