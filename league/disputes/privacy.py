"""Erasure: words and photos of disputes in the matches of an erased player. Acts and their chain are kept."""

from django.utils import timezone

from league.disputes.models import DisputePhoto, DisputeText
from league.matches.visibility import matches_of


def forget_words_of(player_id: int) -> int:
    """Empty the words and photos, which may name or show the player; return how many."""
    now, matches = timezone.now(), matches_of(player_id)
    words = DisputeText.objects.filter(entry__dispute__match__in=matches, erased_at=None)
    photos = DisputePhoto.objects.filter(entry__dispute__match__in=matches, removed_at=None)
    return words.update(text="", erased_at=now) + photos.update(image=b"", removed_at=now)
