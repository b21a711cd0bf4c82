"""A project of one page whose records speak of a module that the test writes."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from linkindex.fix import fix_lock
from linkindex.load.config import read_config
from linkindex.model import Finding
from linkindex.pipeline import evidence_for, places_for

CONFIG = '[tool.linkindex]\npackages = ["lab"]\nsizes = [{ n = 5 }, { n = 3 }]\nconfiguration = { n = 4 }\n'
SIZE = "n: {meaning: Numbers, shape: (), size: free}\n"
TEST = "tests/test_lab.py::test_it"
EXAMPLE = '''import numpy as np
from lab import code


def inputs():
    return sample(np.random.default_rng(7), {{"n": 2}})


def run({names}):
    {run}


def sample(rng, sizes):
    n = sizes["n"]
    return dict({inputs})
'''


def page(
    root: Path, code: str, symbols: Mapping[str, str], records: Mapping[str, str], run: str, inputs: Mapping[str, str],
    test: str | None = None,
) -> Path:  # fmt: skip
    """Write the project.

    ``symbols``: LaTeX -> its variable, or all of its entry; ``records``: name -> its keys; ``inputs``: name -> how
    ``sample`` draws it.
    """
    files = {
        "pyproject.toml": CONFIG,
        "lab/__init__.py": "",
        "lab/code.py": code,
        "docs/symbols.yml": "".join(f"{latex}: {_entry(how)}\n" for latex, how in symbols.items()) + SIZE,
        "docs/page.md": "# Page\n\n## Part {#part}\n\n" + "".join(f"::: equation page.{name}\n\n" for name in records),
        "docs/page.yml": _records(symbols, records),
        "docs/page.py": EXAMPLE.format(
            names=", ".join(inputs), run=run, inputs=", ".join(f"{name}={how}" for name, how in inputs.items())
        ),
        "tests/test_lab.py": test or _test(run, inputs),
    }
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def _entry(how: str) -> str:
    return how if how.startswith("{") else f'{{code: "{how}", meaning: Numbers, shape: "(n,)"}}'


def _records(symbols: Mapping[str, str], records: Mapping[str, str]) -> str:
    text = "notation:\n" + "".join(f"  {latex}:\n" for latex in (*symbols, "n"))
    for name, keys in records.items():
        lines = [f"title: {name.capitalize()}", f"test: {TEST}", *keys.strip("\n").split("\n")]
        text += f"page.{name}:\n" + "".join(f"  {line}\n" for line in lines)
    return text


def _test(run: str, inputs: Mapping[str, str]) -> str:
    drawn = "".join(f"    {name} = {how}\n" for name, how in inputs.items())
    head = "import numpy as np\nfrom lab import code\n\n\ndef test_it():\n    rng, n = np.random.default_rng(0), 3\n"
    return f"{head}{drawn}    {run}\n"


def findings(root: Path) -> tuple[Finding, ...]:
    """All that `check` finds once the maintainer has accepted the links."""
    index, resolution, _ = places_for(read_config(root), drafts=False)
    with suppress(ValueError):  # what is not found cannot be accepted
        fix_lock(index, resolution, write=True)
    return evidence_for(read_config(root))[4]


def refusals(root: Path) -> list[str]:
    """What is wrong, as code and message."""
    return [f"{finding.code} {finding.message}" for finding in findings(root)]


def survivors(root: Path) -> list[str]:
    """What is wrong once mutants run as well."""
    refusals(root)
    return [f"{finding.code} {finding.message}" for finding in evidence_for(read_config(root), mutants=True)[4]]
