"""The start of a process that checks a part of the matches.

No model is imported here: Django is not set up yet.
"""

import signal

import django


def begin() -> None:
    """Set up Django, and leave Ctrl-C to the parent process; this one ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    django.setup()
