"""Tie-breaks for an organizer's order (COMPETITIONS.md, standings and tie-breaks).

Plain values in, figures out, each with the numbers it was made from. `registry.TIE_BREAKS` lists all of them.
"""
