import pytest

from league.accounts.models import League


@pytest.fixture
def at_once(world):
    """A casual league: results need no confirmation."""
    League.objects.filter(pk=world.league.pk).update(confirmation_required=False)
    return world
