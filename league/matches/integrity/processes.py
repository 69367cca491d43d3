"""The start of a process that checks a part of the matches. No model is imported here: Django is not set up yet."""

import signal

import django


def begin() -> None:
    """Ctrl-C ends the process that asked; this one ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    django.setup()
