"""Which bracket of a double elimination somebody comes from. Pure."""

from league.competitions.formats.drawn import Section


def section_before(section: str, number: int, *, loser: bool, conditional: bool) -> str:
    """Where the match lies that sends its winner, or its `loser`, to berth `number` of a slot of `section`. Losers drop
    from the winners' bracket alone; the final has the winners' champion first, and the deciding match comes from it.
    """
    if section == Section.FINAL and not conditional:
        return Section.WINNERS if number == 1 else Section.LOSERS
    return Section.WINNERS if section == Section.LOSERS and loser else section
