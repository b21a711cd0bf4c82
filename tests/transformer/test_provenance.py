"""Hashes of code: what changes them and what does not."""

import importlib
import itertools
import sys

import numpy as np
import pytest

from transformer import provenance
from transformer.attention import attention_forward
from transformer.init import init_attention

SOURCE = '''
import math
SCALE = 2.0
LIMIT: int = 3
OTHER = 5

def f(x, y=1):
    """Adds."""
    return SCALE * (x + y)

class C:
    """A class."""
    def m(self, x):
        def inner(z):
            "Doubles."
            return 2 * z
        return inner(x) if x < LIMIT else f(x)
'''
NUMBERS = itertools.count()


@pytest.fixture
def hashes(tmp_path, monkeypatch):
    """``hashes(source, **others)``: the hashes of f and C.m in a module with this source, under the plain names.

    others: further modules of its package, for whose name PACKAGE stands.
    """
    monkeypatch.syspath_prepend(tmp_path)

    def measure(source, names=("f", "C.m"), **others):
        package = f"written_for_a_test_{next(NUMBERS)}"
        for module, text in {"__init__": "", "here": source, **others}.items():
            path = tmp_path / package / f"{module}.py"
            path.parent.mkdir(exist_ok=True)
            text = text if isinstance(text, bytes) else text.encode()
            path.write_bytes(text.replace(b"PACKAGE", package.encode()))
        importlib.invalidate_caches()
        hashes = provenance.code_hashes((f"{package}.here:{name}" for name in names), package)
        assert package not in sys.modules, "nothing may be imported"
        return {name.split(":")[1]: value for name, value in hashes.items()}

    return measure


@pytest.mark.parametrize("change", [
    ("    return SCALE * (x + y)", "    # adds\n\n    return (SCALE\n            * (x+y))"),
    ('"""Adds."""', '"""Adds two numbers, of any kind."""'),
    ('    """Adds."""\n', ""),
    ('            "Doubles."\n', ""),
    ("\nimport math", "# a comment first\n\n\nimport math, os"),
    ("def f(x, y=1):", "def f(\n    x,\n    y=1,\n):"),
    ("OTHER = 5", "OTHER = 6"),
    ("\nclass C", "\ndef g():\n    return 7\n\nclass C"),
], ids=["layout", "docstring", "no docstring", "inner docstring", "moved", "signature", "unused constant", "neighbour"])
def test_layout_comments_docstrings_and_neighbours_do_not_matter(hashes, change):
    assert SOURCE.count(change[0]) == 1
    assert hashes(SOURCE.replace(*change)) == hashes(SOURCE)


@pytest.mark.parametrize("name", ["bom", "crlf", "latin-1", "u prefix"])
def test_the_bytes_of_a_file_do_not_matter_where_python_reads_the_same(hashes, name):
    source = SOURCE.replace('"Doubles."', '"Doubles."; w = "é"')
    other = {"bom": b"\xef\xbb\xbf" + source.encode(), "crlf": source.replace("\n", "\r\n").encode(),
             "latin-1": b"# coding: latin-1\n" + source.encode("latin-1"),
             "u prefix": source.replace('w = "', 'w = u"')}
    assert hashes(other[name]) == hashes(source)


@pytest.mark.parametrize(("change", "changed"), [
    (("(x + y)", "(x - y)"), {"f"}),
    (("(x + y)", "(y + x)"), {"f"}),
    (("y=1", "y=1.0"), {"f"}),
    (("y=1", "y=True"), {"f"}),
    (("SCALE = 2.0", "SCALE = 2.5"), {"f"}),
    (("LIMIT: int = 3", "LIMIT: int = 4"), {"C.m"}),
    (("2 * z", "3 * z"), {"C.m"}),
    (("(x, y=1)", "(x, *, y=1)"), {"f"}),
], ids=["operator", "order", "type", "bool", "constant", "annotated constant", "inner function", "signature"])
def test_what_computes_does_matter_and_only_where_it_stands(hashes, change, changed):
    assert SOURCE.count(change[0]) == 1
    before, after = hashes(SOURCE), hashes(SOURCE.replace(*change))
    assert {name for name in before if before[name] != after[name]} == changed


NAMES = {
    "here": """
from PACKAGE import far, middle
from PACKAGE.middle import END as STOP, Pair, GROWN
import PACKAGE.far as distant

TWICE = 2 * middle.BASE
FULL = TWICE + 1
TABLE = [0]
TABLE[0] = 7
RULES = far.read("a b")

class Kind:
    default: int = far.DEPTH

def f(x):
    return x[STOP], Pair(1), RULES

def g(x):
    return FULL, distant.WIDTH, GROWN, TABLE, Kind

def h(x):
    return far.helper(x)
""",
    "middle": """
from PACKAGE.far import END
from typing import NamedTuple
BASE = 5
GROWN = []
GROWN += [1]

class Pair(NamedTuple):
    left: int
    right: int = 4
""",
    "far": """
END, DEPTH, WIDTH = 2, 3, 4
UNUSED = 1

def read(text):
    return split(text)

def split(text):
    return text.split()

def helper(x):
    return x + 1
""",
}


@pytest.mark.parametrize(("module", "change", "changed"), [
    ("far", ("= 2, 3, 4", "= 9, 3, 4"), {"f", "g"}),         # imported twice, under another name; DEPTH, in Kind
    ("middle", ("BASE = 5", "BASE = 6"), {"g"}),             # a constant in a constant in a constant
    ("middle", ("right: int = 4", "right: int = 8"), {"f"}),  # the default of a class
    ("middle", ("+= [1]", "+= [2]"), {"g"}),
    ("here", ("TABLE[0] = 7", "TABLE[0] = 8"), {"g"}),
    ("far", ("text.split()", "text.split(',')"), {"f"}),     # what made the constant
    ("far", ("x + 1", "x + 2"), set()),                      # a function that is called is hashed under its own name
    ("far", ("UNUSED = 1", "UNUSED = 2"), set()),
], ids=["imported", "in a constant", "class", "grown", "entry", "made by", "function", "unused"])
def test_what_a_function_names_matters_wherever_in_the_package_it_stands(hashes, module, change, changed):
    assert NAMES[module].count(change[0]) == 1
    names = ("f", "g", "h")
    others = {name: text for name, text in NAMES.items() if name != "here"}
    before = hashes(NAMES["here"], names, **others)
    moved = NAMES | {module: NAMES[module].replace(*change)}
    after = hashes(moved.pop("here"), names, **moved)
    assert {name for name in names if before[name] != after[name]} == changed
    assert provenance.MISSING not in before.values()


def test_the_ids_of_padding_start_and_end_count_where_they_are_used():
    """They stand in another module than the functions that use them."""
    used = {"transformer.recipes.reversal:writing", "transformer.recipes.reversal:loss",
            "transformer.data.reversal:from_sources", "transformer.data.reversal:decode"}
    for name in used:
        module, _, function = name.partition(":")
        tree = provenance._module_tree(module, "transformer")
        named = provenance._named(module, provenance._definition(tree, [function]), "transformer")
        assert any(text.startswith(".vocabulary:PAD ") for text in named), name


def test_the_code_is_that_of_the_moment_at_which_any_of_it_was_first_hashed(tmp_path, monkeypatch):
    """A file that is edited during a long training is not what ran."""
    monkeypatch.syspath_prepend(tmp_path)
    package = tmp_path / "edited_meanwhile"
    package.mkdir()
    for name in ("__init__", "first", "second"):
        (package / f"{name}.py").write_text("def f():\n    return 1\n")
    importlib.invalidate_caches()
    first = provenance.code_hashes(["edited_meanwhile.first:f"], "edited_meanwhile").values()
    (package / "second.py").write_text("def f():\n    return 2\n")
    assert list(provenance.code_hashes(["edited_meanwhile.second:f"], "edited_meanwhile").values()) == list(first)


def test_imports_in_a_circle_come_to_an_end(hashes):
    circle = {"middle": "from PACKAGE.here import X\n"}
    found = hashes("from PACKAGE.middle import X\ndef f():\n    return X\n", ["f"], **circle)
    assert found["f"] != "not there"


@pytest.mark.parametrize("name", [
    "os.path:join", "planted.code:f", "planted.heads:merge_heads", "transformer", "transformer.:f", ":", "",
    "transformer.softmax:", "transformer...softmax:f", "transformer/softmax:f", "a:b:c"])
def test_a_name_from_a_file_is_never_imported(name, tmp_path, monkeypatch):
    """It may come from anywhere, so that a package planted beside the file would run."""
    (tmp_path / "planted").mkdir()
    (tmp_path / "planted" / "__init__.py").write_text("raise SystemExit('imported')")
    (tmp_path / "planted" / "code.py").write_text("def f():\n    pass\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert provenance.code_hashes([name]) == {name: "not there"}
    assert "planted" not in sys.modules


def test_a_string_after_the_first_statement_and_a_none_are_no_docstring(hashes):
    text = "def f():\n    x = {}\n    return x\n"
    assert len({hashes(text.format(value), ["f"])["f"] for value in ("None", "0", "''", "False", "()", "[]")}) == 6


def test_of_two_definitions_the_last_counts(hashes):
    twice = SOURCE + "\ndef f(x, y=1):\n    return 0\n"
    assert hashes(twice)["f"] == hashes("def f(x, y=1):\n    return 0\n", ["f"])["f"]


def test_a_function_that_does_not_exist_is_said_to_be_missing(hashes):
    assert hashes(SOURCE, ["g", "C.k", "D.m"]) == {"g": "not there", "C.k": "not there", "D.m": "not there"}
    assert provenance.code_hashes(["no_such_module:f", "transformer.nothing:f", "sys:exit"]) == {
        "no_such_module:f": "not there", "transformer.nothing:f": "not there", "sys:exit": "not there"}


def test_a_hash_is_the_same_on_every_machine_and_in_every_version_of_python():
    """Pinned. It changes only with merge_heads itself, and then belongs changed here."""
    assert provenance.code_hashes(["transformer.heads:merge_heads"])["transformer.heads:merge_heads"] == MERGE_HEADS


MERGE_HEADS = "e39d31b2880245955d346343837db12802700c1af34c686aa88b700763173593"


def test_the_functions_reached_are_those_of_the_package_that_ran():
    """Attention calls softmax, heads and products; NumPy's functions, this test and what did not run are not listed."""
    params = init_attention(4, np.random.default_rng(0))
    reached = provenance.functions_reached(lambda: attention_forward(np.ones((3, 4)), params, 2, np.ones((3, 3), bool)))
    assert {"transformer.attention:attention_forward", "transformer.attention:scaled_dot_product_forward",
            "transformer.heads:split_heads", "transformer.softmax:softmax_forward"} <= set(reached)
    assert {name.split(":")[0] for name in reached} <= {
        "transformer.attention", "transformer.arrays", "transformer.heads", "transformer.softmax", "transformer.linear"}
    assert not [name for name in reached if "backward" in name] and reached == sorted(set(reached))
    hashes = provenance.code_hashes(reached)
    assert len(set(hashes.values())) == len(reached) and provenance.MISSING not in hashes.values()


def test_a_function_that_keeps_its_results_is_reached_each_time(tmp_path, monkeypatch):
    """Otherwise the hashes of a model would depend on what else this process did before."""
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "remembering.py").write_text("from functools import cache\n@cache\ndef f(x):\n    return x + 1\n")
    from remembering import f
    assert [provenance.functions_reached(lambda: f(2), "remembering") for _ in range(2)] == [["remembering:f"]] * 2
    monkeypatch.delitem(sys.modules, "remembering")


def test_inner_functions_count_as_the_outer_one_and_a_profiler_is_left_as_it_was():
    from transformer.generation import generate, rereading, sampler
    choose, step = sampler(), rereading(lambda ids: np.zeros((*ids.shape, 3)))
    seen = []
    before = sys.getprofile()
    sys.setprofile(profiler := lambda *event: seen.append(event))
    try:
        reached = provenance.functions_reached(lambda: generate(step, [[1]], 2, choose, rng=np.random.default_rng(0)))
        assert sys.getprofile() is profiler
    finally:
        sys.setprofile(before)
    assert "transformer.generation:sampler" in reached and "transformer.generation:rereading" in reached
    assert provenance.MISSING not in provenance.code_hashes(reached).values()


def test_a_function_has_the_name_under_which_it_is_hashed():
    assert provenance.name_of(attention_forward) == "transformer.attention:attention_forward"


def test_differences_are_data_and_read_as_sentences():
    found = provenance.differences({"a": "1", "b": "2", "c": "3"}, {"a": "1", "b": "9", "d": "4"})
    assert found == (("b", "2", "9"), ("c", "3", "not there"), ("d", "not there", "4"))
    assert str(found[0]) == "b: trained with 2, run with 9"
    assert provenance.differences({"a": 1}, {"a": 1}) == ()


def test_the_combined_hash_depends_on_names_and_hashes_but_not_on_their_order():
    one = provenance.combined({"a": "1", "b": "2"})
    assert one == provenance.combined({"b": "2", "a": "1"})
    assert len({one, provenance.combined({"a": "2", "b": "1"}), provenance.combined({"a": "1"})}) == 3


def test_the_versions_are_those_that_run():
    assert provenance.versions() == {"python": ".".join(map(str, sys.version_info[:3])), "numpy": np.__version__}
