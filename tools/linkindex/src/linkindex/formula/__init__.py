"""Displayed formulas: read from LaTeX, drawn as MathML, evaluated, and compared with what the code computed."""

from linkindex.formula.errors import EvaluationError, FormulaError
from linkindex.formula.mathml import check_visible, render, render_inline
from linkindex.formula.notation import Notation
from linkindex.formula.parse import Formula, parse, parse_inline

__all__ = ["EvaluationError", "Formula", "FormulaError", "Notation", "check_visible", "parse", "parse_inline", "render",
           "render_inline"]
