"""The table of faults that honest people make. Each is planted in a copy of the project, and must be found.

A row: what it is, the code of the finding, the lines that it changes, how, and where it must be found.
``tests/linkindex/test_faults.py`` has the faults that can be planted in the small project of the tests only.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from linkindex import store
from linkindex.model import Place
from linkindex.selfattack.fault import SITE, Fault, Pristine, Way
from linkindex.selfattack.spots import (
    Change, Found, Spot, Spots, assertions, changed, comments, examples, file, formulas, functions, headings, here,
    key, put, record, records, statements, sub, symbols, tests,
)  # fmt: skip

TITLE, TEST, RUN, SAMPLE = key("title"), key("test"), examples("run"), examples("sample")
LOCK, PAGE, SOURCE = file("<docs>/links.lock"), file(f"{SITE}/<page>"), file(f"{SITE}/source/<file>/index.html")
GENERATED = f"{SITE}/equations/index.html"  # nobody writes this page, so its faults are reported in the HTML
MARK = "@__import__('pytest').mark."
ASSERTION = r"(?:assert )?[\w.]*allclose\(([^,()\[\]]+),.*\)(?=\n|$)"


def row(name: str, code: str, spots: Spots, change: Change, found: Found, accepted: bool = False) -> Fault:
    return Fault(name, code, changed(spots, change, found), accepted)


def on_page(name: str, code: str, *lines: str, at: int = 2) -> Fault:
    """Lines below the heading of a concept."""
    return row(f"page: {name}", code, headings, put("\n".join(("<code>", "", *lines, ""))), here(at))


def on_site(name: str, code: str, html: str) -> Fault:
    """HTML at the end of a built page."""
    return row(f"site: {name}", code, file(GENERATED), put(f"<code>\n{html}"), behind)


def in_test(name: str, code: str, template: str, spots: Spots = tests) -> Fault:
    return row(f"test: {name}", code, spots, put(template), record("test"))


def removed(code: str, words: Mapping[str, str]) -> None:
    """The file is removed."""


def signs(code: str, words: Mapping[str, str]) -> str:
    """Plus for minus and minus for plus."""
    code, comment, text = code.partition("#")
    swapped = re.sub(r"(?<=[\w)\]]) [+-] (?=[\w(])", lambda sign: " - " if "+" in sign[0] else " + ", code)
    return swapped + comment + text


def right(old: str, new: str) -> Change:
    """A part of the right side of a formula replaced."""

    def change(code: str, words: Mapping[str, str]) -> str:
        right = re.sub(old, new, words["right"], count=1)
        latex = f"{words['left']} = {right}".replace("'", "''")
        return f"  latex: '{latex}'" if right != words["right"] else code

    return change


def moved_function(project: Pristine) -> Iterator[Way]:
    """To a module of its own beside the one where it was."""
    for spot, (edits, place) in zip(functions(project), changed(functions, put(""), record("in"))(project)):
        code = "\n".join(project.lines(spot.path)[spot.line - 1 : spot.end_line])
        yield {**edits, str(PurePosixPath(spot.path).with_name("planted.py")): code}, place


def cut_short(project: Pristine) -> Iterator[Way]:
    """All that is kept of earlier checks, as on a full disk."""
    paths = (project.root / store.FOLDER).rglob("*.json")
    yield {str(path.relative_to(project.root)): path.read_bytes()[:99] for path in paths}, Place(store.FOLDER)


def in_lock(project: Pristine, spot: Spot) -> Place:
    return Place(f"{project.index.config.docs}/links.lock", project.index.lock[spot.equation.id].line)


# where faults are found that are not found in their first line or in the record
in_file: Found = lambda project, spot: Place(spot.path)
behind: Found = lambda project, spot: Place(spot.path, spot.end_line + 1)
in_code: Found = lambda project, spot: Place(spot.words["file"], int(spot.words["line"]))
at_run: Found = lambda project, spot: next(Place(run.path, run.line) for run in RUN(project) if run.path == spot.path)

NOISE = (  # no line more, so that run() stays where it is
    "return {name: value * (1 + 1e-9 * __import__('numpy').random.default_rng().random())"
    r" if getattr(value, 'dtype', None) == float else value for name, value in (\1).items()}"
)

FAULTS = (
    row("code: a renamed variable", "LI207", functions, sub(r"\b<target>\b", "<target>_new"), record("code", "in")),
    row("code: a renamed function", "LI202", functions, sub(r"\bdef <name>\b", "def <name>_new"), record("in")),
    Fault("code: a moved function", "LI202", moved_function),
    row("code: a function defined twice", "LI203", functions, put("<code>\n\n\n<code>"), record("in")),
    row("code: a missing module", "LI202", functions, removed, record("in")),
    row("code: assigned twice", "LI208", statements, put("<code>\n<indent><target> = <target>"), record("code", "in")),
    row("code: changed in place", "LI226", statements, put("<code>\n<indent><target> *= 2"), here()),
    row("code: a bracket too many", "LI204", statements, put("<indent>)\n<code>"), here()),
    row("code: a byte of another encoding", "LI205", statements, put("# \udcff\n<code>"), here()),
    row("code: another sign", "LI226", statements, signs, here()),
    row("code: another sign than in the formula", "LI420", statements, signs, record("latex"), True),
    row("code: a wrong shape comment", "LI408", comments, sub(r"(#.*?)\(([^()]*?),?\s*\)", r"\1(\2, <axis>)"),
        record("latex")),
    row("record: a colon in a title", "LI101", TITLE, put("<code>: again"), here()),
    row("record: an unknown key", "LI102", TITLE, put("  titel: planted\n<code>"), here()),
    row("record: a missing key", "LI103", TEST, put(""), record("title")),
    row("record: a key written twice", "LI104", TITLE, put("  title: planted\n<code>"), here(1)),
    row("record: copied, with its id", "LI104", records, put("<code>\n<code>"), behind),
    row("record: an id with a capital letter", "LI106", records, sub("^<id>:", "<page>.<Name>:"), here()),
    row("record: a renamed id", "LI223", records, sub("^<id>:", "<id>-new:"), here()),
    row("record: a list where a text belongs", "LI107", TITLE, put("  title: [planted]"), here()),
    row("record: dropped", "LI222", records, put(""), in_lock),
    row("record: a module that is not there", "LI201", key("in"), put("  in: planted.function"), here()),
    row("record: code that is no expression", "LI206", key("code"), put("  code: 'x ='"), here()),
    row("record: code that is not in the function", "LI207", key("code"), put("  code: planted"), here()),
    row("record: linked to another test", "LI227", TEST, put("  test: <test>"), here()),
    row("record: equivalent to no mutant", "LI455", TITLE, put("  equivalent: {x + 77: planted}\n<code>"), here()),
    row("symbol: its variable has another name", "LI406", symbols, sub(r"\bcode: *<name>\b", "code: <name>_new"),
        record("latex")),
    row("symbol: copied, with its variable", "LI501", symbols, sub(r"\bcode: *<name>\b", "code: <other>"),
        record("latex")),
    row("formula: another sign", "LI420", formulas, right("^", "-"), here(), True),
    row("formula: a factor too many", "LI420", formulas, right("^", "2 "), here(), True),
    row("formula: a transpose forgotten", "LI420", formulas, right(r"\^\\top", ""), here(), True),
    row("formula: an index forgotten", "LI420", formulas, right(r"_\{(\w)\w\}", r"_{\1}"), here(), True),
    row("formula: a change that the lock does not know", "LI224", formulas, right("^", "2 "), here()),
    row("formula: a brace that is not closed", "LI501", formulas, right("$", " + {"), here()),
    row("formula: a command that there is not", "LI501", formulas, right("$", r" + \\planted"), here()),
    in_test("renamed", "LI210", "<indent>def <name>_new(<rest>\n<body>"),
    in_test("skipped", "LI402", f"<indent>{MARK}skip(reason='later')\n<code>"),
    in_test("expected to fail", "LI402", f"<indent>{MARK}xfail\n<code>"),
    in_test("without cases", "LI402",
            f"<indent>{MARK}parametrize('case', [])\n<indent>def <name>(case, <rest>\n<body>"),
    in_test("fails", "LI402", "<head>\n<indent>    assert False\n<body>"),
    row("test: imports a module that is missing", "LI402", tests, put("import planted\n\n\n<code>"), here()),
    in_test("does not run the code", "LI403", "<head>\n<indent>    assert True"),
    row("test: checks the shape only", "LI453", assertions, sub(ASSERTION, r"assert len((\1).shape) < 9"),
        record("test")),
    row("test: checks for numbers only", "LI453", assertions, sub(ASSERTION, r"assert (\1).sum() < 1e300"),
        record("test")),
    row("test: meets any tolerance", "LI453", assertions, sub(r"\brtol=[^,)]*", "rtol=1e9"), record("test")),
    row("example: raises", "LI302", RUN, put("<head>\n    raise ValueError('planted')\n<body>"), here(1)),
    row("example: without sample()", "LI301", SAMPLE, sub("^def ", "def no_"), in_file),
    row("example: not deterministic", "LI303", examples("inputs"), sub(r"(?s)\breturn (.*\S)", NOISE), at_run),
    row("example: ends its process", "LI305", RUN, put("<head>\n    __import__('os')._exit(3)"), in_file),
    row("example: skips the code", "LI401", RUN,
        put("<head>\n    if __import__('sys')._getframe(1).f_globals is not globals(): return None\n<body>"),
        record("in")),  # other functions of the example may need what it returns
    row("example: removed", "LI301", RUN, removed, record("in")),
    row("example: sample() ignores the sizes", "LI408", SAMPLE, put("<head>\n    return inputs()"), record("latex")),
    row("page: a formula in a heading", "LI116", headings, sub("^## ", "## $<latex>$ "), here()),
    on_page("a displayed formula", "LI114", "$$1 = 1$$"),
    on_page("a link to a page that is not there", "LI117", "[a](planted.md)"),
    on_page("a link to an anchor that is not there", "LI118", "[a](#planted)"),
    on_page("two anchors that differ in case", "LI105", "### Twin {#<ANCHOR>}"),
    on_page("a directive without a name", "LI110", "::: "),
    on_page("an equation that there is not", "LI112", "::: equation planted.x"),
    on_page("options that do not parse", "LI101", "::: matrices", "    show: a: b", at=3),
    on_page("the listing of an unknown function", "LI201", "::: listing planted.function"),
    on_page("a byte of another encoding", "LI109", "\udcff"),
    on_page("an unknown directive", "LI602", "::: planted"),
    on_page("a value that was not recorded", "LI603", "::: matrices", "    show: [planted]"),
    on_page("an unknown option", "LI604", "::: matrices", "    planted: x"),
    row("lock: missing", "LI221", LOCK, removed, in_file),
    row("lock: a conflict of two branches", "LI120", LOCK, put("<<<<<<< HEAD\n<code>"), in_file),
    on_site("a dead link", "LI710", '<a href="../planted/">a</a>'),
    on_site("a dead anchor", "LI711", '<a href="#planted">a</a>'),
    on_site("ids that differ in case", "LI712", '<i id="planted"></i><i id="Planted"></i>'),
    on_site("raw TeX", "LI714", r"<p>$\frac{1}{2}$</p>"),
    on_site("a request to another host", "LI715", '<img alt="a" src="https://planted.example/x">'),
    on_site("an inline script", "LI716", "<script>planted()</script>"),
    on_site("a displayed formula that is no equation", "LI724", '<math display="block"><mi>x</mi></math>'),
    row("site: an anchor lost", "LI722", PAGE, sub('id="<anchor>"', 'id="planted"'), record()),
    row("site: another formula than the record's", "LI722", PAGE,
        sub(r'(?s)(id="<anchor>".*?<mi[^>]*>)[^<&](</mi>)', r"\1?\2"), record()),
    row("site: marked code that is not the code", "LI723", SOURCE,
        sub(r'(?s)(id="L<line>".*?<mark\b[^>]*>)', r"\1planted"), in_code),
    Fault("cache: cut short", None, cut_short),
)  # fmt: skip
