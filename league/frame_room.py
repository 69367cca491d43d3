"""Room on the interpreter's stack of frames.

CPython 3.11 maps its stack of frames in pieces of 16 kB, and unmaps a piece when its first frame ends: a loop of calls
at the edge of a piece maps memory at each call. That was a tenth of the processor time of a page
(docs/decisions/speed.md).
"""

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from django.http import HttpRequest, HttpResponse

P = ParamSpec("P")
R = TypeVar("R")
ROOM = 70_000
"""Values on the stack of a frame, 8 bytes each: its piece is a megabyte. Memory that no frame uses is never touched."""


def with_room(run: Callable[P, R], *given: P.args, **named: P.kwargs) -> R:
    """Call a function with half a megabyte of stack below it."""
    return run(*given, **named)


with_room.__code__ = with_room.__code__.replace(co_stacksize=ROOM)


class FrameRoomMiddleware:
    """Answers each request with room below; the first middleware, where the thread of a request begins."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return with_room(self.get_response, request)
