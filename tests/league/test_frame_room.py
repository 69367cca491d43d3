"""Room on the interpreter's stack of frames."""

import ctypes
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.conf import settings

from league.frame_room import FrameRoomMiddleware, with_room

CPYTHON_311 = sys.implementation.name == "cpython" and sys.version_info[:2] == (3, 11)


def chunk_left() -> int:
    """Bytes left in the interpreter's current piece of stack: `datastack_limit` − `datastack_top` of the thread."""
    get = ctypes.pythonapi.PyThreadState_Get
    get.restype = ctypes.c_void_p
    words = (ctypes.c_size_t * 64).from_address(get())
    # datastack_chunk, datastack_top, datastack_limit follow each other: the only three that grow and lie so close.
    for place in range(len(words) - 2):
        chunk, top, limit = words[place : place + 3]
        if chunk and chunk < top <= limit <= chunk + (1 << 22) and not chunk % 4096 and not limit % 4096:
            return limit - top
    raise AssertionError("no stack found")


@pytest.mark.skipif(not CPYTHON_311, reason="pieces of the stack are found as CPython 3.11 lays them out")
def test_a_call_with_room_has_a_quarter_megabyte_below_it() -> None:
    """The control: a thread begins with a piece of 16 kB."""
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(chunk_left).result() <= 16 * 1024
        assert thread.submit(with_room, chunk_left).result() > 256 * 1024


def test_arguments_and_results_pass_through() -> None:
    assert with_room(divmod, 7, 2) == (3, 1)
    assert with_room(sorted, [1, 2], reverse=True) == [2, 1]


def test_requests_begin_in_the_room() -> None:
    assert settings.MIDDLEWARE[0] == f"{FrameRoomMiddleware.__module__}.{FrameRoomMiddleware.__name__}"
