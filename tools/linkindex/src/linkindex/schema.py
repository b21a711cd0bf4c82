"""The schema of ``site/link-index.json``, which other programs rely on."""

import json
from pathlib import Path
from typing import Any

SCHEMA = Path(__file__).with_name("link_index.schema.json")


def schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of the document."""
    return json.loads(SCHEMA.read_text(encoding="utf-8"))


def disagreements(document: object) -> list[str]:
    """Where a document does not agree with the schema, in order."""
    from jsonschema import Draft202012Validator  # which takes longer to import than to use

    errors = Draft202012Validator(schema()).iter_errors(document)
    ordered = sorted(errors, key=lambda error: [str(part) for part in error.absolute_path])
    return [f"{error.json_path}: does not agree with the schema: {error.message}" for error in ordered]
