"""Compiled Jinja templates, kept for the next process: to compile them takes longer than to fill them."""

import base64
import hashlib
import platform
from pathlib import Path

from jinja2 import BytecodeCache, Environment
from jinja2 import __version__ as jinja
from jinja2.bccache import Bucket

from linkindex import store

KEPT = 400  # templates, of all environments and versions
OPTIONS = (
    "block_start_string", "block_end_string", "variable_start_string", "variable_end_string", "comment_start_string",
    "comment_end_string", "line_statement_prefix", "line_comment_prefix", "trim_blocks", "lstrip_blocks",
    "newline_sequence", "keep_trailing_newline", "optimized", "is_async",
)  # fmt: skip


class Templates(BytecodeCache):
    """Keeps the templates of one environment below ``root``. What is damaged, or was compiled from another text, with
    other options or by another version, is compiled again."""

    def __init__(self, root: Path, environment: Environment):
        self._folder = root / store.FOLDER / "templates"
        options = [getattr(environment, name) for name in OPTIONS]
        settings = [options, str(environment.autoescape), sorted(environment.extensions)]
        made_by = [store.own_code(), platform.python_version(), jinja, *settings]
        self._made_by = repr(made_by)

    def load_bytecode(self, bucket: Bucket) -> None:
        kept = store.read(self._path(bucket))
        if kept is not None:
            bucket.bytecode_from_string(base64.b64decode(kept))  # which compares the checksum of the text

    def dump_bytecode(self, bucket: Bucket) -> None:
        store.write(self._path(bucket), base64.b64encode(bucket.bytecode_to_string()).decode(), KEPT)

    def _path(self, bucket: Bucket) -> Path:
        name = hashlib.sha256(f"{bucket.key} {self._made_by}".encode()).hexdigest()
        return self._folder / f"{name}.json"
