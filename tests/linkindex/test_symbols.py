"""The registry holds each symbol once, as one name; what is none is a finding at its entry, and stops nothing else."""

import pytest

from linkindex.cli import main
from linkindex.model import Place

SYMBOLS, RECORDS, PAGE = "docs/symbols.yml", "docs/filter.yml", "docs/filter.md"
ENTRY = "{code: y, meaning: planted, shape: '(m,)'}"


def registered(project, *keys):
    """Write these symbols into the registry, above the innovation, and list them on the page; the last one's place."""
    quoted = ["'" + key.replace("'", "''") + "'" for key in keys]
    project.edit(SYMBOLS, "y: {code: y,", "".join(f"{key}: {ENTRY}\n" for key in quoted) + "y: {code: y,")
    project.edit(RECORDS, "R, y, S,", f"R, y, {', '.join(quoted)}, S,")
    return Place(SYMBOLS, project.line_of(SYMBOLS, f"{quoted[-1]}: {ENTRY}"))


@pytest.mark.parametrize("twice", [("Q_h", "Q_{h}"), ("Q_{h}", "Q_h"), (r"\bar y", r"\bar{y}"), ("y_0", " y_0")])
def test_a_symbol_that_is_spelt_in_two_ways_is_found_at_the_second_one(project, twice):
    place = registered(project, *twice)
    first, second = twice
    for findings in (project.fast(), project.check()):
        (finding,) = findings
        assert (finding.place, finding.code) == (place, "LI125")
        assert finding.message == (
            f"symbol {second}: expected another notation than that of {first} in line {place.line - 1}, "
            "found the same: keep one of them, or give one another letter, accent or label"
        )


@pytest.mark.parametrize("key", [r"\text{gain}", "α", "#", "x %", r"\label{a}", r"\left", r"\operatorname{f}", "q_{",
                                 r"\foo", "2", "z - H x", "y = z", "q_a_b"])  # fmt: skip
def test_a_symbol_that_is_no_name_is_found_at_its_entry(project, key):
    place = registered(project, key)
    for findings in (project.fast(), project.check()):
        (finding,) = findings
        assert (finding.place, finding.code) == (place, "LI125")
        assert finding.message.startswith(f"symbol {key}: ")


def test_a_formula_that_hides_behind_a_symbol_is_not_proved(project):
    """Registered as one symbol that holds the innovation, any right side would agree."""
    registered(project, "z + H x")
    project.edit(RECORDS, "latex: y = z - H x", "latex: y = z + H x")
    project.lock()
    assert {finding.code for finding in project.check()} == {"LI125", "LI420"}


def test_a_symbol_that_a_page_lists_twice_is_found_there(project):
    project.edit(RECORDS, "R, y, S,", "R, y, y: {meaning: 'The gap'}, S,")
    (finding,) = project.check()
    assert (finding.place, finding.code) == (Place(RECORDS, 1, project.read(RECORDS).index("y: {") + 1), "LI104")
    assert finding.message == "y stands twice; the first is in line 1: remove one"


@pytest.mark.parametrize("key", ["'Q_{h}'", r"'\text{gain}'", "''", "' '"])
def test_what_is_listed_and_not_registered_is_found_once(project, key):
    registered(project, "Q_h")
    project.edit(RECORDS, "'Q_h'", f"'Q_h', {key}")
    (finding,) = project.check()
    assert (finding.place.path, finding.code) == (RECORDS, "LI108")


def test_nothing_is_repaired_while_it_is_not_clear_which_entry_is_meant(project, capsys):
    registered(project, "Q_h", "Q_{h}")
    project.edit("kalman/filter.py", "x_next", "ahead")
    assert main(["fix", "--write", "--root", str(project.root)]) == 1
    assert "LI800 nothing is repaired while this stands here (LI125): symbol Q_{h}: " in capsys.readouterr().out
