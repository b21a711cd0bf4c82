"""The codes of all findings, from codes.yml: what each means, and what to do."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

# The first digit of a code -> what it is about, in the order of the stages that find it.
ABOUT: Mapping[str, str] = {
    "1": "files that people write", "2": "places in the code, and the lock", "3": "runs", "4": "evidence",
    "5": "formulas and their letters", "6": "what pages show", "7": "the built site", "8": "repairs",
    "9": "planted faults",
}  # fmt: skip


@dataclass(frozen=True)
class Code:
    means: str
    to_do: str


@cache
def registered() -> Mapping[str, Code]:
    """By code, in the order of their numbers."""
    text = Path(__file__).with_name("codes.yml").read_text(encoding="utf-8")
    return {name: Code(entry["means"], entry["to-do"]) for name, entry in yaml.safe_load(text).items()}
