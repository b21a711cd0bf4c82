"""Tables of everything that can be written, and of everything that is reported."""

import re
from collections.abc import Iterator

from markupsafe import Markup, escape

from linkindex import directives
from linkindex.codes import ABOUT, registered
from linkindex.load import config, records, references, symbols


@directives.directive()
def reference(context, options):
    """All keys of records, symbols, works and configuration, all directives, and all findings with what to do."""
    from linkindex.render.html import fill, heading

    blocks = []
    for title, columns, said in _tables():
        name = re.sub(r"[^a-z]+", "-", title.lower())
        named = {key: key if key in registered() else f"{name}-{key}" for key, *_ in said}
        rows = [(named[key], key, [_with_code(text) for text in says]) for key, *says in said]
        blocks += [heading(2, title, name), fill("reference", title=title, columns=columns, rows=rows)]
    return "\n\n".join(blocks)


def _tables() -> Iterator[tuple[str, tuple[str, ...], list[tuple[str, ...]]]]:
    """Title, columns and rows of each."""
    key = ("Key", "What it holds")
    yield "Keys of a record", key, list(records.KEYS.items())
    yield "Keys of a symbol", key, list(symbols.KEYS.items())
    yield "Keys of a cited work", key, list(references.KEYS.items())
    yield "Keys of the configuration", key, [(name, says) for name, (_, says) in config.KEYS.items()]
    known = [(name, directives.declaration(name)) for name in directives.names()]
    yield "Directives", ("Directive", "What it shows", "What it takes"), [
        (name, one.says, "; ".join(_takes(one)) or "nothing") for name, one in known
    ]
    for digit, title in ABOUT.items():
        yield f"Findings: {title}", ("Code", "What it means", "What to do"), [
            (code, one.means, one.to_do) for code, one in sorted(registered().items()) if code[2] == digit
        ]


def _takes(one: directives.Declaration) -> Iterator[str]:
    if one.arguments:
        yield f"behind its name {one.arguments.says}"
    for name, option in one.options.items():
        yield f"`{name}`{' (required)' if option.required else ''}, {option.kind.says}: {option.says}"


def _with_code(text: str) -> Markup:
    """A sentence in which backticks stand around code."""
    pieces = text.split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(piece) if number % 2 else escape(piece) for number, piece in enumerate(pieces)
    )
