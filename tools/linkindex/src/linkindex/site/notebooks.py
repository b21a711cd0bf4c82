"""Notebooks: run anew, then written as Markdown, so that MkDocs makes them into pages as it does any other.

Formulas, links, headings and code of a notebook thus come from the same converters as those of a page.
"""

import os
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from mkdocs.exceptions import BuildError

from linkindex import store
from linkindex.model import Config
from linkindex.run.layout import files_where_code_is_read

if TYPE_CHECKING:
    from nbformat import NotebookNode

KIND = "notebooks"
SUFFIX = ".ipynb"
KERNEL = "python3"  # the interpreter that builds, whatever the author's machine calls its own
PATIENCE = 120  # seconds that a cell may take
_TEMPLATE = Path(__file__).with_name("notebook.md.jinja")
_PAGES = frozenset({".md", ".yml", ".lock", ".memory"})


class NotebookError(BuildError):
    """A notebook cannot be read or run. MkDocs stops without a traceback."""


@dataclass(frozen=True)
class Notebook:
    """``pictures``: path below the folder of the pages -> data, which the Markdown shows."""

    markdown: str
    pictures: Mapping[str, bytes]


def is_notebook(uri: str) -> bool:
    """Whether the build runs it: Jupyter keeps copies in hidden folders, which MkDocs does not publish."""
    return uri.endswith(SUFFIX) and "/." not in f"/{uri}"


def as_markdown(uri: str, config: Config) -> Notebook:
    """The notebook ``uri``, a path below the folder of the pages, with the outputs of a run in its own folder.

    It is run again when it changed, or a file that it may read: of the packages, the tests, or those beside the pages.
    Raises NotebookError.
    """
    template = _TEMPLATE.read_text(encoding="utf-8")
    place = store.place(config.root, KIND, store.distributions(), template, uri, _digest(config))
    kept = store.kept(place, lambda: _made(uri, config, template))
    return Notebook(kept["markdown"], {path: b64decode(data) for path, data in kept["pictures"].items()})


def _digest(config: Config) -> str:
    docs = config.root / config.docs
    beside = (path for path in docs.rglob("*") if path.is_file() and path.suffix not in _PAGES)
    code = (config.root / path for path in files_where_code_is_read(config))
    files = sorted({*code, *(path for path in beside if "__pycache__" not in path.parts)})
    parts = [(path.relative_to(config.root).as_posix(), sha256(path.read_bytes()).hexdigest()) for path in files]
    return sha256(repr(parts).encode()).hexdigest()


def _made(uri: str, config: Config, template: str) -> dict:
    # Imported here and below: it takes as long as all of MkDocs, and most sites have no notebook to run.
    from nbconvert import MarkdownExporter

    path = Path(uri)
    file, shown = config.root / config.docs / path, f"{config.docs}/{uri}"
    notebook = _read(file, shown)
    _run(notebook, file.parent, shown, config.root)
    exporter = MarkdownExporter(raw_template=template, filters={"fence": _fence})
    names = {"unique_key": path.stem, "output_files_dir": f"{path.stem}_files"}
    markdown, resources = exporter.from_notebook_node(notebook, resources=names)
    drawn = resources["outputs"].items()
    pictures = {(path.parent / name).as_posix(): b64encode(data).decode() for name, data in drawn}
    return {"markdown": markdown, "pictures": pictures}


def _read(path: Path, shown: str) -> "NotebookNode":
    import nbformat

    try:
        notebook = nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)
        nbformat.validate(notebook)
    except Exception as error:  # of a file that is no notebook, nbformat raises whatever it meets
        message = f"{shown}: expected a notebook, found {type(error).__name__}: {error}: save it anew in Jupyter"
        raise NotebookError(message) from error
    return notebook


def _run(notebook: "NotebookNode", folder: Path, shown: str, root: Path) -> None:
    """Put the outputs of a run into the notebook."""
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

    started = [0]
    client = NotebookClient(
        notebook,
        kernel_name=KERNEL,
        timeout=PATIENCE,
        record_timing=False,  # two builds are equal
        extra_arguments=["--log-level=CRITICAL"],  # or it warns of connections that do not leave this machine
        resources={"metadata": {"path": str(folder)}},
        on_cell_start=lambda cell, cell_index: started.append(cell_index + 1),
    )
    try:
        with TemporaryDirectory(prefix="linkindex-") as settings:
            client.execute(env=_environment(root, settings))
    except CellExecutionError as error:
        what = f"raised {error.ename}: {error.evalue}: correct it, or tag it raises-exception if the error is meant"
        raise NotebookError(f"{shown}, cell {started[-1]} {what}") from error
    except CellTimeoutError as error:
        what = f"took more than {PATIENCE} seconds: have it do less"
        raise NotebookError(f"{shown}, cell {started[-1]} {what}") from error
    except DeadKernelError as error:
        what = "ended the interpreter that ran it: correct it"
        raise NotebookError(f"{shown}, cell {started[-1]} {what}") from error
    except AssertionError as error:  # when interrupted, nbclient ends its interpreter, and then misses it
        raise KeyboardInterrupt from error


def _environment(root: Path, settings: str) -> dict[str, str]:
    """The project can be imported, and no start-up file of the person who builds is read."""
    path = os.pathsep.join(filter(None, (str(root), str(root / "src"), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path, "IPYTHONDIR": settings, "PYDEVD_DISABLE_FILE_VALIDATION": "1"}


def _fence(code: str) -> str:
    """What opens and closes a block of code that may hold fences itself."""
    fence = "```"
    while fence in code:
        fence += "`"
    return fence
