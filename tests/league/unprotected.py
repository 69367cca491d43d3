"""The site without protection against outages, for the controls.

An outage is a fault, and an error of the cache is not ignored.
"""

from typing import Any

from league.wsgi import application

__all__ = ["application"]


def nothing(_error: object) -> None:
    """No outage."""


def ask(_client: Any, act: Any, _otherwise: object, *arguments: object) -> Any:
    return act(*arguments)


def take_away() -> None:
    """Remove the protection; the modules are loaded once the application is."""
    from league.api.base import problems
    from league.cache import ForgivingClient
    from league.web.shared import errors

    errors.outage_of = problems.outage_of = nothing
    ForgivingClient._ask = ask


take_away()
