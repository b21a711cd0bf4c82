"""Lines are the parser's, columns count characters, names are compared as Python reads them. Rows: see rows.py."""

import pytest
from linkindex.load.yamltree import read_yaml
from linkindex.model import Finding
from linkindex.sources import read_source

from tests.linkindex.bugs import rows

NOT_APPLICABLE = {}
ELSEWHERE = {}


def test_every_row_is_tested():
    assert rows.uncovered(rows.BYTES, globals(), ELSEWHERE, NOT_APPLICABLE) == []
    assert rows.lost(ELSEWHERE) == []


# --- 20: what ends a line ------------------------------------------------------------------------------------------

NO_LINE_ENDS = {
    "form feed": "\f",
    "vertical tab": "\v",
    "file separator": "\x1c",
    "next line": "\x85",
    "line separator": "\u2028",
    "paragraph separator": "\u2029",
}
LINE_ENDS = {"unix": "\n", "windows": "\r\n", "old macintosh": "\r"}


@pytest.mark.parametrize("name", NO_LINE_ENDS)
def test_row_20_a_character_that_ends_no_line_for_python_moves_nothing(code, name):
    mark = NO_LINE_ENDS[name]
    library = code(
        {
            "m.py": (
                f'"""Text {mark} text."""\n# {mark}\n'
                f'def f(a):\n    t = "{mark}{mark}"; y = a + 1  # {mark}\n    return y\n'
            )
        }
    )
    span = library.span("m.f", "y")
    assert (span.line, span.col, span.end_col, span.code) == (4, 19, 24, "a + 1")


def test_row_20_a_form_feed_between_definitions(code):
    library = code(
        {
            "m.py": (
                "x = 1\n\f\ndef f(a):\n\f    y = a + 1\n    return y\n\f\n\f\n"
                "def g(a):\n    z = a \f+ 2\n    return z\n"
            )
        }
    )
    assert (library.span("m.f", "y").line, library.span("m.f", "y").col) == (4, 10)
    assert (library.span("m.g", "z").line, library.span("m.g", "z").code) == (9, "a \f+ 2")


@pytest.mark.parametrize("name", LINE_ENDS)
def test_row_20_every_line_end_of_python_counts_once(code, name):
    text = '"""Doc."""\n\ndef f(a):\n    y = (a\n         + 1)\n    s = """a\nb"""\n    return y\n'
    library = code({"m.py": text.replace("\n", LINE_ENDS[name]).encode()})
    span = library.span("m.f", "y")
    assert (span.line, span.col, span.end_line, span.end_col) == (4, 10, 5, 13)
    assert span.code == "a\n         + 1"
    assert library.find("m.f").function.span.end_line == 8


def test_row_20_line_ends_may_be_mixed(code):
    span = code({"m.py": b"x = 1\r\ny = 2\rz = 3\ndef f(a):\r\n    b = a + 1\r    return b"}).span("m.f", "b")
    assert (span.line, span.col) == (5, 9)


@pytest.mark.parametrize("end", ["", "\n", "\n\n"])
def test_row_20_the_last_line_may_have_no_end(code, end):
    assert code({"m.py": "def f(a):\n    y = a + 1" + end}).span("m.f", "y").line == 2


@pytest.mark.parametrize("mark", ["\x85", "\u2028", "\u2029"])
def test_row_20_places_in_records_count_lines_as_editors_do(mark):
    table, _ = read_yaml(f"# {mark}\na: 'x{mark}y'\nb:\n  c: 1\nd: >-\n  e{mark}\n  f\n", "r.yml")
    assert [(table.keys[key].line, table.keys[key].col) for key in "abd"] == [(2, 1), (3, 1), (5, 1)]
    assert table.entries["b"].keys["c"].line == 4


@pytest.mark.parametrize("control", ["\f", "\x1c", "\x00"])
def test_row_20_a_control_character_in_a_record_is_refused_at_its_place(control):
    _, findings = read_yaml(f"é: 1\nα: β{control}\n", "r.yml")
    assert [(f.code, f.place.line, f.place.col) for f in findings] == [("LI101", 2, 5)]


def test_row_20_windows_line_ends_in_records_and_pages_change_no_place(project):
    project.edit("docs/filter.yml", "latex: y = z - H x", "latex: y = z - q x")
    project.edit("docs/filter.md", "The state $x$", "The state [x](gone.md)")
    before = project.fast()
    assert len(before) > 1
    for path in ("docs/filter.yml", "docs/filter.md", "docs/symbols.yml", "kalman/filter.py", "tests/test_filter.py"):
        project.write(path, project.read(path).replace("\n", "\r\n"))
    assert project.fast() == before


# --- 22: names that Python makes equal -----------------------------------------------------------------------------

LETTERS = {"ϵ": "ε", "ϕ": "φ", "ϑ": "θ", "ℓ": "l", "xₜ": "xt", "𝐖": "W", "ﬁlter": "filter", "é": "é"}


@pytest.mark.parametrize("written", LETTERS)
def test_row_22_a_name_is_found_in_each_of_its_spellings_and_shown_as_it_is_written(code, written):
    read = LETTERS[written]
    library = code({"m.py": f"def {written}(a):\n    {written} = a + {written}\n    return {written} * 2\n"})
    for name in (written, read):
        assert library.find(f"m.{name}").function.line == 1
        assert library.span(f"m.{name}", name).code == f"a + {written}"
        assert library.span(f"m.{name}", f"{name} * 2").code == f"{written} * 2"


def test_row_22_a_letter_outside_of_the_basic_plane_links_its_function(project):
    project.edit("kalman/filter.py", "def predict(", "def 𝜃(")
    project.edit("tests/test_filter.py", "import predict", "import θ as predict")
    project.edit("docs/filter.py", "import predict", "import 𝜃 as predict")
    project.edit("docs/filter.yml", "kalman.filter.predict", "kalman.filter.θ")
    project.lock()
    assert project.check() == ()


def test_row_22_a_variable_and_a_test_may_be_written_with_such_letters(project):
    project.edit("kalman/filter.py", "x_next", "xₜ")
    project.edit("docs/symbols.yml", "code: x_next", "code: xₜ")
    project.edit("docs/filter.md", "x_next", "xₜ")
    project.edit("tests/test_filter.py", "test_predicted_state", "test_ϵ")
    project.edit("docs/filter.yml", "test_predicted_state", "test_ϵ")
    project.lock()
    _, resolution, _, evidence, findings = project.result()
    assert findings == ()
    assert [row.code for row in evidence.proofs["filter.predicted-state"].symbols if row.latex == r"\bar x"] == ["xₜ"]
    assert resolution.links["filter.predicted-state"][0].statement.code == "xₜ = F @ x"


def test_row_22_two_symbols_of_one_formula_that_python_makes_one_variable_are_refused(project):
    project.edit("docs/symbols.yml", "z: {code: z,", "z: {code: ϕ,")
    project.edit("docs/symbols.yml", "H: {code: H,", "H: {code: φ,")
    found = [finding for finding in project.fast() if finding.code == "LI501"]
    assert [finding.place.line for finding in found] == [project.line_of("docs/filter.yml", "latex: y = z - H x")]
    assert "ϕ" in found[0].message and "φ" in found[0].message and "one name" in found[0].message


def test_row_22_two_spellings_of_one_variable_are_assigned_twice(code):
    error = code({"m.py": "def f(a):\n    ϕ = a\n    φ = a + 1\n    return φ\n"}).refused_code("m.f", "ϕ")
    assert error.code == "LI208"


# --- 23: columns ---------------------------------------------------------------------------------------------------

WIDE = {
    "two bytes": "θθ",
    "three bytes": "ⅷ",
    "four bytes": "𝐖",
    "combining": "é",
    "right to left": "אב",
    "with an emoji": "s",
}


@pytest.mark.parametrize("name", WIDE)
def test_row_23_columns_count_characters(code, name):
    left = WIDE[name]
    text = '"😀"; ' if name == "with an emoji" else ""
    span = code({"m.py": f"def f(α, beta):\n    {text}{left} = α + beta\n    return {left}\n"}).span("m.f", left)
    assert (span.col, span.end_col) == (8 + len(text) + len(left), 16 + len(text) + len(left))


@pytest.mark.parametrize("head", ["", "\ufeff"], ids=["plain", "behind a byte order mark"])
def test_row_23_columns_of_the_first_line(code, head):
    span = code({"m.py": f"{head}def f(θ): η = 2 * θ; return η\n".encode()}).span("m.f", "η")
    assert (span.line, span.col, span.end_col) == (1, 15, 20)


def test_row_23_columns_over_several_lines(code):
    span = code({"m.py": "def f(θ):\n    ηη = ('θθ' +\n        '😀θ' + θ)\n    return ηη\n"}).span("m.f", "ηη")
    assert (span.line, span.col, span.end_line, span.end_col) == (2, 11, 3, 17)


def test_row_23_a_tab_is_one_column(code):
    span = code({"m.py": "def f(a):\n\tif a:\n\t\ty\t=\ta + 1\n\treturn y\n"}).span("m.f", "y")
    assert (span.line, span.col, span.code) == (3, 7, "a + 1")


def test_row_23_a_syntax_error_behind_wide_characters_has_its_column(code):
    library = code({"m.py": "θθ = α β\n"})
    assert read_source(library.root, "m.py").place.col == 8


# --- 24: f-strings -------------------------------------------------------------------------------------------------

STRINGS = {
    "one line": 't = f"{a + b}"',
    "behind wide characters": 't = f"θθ{a + b}"',
    "a format specification": 't = f"{a:>{a + b}}"',
    "several lines": 't = f"""\n  {a}\n {a + b}"""',
    "joined": 't = ("x"\n         f"{a}" f"{a + b}")',
    "in another one": """t = f"{f'{a + b}'}" """,
}


@pytest.mark.parametrize("name", STRINGS)
def test_row_24_code_inside_an_f_string_is_no_target_and_the_message_says_so(code, name):
    error = code({"m.py": f"def f(a, b):\n    {STRINGS[name]}\n    return t\n"}).refused_code("m.f", "a + b")
    assert error.code == "LI207" and "f-string" in str(error) and "line" in str(error)


@pytest.mark.parametrize("name", STRINGS)
def test_row_24_the_same_code_outside_is_found_once(code, name):
    text = f"def f(a, b):\n    {STRINGS[name]}\n    y = a + b\n    return t\n"
    assert code({"m.py": text}).span("m.f", "a + b").line == text.count("\n") - 1


@pytest.mark.parametrize("name", STRINGS)
def test_row_24_an_f_string_as_a_whole_has_an_exact_place(code, name):
    assert code({"m.py": f"def f(a, b):\n    {STRINGS[name]}\n    return t\n"}).span("m.f", "t").line == 2


def test_row_24_probes_leave_f_strings_alone(project):
    project.edit(
        "kalman/filter.py",
        "    y = z - H @ x ",
        '    name = f"{z - H @ x} {x.shape[0]:{x.shape[0]}}"\n    y = z - H @ x ',
    )
    _, _, runs, _, findings = project.result()
    assert findings == ()
    run = runs.examples["filter"][0]
    assert len(run.visits["filter.innovation"]) == 1 and set(run.executed.values()) == {1}


def test_row_24_a_call_inside_an_f_string_is_listed_at_the_string(project):
    project.write(
        "kalman/report.py", 'from kalman.filter import update\n\n\ndef report(*a):\n    return f"é {update(*a)[0]}"\n'
    )
    calls = [call for call in project.result()[1].calls if call.caller == "kalman.report.report"]
    assert [(call.callee, call.span.line, call.span.code) for call in calls] == [
        ("kalman.filter.update", 5, 'f"é {update(*a)[0]}"')
    ]


# --- 25: encodings -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "iso-8859-15", "utf-8", "cp1251", "shift_jis"])
def test_row_25_a_file_is_read_by_its_coding_cookie(code, encoding):
    word = {"cp1251": "жук", "shift_jis": "数"}.get(encoding, "éß")
    text = f"# -*- coding: {encoding} -*-\ndef f(a):\n    {word} = '{word}'; y = a + 1\n    return y\n"
    span = code({"m.py": text.encode(encoding)}).span("m.f", "y")
    assert (span.line, span.col) == (3, 16 + 2 * len(word))


def test_row_25_a_probe_in_such_a_file_runs(project):
    text = "# -*- coding: latin-1 -*-\n" + project.read("kalman/filter.py").replace(
        "y = z - H @ x ", "é = 'ß'; y = z - H @ x "
    )
    project.write("kalman/filter.py", text.encode("latin-1"))
    _, resolution, _, _, findings = project.result()
    assert findings == ()
    assert resolution.links["filter.innovation"][0].span.col == 18
    assert "é = 'ß'" in resolution.sources["kalman/filter.py"]


@pytest.mark.parametrize(
    "data, line",
    [
        (b"x = 1\n# \xe9\n", 2),
        (b"# -*- coding: no-such -*-\nx = 1\n", 1),
        (b"\xef\xbb\xbf# -*- coding: latin-1 -*-\nx = 1\n", 1),
        (b"# -*- coding: ascii -*-\r\n\r\n# \xc3\xa9\r\n", 3),
    ],
    ids=["no cookie", "an unknown one", "at odds with the mark", "a wrong one"],
)
def test_row_25_a_file_that_cannot_be_decoded_is_named_with_its_line(code, data, line):
    library = code({"pkg/m.py": data})
    finding = read_source(library.root, "pkg/m.py")
    assert isinstance(finding, Finding) and finding.code in ("LI204", "LI205")
    assert (finding.place.path, finding.place.line) == ("pkg/m.py", line)


def test_row_25_a_page_or_a_record_that_is_no_utf_8_is_named_with_its_place(project):
    for path in ("docs/filter.md", "docs/filter.yml"):
        text = project.read(path)
        project.write(path, b"# \xe9\n" + text.encode())
        assert ("LI109", path, 1, 3) in {(f.code, f.place.path, f.place.line, f.place.col) for f in project.fast()}
        project.write(path, text)


# --- 26: files that do not parse -----------------------------------------------------------------------------------

BROKEN = {
    "an open bracket": ("def f(a):\n    y = (a\n", 2),
    "a bad indent": ("def f(a):\n    y = a\n  z = a\n", 3),
    "tabs and blanks": ("def f(a):\n    if a:\n\ty = 1\n", 3),
    "an open string": ("def f(a):\n    y = '\n", 2),
    "two words": ("x = 1\ny = a b\n", 2),
    "a null byte": ("x = 1\ny = 2\x00\n", 1),
    "a return outside": ("x = 1\nreturn x = 2\n", 2),
}


@pytest.mark.parametrize("name", BROKEN)
def test_row_26_a_file_that_does_not_parse_is_named_with_its_line(code, name):
    text, line = BROKEN[name]
    library = code({"pkg/__init__.py": "", "pkg/m.py": text})
    finding = read_source(library.root, "pkg/m.py")
    assert (finding.code, finding.place.path, finding.place.line) == ("LI204", "pkg/m.py", line)
    assert library.refused("pkg.m.f").code == "LI204"


def test_row_26_an_example_that_does_not_parse_is_named_with_its_line(project):
    project.edit("docs/filter.py", "def run(", "def run(:")
    assert ("docs/filter.py", project.line_of("docs/filter.py", "def run(:")) in {
        (f.place.path, f.place.line) for f in project.check()
    }


def test_row_26_a_test_file_that_does_not_parse_fails_every_equation_that_it_serves(project):
    project.edit("tests/test_filter.py", "def test_gain(", "def test_gain(:")
    assert {(f.code, f.place.path) for f in project.fast()} == {("LI204", "tests/test_filter.py")}
    evidence = project.result()[3]
    assert len(evidence.proofs) == 7
    assert not any(proof.steps["tested"].ok for proof in evidence.proofs.values())
