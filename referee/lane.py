"""The fast lane: long stretches of a record in which everything is plainly in order, taken in one go.

Four lines in five are plays and draws of known tiles that the rules allow. This function takes them with the state in
local variables, which halves the time of a replay (docs/decisions.md). It judges nothing: at the first line that is not
plainly legal it stops before it, and the line goes its way through `referee.lines`, as every line could.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from games.claims import PlayScore
from games.gamelog import Entry
from games.moves import Call, Draw, Play
from games.round import RoundEnd
from games.ruleset import EndCheck
from games.tiles import Mask
from referee.game import ReplayedGame

ENTRANCES = frozenset({Play, Draw, Call})
"""After a line of these kinds it is worth asking whether the lane is open."""


def may_run(game: ReplayedGame) -> bool:
    """Whether the game is in the lane's conditions: a round led and live, every hand known, no bell, plain claims."""
    live = game.round
    return (
        live is not None
        and live.ended is None
        and live.layout.table != 0
        and not game.rung
        and not game.over
        and game.claims.plain
        and not game.rules.voluntary_draw
        and False not in live.known
    )


def run(game: ReplayedGame, entries: Iterator[Entry]) -> Entry | None:
    """Take entries as long as they are plainly legal plays, draws and calls. Returns the first that is not, if any."""
    live, claims, scores, plays = game.round, game.claims, game.card.scores, game.plays
    assert live is not None
    layout = live.layout
    tiles = layout.tiles
    tips, covered, order, joins = layout.tips, layout.covered, layout.order, tiles.joins
    fits, doubles, next_seat = tiles.fits, tiles.doubles, live.next_seat
    hands, held = live.hands, live.held
    count, table, open_faces, to_act = layout.count, layout.table, layout.open_faces, live.to_act
    located, boneyard, reserve = live.located, live.boneyard, live.rules.boneyard_reserve
    claimable, fresh = claims.claimable, claims.fresh
    clock, due = game.clock, game.bell_due or math.inf
    ends_at = _ends_at(game)
    moved, drawn, seat = 0, False, 0
    ended: RoundEnd | None = None
    for entry in entries:
        line, at, event = entry
        if at is not None:
            if not clock <= at <= due:
                break
            clock = at
        if isinstance(event, Draw):
            seat, seen = event.seat, event.tiles
            if seat != to_act:
                break
            bit = seen[0].bit if len(seen) == 1 and seen[0] is not None else 0
            if not bit or located & bit or boneyard <= reserve or hands[seat] & fits[open_faces]:
                break
            boneyard -= 1
            held[seat] += 1
            hands[seat] |= bit
            located |= bit
            drawn = True
            if boneyard <= reserve and not _able(hands, fits[open_faces]):
                ended = RoundEnd.BLOCKED
                break
            continue
        if not isinstance(event, Play):
            break

        # A play: the tile is in the hand, and one tile on the table has an open place for it.
        seat, placed, target, call = event.seat, event.tile, event.on, event.call
        bit, tile = placed.bit, placed.index
        if seat != to_act or not hands[seat] & bit or event.colour is not None:
            break
        if target is None:
            on_bit = tips[placed.high] | tips[placed.low]
            if on_bit & (on_bit - 1):
                break
            on = on_bit.bit_length() - 1
        else:
            on, on_bit = target.index, target.bit
        join = joins[tile][on]
        if join is None or not tips[join[0]] & on_bit:
            break
        face, outer, face_bit, outer_bit, face_pips, change = join
        if on_bit & doubles:
            now_covered = covered[on] + 1
            change -= 2 * face_pips if now_covered == 2 else 0
            closes = now_covered == (4 if layout.spinners & on_bit else 2)
        else:
            now_covered = 0
            change -= face_pips
            closes = True
        if bit & doubles:
            change += face_pips
        worth = 0 if (count + change) % 5 else count + change
        if call is not None and (call != worth or scores[seat] + worth >= ends_at):
            break

        # It is plain, and takes effect.
        count += change
        if now_covered:
            covered[on] = now_covered
        if closes:
            left = tips[face] ^ on_bit
            tips[face] = left
            if not left:
                open_faces ^= face_bit
        tips[outer] |= bit
        open_faces |= outer_bit
        if bit & doubles:
            covered[tile] = 1
            layout.try_spinner(tile, bit)
        order.append(tile)
        hands[seat] ^= bit
        left_in_hand = held[seat] - 1
        held[seat] = left_in_hand
        to_act = next_seat[seat]
        table |= bit
        moved |= 1 << seat

        play = PlayScore(line, at, seat, tile, on, count)
        plays.append(play)
        if claimable is not None and claimable.owed:
            claims.close(claimable)
        claimable, fresh = fresh, play
        if call is not None:
            play.announced = call
            if worth:
                play.owed = 0
                play.awarded = {seat: worth}
                scores[seat] += worth
        elif worth:
            play.terms = layout.terms()
        if not left_in_hand:
            ended = RoundEnd.DOMINO
            break
        if boneyard <= reserve and not _able(hands, fits[open_faces]):
            ended = RoundEnd.BLOCKED
            break
    else:
        entry = None

    game.clock = clock
    layout.count, layout.table, layout.open_faces = count, table, open_faces
    live.located, live.boneyard, live.to_act = located, boneyard, to_act
    claims.claimable, claims.fresh = claimable, fresh
    if moved:
        game.has_played |= moved
        live.passes = 0
    live.drew = live.drew or drawn
    if ended is None:
        return entry
    live.ended = ended
    live.found_blocked = ended is RoundEnd.BLOCKED
    live.went_out = None if live.found_blocked else seat
    return next(entries, None)


def _able(hands: list[Mask], fits: Mask) -> bool:
    return any(hand & fits for hand in hands)


def _ends_at(game: ReplayedGame) -> float:
    """The score at which a booking would end the game in mid-round: such a play is none of the lane's."""
    if game.card.overtime:
        return 1
    return math.inf if game.rules.end_check is EndCheck.ROUND else game.rules.target
