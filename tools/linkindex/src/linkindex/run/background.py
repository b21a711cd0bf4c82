"""Compute something in a forked copy of this process, while this one goes on."""

import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import NoReturn

from linkindex.run import forked


@contextmanager
def in_background(make: Callable[[], Iterable]) -> Iterator[Iterator]:
    """The values of ``make()``, each as soon as it is there; what it raises is raised where the next one is asked for.

    A copy that nobody waits for any more is interrupted. Where processes cannot be forked, values are made when they
    are asked for.
    """
    if not forked.AVAILABLE:
        yield iter(make())
        return
    reader, writer = os.pipe()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # until the copy is ready to be interrupted
    copy = os.fork()
    if copy == 0:
        os.close(reader)
        _work(writer, make)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    os.close(writer)
    with open(reader, "rb") as pipe:
        try:
            yield _values(pipe)
        finally:
            os.kill(copy, signal.SIGINT)  # there is nothing to interrupt where all values were taken
            os.waitpid(copy, 0)


def _values(pipe) -> Iterator:
    while True:
        try:
            error, value = pickle.load(pipe)
        except EOFError:
            raise RuntimeError("a process that this one had forked ended before its work was done") from None
        if error is not None:
            raise error
        if value is None:
            return
        yield value[0]


def _interrupt(*_: object) -> NoReturn:
    """Once: what it ends and removes on the way out must not be interrupted in turn."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    raise KeyboardInterrupt


def _work(writer: int, make: Callable[[], Iterable]) -> NoReturn:
    """Send pairs of an error and a value in a tuple; the last one is of None and None."""
    try:
        signal.signal(signal.SIGINT, _interrupt)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        with open(writer, "wb") as pipe:
            try:
                for value in make():
                    pickle.dump((None, (value,)), pipe)
                    pipe.flush()
                pickle.dump((None, None), pipe)
            except Exception as error:
                pickle.dump((error, None), pipe)
    finally:
        os._exit(0)
