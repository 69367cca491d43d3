"""Fixture check: whether a log belongs to a fixture.

Reads, never writes. Each refusal has its own code and sentence. A log with a syntax error passes as long as its
readable tags do not contradict the fixture.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.errors import OptionError
from games.notation.reading import NotationError, loads
from games.ruleset import Ruleset
from games.rulesets import KEYS, get
from league.accounts.models import Role, User
from league.accounts.permissions import OFFICIALS, Asker
from league.errors import Refused
from league.matches.annotated_log import in_words
from league.matches.log_text import Header, decode, read_header, same_name, without_names
from league.matches.models import Game, Match, Side
from league.matches.rules import option_text
from league.matches.visibility import visible_matches
from league.players.models import PEOPLE, Player, together
from league.prepared_statements import FixedSelect, Given


@dataclass(frozen=True, slots=True)
class Seated:
    """A possible player for side `number`: its player, or a partner of its pair.

    `also`: the pair's name and code, which mean the partner with the turn.
    """

    number: int
    name: str
    code: str
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Accepted:
    """A log that may be stored: its sealed text, and the side of each seat.

    `partners`: for each pair the code of the partner in the seat, by number of the side.
    """

    sealed: str
    seats: Mapping[str, int]
    partners: Mapping[str, str]


def accept(game: Game, raw: bytes, user: Asker) -> Accepted:
    """Return the log as it will be kept. Raises Refused.

    At most four statements, none of which writes.
    """
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
    sides = SIDES.models(match=game.match_id)
    people = [one for side in sides for one in who_may_sit(side, game.number)]
    seats = check_seats(people, header, readable=readable)
    played = sitting(people, header)
    pairs = {side.number for side in sides if side.entrant.is_pair}
    partners = {str(one.number): one.code for one in played.values() if one.number in pairs}
    return Accepted(seal(text, header, people, played, game.match.league_id), seats, partners)


SIDES = FixedSelect(lambda: Side.objects.filter(match=Given("match")).select_related(*PEOPLE).order_by("number"))


def who_may_sit(side: Side, game: int) -> list[Seated]:
    """Return the player of a side, or both partners of a pair.

    Either partner may sit in game `game`, whatever the turn: the log shows if they changed.
    """
    entrant, turn = side.entrant, side.player_of(game)
    both = (entrant.full_name, entrant.code) if entrant.is_pair else ()
    return [Seated(side.number, player.name, player.code, both if player == turn else ()) for player in entrant.players]


def is_readable(text: str) -> bool:
    try:
        loads(text)
    except NotationError:
        return False
    return True


def check_game(game: Game, header: Header, user: Asker) -> None:
    """Check the game code of the log. Raises Refused `another-game`.

    The players of the other game are named only if the user may see it.
    """
    named = header.tags.get("Game", "").strip()
    if not named or named.upper() == game.code:
        return
    other = Game.objects.filter(match__in=visible_matches(user), code=named.upper()).first()
    sides = other.match.sides.select_related(*PEOPLE) if other else []
    players = " – ".join(str(side.entrant) for side in sides)
    raise Refused(
        "another-game",
        _("This log says that it is of game %(named)s; this is game %(code)s."),
        named=f"{named} ({players})" if players else named,
        code=game.code,
    )


def check_ruleset(match: Match, header: Header) -> None:
    """Check the ruleset.

    Raises Refused `unknown-ruleset`, `wrong-ruleset`, `wrong-options`.
    """
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
    """Compare the options; an option written with its default value is no difference."""
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
    """Return seat letter → number of the side, as `{"A": 2, "B": 1}`.

    Seats are found by code or name of a player who may sit for the side. Raises Refused `no-seats`, `wrong-seats`. In
    an unreadable log, readable seats are compared and the others left open.
    """
    fixture = list(sides)
    if readable and not header.seats:
        raise Refused(
            "no-seats",
            _('The log does not say who sits where. It needs the tags [Seat.A "…"] and [Seat.B "…"].'),
        )
    seats = {letter: one.number for letter, one in sitting(fixture, header).items()}
    names: dict[int, list[str]] = {}
    for one in fixture:
        names.setdefault(one.number, []).append(one.name or one.code)
    if len(seats) < len(header.seats) or (readable and len(seats) < len(names)):
        raise Refused(
            "wrong-seats",
            _("The log is of %(written)s; this match is between %(fixture)s."),
            written=" – ".join(header.seats.values()),
            fixture=" – ".join(map(together, names.values())),
        )
    return seats


def sitting(people: Iterable[Seated], header: Header) -> dict[str, Seated]:
    """Return seat letter → player, without the seats whose tags leave the player open."""
    found: dict[str, Seated] = {}
    for letter, value in sorted(header.seats.items()):
        taken = {one.number for one in found.values()}
        fitting = [one for one in people if one.number not in taken and sits_as(one, value)]
        # Partners of one name are one side: the turn decides which of them plays.
        fitting.sort(key=lambda one: (one.code != value.strip().upper(), not one.also))
        sides = {one.number for one in fitting}
        if fitting and (len(sides) == 1 or fitting[0].code == value.strip().upper()):
            found[letter] = fitting[0]
    return found


def sits_as(one: Seated, value: str) -> bool:
    return value.strip().upper() == one.code or any(
        name and same_name(value) == same_name(name) for name in (one.name, *one.also)
    )


def seal(text: str, header: Header, sides: list[Seated], seats: Mapping[str, Seated], league_id: int) -> str:
    """Return the text with codes for names.

    Seats get their players' codes; referee and annotator that of an official or player of the league. The names of
    these people become codes in the rest of the text as well. A referee whose name the league does not know is left
    out: a name that cannot be erased has no place in a proof.
    """
    people = {f"Seat.{letter}": one.code for letter, one in seats.items()}
    codes = {side.name: side.code for side in sides if side.name}
    for tag in ("Referee", "Annotator"):
        if written := header.tags.get(tag, "").strip():
            people[tag] = referee_code(league_id, written)
            if people[tag]:
                codes.setdefault(written, people[tag])
    sealed = without_names(text, lambda tag: people.get(tag, ""), codes)
    # A code can be longer than a name: if a text becomes too long by it, its remarks are kept as written.
    if is_readable(text) and not is_readable(sealed):
        return without_names(text, lambda tag: people.get(tag, ""), {})
    return sealed


def referee_code(league_id: int, written: str) -> str:
    """Return the code of the only official of the league with this name or code.

    Without an official, that of the only such player; empty if there is none.
    """
    officials = User.objects.filter(
        roles__league=league_id, roles__kind__in=[*OFFICIALS, Role.Kind.DESK_HELPER]
    ).distinct()
    found = [user.code for user in officials if answers_to(written, str(user), user.username, user.code)]
    if not found:
        players = Player.objects.filter(entrants__league=league_id).distinct()
        found = [player.code for player in players if answers_to(written, player.name, player.code)]
    return found[0] if len(found) == 1 else ""


def answers_to(written: str, *names: str) -> bool:
    return any(name and same_name(written) == same_name(name) for name in names)
