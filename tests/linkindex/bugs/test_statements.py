"""Statements in forms that line-based tools trip over: each link has its exact place and its own value."""

import pytest

FORMS = {
    "tabs": ("\ty = a + b\n", "y", (2, 6, 2, 11)),
    "a very long line": (f"    x = [{'0, ' * 40000}]; y = a + b\n", "y", (2, 120017, 2, 120022)),
    "a walrus": ("    if (y := a + b) > 0:\n        pass\n", "y", (2, 14, 2, 19)),
    "a walrus in a comprehension": ("    z = [y := a + b for a in b]\n", "y", (2, 15, 2, 20)),
    "a backslash": ("    y = a + \\\n        b\n", "y", (2, 9, 3, 10)),
    "two statements on a line": ("    x = 1; y = a + b\n", "y", (2, 16, 2, 21)),
    "the first of two statements": ("    y = a + b; x = 1\n", "y", (2, 9, 2, 14)),
    "a statement behind a colon": ("    if a: y = a + b\n", "y", (2, 15, 2, 20)),
    "an annotation": ("    y: float = a + b\n", "y", (2, 16, 2, 21)),
    "a chain": ("    x = y = a + b\n", "y", (2, 13, 2, 18)),
    "a pair": ("    x, y = a * b, a + b\n", "y", (2, 19, 2, 24)),
    "an element of a result": ("    x, y = f(a)\n", "y", (2, 12, 2, 16)),
    "brackets": ("    y = (\n        a\n        + b\n    )\n", "y", (3, 9, 4, 12)),
    "a comment inside": ("    y = (a +  # first\n         b)\n", "y", (2, 10, 3, 11)),
    "a return": ("    return a + b\n", "a + b", (2, 12, 2, 17)),
    "an argument": ("    return f(a + b, *a)\n", "a + b", (2, 14, 2, 19)),
    "a subscript": ("    return a[a + b : 2]\n", "a + b", (2, 14, 2, 19)),
    "a default of a lambda": ("    return [a + b, 1]\n", "a + b", (2, 13, 2, 18)),
    "a comprehension": ("    return [a + b for a in b]\n", "a + b", (2, 13, 2, 18)),
    "a decorator of an inner function": (
        "    y = a + b\n    @a.register(a + b)\n    def g(): return a + b\n",
        "y",
        (2, 9, 2, 14),
    ),
    "a case of a match": ("    match a:\n        case 1:\n            y = a + b\n", "y", (4, 17, 4, 22)),
    "a handler": ("    try:\n        pass\n    except A:\n        y = a + b\n", "y", (5, 13, 5, 18)),
    "an asynchronous loop": ("    for x in a:\n        y = a + b\n", "y", (3, 13, 3, 18)),
    "spelt in another layout": ("    y = a+b\n", "(a  +\n b)", (2, 9, 2, 12)),
    "quoted in another way": ("    y = a['k'] + b\n", 'a["k"]', (2, 9, 2, 15)),
}


@pytest.mark.parametrize("name", FORMS)
def test_a_link_has_the_exact_place_of_its_code(code, name):
    text, wanted, place = FORMS[name]
    span = code({"m.py": "def f(a, b):\n" + text}).span("m.f", wanted)
    assert (span.line, span.col, span.end_line, span.end_col) == place


def test_a_sum_of_thousands_of_terms_is_found(code):
    terms = " + ".join(["a"] * 2500)
    library = code({"m.py": f"def f(a, b):\n    x = {terms}\n    y = a * b\n    return x\n"})
    assert library.span("m.f", "a * b").line == 3
    assert library.span("m.f", "x").end_col == len(terms) + 9


@pytest.mark.parametrize(
    "text, element",
    [
        ("x, y = f(a)", 1),
        ("y, *x = f(a)", 0),
        ("*x, y = f(a)", -1),
        ("x, *z, y, w = f(a)", -2),
        ("[x, y] = f(a)", 1),
        ("*x, y = a, b", -1),
        ("x, y = *a, b", 1),
    ],
)
def test_an_element_of_a_tuple_is_the_one_that_is_assigned(code, text, element):
    from linkindex.resolve.expressions import find_expression

    found = code({"m.py": f"def f(a, b):\n    {text}\n"}).find("m.f")
    assert find_expression(found, "y").element == element


@pytest.mark.parametrize("statement", ["y += a", "y *= a", "y @= a"])
def test_a_variable_that_is_changed_in_place_is_no_target(code, statement):
    error = code({"m.py": f"def f(a, y):\n    {statement}\n    return y\n"}).refused_code("m.f", "y")
    assert error.code == "LI208" and "in place" in str(error) and "line 2" in str(error)


REPEATED = "def f(a, b):\n    x = a @ b\n    y = a @ b; z = a @ b\n    total = 0\n    total = a\n    return x\n"


def test_equal_expressions_are_told_apart_by_their_variables(code):
    library = code({"m.py": REPEATED})
    assert [(library.span("m.f", name).line, library.span("m.f", name).col) for name in "xyz"] == [
        (2, 9),
        (3, 9),
        (3, 20),
    ]


def test_an_expression_that_stands_several_times_is_refused_with_every_place(code):
    error = code({"m.py": REPEATED}).refused_code("m.f", "a @ b")
    assert error.code == "LI208" and "2:9, 3:9, 3:20" in str(error)


def test_a_variable_that_is_assigned_twice_is_refused_with_its_lines(code):
    error = code({"m.py": REPEATED}).refused_code("m.f", "total")
    assert error.code == "LI208" and "4, 5" in str(error)


@pytest.mark.parametrize("again", ["if (y := b): pass", "y += 1", "y, z = b"])
def test_every_kind_of_assignment_counts(code, again):
    assert code({"m.py": f"def f(a, b):\n    y = a\n    {again}\n"}).refused_code("m.f", "y").code == "LI208"


@pytest.mark.parametrize("inner", ["def g(a):\n        y = a * 2", "class G:\n        y = 1", "g = lambda y: y * 2"])
def test_code_of_an_inner_scope_belongs_to_that_scope(code, inner):
    library = code({"m.py": f"def f(a, b):\n    {inner}\n    y = a + b\n    return y\n"})
    assert library.span("m.f", "y").code == "a + b"
    assert library.refused_code("m.f", "y * 2").code == library.refused_code("m.f", "a * 2").code == "LI207"


@pytest.mark.parametrize("wanted", ["1.0 * a", "True * a", "1 * a"])
def test_numbers_that_are_equal_but_written_otherwise_are_other_code(code, wanted):
    library = code({"m.py": "def f(a):\n    x = 1 * a\n    y = 1.0 * a\n    z = True * a\n"})
    assert library.span("m.f", wanted).code == wanted


def test_generated_code_is_not_found_and_nothing_is_guessed(code):
    assert code({"m.py": "exec('def f(a): return a + 1')\n"}).refused("m.f").code == "LI202"


@pytest.mark.parametrize("name", ["walrus", "loop", "semicolon", "backslash", "tabs"])
def test_the_value_recorded_is_the_one_of_the_linked_statement(project, name):
    old = "    y = z - H @ x                    # (m,)\n"
    new = {
        "walrus": "    if (y := z - H @ x) is not None:  # (m,)\n        pass\n",
        "loop": "    for _ in range(1):\n        y = z - H @ x  # (m,)\n",
        "semicolon": "    w = 1; y = z - H @ x  # (m,)\n",
        "backslash": "    y = z \\\n        - H @ x  # (m,)\n",
        "tabs": "    if True:\n    \ty = z - H @ x  # (m,)\n",
    }[name]
    project.edit("kalman/filter.py", old, new)
    if name == "walrus":
        project.edit("docs/symbols.yml", "y: {", 'y: {shape: "(m,)", ')
    _, _, runs, _, findings = project.result()
    assert findings == ()
    visit = runs.examples["filter"][0].visits["filter.innovation"][0]
    values = {key: visit.names[key].array() for key in ("z", "H", "x")}
    assert (visit.value.array() == values["z"] - values["H"] @ values["x"]).all()
    assert visit.after["y"] == visit.value
