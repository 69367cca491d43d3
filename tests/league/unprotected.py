"""The site without what it does while a server is away: no outage is told from a fault, and the cache forgives nothing.
For the controls.
"""

from typing import Any

from league.wsgi import application

__all__ = ["application"]


def nothing(_error: object) -> None:
    """No outage."""


def ask(_client: Any, act: Any, _otherwise: object, *arguments: object) -> Any:
    return act(*arguments)


def take_away() -> None:
    """The modules are there once the application is."""
    from league.api import problems
    from league.cache import ForgivingClient
    from league.web import errors

    errors.outage_of = problems.outage_of = nothing
    ForgivingClient._ask = ask


take_away()
