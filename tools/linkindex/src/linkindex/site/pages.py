"""From the project to the folder of Markdown files that MkDocs builds."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from linkindex.model import DRAFTS, Config, Evidence, Finding, Index, Resolution

if TYPE_CHECKING:
    from linkindex.pipeline import Result

# Files with these suffixes are published as they stand in the folder of the pages. Records and examples are not.
PICTURES = "figures"
_PUBLISHED = frozenset(
    {".png", ".jpg", ".jpeg", ".svg", ".webp", ".css", ".js", ".json", ".ipynb", ".npz", ".txt", ".woff2"}
)


@dataclass(frozen=True)
class Generated:
    """What one run of the pipeline hands to MkDocs, and what it found on the way."""

    index: Index
    resolution: Resolution
    evidence: Evidence
    findings: tuple[Finding, ...]
    pending: bool                                        # whether examples and tests are yet to run
    docs: Path                                           # folder of the generated Markdown
    files: Mapping[str, str]                             # written beside the pages: path from the site root -> text
    date: int | None                                     # of the commit, in seconds since 1970; None: unknown


def generate(config: Config, *, pending: bool = False) -> Generated:
    """Run the pipeline on all but drafts, and write ``build/docs``; with ``pending``, steps that are not fresh are
    shown as such."""
    from linkindex.pipeline import evidence_for

    return _written(config, evidence_for(config, pending=pending, mutants=True, drafts=False), pending)


def generate_in_steps(config: Config) -> Iterator[Generated]:
    """The same, with the verdicts on mutants of the last time first: see ``evidence_in_steps``."""
    from linkindex.pipeline import evidence_in_steps

    for result in evidence_in_steps(config, drafts=False):
        yield _written(config, result, pending=False)


def _written(config: Config, result: Result, pending: bool) -> Generated:
    # Imported here, as above: a process that only has the pages built by MkDocs does without.
    from linkindex.link_index import link_index, to_json
    from linkindex.render import render

    index, resolution, runs, evidence, findings = result
    docs = config.root / "build" / "docs"
    docs.mkdir(parents=True, exist_ok=True)
    unshown = render(index, resolution, runs, evidence, docs)
    if not pending:  # then nothing is missing because it has not run yet
        findings = (*findings, *unshown)
    return Generated(
        index=index,
        resolution=resolution,
        evidence=evidence,
        findings=tuple(sorted(set(findings))),
        pending=pending,
        docs=docs,
        files={"link-index.json": to_json(link_index(index, resolution, runs, evidence))},
        date=_commit_date(config.root),
    )


def published(folder: Path) -> Iterator[tuple[str, Path]]:
    """The files of a folder that the site takes over unchanged, by their address below it."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in _PUBLISHED and path.is_file() and not path.is_relative_to(folder / DRAFTS):
            if not _is_template(path, folder):
                yield path.relative_to(folder).as_posix(), path


def _is_template(path: Path, folder: Path) -> bool:
    """Whether it is a picture that is only shown filled with numbers."""
    return path.is_relative_to(folder / PICTURES) and b"{{" in path.read_bytes()


def _commit_date(root: Path) -> int | None:
    command = ["git", "-C", str(root), "log", "-1", "--format=%ct"]
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=True, timeout=10)
    except (OSError, subprocess.SubprocessError):
        return None
    return int(result.stdout) if result.stdout.strip() else None
