"""Every code that linkindex can report is named by a test, which plants the fault and looks where it is reported.

A new code needs such a test beside those of its neighbours, and a line in the table of codes, which says what it means:
CONTRIBUTING.md, "A check".
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import linkindex
import pytest
from linkindex.codes import ABOUT, registered

SOURCE, TESTS = Path(linkindex.__file__).parent, Path(__file__).parents[1]
FAULTS = SOURCE / "selfattack" / "table.py"              # names what a check must report, and reports nothing
CODE = re.compile(r"\bLI\d{3}\b")
NEVER_REPORTED = {"LI299": "what a fault expects in vain, in the tests of those who judge it"}


def strings(text: str) -> Iterator[str]:
    """All strings of a module but its docstrings, which only tell of codes."""
    tree = ast.parse(text)
    nodes = list(ast.walk(tree))
    told = {node.value for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in told:
            yield node.value


def codes(text: str) -> set[str]:
    return {code for string in strings(text) for code in CODE.findall(string)}


def codes_below(folder: Path, *without: Path) -> set[str]:
    files = folder.rglob("*.py") if folder.is_dir() else [folder]
    paths = [path for path in files if not any(path.is_relative_to(other) for other in without)]
    assert paths
    return {code for path in paths for code in codes(path.read_text(encoding="utf-8"))}


def test_every_code_is_named_by_a_test():
    """By one in this folder, or by a planted fault, each of which ``selfattack/test_selfattack.py`` plants."""
    assert codes_below(SOURCE, FAULTS) - codes_below(TESTS, Path(__file__)) - codes_below(FAULTS) == set()


def test_the_table_of_codes_holds_those_that_can_be_reported_and_no_others():
    assert codes_below(SOURCE, FAULTS) == registered().keys()


def test_every_code_belongs_to_a_stage():
    assert {code[2] for code in registered()} == ABOUT.keys()


def test_every_code_says_in_sentences_what_it_means_and_what_to_do():
    said = [text for code in registered().values() for text in (code.means, code.to_do)]
    assert all(re.fullmatch(r"[A-Z`].*[.]", text) for text in said)


def test_every_code_that_a_test_names_can_be_reported():
    assert codes_below(TESTS, Path(__file__)) - codes_below(SOURCE, FAULTS) == NEVER_REPORTED.keys()


def test_every_code_that_a_planted_fault_expects_can_be_reported():
    assert codes_below(FAULTS) - codes_below(SOURCE, FAULTS) == set()


def test_no_code_is_put_together_from_pieces():
    """Nobody would find it by searching for it, and neither would these tests."""
    pieces = re.compile(r"LI\d{0,2}$|LI\d{0,2}[{%]")
    made = [
        (path.name, string)
        for path in SOURCE.rglob("*.py")
        for string in strings(path.read_text(encoding="utf-8"))
        if pieces.match(string)
    ]
    assert made == []


@pytest.mark.parametrize(("text", "found"), [
    ('Finding(place, "LI123", message)', {"LI123"}),
    ('CODES = {MISSED: "LI901", "LI902": MISSED}', {"LI901", "LI902"}),
    ('f"{place}: LI123 {message}"', {"LI123"}),
    ('"""What LI123 is for."""\n\ndef f():\n    """LI124"""\n', set()),
    ("# LI123\n", set()),
    ('"XLI123 LI1234"', set()),
])  # fmt: skip
def test_codes_are_found_in_strings_and_not_where_they_are_only_told_of(text, found):
    assert codes(text) == found
