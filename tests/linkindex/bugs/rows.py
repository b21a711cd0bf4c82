"""The log of public reports of what goes wrong when text is linked to code; each row is a kind of fault tested here.

A test names its row: ``test_row_01_...``. Numbers have gaps on purpose; they are never given away again.
"""

import ast
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[3]

DEFINITIONS = {
    1: "a decorated function (python/cpython#77392)",
    2: "a decorated method (strictdoc-project/strictdoc#2275)",
    4: "one name for several definitions (bmw-software-engineering/lobster#30, #36, #58, #89)",
    5: "a definition that is replaced further down (python/cpython#106727, #82103)",
    6: "a decorator that hides the function (scikit-image/scikit-image#4740, matplotlib/matplotlib#22044)",
    7: "two lambdas on one line (python/cpython#143299, #136521)",
    8: "a decorated asynchronous function (Erotemic/xdoctest#197)",
    10: "overload stubs (mkdocstrings/griffe#442)",
    11: "re-exports (mkdocstrings/python#168, #64, #5; mkdocstrings/griffe#256)",
    13: "the src layout (posit-dev/great-docs#245)",
    14: "a method added from outside (AnswerDotAI/nbdev#939, #1418)",
    15: "an object without lines of its own (mkdocstrings/griffe#271)",
    16: "shebang and coding cookie above the docstring (strictdoc-project/strictdoc#2118)",
    18: "names that differ only in case (sphinx-doc/sphinx#2024, #1495; scikit-learn/scikit-learn#12712)",
    19: "a formula that is read in part (google/latexify_py#104, #45, #205)",
}
BYTES = {
    20: "characters that end a line for some (python/cpython#152947, mozilla/dxr#631, fortran-lang/fortls#444)",
    22: "identifiers that Python makes equal (Zac-HD/hypothesmith#17, openqasm/openqasm#440)",
    23: "columns in bytes (python/cpython#11605, owasp-noir/noir#2297)",
    24: "places inside f-strings (python/cpython#94869, #79393, #74650)",
    25: "other encodings",
    26: "a file that does not parse",
}
LINK_ROT = {
    27: "a name that is not there (Brad-Edwards/aptl#845)",
    28: "an empty index (LionSR/TNLean#482)",
    29: "several names in one place (LionSR/TNLean#163)",
    30: "a checker that crashes (ImperialCollegeLondon/FLT#287)",
    31: "a rename of case only (ImperialCollegeLondon/FLT#712)",
    32: "permalinks and commits (numpy/numpy#9030, pvlib/pvlib-python#2456, XRPLF/xrpl-dev-portal#3715)",
    33: "addresses of repositories (useblocks/sphinx-needs-demo#43, npmx-dev/npmx.dev#2233, AnswerDotAI/nbdev#1067)",
    34: "lines of files that hosts render (cli/cli#4307, reduckted/GitWebLinks#33, d4rkr00t/vscode-open-in-github#46)",
    35: "line anchors that no link checker sees (sphinx-doc/sphinx#9435, #9016; xepor/xepor#2; cylc/cylc-doc#623)",
    36: "lines that shift (facelessuser/pymdown-extensions#1824, #1462; zakhenry/embedme#48; microsoft/codetour#53)",
    38: "status typed by hand (teorth/pfr#97, m4lvin/lean4-pdl#1)",
    39: "messages without a place (useblocks/sphinx-needs#778)",
}
EVIDENCE = {
    41: "skipped tests that count (BerriAI/litellm#35327, fivetran/great_expectations#460)",
    42: "node ids that are taken apart (pytest-dev/pytest#9302, #1141, #11440, #4142)",
    43: "tests in classes (useblocks/sphinx-test-reports#35, #12; strictdoc-project/strictdoc#2278, #2107)",
    44: "mutants that vanish or are counted wrong (boxed/mutmut#555, #395, #203)",
    46: "formulas that differ from the code (lanl/scico#153, scipy/scipy#2965, scikit-bio/scikit-bio#655, "
        "fredrik-johansson/fungrim#13)",
}
PAGES = {
    47: "formulas that Markdown does not see (facelessuser/pymdown-extensions#917, mkdocs/mkdocs#1733)",
    48: "bars in tables (facebook/docusaurus#9272, mathjax/MathJax#2108, SabrinaJewson/cmarker.typ#54)",
    49: "braces that templates eat (fralau/mkdocs-macros-plugin#221, manubot/manubot#217)",
    50: "formulas in notebooks (danielfrg/mkdocs-jupyter#227, #209; pasqal-io/qoolqit#420; xgcm/xgcm#765)",
    51: "formulas after navigation (squidfunk/mkdocs-material#2530, #6661, #6407, #4246)",
    52: "labels inside formulas (orsharir/github-mathjax#28, sagemathinc/cocalc#5220, JuliaPluto/Pluto.jl#678)",
    53: "formulas in headings (squidfunk/mkdocs-material#8036, mkdocs/mkdocs#3936)",
    54: "characters of HTML in formulas and code (jupyter/nbconvert#504; mathjax/MathJax#1335, #3337)",
    55: "formulas in the search index (AhmedThahir/AhmedThahir.github.io#101, mitmproxy/pdoc#276)",
    57: "a strict mode that does not fail (mkdocs/mkdocs#4126, #3991)",
    58: "dead anchors that pass (qmilab/asterism#154, mkdocs/mkdocs#3463)",
    59: "anchors made from headings (mkdocs/mkdocs#3703, hw-native-sys/simpler#1581)",
    60: "links in notebooks (danielfrg/mkdocs-jupyter#157, #27)",
}
EXAMPLES = {
    61: "an example that raises (danielfrg/mkdocs-jupyter#63; jupyter-book/jupyter-book#781, #1691)",
    62: "the author's kernel (danielfrg/mkdocs-jupyter#19, #51)",
    63: "results computed anew each time, or kept too long (danielfrg/mkdocs-jupyter#161, #250; mkdocs/mkdocs#990)",
    65: "numbers that depend on how they are printed (numpy/numpy#13468, #10026; astropy/specutils#1146)",
}


def uncovered(
    rows: Mapping[int, str],
    tests: Iterable[str],
    elsewhere: Mapping[int, str],
    not_applicable: Mapping[int, str],
) -> list[int]:
    """The rows without a test in ``tests`` (names), a test elsewhere, or a reason why there can be none."""
    here = {int(match[1]) for name in tests if (match := re.match(r"test_row_(\d+)_", name))}
    assert here <= rows.keys(), f"tests of unknown rows: {sorted(here - rows.keys())}"
    assert not here & not_applicable.keys(), "a row is tested, and said to be no case for us"
    return sorted(rows.keys() - here - elsewhere.keys() - not_applicable.keys())


def tests_in(folder: Path) -> set[str]:
    """The names of the functions in the test files of a folder."""
    return {name for path in folder.glob("test_*.py") for name in _functions(path)}


def lost(references: Mapping[int, str]) -> list[str]:
    """The references (``path::test``, several joined by blanks) whose test is not there any more."""
    return [nodeid for text in references.values() for nodeid in text.split() if not _exists(nodeid)]


def _exists(nodeid: str) -> bool:
    path, _, name = nodeid.partition("::")
    if not (ROOT / path).is_file():
        return False
    return name in _functions(ROOT / path)


def _functions(path: Path) -> set[str]:
    return {node.name for node in ast.parse(path.read_bytes()).body if isinstance(node, ast.FunctionDef)}
