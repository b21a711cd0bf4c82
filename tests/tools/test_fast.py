"""Which tests `--fast` runs, and which tests share a process."""

import subprocess
import sys

import pytest

from tests.conftest import FAST, TESTS, in_one_process

SLOW = "import pytest\n\n\n@pytest.mark.slow\ndef test_slow():\n    pass\n\n\ndef test_quick():\n    pass\n"


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    """A suite with our conftest.py: a folder that counts as fast, with a slow test in it, and one that does not."""
    root = tmp_path_factory.mktemp("suite")
    settings = '[tool.pytest.ini_options]\ntestpaths = ["tests"]\nmarkers = ["slow: is left out"]\n'
    (root / "pyproject.toml").write_text(settings, encoding="utf-8")
    for folder in (FAST[0], "anything_else"):
        (root / "tests" / folder).mkdir(parents=True)
        (root / "tests" / folder / f"test_{folder}.py").write_text(SLOW, encoding="utf-8")
    (root / "tests" / "conftest.py").write_bytes((TESTS / "conftest.py").read_bytes())
    return root


def collected(root, *options):
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider", *options]
    printed = subprocess.run(command, cwd=root, capture_output=True, text=True).stdout
    return [line.rpartition("/")[2] for line in printed.splitlines() if "::" in line]


def test_fast_leaves_out_what_is_marked_and_every_other_folder(suite):
    assert collected(suite, "--fast") == [f"test_{FAST[0]}.py::test_quick"]
    assert collected(suite, "--fast", "tests/anything_else") == []
    assert len(collected(suite)) == 4


@pytest.mark.parametrize("folder", FAST)
def test_every_fast_folder_has_tests(folder):
    assert list((TESTS / folder).glob("test_*.py"))


def test_tests_that_share_what_is_costly_run_in_one_process():
    shared = {in_one_process(f"tests/site/{name}") for name in ("test_html.py::test_a", "test_links.py::test_b[1::2]")}
    assert shared == {str(TESTS / "site")}
    assert in_one_process("tests/transformer/test_softmax.py::test_a") == str(TESTS / "transformer/test_softmax.py")
