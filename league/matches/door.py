"""Whether a log is the log of this fixture: each refusal has its own code and sentence, and nothing is stored.

Reads, never writes. A log with a syntax error passes as long as the tags that can be read do not contradict the
fixture.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.errors import OptionError
from games.notation import NotationError, loads
from games.ruleset import Ruleset
from games.rulesets import KEYS, get
from league.accounts.models import Role, User
from league.accounts.permissions import OFFICIALS, Asker
from league.errors import Refused
from league.matches.agreed import option_text
from league.matches.envelope import Header, decode, read_header, same_name, without_names
from league.matches.models import Game, Match
from league.matches.sheet import in_words
from league.matches.visible import visible_matches
from league.players.models import Player


@dataclass(frozen=True, slots=True)
class Seated:
    """One side of the fixture as the door needs it."""

    number: int
    name: str
    code: str


@dataclass(frozen=True, slots=True)
class Accepted:
    """A log that may be stored: its text as it is sealed, and which side sits where."""

    sealed: str
    seats: Mapping[str, int]


def accept(game: Game, raw: bytes, user: Asker) -> Accepted:
    """The log as it will be kept. Raises Refused; four statements at most, and none that writes."""
    text = decode(raw)
    header = read_header(text)
    if header.games > 1:
        raise Refused(
            "several-games",
            _("The file holds %(games)d games. Hand in one game at a time."),
            games=header.games,
        )
    readable = is_readable(text)
    check_ruleset(game.match, header)
    check_game(game, header, user)
    sides = [
        Seated(side.number, side.entrant.player.name, side.entrant.player.code)
        for side in game.match.sides.select_related("entrant__player")
    ]
    seats = check_seats(sides, header, readable=readable)
    return Accepted(seal(text, header, sides, seats, game.match.league_id), seats)


def is_readable(text: str) -> bool:
    try:
        loads(text)
    except NotationError:
        return False
    return True


def check_game(game: Game, header: Header, user: Asker) -> None:
    """`another-game`: the log names another game by its code. Who plays it is said to those who may know of it."""
    named = header.tags.get("Game", "").strip()
    if not named or named.upper() == game.code:
        return
    other = Game.objects.filter(match__in=visible_matches(user), code=named.upper()).first()
    sides = other.match.sides.select_related("entrant__player") if other else []
    players = " – ".join(str(side.entrant.player) for side in sides)
    raise Refused(
        "another-game",
        _("This log says that it is of game %(named)s; this is game %(code)s."),
        named=f"{named} ({players})" if players else named,
        code=game.code,
    )


def check_ruleset(match: Match, header: Header) -> None:
    """`unknown-ruleset`, `wrong-ruleset`, `wrong-options`."""
    key = header.tags.get("Ruleset")
    if key is None:
        return
    if key not in KEYS:
        raise Refused(
            "unknown-ruleset",
            _("No ruleset is called “%(ruleset)s”. Known: %(known)s."),
            ruleset=key,
            known=", ".join(KEYS),
        )
    if key != match.ruleset:
        raise Refused(
            "wrong-ruleset",
            _("The log is of a game of “%(written)s”; this match is played as “%(ruleset)s”."),
            written=key,
            ruleset=match.ruleset,
        )
    check_options(get(key), match.options, header.options)


def check_options(rules: Ruleset, agreed: Mapping[str, object], written: Mapping[str, str]) -> None:
    """An option that is spelled out with the value it has anyway is no difference."""
    fixture = with_options(rules, {key: option_text(value) for key, value in agreed.items()})
    log = with_options(rules, written)
    if replace(log, overrides={}) == replace(fixture, overrides={}):
        return
    different = sorted(key for key in {*agreed, *written} if getattr(log, key) != getattr(fixture, key))
    facts = [
        gettext("%(option)s %(written)s instead of %(agreed)s")
        % {
            "option": key,
            "written": option_text(getattr(log, key)),
            "agreed": option_text(getattr(fixture, key)),
        }
        for key in different
    ]
    raise Refused(
        "wrong-options",
        _("The log is played with other options than this match: %(options)s."),
        options=", ".join(facts),
    )


def with_options(rules: Ruleset, options: Mapping[str, str]) -> Ruleset:
    try:
        return rules.with_options(options)
    except OptionError as error:
        raise Refused(
            "wrong-options",
            _("The log has an option that does not fit: %(error)s."),
            error=in_words(error.template, error.facts),
        ) from None


def check_seats(sides: Iterable[Seated], header: Header, *, readable: bool) -> dict[str, int]:
    """`{"A": 2, "B": 1}`: seat letter → number of the side, found by player code or by name. `no-seats`,
    `wrong-seats`.

    Of a log that cannot be read, the seats that can be are compared and the others are left open.
    """
    fixture = list(sides)
    if readable and not header.seats:
        raise Refused(
            "no-seats",
            _('The log does not say who sits where. It needs the tags [Seat.A "…"] and [Seat.B "…"].'),
        )
    seats: dict[str, int] = {}
    for letter, value in sorted(header.seats.items()):
        found = [side for side in fixture if sits_as(side, value) and side.number not in seats.values()]
        if found and (len(found) == 1 or found[0].code == value.strip().upper()):
            seats[letter] = found[0].number
    if len(seats) < len(header.seats) or (readable and len(seats) < len(fixture)):
        raise Refused(
            "wrong-seats",
            _("The log is of %(written)s; this match is between %(fixture)s."),
            written=" – ".join(header.seats.values()),
            fixture=" – ".join(side.name or side.code for side in fixture),
        )
    return seats


def sits_as(side: Seated, value: str) -> bool:
    return value.strip().upper() == side.code or bool(side.name and same_name(value) == same_name(side.name))


def seal(text: str, header: Header, sides: list[Seated], seats: Mapping[str, int], league_id: int) -> str:
    """The text with codes for names: the players' in seats, an official's or a player's of the league for the
    referee and the annotator; and the names of these people by their codes wherever else they stand.

    A referee whom the league does not know by that name is left out: a name nobody can erase has no place in a proof.
    """
    of_side = {side.number: side.code for side in sides}
    people = {f"Seat.{letter}": of_side[number] for letter, number in seats.items()}
    codes = {side.name: side.code for side in sides if side.name}
    for tag in ("Referee", "Annotator"):
        if written := header.tags.get(tag, "").strip():
            people[tag] = referee_code(league_id, written)
            if people[tag]:
                codes.setdefault(written, people[tag])
    sealed = without_names(text, lambda tag: people.get(tag, ""), codes)
    # A code can be longer than a name: a text that passes a limit by it keeps its remarks as they were written.
    if is_readable(text) and not is_readable(sealed):
        return without_names(text, lambda tag: people.get(tag, ""), {})
    return sealed


def referee_code(league_id: int, written: str) -> str:
    """The code of the one official of the league, else of the one player, whose name or code this is; empty if there
    is none.
    """
    officials = User.objects.filter(
        roles__league=league_id, roles__kind__in=[*OFFICIALS, Role.Kind.DESK_HELPER]
    ).distinct()
    found = [user.code for user in officials if answers_to(written, str(user), user.username, user.code)]
    if not found:
        players = Player.objects.filter(entrants__league=league_id)
        found = [player.code for player in players if answers_to(written, player.name, player.code)]
    return found[0] if len(found) == 1 else ""


def answers_to(written: str, *names: str) -> bool:
    return any(name and same_name(written) == same_name(name) for name in names)
