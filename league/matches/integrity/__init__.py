"""Compare the rows of matches with the records, from the log to the result.

Nothing is written here. competitions/integrity/derived.py adds the rows that follow from results.
"""
