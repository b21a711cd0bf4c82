"""A project made of all cases: a module, a page and an example for each, and a record for each form of its formula."""

import json
from pathlib import Path

from tests.linkindex.foreign.cases import Case
from tests.linkindex.foreign.variants import CASES

SIZES = ({"T": 5, "d": 4, "V": 7}, {"T": 3, "d": 8, "V": 6})
CONFIGURATION = {"T": 4, "d": 6, "V": 5}
SHOWN = "## Forms {#forms}\n\n"


def make(root: Path) -> Path:
    write = {
        "pyproject.toml": _configuration(),
        "field/__init__.py": "",
        "docs/index.md": "# Formulas of the field\n",
        "docs/references.yml": "",
        "tests/test_field.py": "".join(_test(name) for name in CASES),
    }
    symbols = {latex: symbol for case in CASES.values() for latex, symbol in _symbols(case).items()}
    write["docs/symbols.yml"] = "".join(f"{json.dumps(latex)}: {json.dumps(one)}\n" for latex, one in symbols.items())
    for name, case in CASES.items():
        page, module = name, name.replace("-", "_")
        write[f"field/{module}.py"] = "import numpy as np\n\n" + case.code
        write[f"docs/{page}.py"] = _example(module, case)
        records = dict(_records(page, module, case))
        notation = f"notation: {json.dumps(_symbols(case))}\n\n"
        write[f"docs/{page}.yml"] = notation + "".join(f"{key}: {json.dumps(one)}\n" for key, one in records.items())
        write[f"docs/{page}.md"] = f"# {name}\n\n{SHOWN}::: equation {' '.join(records)}\n\n::: symbols\n"
    for path, text in write.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    return root


def _configuration() -> str:
    tables = ", ".join(_inline(sizes) for sizes in SIZES)
    return (
        f'[tool.linkindex]\npackages = ["field"]\nsizes = [{tables}]\nconfiguration = {_inline(CONFIGURATION)}\n'
        'policy = ["resolved", "ran", "symbols", "formula"]\n'
    )


def _inline(sizes: dict[str, int]) -> str:
    return "{" + ", ".join(f"{name} = {size}" for name, size in sizes.items()) + "}"


def _symbols(case: Case) -> dict[str, dict[str, str]]:
    symbols = {latex: {"code": code, "meaning": "…", "shape": shape} for latex, (code, shape) in case.symbols.items()}
    lengths = dict.fromkeys(CONFIGURATION, "free") | case.sizes
    sizes = {name: {"meaning": "…", "shape": "()", "size": size} for name, size in lengths.items()}
    return {name: sizes.get(name, {}) | symbols.get(name, {}) for name in {**sizes, **symbols}}


def _test(name: str) -> str:
    return f"def test_{name.replace('-', '_')}():\n    pass\n\n\n"


def _example(module: str, case: Case) -> str:
    drawn = "".join(f'        "{name}": {code},\n' for name, code in case.sample.items())
    return (
        f"import numpy as np\n\nfrom field.{module} import {case.function}\n\n\n"
        f"def inputs():\n    return sample(np.random.default_rng(9), {CONFIGURATION})\n\n\n"
        f"def run(**inputs):\n    return {case.function}(**inputs)\n\n\n"
        f"def sample(rng, sizes):\n    T, d, V = sizes['T'], sizes['d'], sizes['V']\n    return {{\n{drawn}    }}\n\n\n"
        "def softmax(z):\n    return np.exp(z) / np.exp(z).sum(-1, keepdims=True)\n"
    )


def _records(page: str, module: str, case: Case):
    function = case.of or case.function
    for kind, forms in (("true", case.true), ("wrong", case.wrong)):
        for number, latex in enumerate(forms, 1):
            yield f"{page}.{kind}-{number}", {
                "title": f"{kind} {number}",
                "in": f"field.{module}.{function}",
                "latex": latex,
                "test": f"tests/test_field.py::test_{module}",
                **case.keys,
            }
