"""Files under exactly the name that is written, also where the file system does not tell upper from lower case."""

import os
from pathlib import Path


def exact_file(root: Path, relative: str) -> bool:
    """Whether ``relative`` (with forward slashes) is a file below ``root``, spelt like this."""
    folder = root
    if not (root / relative).is_file():
        return False
    for part in relative.split("/"):
        if part not in os.listdir(folder):
            return False
        folder = folder / part
    return True
