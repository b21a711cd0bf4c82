"""The settings of a project."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Config:
    """``[tool.linkindex]`` of the project's pyproject.toml, with defaults filled in."""

    root: Path
    docs: str = "docs"                                   # folder of the pages
    packages: tuple[str, ...] = ()                       # import names of the documented packages
    tests: str = "tests"                                 # folder of the tests
    batch_axes: tuple[str, ...] = ()                     # axes that a formula is evaluated over, one by one
    sizes: tuple[Mapping[str, int], ...] = ()            # size sets for samples: free sizes only
    configuration: Mapping[str, int] = field(default_factory=dict)  # sizes of pages: "with the configuration"
    policy: tuple[str, ...] = ("resolved", "ran", "tested", "symbols", "formula", "defended")  # steps that must hold
    depends: tuple[str, ...] = ()                        # "data/*.json", "env:NAME": what else results depend on
    offline: bool = False                                # whether no page of the site may load from another host
    repository: str | None = None                        # address of the hosted repository, for permalinks

    def picture(self, name: str) -> str:
        """Where the template of a picture stands, from the root of the project."""
        return f"{self.docs}/figures/{name}.svg"
