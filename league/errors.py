"""Refusals of the service: a code for programs and a sentence for people."""

from collections.abc import Mapping

from django.utils.functional import Promise


class Refused(Exception):
    """A refused act. Nothing was stored.

    `code` never changes and is compared by tests and the API; `message` is a translated template of the `%(name)s`
    kind, filled with `facts` when it is shown: `str(refused)`.
    """

    def __init__(self, code: str, message: str | Promise, /, **facts: object) -> None:
        super().__init__(code)
        self.code = code
        self.message = message
        self.facts: Mapping[str, object] = facts

    def __str__(self) -> str:
        return str(self.message) % self.facts


class NotAllowed(Refused):
    """The asker may not do this (pages answer 403)."""
