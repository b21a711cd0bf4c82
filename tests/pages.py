"""The pages of this repository that have equations, and the names of these, as their YAML files list them."""

from pathlib import Path

import yaml

DOCS = Path(__file__).parents[1] / "docs"


def _equations_of(records: Path) -> tuple[str, ...]:
    names = yaml.safe_load(records.read_text(encoding="utf-8"))
    return tuple(name for name in names if name not in ("notation", "shares"))


# "attention" -> ("attention.query", ...); drafts are not published
EQUATIONS = {
    path.relative_to(DOCS).with_suffix("").as_posix(): _equations_of(path)
    for path in sorted(DOCS.rglob("*.yml"))
    if path.with_suffix(".md").is_file() and "drafts" not in path.parts
}
