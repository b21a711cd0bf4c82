"""Who calls a linked function, under whatever name."""

import pytest

from linkindex.load import load
from linkindex.load.config import read_config
from linkindex.resolve import resolve


@pytest.mark.parametrize(
    ("modules", "caller"),
    [
        ({"more": "from kalman.filter import update\n\n\ndef both():\n    update()\n"}, "kalman.more.both"),
        ({"more": "from kalman import filter\n\n\ndef both():\n    filter.update()\n"}, "kalman.more.both"),
        (
            {
                "given": "from kalman.filter import update as step\n",
                "more": "from kalman.given import step\n\nstep()\n",
            },
            "kalman.more",
        ),
        (
            {
                "given": "from kalman import filter\n\nfrom kalman.filter import update\n\nstep = update\n",
                "again": "from kalman.given import step as move\n",
                "more": "from kalman.again import *\n\n\ndef both():\n    move()\n",
            },
            "kalman.more.both",
        ),
        ({"more": "def both():\n    from kalman.filter import update as own\n    own()\n"}, "kalman.more.both"),
        ({"more": "from kalman.filter import ｕpdate\n\nｕpdate()\n"}, "kalman.more"),
    ],
    ids=["imported", "of a module", "renamed", "renamed twice and with a star", "in a function", "in wide letters"],
)
def test_a_call_is_found_under_every_name_that_the_function_is_given(project, modules, caller):
    for name, text in modules.items():
        project.write(f"kalman/{name}.py", text)
    resolution, _ = resolve(load(read_config(project.root))[0])
    assert (caller, "kalman.filter.update") in {(call.caller, call.callee) for call in resolution.calls}
