"""Decode the files that people write in docs/: UTF-8, with or without a byte order mark."""

from pathlib import Path

from linkindex.model import Finding, Place


def read_text(path: Path, name: str, findings: list[Finding]) -> str | None:
    """The text with line ends as "\\n"; a finding and None if it is not UTF-8."""
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        col = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
        message = f"expected UTF-8, found the byte 0x{data[error.start]:02x}: save the file as UTF-8"
        findings.append(Finding(Place(name, line, col), "LI109", message))
        return None
    return text.replace("\r\n", "\n").replace("\r", "\n")
