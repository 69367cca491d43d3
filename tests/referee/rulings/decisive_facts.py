"""Facts that RULES.md makes decisive, by system: written by hand, apart from the court's own table."""

from referee.rulings.proposal import DECISIVE, Fact

CALLS = {"udl", "all-fives"}
UNO = {"uno-dominoes"}
SYSTEMS = {"udl", "muggins", "all-fives", "double-six", *UNO}
# Fact: number of RULES.md, and the systems that have it. Times are needed where it counts seconds.
MADE_DECISIVE = {
    Fact.ANNOUNCED: ("1.5", CALLS),
    Fact.ANNOUNCED_IN_HOLD: ("1.5", {"all-fives"}),
    Fact.CALLED: ("1.5", CALLS),
    Fact.CALLED_FIRST: ("Q23", {"all-fives"}),
    Fact.CALLED_AFTER_BELL: ("1.5", {"udl"}),
    Fact.OBJECTED: ("Q25", SYSTEMS),
    Fact.RELEASED: ("Q17", {"udl"}),
    Fact.CAUGHT: ("2.29", UNO),
    Fact.SAID_UNO: ("2.28", UNO),
    Fact.CHALLENGED: ("2.23", UNO),
    Fact.HELD_COLOUR: ("2.18", UNO),
}


def fault_of(question, case):
    """Return why a question names a fact that does not decide, empty if it decides."""
    number, systems = MADE_DECISIVE[question.fact]
    slug, cited = DECISIVE[question.fact]
    if cited != number:
        return f"cites {cited}, not {number}"
    if case.rules.key not in systems or slug not in case.rules.rules:
        return f"{case.rules.key} has no such fact"
    if question.fact is Fact.ANNOUNCED_IN_HOLD and case.entry.at is None:
        return "the log has no times"
    return "" if question.decisive else "the answers have the same outcome"
