"""The code itself: linked statements, or whole functions, with real line numbers and the linked expressions marked."""

from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup

from linkindex.model import Function, Link
from linkindex.render import urls
from linkindex.render.book import Context, Entry
from linkindex.render.faults import fault, nearest
from linkindex.render.highlight import highlight, marks, symbol_marks
from linkindex.render.html import fill
from linkindex.render.made import shapes_made


@dataclass(frozen=True)
class Line:
    number: int
    href: str
    code: Markup
    shape: str | None                                    # of what the line made, in the run that the page shows
    served: tuple[Entry, ...]                            # equations whose linked code begins or goes on here


@dataclass(frozen=True)
class Listing:
    """Lines of one function; a line None stands for lines left out."""

    file: str
    function: str
    href: str
    permalink: str | None
    stop: Markup                                         # attribute of the link to the file
    label: str
    lines: tuple[Line | None, ...]

    @property
    def name(self) -> str:
        return self.function.rpartition(".")[2]

    @property
    def has_shapes(self) -> bool:
        return any(line and line.shape for line in self.lines)


def linked_statements(context: Context) -> str:
    """The statements that this concept's equations link to, grouped by function."""
    links = [link for name in context.equations for link in context.book.resolution.links.get(name, ())]
    if not links:
        raise fault("LI614", "no equation of this concept has a code link that was found: correct the records first")
    listings = []
    for function in dict.fromkeys(link.function for link in links):
        of_function = [link for link in links if link.function == function]
        numbers = {n for link in of_function for n in range(link.statement.line, link.statement.end_line + 1)}
        file = of_function[0].span.file
        listings.append(_listing(context, function, file, numbers, of_function, context.folded_too))
    return fill("listings", listings=listings)


def whole_function(context: Context, name: str) -> str:
    """A function from its first decorator to its last line; all links of the page marked."""
    function = find_function(context, name)
    file = function.span.file
    links = [link for entry, link in context.book.links if entry.page is context.page and link.span.file == file]
    numbers = range(function.span.line, function.span.end_line + 1)
    return fill("listings", listings=[_listing(context, function.name, file, numbers, links)])


def find_function(context: Context, name: str) -> Function:
    """The function by its full name, or by the end of it. Raises Faults LI612 (unknown, or several)."""
    known = context.book.resolution.functions
    if name in known:
        return known[name]
    ending = [full for full in known if full.endswith(f".{name}")]
    if len(ending) == 1:
        return known[ending[0]]
    raise fault("LI612", f"expected one linked function {name!r}, found {len(ending)}; {nearest(name, known)}")


def _listing(
    context: Context, function: str, file: str, numbers: Iterable[int], links: list[Link], stop: Markup = Markup("")
) -> Listing:
    source = context.book.resolution.sources[file]
    numbers = sorted(numbers)
    linked = marks((link.span, link.equation) for link in links)
    codes = [(row.code, row.latex) for row in context.symbols]
    html = highlight(source, file, (*linked, *symbol_marks(source, file, codes, numbers)), numbers)
    here, known = context.book.entries, context.book.resolution.functions
    shapes = shapes_made(context, known[function]) if function in known else {}
    lines: list[Line | None] = []
    for number in numbers:
        if lines and lines[-1] and lines[-1].number < number - 1:
            lines.append(None)
        served = {name for mark in linked if mark.line <= number <= mark.end_line for name in mark.names}
        href = context.href(urls.source_url(file, number))
        serves = tuple(entry for name, entry in here.items() if name in served)
        lines.append(Line(number, href, html[number], shapes.get(number), serves))
    return Listing(
        file=file,
        function=function,
        href=lines[0].href,
        permalink=context.book.permalinks.of(file, numbers[0], numbers[-1]),
        stop=stop,
        label=f"{function}, {'lines' if len(numbers) > 1 else 'line'} {numbers[0]}"
        + (f" to {numbers[-1]}" if len(numbers) > 1 else "") + f", in {context.title}",
        lines=tuple(lines),
    )
