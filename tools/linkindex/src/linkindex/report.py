"""Write findings for people, programs and pull requests."""

import json
from collections.abc import Iterable

from linkindex.model import Finding

FORMATS = ("text", "json", "github")


def report(findings: Iterable[Finding], style: str) -> str:
    """The findings, one a line; JSON is one list."""
    if style == "json":
        records = [
            {"path": f.place.path, "line": f.place.line, "col": f.place.col, "code": f.code, "message": f.message}
            for f in findings
        ]
        return json.dumps(records, ensure_ascii=False, indent=1)
    return "\n".join(map(_github if style == "github" else _text, findings))


def _text(finding: Finding) -> str:
    place = finding.place
    return f"{place.path}:{place.line}:{place.col}: {finding.code} {_one_line(finding.message)}"


def _github(finding: Finding) -> str:
    """A workflow command that annotates the line in a pull request."""
    place = finding.place
    path = place.path.translate({ord(sign): f"%{ord(sign):02X}" for sign in "%:,\r\n"})
    message = _one_line(finding.message).replace("%", "%25")
    return f"::error file={path},line={place.line},col={place.col},title={finding.code}::{message}"


def _one_line(message: str) -> str:
    return " ".join(message.split())
