"""Whether the rows of matches are what the records say: log, sheet or taps → hash → verdict → result → match.

Nothing is written here. Rooms above add what they derive from results (competitions/integrity.py).
"""
