"""How the service says no: one exception with a code for programs and a sentence for people."""

from collections.abc import Mapping


class Refused(Exception):
    """An act that was not done, and why. Nothing was stored.

    `code` never changes and is what tests and the API compare; `message` is a translated template of the `%(name)s`
    kind, filled with `facts` when it is shown: `str(refused)`.
    """

    def __init__(self, code: str, message: str, /, **facts: object) -> None:
        super().__init__(code)
        self.code = code
        self.message = message
        self.facts: Mapping[str, object] = facts

    def __str__(self) -> str:
        return str(self.message) % self.facts


class NotAllowed(Refused):
    """The asker may not do this (pages answer 403)."""
