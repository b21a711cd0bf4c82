"""``links.memory``: what linked code and its tests looked like when they were locked, one fact a line.

Only `linkindex fix` reads and writes it. An entry that is damaged is as good as none, and is written anew.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from linkindex.load.text import read_text
from linkindex.model import Config

FILE = "links.memory"
HEAD = "# What `linkindex fix` remembers of linked code and tests, to find them again when they have moved.\n"


@dataclass(frozen=True)
class LockedCode:
    """A linked piece of code as it was when it was locked, so that it can be recognised elsewhere."""

    function: str                                        # module.qualname
    name: str | None                                     # variable by which the record means it; None: the code itself
    code: str                                            # in standard layout


@dataclass(frozen=True)
class Remembered:
    """What is remembered of one equation."""

    links: tuple[LockedCode, ...]                        # in the order of the equation's links
    names: Mapping[str, Mapping[str, str]]               # function -> variable -> what it is bound to
    body: str                                            # hash of the test function without its name


Memories = Mapping[str, Remembered]                      # equation id -> what is remembered


def memory_path(config: Config) -> str:
    return f"{config.docs}/{FILE}"


def read_memories(config: Config) -> Memories:
    path = config.root / memory_path(config)
    text = read_text(path, FILE, []) if path.is_file() else None
    entries = (entry.split("\n") for entry in (text or "").split("\n\n")[1:])
    read = {name: _remembered(lines) for name, *lines in entries}
    return {name: memory for name, memory in read.items() if memory}


def _remembered(lines: list[str]) -> Remembered | None:
    """None where a line is damaged."""
    links: list[LockedCode] = []
    names: dict[str, dict[str, str]] = {}
    bodies: list[str] = []
    for line in lines:
        kind, _, value = line.strip().partition(" ")
        try:
            fact = json.loads(value) if kind else None
        except (ValueError, RecursionError):
            return None
        match kind, fact:
            case "", None:
                pass
            case "link", [str(function), str() | None as name, str(code)]:
                links.append(LockedCode(function, name, code))
            case "name", [str(function), str(name), str(code)]:
                names.setdefault(function, {})[name] = code
            case "body", str(body):
                bodies.append(body)
            case _:
                return None
    return Remembered(tuple(links), names, bodies[0]) if links and len(bodies) == 1 else None


def memories_text(memories: Memories) -> str:
    """The text of a file that holds these."""
    entries = ("\n".join((name, *_lines(memory))) for name, memory in sorted(memories.items()))
    return HEAD + "".join(f"\n{entry}\n" for entry in entries)


def _lines(memory: Remembered) -> Iterator[str]:
    for link in memory.links:
        yield f"  link {_json([link.function, link.name, link.code])}"
    for function, names in sorted(memory.names.items()):
        for name, code in sorted(names.items()):
            yield f"  name {_json([function, name, code])}"
    yield f"  body {_json(memory.body)}"


def _json(fact: object) -> str:
    return json.dumps(fact, ensure_ascii=False)
