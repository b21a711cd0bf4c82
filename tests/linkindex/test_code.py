"""Pieces of code are read as they stand in a file."""

import ast

import pytest
from linkindex.code import parse_code


@pytest.mark.parametrize("code", ["a + b", "a\n    + b", "a + b  # why", "(a +  # why\n    b)", "  a+b"])
def test_layout_comments_and_brackets_do_not_matter(code):
    assert ast.unparse(parse_code(code)) == "a + b"


@pytest.mark.parametrize(
    ("code", "kind"), [("a, b", ast.Tuple), ("y := a", ast.NamedExpr), ("f(x) for x in a", ast.GeneratorExp)]
)
def test_what_needs_brackets_elsewhere_is_read_without_them(code, kind):
    assert isinstance(parse_code(code), kind)


@pytest.mark.parametrize("code", ["a +", "y = a", "a\nb", "return a", "(a"])
def test_what_is_no_expression_is_refused(code):
    with pytest.raises(SyntaxError):
        parse_code(code)


def test_places_count_the_bracket_in_front():
    assert parse_code("a + b").right.col_offset == len("(a + ")
