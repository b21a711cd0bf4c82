"""The attention page of this project: what a maintainer renames and moves there is followed everywhere."""

import re
import shutil
from pathlib import Path

import pytest

from tests.linkindex.fix.fixing import Fixing, changed_lines
from tests.linkindex.project import Project

ROOT = Path(__file__).parents[3]
CODE, HEADS = "transformer/attention.py", "transformer/heads.py"
RECORDS, SYMBOLS, PAGE = "docs/attention.yml", "docs/symbols.yml", "docs/attention.md"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A copy of the documented package, its pages and its tests, with its lock written."""
    root = tmp_path_factory.mktemp("attention") / "project"
    for name in ("docs", "transformer", "tests/transformer", "tests/data"):
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "tests/__init__.py", "tests/page_numbers.py"):
        shutil.copy(ROOT / name, root / name)
    Project(root).lock()
    return root


@pytest.fixture
def fixing(whole, tmp_path, capsys):
    """A copy that the test may change, and `linkindex fix` in it."""
    shutil.copytree(whole, tmp_path / "project")
    return Fixing(Project(tmp_path / "project"), capsys)


def test_where_nothing_was_edited_there_is_nothing_to_do(fixing):
    assert fixing.run().exit_code == 0


def rename_queries(fixing):
    fixing.rename(CODE, "Qh", "Q_heads")


def move_split_heads(fixing):
    moved = fixing.cut(HEADS, "split_heads")
    fixing.project.write(
        "transformer/cutting.py",
        f'"""Cutting a matrix into heads."""\n\nfrom transformer.heads import head_width\n\n\n{moved}',
    )
    for path in sorted(fixing.project.root.glob("t*/**/*.py")):  # in the package and in its tests
        text = path.read_text(encoding="utf-8")
        imports = r"(from transformer\.heads import .*), split_heads\n"
        path.write_text(re.sub(imports, r"from transformer.cutting import split_heads\n\1\n", text), encoding="utf-8")


def rename_a_test(fixing):
    fixing.rename("tests/transformer/test_attention.py", "test_scores", "test_one_score_for_each_pair")


def test_a_variable_is_renamed_in_symbols_records_and_what_the_page_shows(fixing):
    before = fixing.files()
    rename_queries(fixing)
    outcome = fixing.repaired()
    after = fixing.files()
    assert changed_lines(before["attention.yml"], after["attention.yml"]) == [
        (b"  code: Qh @ Kh.mT", b"  code: Q_heads @ Kh.mT")
    ]
    assert [new for _, new in changed_lines(before["symbols.yml"], after["symbols.yml"])] == [
        b'Q_h: {code: Q_heads, meaning: "Queries of all heads, one matrix per head", shape: "(H, T, d_h)"}'
    ]
    shown = changed_lines(before["attention.md"], after["attention.md"])
    # A name that the page itself gives to a value is its own, and stays.
    assert shown and all(new == re.sub(rb"\bQh\b(?!:)", b"Q_heads", old) for old, new in shown)
    assert all(any(place in old for old, _ in shown) for place in (b"of: [", b"{{ (", b"mutant: ", b"      - "))
    assert b"Q_heads" in after["attention-steps.svg"] and not re.search(rb"\bQh\b", after["attention-steps.svg"])
    pages = "".join(fixing.project.read(f"docs/{name}") for name in ("attention.md", "attention-backward.md"))
    assert not re.search(r"\bQh\b(?!:)", fixing.project.read(RECORDS) + fixing.project.read(SYMBOLS) + pages)
    assert (
        "attention.scaled-scores: renamed: was 'Qh @ Kh.mT / math.sqrt(dh)', is 'Q_heads @ Kh.mT / math.sqrt(dh)'"
        in outcome.stderr
    )
    assert "ACCEPTS" not in outcome.stderr


def test_a_moved_function_is_followed(fixing):
    before = fixing.files()
    move_split_heads(fixing)
    fixing.repaired()
    assert changed_lines(before["attention.yml"], fixing.files()["attention.yml"]) == [
        (b"  in: transformer.heads.split_heads", b"  in: transformer.cutting.split_heads")
    ]


def test_a_renamed_test_is_followed(fixing):
    before = fixing.files()
    rename_a_test(fixing)
    fixing.repaired()
    assert changed_lines(before["attention.yml"], fixing.files()["attention.yml"]) == [
        (
            b"  test: tests/transformer/test_attention.py::test_scores",
            b"  test: tests/transformer/test_attention.py::test_one_score_for_each_pair",
        )
    ]


def test_all_of_that_at_once_leaves_every_step_proved(fixing):
    rename_queries(fixing)
    move_split_heads(fixing)
    rename_a_test(fixing)
    fixing.repaired()
    assert fixing.project.check() == ()


def test_declared_mutants_are_renamed_with_their_line(fixing):
    record = "attention.weights:\n  title: Attention weights, one row at a time\n"
    fixing.project.edit(RECORDS, record, record + "  equivalent:\n    e / np.maximum(total, 0): total is at least 1\n")
    before = fixing.files()
    fixing.rename_in("transformer/softmax.py", "softmax_forward", "total", "added")
    fixing.rename_in("transformer/softmax.py", "softmax_forward", "e", "powers")
    fixing.repaired()
    changed = [new for _, new in changed_lines(before["attention.yml"], fixing.files()["attention.yml"])]
    assert b"    powers / np.maximum(added, 0): total is at least 1" in changed
    assert b"  computes: {in: transformer.softmax.softmax_forward, code: powers}" in changed


def test_a_moved_module_is_followed_by_records_and_listings(fixing):
    (fixing.root / CODE).rename(fixing.root / "transformer/causal_attention.py")
    tests = [path.relative_to(fixing.root).as_posix() for path in (fixing.root / "tests").rglob("*.py")]
    for path in ["docs/attention.py", *tests]:
        fixing.project.write(
            path, fixing.project.read(path).replace("transformer.attention", "transformer.causal_attention")
        )
    before = fixing.files()
    fixing.repaired()
    for name in ("attention.yml", "attention.md"):
        lines = changed_lines(before[name], fixing.files()[name])
        assert lines and all(
            new == old.replace(b"transformer.attention.", b"transformer.causal_attention.") for old, new in lines
        )
