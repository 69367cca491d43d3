"""The tie-breaks that an organizer can order (COMPETITIONS.md, standings and tie-breaks): plain values in, figures out,
each with the numbers it was made from. `rules.NUMBERS` names all of them.
"""
