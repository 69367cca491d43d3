"""Compare the rows of matches with the records: log, sheet or taps → hash → verdict → result → match.

Nothing is written here. competitions/integrity.py adds the rows that follow from results.
"""
