"""A small checkpoint to save, to read and to damage."""

import json

import numpy as np

from transformer import checkpoint
from transformer.checkpoint import Provenance
from transformer.files import sealed
from transformer.provenance import code_hashes

ARRAYS = {"theta": np.arange(6, dtype=np.float32), "adam.t": np.array(3), "embedding": np.arange(6.0).reshape(2, 3).T,
          "mask": np.array([True, False]), "empty": np.zeros((0, 2))}
PROVENANCE = Provenance(configuration={"d": 64, "H": 4, "dropout": 0.1}, seed=0, data_sha256="0" * 64,
                        code=code_hashes(["transformer.softmax:softmax_forward", "transformer.heads:merge_heads"]),
                        curve=[{"step": 1, "loss": 5.25}, {"step": 100, "loss": 1.5}],
                        progress={"step": 100, "rng": np.random.default_rng(0).bit_generator.state})


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def rewrite(path, **changes):
    """Change entries of a JSON file and seal it again, as a program that writes other contents would."""
    content = json.loads(path.read_text())
    content = {name: value for name, value in content.items() if name not in ("format", "version", "sha256")}
    path.write_bytes(sealed(checkpoint.KIND, checkpoint.VERSION, content | changes))
