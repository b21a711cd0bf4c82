"""Records of the kind ``statement``: formulas with no code of the project behind them, and how many there may be."""

from collections.abc import Iterator
from difflib import get_close_matches

from linkindex.load.fields import Fields
from linkindex.load.yamltree import Text
from linkindex.model import Finding, Index, Place, Statement

KIND = "statement"
KEYS = ("kind", "title", "latex", "paper", "because", "case")
ONE_IN = 8                                               # of the formulas of a site, at most; one always may be


def read_statement(fields: Fields, name: str, page: str, place: Place) -> list[Statement]:
    """``fields``: of the whole record. Nothing is returned where the statement cannot be shown."""
    for key, at in fields.table.keys.items():
        if key in fields.known and key not in KEYS:
            message = f"{fields.what}: a statement has no code behind it, and so no {key!r}: remove that, or `kind`"
            fields.note(at, "LI102", message)
    kind, latex = fields.text("kind"), fields.text("latex", required=True, example=r"y = W x")
    title = fields.text("title", required=True, example="In words")
    paper, because = fields.text("paper"), fields.text("because")
    if kind != KIND:
        message = f"{fields.what}: kind must be {KIND}, found {kind!r}: leave it out where code computes the formula"
        fields.note(fields.place("kind"), "LI107", message)
    if not (paper or because):
        message = f"{fields.what} needs `paper: KEY, section ...`, or `because: ...` with the reason why it holds"
        fields.note(fields.place("kind"), "LI103", message)
    if not (kind == KIND and latex and title):
        return []
    tree = fields.table.entries["latex"]
    return [
        Statement(
            id=name,
            title=title,
            page=page,
            latex=latex,
            place=place,
            paper=paper,
            because=because,
            case=fields.text("case"),
            keys={key: value.place for key, value in fields.table.entries.items()},
            latex_lines=tree.lines if isinstance(tree, Text) else (),
        )
    ]


def check_statements(index: Index) -> Iterator[Finding]:
    """Cases are equations; and most of what a site displays has code behind it."""
    for page in index.pages:
        known = [one.id for other in index.pages if page.is_draft or not other.is_draft for one in other.equations]
        for statement in page.statements:
            case = statement.case
            if case and case not in known and not index.cannot_read(case):
                near = get_close_matches(case, known, 3)
                hint = f"nearest: {', '.join(near)}" if near else "name an equation with code, or leave `case` out"
                message = f"{statement.id}: no equation has the id {case!r}, which should compute a case of it; {hint}"
                yield Finding(statement.keys["case"], "LI112", message)
    statements = [record for record in index.published if isinstance(record, Statement)]
    most = max(1, len(index.published) // ONE_IN)
    if len(statements) > most:
        message = (
            f"{len(statements)} of the {len(index.published)} formulas of the site are statements, of which nothing is "
            f"checked, and at most one in {ONE_IN} may be (one always): link code to {len(statements) - most} of them, "
            "or leave them out"
        )
        yield Finding(statements[-1].place, "LI126", message)
