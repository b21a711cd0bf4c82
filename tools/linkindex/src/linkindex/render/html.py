"""The one place where mark-up is made: templates that escape, and the form that raw HTML needs inside Markdown."""

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from linkindex.formula import FormulaError, render
from linkindex.templates import Templates

_FOLDER = Path(__file__).parent / "templates"
_PARTS = re.compile(r"(?<=[/_])(?=\w)|(?<=::)(?=\w)|(?<=\.)(?=\w)(?!py\b)")
_PIECE = 12                                              # characters that may stay together: each break is an element
_TEMPLATE = re.compile(r"\{(?=[{%#])")
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|$&~^:])")


def fill(template: str, **values: Any) -> str:
    """The template ``templates/<template>.html.jinja``, as a block of raw HTML for a Markdown page."""
    return compact(_environment().get_template(f"{template}.html.jinja").render(**values))


def text_of(template: str) -> str:
    """The template as it is written: what is kept of its pages depends on it."""
    return (_FOLDER / f"{template}.html.jinja").read_text(encoding="utf-8")


def compact(html: str) -> str:
    """Without blank or indented lines, which Markdown would take for the end of the block or for code.

    Braces of code that would open a template are written as entities: a plug-in may read pages as Jinja templates.
    """
    lines = "\n".join(line.strip(" ") for line in html.split("\n") if line.strip(" "))
    return _TEMPLATE.sub("&#123;", lines)


def heading(level: int, text: str, anchor: str) -> str:
    """A Markdown heading of plain text with an id of its own."""
    return f"{'#' * level} {plain(text)} {{ #{anchor} }}"


def plain(text: str) -> str:
    """``text`` as Markdown that shows exactly these characters: a backslash would not do before each of them."""
    return _SPECIAL.sub(lambda match: f"&#{ord(match[1])};", text)


@lru_cache(maxsize=None)
def inline_math(marked: str) -> Markup:
    r"""A formula, ``\sym`` marks and all, as MathML for use inside raw HTML; as plain code, if it cannot be set."""
    try:
        return Markup(render(marked, display=False))
    except FormulaError:                                 # reported at the record, by the stage that read it
        return Markup("<code>{}</code>").format(marked)


def symbol(latex: str) -> Markup:
    """A symbol as MathML, marked with its own name."""
    return inline_math(f"\\sym{{{latex}}}{{{latex}}}")


def breakable(name: str) -> Markup:
    """A path or a dotted name that may be broken after some of its separators, and nowhere else."""
    pieces = [""]
    for part in _PARTS.split(name):
        pieces += [part] if len(pieces[-1]) >= _PIECE else [pieces.pop() + part]
    return Markup("<wbr>").join(map(escape, pieces))


def keep_templates(root: Path) -> None:
    """From here on, keep compiled templates among what is kept of the project in ``root``."""
    _environment().bytecode_cache = Templates(root, _environment())


@lru_cache(maxsize=None)
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_FOLDER, encoding="utf-8"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    filters: Mapping[str, Any] = {"math": inline_math, "symbol": symbol, "breakable": breakable}
    environment.filters.update(filters)
    return environment
