"""Signals of competitions, sent within the transaction; receivers send mail after the commit."""

from django.dispatch import Signal

# Hours of a match are proposed, or one of them is agreed on. Arguments: proposal (`HourProposal`), entrant (the side
# that is to hear of it).
hours_proposed = Signal()
