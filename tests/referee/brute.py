"""The analysis of hidden hands as the text of NOTATION.md section 4 says it, word for word: every deal is laid out.

Nothing of ``referee`` is used here. A record is a list of entries of one round; only small sets can be done this way.
"""

from itertools import combinations

from games.layout import Layout
from games.moves import Blocked, Deal, Draw, Pass, Play, Show
from games.ruleset import Lead, NoDouble, TileOrder

Offence = tuple[int, str]


def answer(record, rules, seats, lead):
    """``("no-consistent-deal", line)``, or the violations: a set of (line, code)."""
    offences = all_offences(record, rules, seats, lead)
    if not offences:
        return ("no-consistent-deal", _shortest(record, lambda part: all_offences(part, rules, seats, lead)))
    unavoidable = frozenset.intersection(*offences)
    if unavoidable in offences:
        return set(unavoidable)
    fewest = min(len(broken - unavoidable) for broken in offences)
    smallest = {broken for broken in offences if len(broken - unavoidable) == fewest}
    if fewest <= 2 and len(smallest) == 1:
        return set(smallest.pop())

    def goes(part):
        return any(broken <= unavoidable for broken in all_offences(part, rules, seats, lead))

    return {*unavoidable, (_shortest(record, goes), "unclear-offence")}


def _shortest(record, goes):
    """Last line of the shortest beginning for which something does not go."""
    return next(record[n - 1].line for n in range(1, len(record) + 1) if not goes(record[:n]))


def all_offences(record, rules, seats, lead):
    """What each deal that fits the facts would have as offences, each set once."""
    return {broken for broken, _ in possible(record, rules, seats, lead)}


def possible(record, rules, seats, lead):
    """The offences and the hands left of each deal that fits the facts."""
    answers = (play_out(record, rules, lead, *deal) for deal in every_deal(record, rules, seats))
    return [answer for answer in answers if answer is not None]


def every_deal(record, rules, seats):
    """Every assignment of tiles to dealt and drawn places that has the names seen: hands, and draws by line."""
    tiles = list(rules.tiles.tiles)
    dealt = [(rules.hand_size(seats), ())] * seats
    draws = []
    owner = {}
    for entry in record:
        event = entry.event
        if isinstance(event, Deal):
            dealt[event.seat] = (event.count, [t for t in event.tiles if t is not None])
        if isinstance(event, Draw):
            draws.append((entry.line, event.seat, event.tiles or (None,) * event.count))
        if isinstance(event, Play):
            owner.setdefault(event.tile, event.seat)
        if isinstance(event, Show):
            owner |= {t: event.seat for t in event.tiles if t is not None}
    named = {t for _, some in dealt for t in some} | {t for _, _, some in draws for t in some if t is not None}
    loose = [t for t in tiles if t not in named]

    def hands(seat, left):
        if seat == seats:
            yield [], left
            return
        count, seen = dealt[seat]
        mine = [t for t in left if owner.get(t, seat) == seat]
        for some in combinations(mine, max(0, count - len(seen))):
            rest = [t for t in left if t not in some]
            for others, last in hands(seat + 1, rest):
                yield [set(seen) | set(some), *others], last

    def drawn(n, left):
        if n == len(draws):
            yield {}
            return
        line, seat, some = draws[n]
        for filled, rest in fill(seat, some, left):
            for others in drawn(n + 1, rest):
                yield {line: filled, **others}

    def fill(seat, some, left):
        if not some:
            yield (), left
            return
        first, *others = some
        for tile in [t for t in left if owner.get(t, seat) == seat] if first is None else [first]:
            rest = [t for t in left if t is not tile]
            for filled, last in fill(seat, others, rest):
                yield (tile, *filled), last

    for dealt_hands, left in hands(0, loose):
        for by_line in drawn(0, left):
            yield dealt_hands, by_line


def play_out(record, rules, lead, dealt, drawn):
    """The offences of the players if the tiles lay so, and what is left of the hands.

    ``None`` if what was played, shown or blocked can't be.
    """
    hands = [set(hand) for hand in dealt]
    layout = Layout(rules.tiles, rules.spinner)
    broken = set()
    bound = rules.voluntary_draw and rules.must_play_drawn
    due = None  # the tile drawn last, if it fits and has to be played
    drawn_for = lead is Lead.HIGHEST_DOUBLE and rules.no_double is NoDouble.DRAW_UNTIL
    draws_to_lead = drawn_for and not any(tile.double for hand in dealt for tile in hand)
    first_drawn = None

    def able(seat):
        if layout.table:
            return any(layout.fitting() & tile.bit for tile in hands[seat])
        return any(tile.double for hand in hands for tile in hand) if drawn_for else True

    for line, _, event in record:
        if isinstance(event, Play):
            if event.tile not in hands[event.seat]:
                return None
            if not layout.table and lead is Lead.HIGHEST_DOUBLE and not leads_well(rules, hands, event, first_drawn):
                broken.add((line, "wrong-lead"))
            if due not in (None, event.tile):
                broken.add((line, "must-play-drawn"))
            places = layout.places(event.tile.index)
            on = None if not layout.table else event.on.index if event.on else places.bit_length() - 1
            layout.place(event.tile.index, on)
            hands[event.seat].remove(event.tile)
            due = None
        elif isinstance(event, Draw):
            for tile in drawn[line]:
                if not rules.voluntary_draw and able(event.seat):
                    broken.add((line, "draw-when-able"))
                hands[event.seat].add(tile)
                if draws_to_lead and tile.double and not layout.table:
                    first_drawn = first_drawn or tile
                if due is not None:
                    broken.add((line, "must-play-drawn"))
                due = tile if bound and layout.table and layout.fitting() & tile.bit else None
        elif isinstance(event, Pass):
            if able(event.seat):
                broken.add((line, "pass-when-able"))
            if due is not None:
                broken.add((line, "must-play-drawn"))
            due = None
        elif isinstance(event, Show):
            if not {tile for tile in event.tiles if tile is not None} <= hands[event.seat]:
                return None
        elif isinstance(event, Blocked) and any(able(seat) for seat in range(len(hands))):
            return None
    return frozenset(broken), hands


def leads_well(rules, hands, play, first_drawn):
    """Whether the holder of the highest double leads, with that double where it is forced (RULES.md 3.3).

    Where nobody was dealt a double, it is the one that was drawn first (3.4).
    """
    everything = [tile for hand in hands for tile in hand]
    doubles = [tile for tile in everything if tile.double]
    if not doubles and rules.no_double is NoDouble.DRAW_UNTIL:
        return False

    def rank(tile):
        return (tile.pips, tile.high) if rules.highest_tile is TileOrder.PIPS else (tile.high, tile.low)

    highest = max(doubles, key=lambda tile: tile.high) if doubles else max(everything, key=rank)
    due = first_drawn or highest
    return play.tile is due if rules.lead_forced else due in hands[play.seat]
