"""Files are edited in place: what is not repaired stays byte for byte, and all files are written or none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkindex.fix.alike import renamed
from linkindex.fix.files import Change, write_all
from linkindex.fix.scalars import CannotEdit, Replacement, replace_scalars
from linkindex.load.yamltree import read_yaml
from linkindex.model import Place
from tests.linkindex.fix.fixing import changed_lines

CODE, RECORDS, SYMBOLS, PAGE = "kalman/filter.py", "docs/filter.yml", "docs/symbols.yml", "docs/filter.md"


def test_comments_order_and_quotes_are_kept(fixing):
    text = (
        fixing.project.read(SYMBOLS)
        .replace('y: {code: y, meaning: "The', '# About y: {code: y}\ny:   {  meaning: "The')
        .replace('did not say"}', "did not say\"  ,   code: 'y' }   # y, the innovation")
    )
    fixing.project.write(SYMBOLS, text)
    fixing.rename(CODE, "y", "innovation")
    fixing.repaired()
    assert fixing.project.read(SYMBOLS) == text.replace("code: 'y'", "code: 'innovation'")


def test_a_byte_order_mark_and_line_ends_are_kept(fixing):
    data = b"\xef\xbb\xbf" + fixing.project.read(SYMBOLS).replace("\n", "\r\n").encode()
    fixing.project.write(SYMBOLS, data)
    fixing.rename(CODE, "y", "innovation")
    fixing.repaired()
    after = fixing.files()["symbols.yml"]
    assert after == data.replace(b"y: {code: y,", b"y: {code: innovation,")


def test_a_value_of_several_lines_is_edited_in_its_lines(fixing):
    folded = "  code: >-\n    np.linalg.solve(\n      S, H @ P\n    ).T\n"
    fixing.project.edit(RECORDS, "  code: K\n", folded)
    fixing.project.lock()
    fixing.rename(CODE, "S", "spread")
    fixing.repaired()
    assert folded.replace("S,", "spread,") in fixing.project.read(RECORDS)


def test_a_value_narrowed_by_a_page_is_edited_there(fixing):
    fixing.project.edit(RECORDS, "z, H, R, y, S, K,", "z, H, R, y: {code: y, meaning: 'The gap'}, S, K,")
    fixing.project.lock()
    symbols = fixing.project.read(SYMBOLS)
    fixing.rename(CODE, "y", "innovation")
    fixing.repaired()
    assert "y: {code: innovation, meaning: 'The gap'}" in fixing.project.read(RECORDS)
    assert fixing.project.read(SYMBOLS) == symbols


def test_a_value_that_another_one_repeats_is_left_to_people(fixing):
    """A new text of what an alias repeats would change both; the other values of the file are not blamed."""
    fixing.project.edit(SYMBOLS, 'S: {code: S, meaning: "Covariance of the innovation"}', "S: {code: S, meaning: *v}")
    fixing.project.edit(SYMBOLS, "y: {code: y,", "y: {code: &v y,")
    fixing.rename(CODE, "x_next", "ahead")
    fixing.rename(CODE, "y", "innovation")
    outcome = fixing.run("--write")
    place = f"{SYMBOLS}:{fixing.project.line_of(SYMBOLS, '&v y')}:11"
    says = "this file is left as it is: 'y' cannot become 'innovation' in place: write it by hand"
    assert f"{place}: LI805 {says}\n" in outcome.stdout
    assert outcome.exit_code == 1 and "code: &v y," in fixing.project.read(SYMBOLS)


def test_a_value_of_a_page_that_another_one_repeats_is_left_to_people(fixing):
    title, show = "    title: The measurement taken in\n", "    show: [y, K, x_new, P_new]\n"
    fixing.project.edit(PAGE, title + show, "    show: [&v y, K, x_new, P_new]\n    title: *v\n")
    fixing.rename(CODE, "y", "innovation")
    outcome = fixing.refused("LI805")
    place = f"{PAGE}:{fixing.project.line_of(PAGE, '&v y')}:12"
    says = "this page is left as it is: 'y' cannot become 'innovation' in place: write it by hand"
    assert f"{place}: LI805 {says}\n" in outcome.stdout


def test_a_file_that_cannot_be_written_leaves_all_as_they_were(fixing):
    fixing.rename(CODE, "K", "gain")
    (fixing.root / "docs/.symbols.yml.new").mkdir()  # in the way of the last file
    before = fixing.files()
    outcome = fixing.run("--write")
    assert (outcome.exit_code, fixing.files()) == (2, before)
    assert "nothing is written: " in outcome.stderr


def test_a_file_that_cannot_be_replaced_leaves_all_as_they_were(tmp_path):
    """The first file is in its place already when the second fails; it is put back."""
    (tmp_path / "a.yml").write_text("old a\n")
    (tmp_path / "b.yml").mkdir()
    with pytest.raises(OSError):
        write_all(tmp_path, [Change("a.yml", "old a\n", "new a\n"), Change("b.yml", "", "new b\n")])
    assert (tmp_path / "a.yml").read_text() == "old a\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.yml", "b.yml"]


def test_unreadable_records_stop_everything(fixing):
    """A lock written now would lose the equations of the broken file."""
    fixing.project.edit(RECORDS, "title: Innovation\n", "title: Inno: vation\n")
    assert "LI101" in fixing.refused("LI800").stdout


def test_no_equations_stop_everything(fixing):
    fixing.project.write(RECORDS, "notation: [x]\n")
    assert "empty lock" in fixing.refused("LI800").stdout


STYLES = {
    "plain": "{}",
    "single": "'{}'",
    "double": '"{}"',
    "folded": ">-\n    {}",
    "literal": "|-\n    {}",
}


@pytest.mark.parametrize("style", STYLES)
@given(before=st.text("# :abc\n", max_size=12), names=st.lists(st.sampled_from("pq"), min_size=1, max_size=4))
def test_an_edited_value_says_what_is_wanted_and_all_else_stays(style, before, names):
    comments = "".join(f"# {line}\n" for line in before.split("\n"))
    value = " + ".join(names)
    new = renamed(value, {"p": "longer_name"}, {})
    texts = [f"{comments}a: x y  # p\nkey: {STYLES[style].format(code)}\n# p\nq: [p, 'q']\n" for code in (value, new)]
    place = read_yaml(texts[0], "f.yml")[0].entries["key"].place
    assert replace_scalars(texts[0], [Replacement(place, value, new)]) == texts[1]
    assert read_yaml(texts[1], "f.yml")[0].entries["key"].value == new


@pytest.mark.parametrize(
    ("written", "old", "new", "expected"),
    [
        ("params['p']", "params['p']", "params['it''s']", "'params[''it''''s'']'"),
        (r'"a\x70"', "ap", "bp", '"bp"'),
        ("p", "p", "p: q", "'p: q'"),
        ("p", "p", "p # q", "'p # q'"),
    ],
)
def test_a_value_that_cannot_be_edited_in_its_own_text_is_written_in_quotes(written, old, new, expected):
    edited = replace_scalars(f"key: {written}  # why\nother: 1\n", [Replacement(Place("f.yml", 1, 6), old, new)])
    assert read_yaml(edited, "f.yml")[0].entries["key"].value == new
    assert edited.endswith("  # why\nother: 1\n")
    assert expected in edited or new in edited


def test_a_value_that_is_not_at_its_place_is_not_edited():
    with pytest.raises(CannotEdit, match="the value 'value' does not begin here") as error:
        replace_scalars("key: other\n", [Replacement(Place("f.yml", 1, 6), "value", "new")])
    assert error.value.place == Place("f.yml", 1, 6)


def test_names_in_strings_and_attributes_are_not_variables():
    assert renamed("f(x.y, 'y', y=y)  ", {"y": "z"}, {"f": "g"}) == "g(x.y, 'y', y=z)  "
    assert renamed("Ä + (y)\n  @ y", {"y": "z", "Ä": "Ö"}, {}) == "Ö + (z)\n  @ z"
    assert renamed("module.f(f.y)", {"module": "other"}, {"f": "g"}) == "other.g(g.y)"


def test_only_lines_of_repaired_records_change(fixing):
    before = fixing.files()
    fixing.rename(CODE, "K", "gain")
    fixing.repaired()
    after = fixing.files()
    assert changed_lines(before["filter.yml"], after["filter.yml"]) == [(b"  code: K", b"  code: gain")]
    assert len(changed_lines(before["symbols.yml"], after["symbols.yml"])) == 1
    assert changed_lines(before["filter.md"], after["filter.md"]) == [
        (b"    show: [y, K, x_new, P_new]", b"    show: [y, gain, x_new, P_new]")
    ]
