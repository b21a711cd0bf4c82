"""`linkindex new page`: the three files of a page, of which only what a person has to say is left open."""

import ast
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from linkindex.load import REGISTRY, load
from linkindex.model import Config, Held
from linkindex.new.example import calls_of, inputs_for, lengths_for, numbers_in
from linkindex.new.letters import letters_for
from linkindex.new.shapes import Shape, axes_of, code_of, shapes_of, written
from linkindex.new.steps import steps_of
from linkindex.new.tests import tests_for
from linkindex.resolve import Finder
from linkindex.resolve.assignments import assignments_of
from linkindex.resolve.functions import Found, NotFound

DRAFTS = "drafts"
ENDS = ("md", "yml", "py")


class Refused(Exception):
    """Nothing is written; the message says why, and what to do."""


def new_page(config: Config, name: str, functions: Sequence[str], publish: bool) -> list[str]:
    """Write the files of a page, and add its new symbols to the registry. Returns the paths that were written. Raises
    Refused."""
    docs = config.root / config.docs
    folder = docs if publish else docs / DRAFTS
    _check_name(config, name)
    index, _ = load(config)
    finder = Finder(index)
    found = [_function(finder, function) for function in dict.fromkeys(functions)]
    texts = _texts(config, index.symbols, finder, name, found)
    entries = texts.pop("symbols").strip()
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{name}.{end}" for end in ENDS]
    for path in paths:
        path.write_bytes(texts[path.suffix[1:]].encode())
    if entries:
        paths.append(docs / REGISTRY)
        before = paths[-1].read_bytes().rstrip() + b"\n\n" if paths[-1].is_file() else b""
        paths[-1].write_bytes(before + entries.encode() + b"\n")
    return [path.relative_to(config.root).as_posix() for path in paths]


def _check_name(config: Config, name: str) -> None:
    folder, _, plain = name.removesuffix(".md").rpartition("/")
    if name != plain and folder in ("", DRAFTS, config.docs, f"{config.docs}/{DRAFTS}"):
        raise Refused(
            f"the page {name!r} is named without its folder: write `linkindex new page {plain} --from ...` for a draft "
            f"in {config.docs}/{DRAFTS}, and add --publish for a page in {config.docs}"
        )
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
        raise Refused(f"the page {name!r} needs a name in lower case, with hyphens between words, such as layer-norm")
    for folder in (config.docs, f"{config.docs}/{DRAFTS}"):
        for path in (f"{folder}/{name}.{end}" for end in ENDS):
            if (config.root / path).exists():
                raise Refused(f"{path} is there already: choose another name, or remove the files of that page")


def _function(finder: Finder, name: str) -> Found:
    try:
        found = finder.library.find(name)
    except NotFound as error:
        raise Refused(f"--from {name}: {error.code} {error}") from error
    if "." in found.function.qualname:
        raise Refused(f"--from {name}: a method needs an object, which only a person can make: name a plain function")
    return found


def _texts(config: Config, symbols, finder: Finder, page: str, functions: list[Found]) -> dict[str, str]:
    """The text of each file by its ending, and the new entries of the registry under "symbols"."""
    taken: set[str] = set()
    sections = [(found, list(steps_of(found, page, taken))) for found in functions]
    for found, steps in sections:
        if not steps:
            message = "computes nothing that a record can name: assign each step to a name of its own"
            raise Refused(f"--from {found.function.name}: it {message} ({found.source.path}:{found.function.line})")
    steps = [step for _, inner in sections for step in inner]
    calls, needed = calls_of(functions)
    shapes, dotted = shapes_of(functions, symbols)
    shapes |= dict.fromkeys(numbers_in(functions), ())
    sizes = {symbol.latex: symbol.code for symbol in symbols if symbol.size}
    shapes = {name: shape for name, shape in shapes.items() if name not in sizes}
    variables = list(dict.fromkeys([*needed, *(one.target for found in functions for one in assignments_of(found))]))
    axes = list(axes_of({name: shape for name, shape in shapes.items() if name in variables}))
    axes += [name for name in needed if name in sizes and name not in axes]
    lengths = lengths_for(axes, symbols)
    values = {
        "page": page,
        "title": page.replace("-", " ").capitalize(),
        "sections": [
            {
                "title": found.node.name.replace("_", " ").capitalize(),
                "anchor": f"{found.node.name.replace('_', '-')}",
                "function": found.function.name,
                "steps": steps,
                "shown": [step.variable for step in steps if shapes.get(step.variable)],
            }
            for found, steps in sections
        ],
        "letters": letters_for([name for name in variables if name not in {*axes, "rng"}], shapes, dotted, symbols),
        "tests": tests_for(config, steps, functions, finder.library, _held(shapes, lengths)),
        "axes": axes,
        "lengths": {axis: code_of(axis, functions, shapes) for axis in axes if not _reads(sizes.get(axis), variables)},
        "unregistered": [axis for axis in axes if axis not in sizes],
        "small": "{" + ", ".join(f'"{axis}": {length}' for axis, length in lengths.items()) + "}",
        "calls": calls,
        "imports": _imports(functions),
        "inputs": inputs_for(needed, functions, shapes, axes),
    }
    environment = Environment(
        loader=FileSystemLoader(Path(__file__).parent / "templates"), undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True, keep_trailing_newline=True,
    )  # fmt: skip
    environment.filters |= {"written": written, "quoted": _quoted}
    return {name: environment.get_template(f"{name}.jinja").render(values) for name in (*ENDS, "symbols")}


def _reads(code: str | None, variables: Sequence[str]) -> bool:
    """Whether code reads nothing but variables of the functions."""
    names = {node.id for node in ast.walk(ast.parse(code or "missing")) if isinstance(node, ast.Name)}
    return names <= set(variables)


def _held(shapes: Mapping[str, Shape], lengths: Mapping[str, int]) -> dict[str, Held]:
    """What variables hold, as far as it is known before anything runs: enough to make mutants of the right shape."""
    return {
        name: Held(tuple(int(axis) if axis.isdigit() else lengths[axis] for axis in shape), name)
        for name, shape in shapes.items()
        if all(axis.isdigit() or axis in lengths for axis in shape)
    }


def _imports(functions: Sequence[Found]) -> dict[str, list[str]]:
    modules: dict[str, list[str]] = {}
    for found in functions:
        modules.setdefault(found.function.module, []).append(found.node.name)
    return {module: sorted(names) for module, names in sorted(modules.items())}


def _quoted(code: str) -> str:
    """Code as a scalar of YAML, on one line."""
    return "'" + " ".join(code.split()).replace("'", "''") + "'"
