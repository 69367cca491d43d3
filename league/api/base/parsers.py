"""Body parsers: JSON with a bounded depth, a log as plain text, or a picture."""

import json
import re
from typing import IO, Any

from django.utils.translation import gettext_lazy as _
from rest_framework.parsers import BaseParser

from games.notation.reading import MAX_BYTES
from league.api.base.problems import Malformed

DEEPEST = 32
# Tokens that decide the depth of a JSON text: brackets, and strings, which may contain brackets.
_STRUCTURE = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]', re.DOTALL)


class StrictJson(BaseParser):
    """UTF-8 JSON without NaN and repeated names, at most 32 deep.

    The depth is counted before parsing (RELIABILITY.md A-16).
    """

    media_type = "application/json"

    def parse(self, stream: IO[bytes], media_type: object = None, context: object = None) -> Any:
        raw = stream.read()
        if depth_of(raw) > DEEPEST:
            raise Malformed("bad-json", _("The JSON is nested more than %(deepest)d deep.") % {"deepest": DEEPEST})
        try:
            return json.loads(raw.decode("utf-8"), object_pairs_hook=_once_each, parse_constant=_no_constant)
        except ValueError as error:
            raise Malformed("bad-json", _("The body is not JSON: %(error)s.") % {"error": error}) from None


class LogText(BaseParser):
    """The bytes of a log; the service decodes them."""

    media_type = "text/plain"

    def parse(self, stream: IO[bytes], media_type: object = None, context: object = None) -> bytes:
        raw = stream.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            most = {"limit": MAX_BYTES}
            raise Malformed("too-large", _("A log has at most %(limit)d bytes (256 KiB).") % most)
        return raw


class PictureBytes(BaseParser):
    """The bytes of a picture; the service decodes them."""

    media_type = "image/*"

    def parse(self, stream: IO[bytes], media_type: object = None, context: object = None) -> bytes:
        return stream.read()


def depth_of(raw: bytes) -> int:
    """Return the depth of nested brackets, in one pass and without recursion."""
    depth = deepest = 0
    for found in _STRUCTURE.finditer(raw):
        first = found[0][:1]
        if first in b"[{":
            depth += 1
            deepest = max(deepest, depth)
        elif first in b"]}":
            depth -= 1
    return deepest


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice in an object")
    return found


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")
