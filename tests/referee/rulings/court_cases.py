"""Protests by hand, as one table: at least eight of each system.

In the lines of a log ``!`` stands before the line of the protest, and ``^`` before the last line that was written when
it was filed.
"""

from tests.referee.rulings.cases_all_fives import ALL_FIVES
from tests.referee.rulings.cases_udl import UDL
from tests.referee.rulings.cases_udl_turns import UDL_TURNS
from tests.referee.rulings.cases_uno import UNO_DOMINOES
from tests.referee.rulings.cases_without_calls import DOUBLE_SIX, MUGGINS

CASES = [*UDL, *UDL_TURNS, *ALL_FIVES, *MUGGINS, *DOUBLE_SIX, *UNO_DOMINOES]
