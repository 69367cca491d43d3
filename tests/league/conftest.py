import pytest

from tests.league.world import World, make_world


@pytest.fixture
def world(db) -> World:
    return make_world()


@pytest.fixture
def shared_world(transactional_db) -> World:
    """The same, committed, for tests with several threads or processes."""
    return make_world()
