"""Ctrl-C that waits for a good moment."""

import signal
from contextlib import contextmanager


@contextmanager
def interruption():
    """Gives ``asked()``: whether Ctrl-C was pressed. A second one raises KeyboardInterrupt at once.

    So a step that changes many arrays is never cut in half. Only for the main thread.
    """
    pressed = []

    def note(number, frame):
        if pressed:
            raise KeyboardInterrupt
        pressed.append(number)

    before = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: bool(pressed)
    finally:
        signal.signal(signal.SIGINT, before)
