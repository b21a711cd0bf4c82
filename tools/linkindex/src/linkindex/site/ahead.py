"""Run the pipeline in a copy of the process, while this one imports MkDocs and reads its settings."""

from collections.abc import Iterator
from contextlib import AbstractContextManager

from linkindex.model import Config
from linkindex.run import child
from linkindex.run.meanwhile import meanwhile


def generated_ahead(config: Config) -> AbstractContextManager[Iterator]:
    """What ``linkindex.site.pages.generate_in_steps`` gives."""
    return meanwhile(lambda: _steps(config))


def _steps(config: Config) -> Iterator:
    child.prepare(config.root)
    try:
        # Imported here: the workers' own imports have begun by now.
        from linkindex.site.pages import generate_in_steps

        yield from generate_in_steps(config)
    finally:
        child.end()
