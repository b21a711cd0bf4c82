"""All code that runs is noted, whoever calls it. Each test watches in a copy of the process: watching does not end."""

import os
import threading

import pytest

from linkindex.run.calls import Calls
from linkindex.run.forked import in_copy

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")


def before():
    pass


def plain():
    return sum(generator())


def generator():
    yield 1


class Thing:
    def method(self):
        return (lambda: plain())()

    def __len__(self):
        return 3


def raising():
    raise ValueError


def watched(*works):
    """The names of this file's code that runs, after each of the works."""

    def watch():
        before()
        calls = Calls()
        calls.start()
        names = []
        for work in works:
            work()
            names.append(sorted(code.co_qualname for code in calls.taken() if code.co_filename == __file__))
        return [[name for name in found if "<locals>.watch" not in name] for found in names]

    return in_copy(watch)


def test_functions_generators_methods_and_lambdas_are_noted():
    (found,) = watched(Thing().method)
    assert set(found) >= {"Thing.method", "Thing.method.<locals>.<lambda>", "plain", "generator"}
    assert "before" not in found


def test_what_python_calls_by_itself_is_noted():
    thing = Thing()
    assert watched(lambda: len(thing))[0].count("Thing.__len__") == 1


def test_a_function_that_raises_is_noted():
    def work():
        with pytest.raises(ValueError):
            raising()

    assert "raising" in watched(work)[0]


def test_threads_that_start_later_are_watched():
    def work():
        thread = threading.Thread(target=plain)
        thread.start()
        thread.join()

    assert "plain" in watched(work)[0]


def test_a_copy_goes_on_watching():
    assert "plain" in watched(lambda: None, lambda: None, plain)[2]

    def watch():
        calls = Calls()
        calls.start()

        def here():
            return sorted(code.co_qualname for code in calls.taken() if code.co_filename == __file__)

        return in_copy(lambda: (plain(), here())[1])

    assert "plain" in in_copy(watch)
