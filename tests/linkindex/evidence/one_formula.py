"""A project of one page about one function ``f``, made up for a test, and what is found wrong with its formula."""

from pathlib import Path

from linkindex.load.config import read_config
from linkindex.pipeline import Result, evidence_for

EXAMPLE = """import numpy as np

from code_of.page import {imported}


def inputs():
    return sample(np.random.default_rng(9), dict.fromkeys("TdnmVk", 6))


def run(**given):
    return {run}


def sample(rng, sizes):
    return {sample}
"""


def result(
    root: Path, code: str, latex: str, symbols: str, sample: str, *, run: str = "f(**given)",
    imported: str = "f", function: str = "f", record: str = "", page: str = "", settings: str = "", example: str = "",
) -> Result:  # fmt: skip
    """``symbols``: the registry, all of which the page lists. ``sample``: a dict; the inputs of the page are one, too,
    with the length 6 for all sizes. ``page``, ``record``, ``example``: further lines of them."""
    listed = ", ".join("'" + line.partition(": ")[0] + "'" for line in symbols.strip().splitlines())
    made = EXAMPLE.format(imported=imported, run=run, sample=sample)
    files = {
        "pyproject.toml": f'[tool.linkindex]\npackages = ["code_of"]\n'
        f'policy = ["resolved", "ran", "symbols", "formula"]\n{settings}\n',
        "code_of/__init__.py": "",
        "code_of/page.py": code,
        "docs/symbols.yml": symbols,
        "docs/page.md": "# Page\n\n## One {#one}\n\n::: equation page.one\n",
        "docs/page.yml": f"notation: [{listed}]\n{page}\npage.one:\n  title: One\n  in: code_of.page.{function}\n"
        f"  latex: {latex}\n  test: tests/test_f.py::test_f\n{record}\n",
        "docs/page.py": f"{made}\n\n{example}",
        "tests/test_f.py": "def test_f():\n    pass\n",
    }
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return evidence_for(read_config(root))


def faults(root: Path, *arguments: str, **named: str) -> list[str]:
    """What is found, but for the lock, which is not there."""
    *_, findings = result(root, *arguments, **named)
    return [f"{finding.code} {finding.message}" for finding in findings if not finding.code.startswith("LI22")]
