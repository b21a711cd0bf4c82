"""Standard streams that are closed, as after ``>&-`` in a shell."""

import os
import sys


def open_closed():
    """Give each standard stream that was closed when Python began the null device, which takes all and gives nothing.

    Python has None for such a stream, and prints to stdout what is meant for a stderr of None; and a file that is
    opened later could have the descriptor of the stream.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):  # by descriptor: the lowest that is free
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))
