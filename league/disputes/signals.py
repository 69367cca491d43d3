"""Signals of disputes, sent within the transaction; receivers send mail after the commit."""

from django.dispatch import Signal

# A protest was filed, or its state changed. Arguments: dispute, entry (`DisputeEntry`).
dispute_changed = Signal()
