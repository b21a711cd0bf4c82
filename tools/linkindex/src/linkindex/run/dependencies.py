"""The state of everything that a result may depend on, as hashes: code by function, not by line or layout."""

import ast
import hashlib
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from linkindex.model import Config, Finding
from linkindex.resolve.definitions import Named, definitions
from linkindex.resolve.trees import fingerprint, without_bodies
from linkindex.run.reach import Notes
from linkindex.run.spans import Spans
from linkindex.sources import Source, read_source


class Dependencies:
    """Hashes functions and files of one project, each of which is read once.

    ``names``: the key of each probe -> its place in the syntax tree of its function. A name stays where the function
    moves or its layout changes, and is part of the function's hash.
    """

    def __init__(self, config: Config, probes: Mapping[str, Spans]):
        self.config, self.root, self.probes = config, config.root, probes
        self.started = time.time_ns()
        self._source = cache(self._read)
        self._functions = cache(self._hash_functions)
        self._module = cache(self._hash_module)
        self._file = cache(self._hash_file)
        self._words = cache(self._words_in)
        self.names = {key: key for spans in probes.values() for key in spans}
        for file in probes:
            for named in self._definitions(file):
                self.names.update(self._probes(file, named))

    def digest(self, reached: Notes) -> str:
        """Equal digests, equal results."""
        parts = [f"{file} {name} {self._code(file, name)}" for file, name in reached["functions"]]
        parts += [f"{file} {self._file(file)}" for file in reached["files"]]
        return hashlib.sha256("\0".join(sorted(parts)).encode()).hexdigest()

    def with_named(self, reached: Notes | None) -> Notes | None:
        """With all functions that the code reached names, and those that they name: what a change of it may reach."""
        if reached is None:
            return None
        known: dict[str, set[tuple[str, str]]] = {}  # last part of a name -> functions
        for file in {file for file, _ in reached["functions"]}:
            for named in self._definitions(file):
                known.setdefault(named.name.rpartition(".")[2], set()).add((file, named.name))
        found = set(map(tuple, reached["functions"]))
        waiting = [*found, *(function for name in known if name.startswith("__") for function in known[name])]
        while waiting:
            file, name = waiting.pop()
            found.add((file, name))
            inner = {function for word in self._words(file).get(name, ()) for function in known.get(word, ())}
            waiting.extend(inner - found)
        return {"functions": sorted(found), "files": reached["files"]}

    def changed_meanwhile(self, reached: Notes) -> bool:
        """Whether something was written since the files were read here: then they are not what ran."""
        files = {file for file, _ in reached["functions"]} | set(reached["files"])
        paths = [self.root / file for file in files]
        return any(path.stat().st_ctime_ns >= self.started for path in paths if os.path.isfile(path))

    def _read(self, file: str) -> Source | None:
        if not (self.root / file).is_file():
            return None
        source = read_source(self.root, file)
        return None if isinstance(source, Finding) else source

    def _definitions(self, file: str) -> tuple[Named, ...]:
        source = self._source(file)
        return definitions(source) if source else ()

    def _probes(self, file: str, named: Named) -> dict[str, str]:
        """Keys and names of the probes in a definition."""
        source, spans, node = self._source(file), self.probes.get(file, {}), named.node
        if not any(node.lineno <= line <= node.end_lineno for line, *_ in spans):
            return {}
        numbered = enumerate(ast.walk(node))
        places = {_span(source, inner): number for number, inner in numbered if isinstance(inner, ast.expr)}
        name = f"{file} {named.name} {named.role}"
        found = {key: f"{name} {places[span]}" for span, key in spans.items() if span in places}
        blocks = {span: key for span, key in spans.items() if len(span) > 4}
        if blocks:
            inside = [_span(source, inner) for inner in ast.walk(node) if isinstance(inner, ast.stmt)]
            starts, ends = [span[:2] for span in inside], [span[2:] for span in inside]
            for (line, col, end_line, end_col, held), key in blocks.items():
                if (line, col) in starts and (end_line, end_col) in ends:
                    numbers = f"{starts.index((line, col))}-{ends.index((end_line, end_col))}"
                    found[key] = f"{name} {numbers} {held}"
        return found

    def _code(self, file: str, name: str) -> str:
        """The hash of what runs under a qualified name: of the whole file where that is not clear."""
        while name.endswith(">"):  # f.<locals>.<lambda> belongs to f, and <module> or <lambda> to the module
            name = name.rpartition("<")[0].rstrip(".").removesuffix(".<locals>")
        return self._functions(file).get(name) or self._file(file) if name else self._module(file)

    def _words_in(self, file: str) -> dict[str, set[str]]:
        """By function, all names that could be those of other functions."""
        source = self._source(file)
        if source is None:
            return {}
        found = {"<module>": set(_words(without_bodies(source.tree)))}
        for named in self._definitions(file):
            found.setdefault(named.name, set()).update(_words(ast.walk(named.node)))
        return found

    def _hash_functions(self, file: str) -> dict[str, str]:
        """Of names that are defined twice there is none. A class as such is a part of its module."""
        found: dict[str, str] = {}
        for named in self._definitions(file):
            code = self._module(file) if isinstance(named.node, ast.ClassDef) else fingerprint(named.node)
            probes = sorted(self._probes(file, named).values())
            found[named.name] = "" if named.name in found else f"{code} {probes}"
        return found

    def _hash_module(self, file: str) -> str:
        """The module without the bodies of its functions: imports, constants, classes, signatures, decorators."""
        source = self._source(file)
        return fingerprint(source.tree, bodies=False) if source else self._file(file)

    def _hash_file(self, file: str) -> str:
        path = self.root / file
        try:
            return hashlib.sha256(path.read_bytes()).hexdigest() if os.path.isfile(path) else "missing"
        except OSError:  # it may not be read, neither by the work
            return "unreadable"


def _span(source: Source, node: ast.expr | ast.stmt) -> tuple[int, int, int, int]:
    start, end = source.column(node.lineno, node.col_offset), source.column(node.end_lineno, node.end_col_offset)
    return node.lineno, start, node.end_lineno, end


def _words(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        match node:
            case ast.Name(id=word) | ast.Attribute(attr=word) | ast.arg(arg=word) | ast.Constant(value=str() as word):
                yield word
