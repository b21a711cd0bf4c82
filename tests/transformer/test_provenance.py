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
    """``hashes(source)``: the hashes of f and C.m in a module with this source, under the plain names."""
    monkeypatch.syspath_prepend(tmp_path)

    def measure(source, names=("f", "C.m")):
        module = f"written_for_a_test_{next(NUMBERS)}"
        (tmp_path / f"{module}.py").write_bytes(source if isinstance(source, bytes) else source.encode())
        importlib.invalidate_caches()
        return {name.split(":")[1]: value
                for name, value in provenance.code_hashes(f"{module}:{name}" for name in names).items()}

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
    assert reached == ["transformer.arrays:dot", "transformer.arrays:rowmax", "transformer.arrays:rows",
                       "transformer.arrays:rowsum", "transformer.attention:attention_forward",
                       "transformer.attention:scaled_dot_product_forward", "transformer.heads:head_width",
                       "transformer.heads:merge_heads", "transformer.heads:split_heads",
                       "transformer.softmax:softmax_forward"]
    hashes = provenance.code_hashes(reached)
    assert len(set(hashes.values())) == len(reached) and provenance.MISSING not in hashes.values()


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
