"""The rules of a system in words, written from its data: what the engine does is what the page says.

An article is one rule with the id that findings cite. Its sentences follow the axes of the ruleset, options included,
so a house rule changes the page by itself. A sentence is a template and its facts, never a finished text: a page
translates the template and fills the facts in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import NamedTuple

from games.ruleset import (
    OPTIONS,
    Announce,
    BellMode,
    BlockedBy,
    BlockTie,
    Deadlock,
    EndCheck,
    Lead,
    Matching,
    Muggins,
    NoDouble,
    Overclaim,
    ReverseOfTwo,
    Ruleset,
    Scope,
    Settlement,
    Spinner,
    StartTie,
    Tie,
    TileOrder,
)
from games.settlement import bonus_divisor, is_rounded


class Sentence(NamedTuple):
    """One sentence: ``template % facts``."""

    template: str
    facts: Mapping[str, object] = {}

    @property
    def text(self) -> str:
        """The sentence in English."""
        return self.template % self.facts


class Article(NamedTuple):
    """One rule: its id, its number in RULES.md, and what it says."""

    id: str
    number: str
    sentences: tuple[Sentence, ...]

    @property
    def text(self) -> str:
        """The rule in English."""
        return " ".join(sentence.text for sentence in self.sentences)


class Setting(NamedTuple):
    """One option: its key, its value as a log's header writes it, the values allowed, whether it is a house rule."""

    key: str
    value: str
    allowed: str
    overridden: bool


def article(rules: Ruleset, slug: str) -> Article:
    """The rule ``slug`` as it is under these options. Raises ``KeyError`` for a rule that the system does not have.

    >>> from games.rulesets import get
    >>> article(get("udl").with_options({"target": "100"}), "target").text
    'The first player with 100 points wins at once, also in mid-round.'
    """
    rule = rules.rules[slug]
    write = _WRITERS[rules.matching].get(slug)
    sentences = write(rules) if write is not None else (Sentence(rule.text),)
    return Article(rules.rule_id(slug), rule.number, sentences)


def articles(rules: Ruleset) -> tuple[Article, ...]:
    """Every rule that is in force under these options, in the order of the ruleset."""
    written = (article(rules, slug) for slug in rules.rules)
    return tuple(one for one in written if one.sentences)


def settings(rules: Ruleset) -> tuple[Setting, ...]:
    """Every option with its value, in the order of their keys."""
    return tuple(
        Setting(key, _written(getattr(rules, key)), OPTIONS[key].allowed, key in rules.overrides)
        for key in sorted(rules.option_keys)
    )


def _written(value: object) -> str:
    """A value as the header of a log writes it (NOTATION.md 7.16)."""
    if value is None:
        return "as the settlement says"
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return "-".join(map(str, value))
    if isinstance(value, Mapping):
        sizes = dict.fromkeys(value.values())
        return "/".join(map(str, sizes if len(sizes) == 1 else value.values()))
    return str(value)


# ---- what each rule says

_Sentences = tuple[Sentence, ...]
_NONE: _Sentences = ()


def _say(template: str, **facts: object) -> _Sentences:
    return (Sentence(template, facts),)


def _set(rules: Ruleset) -> _Sentences:
    tiles = rules.tiles
    return _say("The game is played with the %(name)s set of %(tiles)s tiles.", name=tiles.name, tiles=len(tiles.tiles))


def _hand(rules: Ruleset) -> _Sentences:
    total = len(rules.tiles.tiles)
    low, high = rules.seats
    return tuple(
        Sentence(
            "With %(seats)s players each draws %(hand)s tiles, and %(left)s stay in the boneyard.",
            {"seats": seats, "hand": rules.hand_size(seats), "left": total - seats * rules.hand_size(seats)},
        )
        for seats in range(low, high + 1)
    )


def _lead(rules: Ruleset) -> _Sentences:
    if rules.lead_first is Lead.LOT:
        return _say("The first lead is drawn by lot: the highest tile leads, with any tile.") + _order(rules)
    if not rules.lead_forced:
        return _say("The holder of the highest double leads the first round, with any tile.")
    return _say("The holder of the highest double leads it in the first round.") + _no_double(rules)


def _no_double(rules: Ruleset) -> _Sentences:
    if rules.no_double is NoDouble.DRAW_UNTIL:
        return _say(
            "Where nobody holds a double, one tile each is drawn in seat order until a double comes, which is led."
        )
    return _say("Where nobody holds a double, the highest tile is led.") + _order(rules)


def _order(rules: Ruleset) -> _Sentences:
    if rules.highest_tile is TileOrder.PIPS:
        return _say("Tiles rank by their pips, then by their higher half.")
    return _say("Tiles rank by their higher half, then by their lower half.")


def _lead_later(rules: Ruleset) -> _Sentences:
    later = {
        Lead.DOMINOER_ANY: "The player that dominoed leads the next round with any tile.",
        Lead.WINNER_ANY: "The winner of a round leads the next one with any tile.",
        Lead.HIGHEST_DOUBLE: "Later rounds are led like the first one, by the highest double.",
    }
    blocked = {
        Lead.HIGHEST_DOUBLE: "After a blocked round the highest double leads.",
        Lead.WINNER_ANY: "After a blocked round its winner leads; without a winner the lead is drawn by lot.",
        Lead.LOT: "After a blocked round the lead is drawn by lot.",
    }
    return _say(later[rules.lead_later]) + _say(blocked[rules.lead_after_block])


def _match(rules: Ruleset) -> _Sentences:
    spinner = {
        Spinner.NONE: "A double is joined on its two sides only.",
        Spinner.FIRST: "The first double of a round is its spinner: once both its sides are covered, "
        "tiles are joined to its two ends too.",
        Spinner.ALL: "Every double is a spinner: once both its sides are covered, "
        "tiles are joined to its two ends too.",
    }
    return _say("A tile is joined to an open end with an equal half.") + _say(spinner[rules.spinner])


def _draw(rules: Ruleset) -> _Sentences:
    must = _say("A player who can't play draws until a tile can be played or the boneyard is empty.")
    if rules.voluntary_draw:
        return must + _say("A player may also draw by choice, any number of tiles in the own turn.")
    return must + _say("Nobody draws by choice.")


def _drawn(rules: Ruleset) -> _Sentences:
    if rules.must_play_drawn:
        return _say("A drawn tile that can be played must be played.")
    return _say("A player who drew a tile that can be played may go on drawing.")


def _boneyard(rules: Ruleset) -> _Sentences:
    if rules.boneyard_reserve:
        return _say("Of the boneyard %(left)s are never drawn.", left=rules.boneyard_reserve)
    return _say("The boneyard is drawn to the last tile.")


def _pass(_: Ruleset) -> _Sentences:
    return _say("A player passes only with no playable tile and no tile to draw.")


_COUNTED = {
    Settlement.OPP_R5: "the pips of all other hands",
    Settlement.ALL_R5_DIV5: "the pips of all hands",
    Settlement.ALL: "the pips of all hands",
    Settlement.OPP: "the pips of all other hands",
    Settlement.DIFF: "the pips of all other hands less the own ones",
    Settlement.TILES_X5: "five points for each tile that another hand holds more",
}
_SCOPES = {Scope.ALL: "the pips of all hands", Scope.OPPONENTS: "the pips of all other hands"}


def _wins(rules: Ruleset, how: Settlement, *, blocked: bool) -> _Sentences:
    """What the winner of a round gets: whose pips, rounded how, divided by what."""
    counted = _COUNTED[how]
    scope = (blocked and rules.blocked_scope) or rules.bonus_scope
    if scope and how not in (Settlement.DIFF, Settlement.TILES_X5):
        counted = _SCOPES[scope]
    said = _say(f"The winner scores {counted}.")
    if how is not Settlement.TILES_X5:
        said += _rounding(rules, how)
    divisor = bonus_divisor(rules, how)
    return said if divisor == 1 else said + _say("That is divided by %(by)s, fractions dropped.", by=divisor)


def _rounding(rules: Ruleset, how: Settlement) -> _Sentences:
    if not is_rounded(rules, how):
        return _say("The sum is not rounded.")
    if rules.round_per_hand:
        return _say("Each hand is rounded to the nearest five by itself.")
    return _say("The sum is rounded to the nearest five.")


def _domino(rules: Ruleset) -> _Sentences:
    said = _say("Whoever plays the last tile of a hand wins the round.")
    return said + _wins(rules, rules.domino_points, blocked=False)


def _blocked(rules: Ruleset) -> _Sentences:
    if rules.blocked_by is BlockedBy.TILES:
        said = _say("When nobody can play or draw, the hand with the fewest tiles wins the round.")
    else:
        said = _say("When nobody can play or draw, the hand with the fewest pips wins the round.")
    said += _wins(rules, rules.blocked_points, blocked=True)
    if rules.block_tie is BlockTie.SPLIT:
        return said + _say("Equal lowest hands of three players or more share what the others have left.")
    return said + _say("Equal lowest hands: nobody scores.")


def _score(rules: Ruleset) -> _Sentences:
    said = _say("A play whose open ends add up to a multiple of five scores that sum.")
    said += _say("An open end counts its pips, a double with a free side both halves.")
    if rules.play_divisor == 1:
        return said
    return said + _say("Points in play are divided by %(by)s, fractions dropped.", by=rules.play_divisor)


def _target(rules: Ruleset) -> _Sentences:
    more = "more than " if rules.target_strict else ""
    if rules.end_check is EndCheck.IMMEDIATE:
        said = _say(f"The first player with {more}%(target)s points wins at once, also in mid-round.", **_of(rules))
    else:
        said = _say(
            f"When a round is settled and somebody has {more}%(target)s points, the highest score wins.", **_of(rules)
        ) + _say("Level at the top: another round.")
    return said + _say("No score is written above the target.") if rules.cap_at_target else said


def _of(rules: Ruleset) -> dict[str, object]:
    minutes, seconds = divmod(rules.clock_s, 60)
    return {
        "target": rules.target,
        "clock": f"{minutes}:{seconds:02d}",
        "grace": rules.announce_grace_s,
        "after": rules.post_bell_claim_s,
        "hold": rules.muggins_grace_s,
        "chips": rules.chips,
    }


def _bell(rules: Ruleset) -> _Sentences:
    if not rules.clock_s:
        return _NONE
    said = {
        BellMode.STOP: "At %(clock)s the bell stops play; a round that it cuts has no round-end points.",
        BellMode.TURN: "At %(clock)s the bell rings; the player to act finishes the turn, then play stops.",
        BellMode.ROUND: "At %(clock)s the bell rings; the round is played to its end and counts.",
    }
    return _say(said[rules.bell_mode] + " The player with the most points wins.", **_of(rules))


def _overtime(rules: Ruleset) -> _Sentences:
    if not rules.clock_s:
        return _NONE
    if rules.tie is Tie.REPLAY:
        return _say("Level scores at the bell: further rounds without a clock, until one is settled unequal.")
    return _say("Level scores at the bell: overtime without a clock, and the first points win.")


def _muggins(rules: Ruleset) -> _Sentences:
    if rules.muggins is Muggins.OFF:
        return _say("There is no muggins call.")
    said = _say("Points of a play that its player did not announce go to the opponent who calls muggins.")
    if rules.muggins is Muggins.BEFORE_NEXT:
        said += _say("The call is open from the release of the tile until the next play or pass.")
        if rules.muggins_grace_s:
            said += _say(
                "A call in the first %(hold)s seconds is held, and void if the player announces in that time.",
                **_of(rules),
            )
    else:
        said += _say("The call opens with the next play or pass and closes with the one after it.")
        said += _say("When hands are shown, the last play is open to a call until the round is settled.")
        if rules.clock_s:
            said += _say("After the bell there are %(after)s seconds for a call.", **_of(rules))
    if rules.next_action_counts_draw:
        said += _say("The first draw of a turn counts as its play does.")
    if rules.muggins_on_round_end:
        said += _say("Round-end points that the winner left out may be called too, until the round is settled.")
    return said + _say("One call a player and play. Of equal calls the seat nearest after the scorer has it.")


def _announce(rules: Ruleset) -> _Sentences:
    if rules.announce is Announce.AUTO:
        return _say("Points are booked by themselves; an announced number is only compared.")
    said = _say("Points must be announced with the play, or before the next play or pass.")
    if rules.clock_s and rules.muggins is Muggins.AFTER_NEXT:
        said += _say("A tile released just before the bell may be announced for %(grace)s seconds.", **_of(rules))
    said += _say("Of a number that is too low the player keeps what was said; the rest is open to muggins.")
    if rules.overclaim is Overclaim.FOSTER:
        return said + _say("A number that is too high goes to the next player, as announced.")
    return said + _say("Of a number that is too high the true points count.")


def _chips(rules: Ruleset) -> _Sentences:
    if not rules.chips:
        return _NONE
    return _say("Each player has %(chips)s chips of five points and pays the scorer in them.", **_of(rules))


def _turn(rules: Ruleset) -> _Sentences:
    return _say("The two players take turns.") if rules.seats == (2, 2) else _say("Turns go clockwise.")


def _penalty(_: Ruleset) -> _Sentences:
    return _say("The referee punishes irregular play with points to every opponent.")


def _total(_: Ruleset) -> _Sentences:
    return _say("The score is the sum of the points a player was given, in play and at the end of rounds.")


def _record(_: Ruleset) -> _Sentences:
    return _say("Every line of a record has its place and its time.")


_Writers = Mapping[str, Callable[[Ruleset], _Sentences]]

_PIP_WRITERS: _Writers = {
    "set": _set,
    "hand": _hand,
    "lead": _lead,
    "lead-later": _lead_later,
    "match": _match,
    "draw": _draw,
    "drawn": _drawn,
    "boneyard": _boneyard,
    "pass": _pass,
    "domino": _domino,
    "blocked": _blocked,
    "score": _score,
    "target": _target,
    "bell": _bell,
    "overtime": _overtime,
    "muggins": _muggins,
    "announce": _announce,
    "chips": _chips,
    "turn": _turn,
    "penalty": _penalty,
    "total": _total,
    "record": _record,
}


# ---- tiles that match by colour or kind


def _hand_from_pile(rules: Ruleset) -> _Sentences:
    sizes = sorted(set(rules.hand.values()))
    if len(sizes) == 1:
        return _say("Each player draws %(hand)s tiles; the others are the draw pile.", hand=sizes[0])
    return tuple(
        Sentence("With %(seats)s players each draws %(hand)s tiles.", {"seats": seats, "hand": size})
        for seats, size in rules.hand.items()
    )


def _start_tie(rules: Ruleset) -> _Sentences:
    if rules.start_tie is StartTie.LOT:
        return _say("Of two equal highest doublets the lot decides which is led.")
    return _say("Of two equal highest doublets red comes before green, yellow and blue.")


def _reverse(rules: Ruleset) -> _Sentences:
    said = _say("An active R turns the direction of play.")
    if rules.reverse_2p is ReverseOfTwo.SKIP:
        return said + _say("Where two play it acts as a skip.")
    return said + _say("Where two play it has no effect.")


def _challenge(rules: Ruleset) -> _Sentences:
    return _say("Whoever has to draw four may challenge before the first tile is drawn.") + _say(
        "If the rack had an exposed colour, its player draws four; if not, the challenger draws %(tiles)s in all "
        "and loses the turn.",
        tiles=rules.failed_challenge,
    )


def _deadlock(rules: Ruleset) -> _Sentences:
    said = _say("The round is blocked when the draw pile is empty and every player has passed in a row.")
    if rules.block is Deadlock.VOID:
        return said + _say("A blocked round is void: nobody scores.")
    return said + _say("The lowest rack has the points of the others; equal lowest racks: nobody scores.")


def _reopening(rules: Ruleset) -> _Sentences:
    if not rules.reopening:
        return _NONE
    return _say("The holder of W-W may open a dead end again, beside any doublet, and names the colour.")


def _all_doublet(rules: Ruleset) -> _Sentences:
    return _say("Every doublet is open on its sides and its ends.") if rules.all_doublet else _NONE


_MARKING_WRITERS: _Writers = {
    "hand": _hand_from_pile,
    "start-tie": _start_tie,
    "reverse": _reverse,
    "challenge": _challenge,
    "blocked": _deadlock,
    "target": _target,
    "reopening": _reopening,
    "all-doublet": _all_doublet,
    "bell": _bell,
    "muggins": lambda _: _NONE,
    "announce": lambda _: _NONE,
    "chips": lambda _: _NONE,
}

_WRITERS: Mapping[Matching, _Writers] = {Matching.PIPS: _PIP_WRITERS, Matching.MARKINGS: _MARKING_WRITERS}
