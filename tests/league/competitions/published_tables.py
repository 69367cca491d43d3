"""Cross tables that were published with their tie-breaks, written as `W9` won against 9, `D` drawn, `L` lost, `F` won
by forfeit, `A` lost by forfeit (absent), `U` pairing-allocated bye, `H` half-point bye, `Z` zero-point bye.

Source: IA Mario Held, "Exercises in Tie-Breaking" (FIDE Technical Commission, 2024, written for C.07 of 2023), as the
test data of Sharly Chess have it (Sharly-Chess/sharly-chess, tests/json/tec-swiss.json, tec-round-robin.json,
tec-swiss-direct-encounter.json and the test of tie-breaks that reads them, which also gives the figures of the edition
of 2026, where the two caps of article 16.4 change them). LAPEYRE_SWISS: IA Pierre Lapeyre, "Tiebreak exercises" (2026),
from the same place (tests/json/pl-swiss.json).
"""

from league.competitions.standings.compute import HowPlayed, Played

TEC_SWISS = """
1 W9 D13 D2 W15 D4
2 W10 W7 D1 W16 D3
3 D11 W6 W8 D4 D2
4 W12 H W13 D3 D1
5 L13 L15 W11 D7 W10
6 L14 L3 U W10 W8
7 W15 L2 L16 D5 L11
8 D16 W14 L3 W13 L6
9 L1 L10 H A11 U
10 L2 W9 L15 L6 L5
11 D3 L16 L5 F9 W7
12 L4 U F14 Z Z
13 W5 D1 L4 L8 L14
14 W6 L8 A12 Z W13
15 L7 W5 W10 L1 L16
16 D8 W11 W7 L2 W15
"""
TEC_SWISS_RATINGS = {number: 2250 - 50 * number for number in range(1, 17)}

TEC_ROUND_ROBIN = """
1 D5 W2 W3 L4 W6
2 W6 L1 W5 D3 W4
3 W4 W6 L1 D2 W5
4 L3 L5 D6 W1 L2
5 D1 W4 L2 A6 L3
6 L2 L3 D4 F5 L1
"""
TEC_ROUND_ROBIN_RATINGS = {1: 2200, 2: 2150, 3: 2100, 4: 2050, 5: 1950, 6: 2000}

TEC_SWISS_NINE = """
1 W9 D13 D2 W15 D4 D6 D3 D16 W8
2 W10 W7 D1 W16 W3 D4 L6 D15 D5
3 D11 W6 W8 D4 L2 W16 D1 W14 W10
4 W12 H W13 D3 D1 D2 D16 D6 W15
5 L13 L15 W11 D7 W10 L14 W9 L8 D2
6 L14 L3 U W10 W8 D1 W2 D4 W16
7 W15 L2 L16 D5 L11 L10 W13 W9 W14
8 D16 W14 L3 W13 L6 D11 D15 W5 L1
9 L1 L10 H A11 U W13 L5 L7 D12
10 L2 W9 L15 L6 L5 W7 W12 W11 L3
11 D3 L16 L5 F9 W7 D8 L14 L10 D13
12 L4 U F14 Z Z L15 L10 D13 D9
13 W5 D1 L4 L8 L14 L9 L7 D12 D11
14 W6 L8 A12 Z W13 W5 W11 L3 L7
15 L7 W5 W10 L1 L16 W12 D8 D2 L4
16 D8 W11 W7 L2 W15 L3 D4 D1 L6
"""

LAPEYRE_SWISS = """
1 W8 L5 W14 W3 W2
2 W9 W7 D5 W6 L1
3 W10 D6 D4 L1 W7
4 D11 W9 D3 D5 D6
5 W12 W1 D2 D4 W11
6 W13 D3 F11 L2 D4
7 W14 L2 W10 L11 L3
8 L1 L11 D12 D9 D13
9 L2 L4 W13 D8 D10
10 L3 W13 L7 D14 D9
11 D4 W8 A6 W7 L5
12 L5 Z D8 L13 L14
13 L6 L10 L9 W12 D8
14 L7 U L1 D10 W12
"""

WITHOUT = {"U": HowPlayed.BYE, "H": HowPlayed.HALF_BYE, "Z": HowPlayed.ZERO_BYE}


def people(text):
    return [(number, f"P{number:02}", str(number)) for number in range(1, len(text.split("\n")) - 1)]


def matches(text):
    """Every match once, and every bye; both sides must tell the same."""
    told = {}
    found = []
    for line in text.strip().splitlines():
        number, *rounds = line.split()
        for round_number, one in enumerate(rounds, start=1):
            if one in WITHOUT:
                found.append(Played({int(number): 0}, None, round_number, WITHOUT[one]))
            else:
                told[round_number, int(number), int(one[1:])] = one[0]
    for (round_number, own, other), how in told.items():
        back = told[round_number, other, own]
        assert (how, back) in {("W", "L"), ("L", "W"), ("D", "D"), ("F", "A"), ("A", "F")}, (round_number, own, other)
        if own < other:
            kind = HowPlayed.FORFEIT if how in "FA" else HowPlayed.PLAYED
            winner = {"W": own, "F": own, "L": other, "A": other, "D": None}[how]
            found.append(Played({own: 0, other: 0}, winner, round_number, kind))
    return found
