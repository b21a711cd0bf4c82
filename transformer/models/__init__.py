"""The models that come with the package, each a checkpoint in this folder with the record of its training."""

from pathlib import Path

from transformer import trained
from transformer.files import sha256

NAMES = ("reversal", "language")


def path_of(name):
    """The path of a model's checkpoint, without suffix. Raises ValueError for a name that is not in NAMES."""
    if name not in NAMES:
        raise ValueError(f"the models of this package are {', '.join(NAMES)}, got {name!r}")
    return Path(__file__).parent / name


def list_hashes(folder=Path(__file__).parent):
    """Write SHA256SUMS, the hashes of the files of the models in a folder, as ``sha256sum`` writes and checks them."""
    files = sorted([*folder.glob("*.json"), *folder.glob("*.npz")])
    lines = [f"{sha256(path.read_bytes())}  {path.name}\n" for path in files]
    (folder / "SHA256SUMS").write_bytes("".join(lines).encode())


def load(name):
    """The trained.Model of that name. Raises ValueError for a name that is not in NAMES."""
    return trained.load(path_of(name))
