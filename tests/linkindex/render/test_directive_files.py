"""A directive is one file: what it declares there is all that the stages need to know of it."""

import subprocess
import sys

import pytest

import linkindex.directives
from linkindex.directives import code_in_functions, declaration, names, texts
from linkindex.kinds import Meaning
from linkindex.refs import page_calls, page_refs
from linkindex.render import rendered

from .small import book, directive, find, html, pages, text_of

SPARK = '''
from linkindex.directives import Arguments, Drawn, directive
from linkindex.kinds import CALL, CODE, FUNCTION, MAKER, LISTED, VALUE, WORDS, Option, many, rows

OPTIONS = {
    "of": Option(VALUE, "the numbers", required=True), "made": Option(CALL, "a call"),
    "made by": Option(many(MAKER), "a function"), "caption": Option(WORDS, "stands below"),
    "steps": Option(rows(at=FUNCTION, what=CODE, show=VALUE), "lines"),
}


@directive(OPTIONS, arguments=Arguments(LISTED, "one function"), shows_numbers=True)
def spark_line(context, options):
    """A row of numbers as a line."""
    from linkindex.render.refs import look_up

    numbers = look_up(options["of"], context.values).data
    text = f'<p class="spark">{context.ordinal}: {options["caption"]}</p>'
    return Drawn(text, scripts=("assets/spark.js",), data={options["caption"]: numbers})
'''


@pytest.fixture
def spark(tmp_path, monkeypatch):
    """A directive that is nothing but a file."""
    (tmp_path / "spark_line.py").write_text(SPARK, encoding="utf-8")
    monkeypatch.setattr(linkindex.directives, "__path__", [*linkindex.directives.__path__, str(tmp_path)])
    yield
    sys.modules.pop("linkindex.directives.spark_line", None)


def spark_line(**options):
    return directive("spark-line mini.pair.scores", **options)


@pytest.mark.usefixtures("spark")
def test_a_new_file_is_a_new_directive():
    small = book(directive("matrices", show=["Q"]), spark_line(of="Q[0]", caption="up"))
    assert [text_of(one) for one in find(html(pages(small)["pair.md"]), class_="spark")] == ["2: up"]
    assert "spark-line" in names()


@pytest.mark.usefixtures("spark")
def test_stages_before_render_find_what_its_options_name():
    block = spark_line(**{
        "of": "Q[0]", "made": "inputs()", "made by": "mini.pair.scores", "caption": "up", "note": "S",
        "steps": [{"at": "mini.pair.scores", "what": "Q @ K.T", "show": "K"}, {"at": "mini.pair.scores"}, "S"],
    })  # fmt: skip
    page = book(block).index.pages[0]
    assert [ref.text for ref in page_refs(page)] == ["Q[0]", "K"]
    assert list(page_calls(page)) == ["inputs"]
    assert list(texts(block, Meaning.WORDS)) == ["up"]
    assert list(texts(block, Meaning.MAKER)) == list(texts(block, Meaning.LISTED)) == ["mini.pair.scores"]
    assert list(code_in_functions(block)) == [("mini.pair.scores", "Q @ K.T")]


@pytest.mark.usefixtures("spark")
def test_a_page_loads_data_and_scripts_once_each_and_runs_nothing_inline():
    blocks = spark_line(of="Q[0]", caption="up"), spark_line(of="Q[1]", caption="down")
    written = pages(book(*blocks, spark_line(of="Q[0]", caption="up")))
    assert written["assets/linkindex/data/pair/up.js"] == (
        '(window.linkindexData = window.linkindexData || {})["up"] = [1.0,-0.5];\n'
    )
    scripts = find(html(written["pair.md"]), "script")
    assert [one.attributes for one in scripts] == [
        {"defer": "", "src": f"../assets/{name}.js"}
        for name in ("linkindex/data/pair/up", "linkindex/data/pair/down", "spark")
    ]
    assert not any(text_of(one) for one in scripts)


@pytest.mark.usefixtures("spark")
def test_different_data_under_one_name_are_refused():
    with pytest.raises(ValueError, match="different data to scripts under the name 'up'"):
        pages(book(spark_line(of="Q[0]", caption="up"), spark_line(of="Q[1]", caption="up")))


@pytest.mark.usefixtures("spark")
def test_an_argument_that_is_missing_is_a_finding():
    _, (found,) = rendered(book(directive("spark-line", of="Q[0]", caption="up")))
    assert (found.code, found.message) == ("LI604", "'::: spark-line' takes one function; found none")


@pytest.mark.parametrize("name", names())
def test_every_file_declares_a_directive_of_its_own_name_in_words(name):
    declared = declaration(name)
    assert declared.name == name
    assert all(words for words in (declared.says, *(option.says for option in declared.options.values())))


def test_what_directives_declare_is_read_without_importing_what_draws():
    code = (
        "import sys, linkindex.fast, linkindex.directives as d; all(map(d.declaration, d.names())); "
        "print([name for name in sys.modules if name.partition('.')[0] in ('jinja2', 'pygments', 'mkdocs')"
        " or name.startswith('linkindex.render')])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
