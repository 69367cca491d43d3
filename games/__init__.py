"""Rules of domino games: tiles, layouts, rounds, scorecards, logs.

Plain Python, standard library only.
"""
