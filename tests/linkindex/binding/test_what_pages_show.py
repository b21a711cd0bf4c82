"""A page shows what a variable holds behind the linked statement, also where that is an attribute changed in place."""

import numpy as np

from linkindex.load.config import read_config
from linkindex.pipeline import evidence_for
from linkindex.render.refs import values

from tests.linkindex.binding.one_page import page, refusals

CODE = """import numpy as np


class Filter:
    def __init__(self, n):
        self.y = np.zeros(n)
        self.m = np.zeros(n)

    def step(self, x):
        g = 3 * x
        self.y = 2 * x + self.m
        self.m *= 0.9
        self.m += 0.1 * g
        u = self.m / 0.1
        return u
"""
FORMULAS = {
    "gradient": "g = 3 x", "output": "y = 2 x + m", "moment": "m' = 0.9 m + 0.1 g",
    "corrected": r"u = \frac{m'}{0.1}",
}  # fmt: skip


def test_attributes_and_moments_are_shown_as_they_stand_behind_their_statement(tmp_path):
    symbols = {"x": "x", "g": "g", "u": "u", "y": "self.y", "m": "self.m", "m'": "self.m"}
    records = {name: f"in: lab.code.Filter.step\nlatex: {latex}" for name, latex in FORMULAS.items()}
    run = "o = code.Filter(len(x)); o.step(x); o.step(x)"
    project = page(tmp_path, CODE, symbols, records, run, {"x": "rng.normal(size=n)"})
    assert refusals(project) == []
    runs = evidence_for(read_config(project))[2].examples["page"]
    shown = values(runs[0], [f"page.{name}" for name in FORMULAS])
    x, m = shown["x"].array(), shown["self.m"].array()
    assert np.allclose(m, 0.3 * x) and np.allclose(shown["u"].array(), m / 0.1)
    assert np.allclose(shown["self.y"].array(), 2 * x)
