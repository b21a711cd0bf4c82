"""A file is parsed once in a process, and everybody reads the same tree."""

import ast

from linkindex.run.instrument import Probes, instrumented
from linkindex.sources import read_source

CODE = "def double(x):\n    return 2 * x\n"
PRODUCT = {(2, 12, 2, 17): "the product"}  # line, column, and where it ends


def test_the_same_bytes_are_the_same_source_and_other_ones_are_not(tmp_path):
    (tmp_path / "m.py").write_text(CODE)
    first = read_source(tmp_path, "m.py")
    assert read_source(tmp_path, "m.py") is first
    (tmp_path / "m.py").write_text(CODE.replace("2", "3"))
    assert ast.unparse(read_source(tmp_path, "m.py").tree) == "def double(x):\n    return 3 * x"


def test_probes_are_put_into_a_tree_of_their_own(tmp_path):
    (tmp_path / "m.py").write_text(CODE)
    source = read_source(tmp_path, "m.py")
    before = ast.dump(source.tree, include_attributes=True)
    assert "the product" in ast.unparse(instrumented(Probes(source, PRODUCT)))
    assert ast.dump(source.tree, include_attributes=True) == before
