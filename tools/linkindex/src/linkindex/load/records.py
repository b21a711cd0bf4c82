"""The records of a page's YAML file: its notation, its equations and its statements."""

import unicodedata
import re
from collections.abc import Mapping

from linkindex.load.fields import Fields
from linkindex.load.statements import read_statement
from linkindex.load.symbols import check_code, read_notation, told_apart
from linkindex.load.yamltree import Table, Text, Tree
from linkindex.model import DRAFTS, STEPS, CodeName, Equation, Finding, Place, Record, Symbol

KEYS: Mapping[str, str] = {
    "title": "What the equation is called, in words. Required.",
    "in": "The function that holds the code, by its full name: `package.module.function`. Required.",
    "latex": "The formula as it is displayed. Required.",
    "test": "The test that would fail if the code were wrong: `tests/test_file.py::test_name`. Required.",
    "code": "The expression that gives the left side, or the statements that leave it in its variable; without it, "
            "what is assigned to the left side's variable.",
    "at": "`return`: the value is what the function returns, or, of one that fills its variable in place, what it "
          "leaves there; `return[0]` for the first of several results.",
    "via": "Further lines on the way to the value that also belong to the formula, each by its variable or its code.",
    "computes": "Where `code` only calls: the expression of the called function that gives the value, as "
                "`{in: ..., code: ...}`, with `via` if needed.",
    "also": "Code of another function that shares in the result, such as the one that makes a mask: "
            "`{in: ..., code: ...}`.",
    "paper": "The work that the formula comes from: its key in `references.yml`, a comma, and the place in it. Without "
             "it the formula is shown as not in the paper.",
    "per": "The axes along which the formula holds for each entry on its own, such as `[T]` for each row; pages say it "
           "beside the formula.",
    "indices": "The ranges of indices that are not the lengths of axes, such as `{i: d // 2}`.",
    "where": "A condition on variables of the function: the formula speaks only of the times when it is true.",
    "free": "Symbols of the right side that do not change the result; they get random values.",
    "defines": "The operator whose definition this is, such as `softmax(x)`; other formulas may then use it.",
    "property": "`true` for a statement that must hold of the recorded values, such as a sum that is one.",
    "kind": "`statement` for a formula that no code of the project computes: nothing is checked but its LaTeX, and it "
            "takes only `title`, `latex`, `paper`, `because` and `case`. One in eight formulas of a site may be one.",
    "because": "Why a statement holds, in a sentence; where it cites no `paper` it is required.",
    "case": "The equation that computes a finite case of a statement, by its id.",
    "exception": "A step of evidence that cannot hold, with the reason: `{defended: ...}`. It is counted on the site.",
    "equivalent": "Mutants that compute the same, each by its code, with the reason. They are counted on the site.",
}  # fmt: skip

NEEDED = ("title", "in", "latex", "test")


def read_records(
    table: Table, page: str, registry: Mapping[str, Symbol], shared: tuple[Symbol, ...], findings: list[Finding]
) -> tuple[tuple[Symbol, ...], Mapping[str, tuple[int, ...]], tuple[Record, ...], tuple[str, ...]]:
    """The notation (its own, then what it shares with another page), the sizes, the equations and statements, and the
    ids of records that cannot be read."""
    prefix = page.removeprefix(DRAFTS).replace("/", ".") + "."
    functions = [in_.value for entry in table.entries.values() if (in_ := _function(entry))]
    own = read_notation(table.entries.get("notation"), registry, findings)
    named = {symbol.latex for symbol in own}
    listed = (*own, *(symbol for symbol in shared if symbol.latex not in named))
    notation = tuple(told_apart(symbol, functions) for symbol in listed)
    sizes = _read_sizes(table.entries.get("sizes"), registry, findings)
    records, unread = [], []
    for name, entry in table.entries.items():
        if name == "equations":
            message = (
                "records stand at the top level of this file, id by id, not below a key `equations`: "
                f"remove it, and write `{prefix}scores:` and its keys as far left as `notation:`"
            )
            findings.append(Finding(table.keys[name], "LI106", message))
            unread.append(prefix)
        elif name not in ("notation", "sizes", "shares"):
            read = _read_record(name, entry, table.keys[name], page, prefix, findings)
            records.extend(read)
            unread += [] if read else [name, name.lower(), prefix + name]
    return notation, sizes, tuple(records), tuple(unread)


def _read_sizes(
    tree: Tree | None, registry: Mapping[str, Symbol], findings: list[Finding]
) -> dict[str, tuple[int, ...]]:
    """The lengths that a page gives free sizes: a list of whole numbers for each, or one of them."""
    if not isinstance(tree, Table | None):
        message = "sizes must map free sizes to lengths, sample by sample, such as {n: [5, 7]}"
        findings.append(Finding(tree.place, "LI107", message))
    sizes = {}
    for name, entry in tree.entries.items() if isinstance(tree, Table) else ():
        texts = [one.value if isinstance(one, Text) else "" for one in getattr(entry, "values", (entry,))]
        if not texts or not all(re.fullmatch("0*[1-9][0-9]*", text) for text in texts):
            message = f"sizes: the lengths of {name} must be whole numbers from 1 on, such as [5, 7]"
            findings.append(Finding(entry.place, "LI107", message))
        elif getattr(registry.get(name), "size", None) != "free":
            message = f"sizes gives {name} lengths, and no symbol {name} has `size: free`: add it, or remove it here"
            findings.append(Finding(tree.keys[name], "LI122", message))
        else:
            sizes[name] = tuple(map(int, texts))
    return sizes


def _function(entry: Tree) -> Text | None:
    tree = entry.entries.get("in") if isinstance(entry, Table) else None
    return tree if isinstance(tree, Text) else None


def _read_record(
    name: str, entry, place: Place, page: str, prefix: str, findings: list[Finding]
) -> list[Record]:
    if not re.fullmatch(re.escape(prefix) + r"[a-z0-9]+(-[a-z0-9]+)*", name):
        message = f"the id {name!r} must be {prefix!r} followed by a name in lower case, such as {prefix}scores"
        findings.append(Finding(place, "LI106", message))
        return []
    if not isinstance(entry, Table):
        findings.append(Finding(place, "LI107", f"equation {name}: expected its keys (latex, in, test, ...) below it"))
        return []
    if "kind" in entry.entries:
        return read_statement(Fields(entry, f"statement {name}", KEYS, findings), name, page, place)
    noted = len(findings)
    fields = Fields(entry, f"equation {name}", KEYS, findings)
    if left := [key for key in NEEDED if isinstance(tree := entry.entries.get(key), Text) and not tree.value]:
        message = f"equation {name}: {', '.join(left)} left open: write what stands behind the colon"
        fields.note(fields.place(left[0]), "LI103", message)
        return []
    words = name.removeprefix(prefix).split("-")
    function = fields.text("in", required=True, example="package.module.function")
    latex = fields.text("latex", required=True, example=r"y = W x")
    a_test = f"tests/test_{prefix.rstrip('.').replace('.', '_')}.py::test_{'_'.join(words)}"
    test = _nodeid(fields.text("test", required=True, example=a_test)) or ""
    title = fields.text("title", required=True, example=" ".join(words).capitalize())
    exceptions = _read_exceptions(fields, name)
    computes = _read_elsewhere("computes", fields, entry, name, findings)
    also = _read_elsewhere("also", fields, entry, name, findings)
    if where := fields.text("where"):
        check_code(fields, "where", where, what=f"equation {name}")
    if len(findings) > noted and not all((function, latex, title)):
        return []
    tree = entry.entries["latex"]
    return [
        Equation(
            id=name,
            title=title,
            page=page,
            latex=latex,
            latex_lines=tree.lines if isinstance(tree, Text) else (),
            probe=CodeName(function, fields.text("code"), fields.texts("via"), fields.place("in")),
            test=test,
            place=place,
            computes=computes,
            also=also,
            at=_read_at(fields, name),
            paper=fields.text("paper"),
            per=fields.texts("per") if "per" in entry.entries else None,
            indices=fields.mapping("indices"),
            where=where,
            free=fields.texts("free"),
            defines=fields.text("defines"),
            is_property=fields.flag("property"),
            exceptions=exceptions,
            equivalent=fields.mapping("equivalent"),
            keys={key: value.place for key, value in entry.entries.items()},
        )
    ]


def _nodeid(text: str | None) -> str | None:
    """The node id with its names as Python and pytest know them: identifiers are read in the normal form NFKC."""
    path, mark, names = (text or "").partition("::")
    return path + mark + unicodedata.normalize("NFKC", names) or None


def _read_elsewhere(key: str, fields: Fields, entry: Table, name: str, findings: list[Finding]) -> CodeName | None:
    """The code of another function that ``computes`` or ``also`` names."""
    tree = entry.entries.get(key)
    if tree is None:
        return None
    if not isinstance(tree, Table):
        fields.note(tree.place, "LI107", f"equation {name}: {key} must be {{in: module.function, code: expression}}")
        return None
    inner = Fields(tree, f"equation {name}: {key}", ("in", "code", "via"), findings)
    function = inner.text("in", required=True, example="package.module.function")
    code = inner.text("code", required=True, example="variable")
    return CodeName(function, code, inner.texts("via"), tree.place) if function and code else None


def _read_at(fields: Fields, name: str) -> str | None:
    at = fields.text("at")
    if at is not None and not re.fullmatch(r"return(\[\d+\])?", at):
        message = f"equation {name}: at must be return, or return[0] for the first of several results, found {at!r}"
        fields.note(fields.place("at"), "LI107", message)
        return None
    if at is not None and "code" in fields.table.entries:
        message = f"equation {name}: `at` links the whole function, `code` a part of it: keep one of them"
        fields.note(fields.place("at"), "LI107", message)
    return at


def _read_exceptions(fields: Fields, name: str) -> dict[str, str]:
    exceptions = fields.mapping("exception")
    for step, reason in exceptions.items():
        if step not in STEPS or not reason:
            message = (
                f"equation {name}: an exception names a step ({', '.join(STEPS)}) and its reason, "
                f"found {step!r}: {reason!r}"
            )
            fields.note(fields.place("exception"), "LI107", message)
    return {step: reason for step, reason in exceptions.items() if step in STEPS and reason}
