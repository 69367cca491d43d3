"""What matches tell others, in the past tense and after the commit."""

from django.dispatch import Signal

# A match has its official result. Arguments: match_id, winner (the number of the side, or None where nobody won).
match_decided = Signal()

# An official result was amended, or a match became void by that. Arguments: match_id (of the amended match).
result_amended = Signal()
