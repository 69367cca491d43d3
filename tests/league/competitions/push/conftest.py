from collections.abc import Iterator

import pytest

from tests.league.push_service import PushService, push_service


@pytest.fixture
def service(settings) -> Iterator[PushService]:
    """A push service that the site may reach."""
    settings.PUSH_LOOPBACK = True
    with push_service() as made:
        yield made
