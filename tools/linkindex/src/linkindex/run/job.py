"""What the worker is asked to do: probes by file, the expressions that each equation reads, examples and tests."""

from linkindex.model import Equation, Index, Link, Page, Resolution
from linkindex.refs import page_refs, plain_code
from linkindex.sizes import all_sizes


def build_job(index: Index, resolution: Resolution) -> dict:
    probes: dict[str, dict[str, list[int]]] = {}
    for links in resolution.links.values():
        for link in links:
            span = link.span
            probes.setdefault(span.file, {})[link.key] = [span.line, span.col, span.end_line, span.end_col]
    return {
        "root": str(index.config.root),
        "probes": {path: [[span, key] for key, span in sorted(keys.items())] for path, keys in sorted(probes.items())},
        "watches": _watches(index, resolution),
        "examples": {page.stem: _example(page, index) for page in index.pages if page.example and page.equations},
        "tests": sorted({equation.test for equation in index.equations if equation.id in resolution.tests}),
    }


def _watches(index: Index, resolution: Resolution) -> dict[str, list[dict]]:
    watches: dict[str, list[dict]] = {}
    for page in index.pages:
        expressions = _expressions(page)
        for equation in page.equations:
            for link in resolution.links.get(equation.id, ()):
                if link.probe:
                    watches.setdefault(link.key, []).append(_watch(equation, link, expressions))
    return watches


def _watch(equation: Equation, link: Link, expressions: list[str]) -> dict:
    return {
        "equation": equation.id,
        "function": link.function.rpartition(".")[2].partition("[")[0],  # without its role
        "code": plain_code(link.span.code),
        "target": link.target,
        "element": link.element,
        "expressions": expressions,
    }


def _expressions(page: Page) -> list[str]:
    """Everything that a page may want to read in a frame: its symbols' code, and the code of its references."""
    codes = [code for symbol in page.notation for code in (symbol.code, *symbol.family.values()) if code]
    refs = [ref.base for ref in page_refs(page) if ref.call is None]
    return sorted(dict.fromkeys([*codes, *refs]))


def _example(page: Page, index: Index) -> dict:
    kinds = [(f"sample {number}", all_sizes(index.symbols, sizes)) for number, sizes in enumerate(index.config.sizes)]
    if index.config.configuration:
        kinds.insert(0, ("configuration", all_sizes(index.symbols, index.config.configuration)))
    shown = sorted({ref.call for ref in page_refs(page) if ref.call})
    return {"path": page.example, "sizes": kinds, "shown": shown}
