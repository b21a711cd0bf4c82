"""Pictures: an SVG whose text and strokes name recorded values, filled from the run that the page shows.

``figures/NAME.svg`` is a template: ``{{ A[0, 2] | f(3) }}``, ``{{ shape(Q) }}``, ``width="{{ (9 * A[i, j]) | px }}"``.
Besides the values that the directive names it knows ``labels``, the example's names along each axis. Filters: ``f(n)``
rounds as pages do, ``px`` gives one decimal. An unknown name is an error, and so is arithmetic with what a filter gave.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from xml.etree import ElementTree

from jinja2 import Environment, StrictUndefined, TemplateError
from markupsafe import Markup

from linkindex.render import numbers
from linkindex.render.book import Context
from linkindex.render.faults import each, fault
from linkindex.render.html import fill
from linkindex.render.refs import look_up
from linkindex.render.shapes import written

SVG = "http://www.w3.org/2000/svg"
_NARROW = 500                                            # units that a phone can show; what is wider scrolls


def drawn(context: Context, name: str, options: Mapping[str, Any]) -> str:
    """The picture with its caption. Raises Faults LI616 where it cannot be drawn, LI603 and LI606 of its values."""
    context, refs = context.elsewhere(options["page"]), options["of"]
    values = dict(zip(refs, each(lambda ref: look_up(ref, context.of_page).array(), refs.values())))
    svg = _filled(context, name, values)
    wide = _width(context, name, svg) > _NARROW
    return fill(
        "figure", svg=Markup(svg.replace("<svg", "<svg data-search-exclude", 1)), caption=options["caption"], name=name,
        wide=wide, refs=list(refs.values()),
    )


def _width(context: Context, name: str, svg: str) -> float:
    """The width of what is a picture: an SVG with a size, a title, and a description for those who do not see it."""
    try:
        root = ElementTree.fromstring(svg)
        said = [text for part in ("title", "desc") if (text := root.findtext(f"{{{SVG}}}{part}", "").strip())]
        if root.tag == f"{{{SVG}}}svg" and len(said) == 2:
            return float(root.attrib["viewBox"].split()[2])
        found = "without one of them"
    except (ElementTree.ParseError, KeyError, ValueError, IndexError) as error:
        found = f"{type(error).__name__}: {error}"
    message = f'{_path(context, name)}: expected <svg xmlns="{SVG}" viewBox="0 0 width height"> with a <title>'
    raise fault("LI616", f"{message}, and a <desc> that says its numbers as a sentence; found {found}")


def _filled(context: Context, name: str, values: Mapping[str, object]) -> str:
    path = _path(context, name)
    try:
        text = (context.book.index.config.root / path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise fault("LI616", f"the picture {path} cannot be read ({type(error).__name__}): add it") from None
    try:
        return _environment().from_string(text).render(values, labels=context.labels).strip()
    except (TemplateError, TypeError, ValueError, LookupError, ArithmeticError, AttributeError) as error:
        line = getattr(error, "lineno", None)
        known = ", ".join([*values, "labels"])
        message = f"{path}{f', line {line}' if line else ''}: {error}; it may name {known}, the values under `of`"
        raise fault("LI616", message) from None


def _path(context: Context, name: str) -> str:
    return context.book.index.config.picture(name)


@lru_cache(maxsize=None)
def _environment() -> Environment:
    made = Environment(trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined, autoescape=True)
    made.filters |= {
        "f": lambda value, decimals: _Filtered(numbers.fixed(_number(value), decimals)),
        "px": lambda value: _Filtered(numbers.strip(float(value), 1)),
    }
    made.globals["shape"] = lambda value: written(value.shape)
    return made


def _number(value: Any) -> float | int:
    return value.item() if hasattr(value, "item") else value


class _Filtered(str):
    """What a filter gave. A filter takes the last factor only: ``84 * x | px`` would be that text 84 times."""

    def __rmul__(self, _: object) -> str:
        raise TypeError(f"a filter takes the last factor only, here {self}: put brackets around the product")

    __mul__ = __rmul__
