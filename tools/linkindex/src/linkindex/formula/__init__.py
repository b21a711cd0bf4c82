"""Displayed formulas: read from LaTeX, drawn as MathML, evaluated, and compared with what the code computed."""

from linkindex.formula.errors import EvaluationError, FormulaError
from linkindex.formula.mathml import check_visible, render
from linkindex.formula.notation import Notation
from linkindex.formula.operators import Operator, operator
from linkindex.formula.parse import Formula, parse
from linkindex.formula.prove import Result, prove
from linkindex.formula.trials import Bound, Reading, Trial

__all__ = [
    "Bound", "EvaluationError", "Formula", "FormulaError", "Notation", "Operator", "Reading", "Result", "Trial",
    "check_visible", "operator", "parse", "prove", "render",
]  # fmt: skip
