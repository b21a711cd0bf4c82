"""A corpus as tokens: read, cut into a part to train on and a part to judge by, and cut into windows.

In a window the target of each position is the token after it: target t is token t + 1. The shift is made here and
nowhere else, and no window reaches over the end of its part.
"""

import re
from pathlib import Path

import numpy as np

from transformer.files import FileRefused, sha256

IGNORED = -1  # a target that the loss leaves out


def read_corpus(path):
    """The text of a UTF-8 file and the sha256 of its bytes. Line ends stay as they are; a byte-order mark is left out.

    Raises FileRefused where the file does not exist, is empty, or is not UTF-8, with the line and the offset of the
    first wrong byte.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise FileRefused(f"{path}: cannot be read ({error.strerror}); name a text file") from None
    try:
        text = data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = len(re.split(rb"\r\n|\r|\n", data[:error.start]))
        raise FileRefused(f"{path}:{line}: not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start} "
                          f"({error.reason}); save the file as UTF-8") from None
    if not text:
        raise FileRefused(f"{path}: the file is empty; name a text file with content")
    return text, sha256(data)


def split(ids, T, share=0.1):
    """(train, validation): the last ``share`` of the tokens is kept for validation; the parts have no token in common.

    ids: (n,). T: the length of the windows to come. Raises ValueError where a part has less than one window.
    """
    if not 0 < share < 1:
        raise ValueError(f"the share of validation must lie between 0 and 1, got {share}")
    cut = len(ids) - round(share * len(ids))
    train, validation = ids[:cut], ids[cut:]
    for name, part in (("train on", train), ("validate on", validation)):
        if len(part) < T + 1:
            raise ValueError(f"the corpus leaves {len(part)} tokens to {name}, and a window of T = {T} needs {T + 1}: "
                             "use a longer text or a smaller T")
    return train, validation


def random_windows(ids, B, T, rng):
    """B windows from random places: inputs and targets, each (B, T). ids: (n,), n > T. rng: a numpy Generator."""
    if len(ids) < T + 1:
        raise ValueError(f"{len(ids)} tokens hold no window of T = {T}, which needs {T + 1}: use a smaller T")
    starts = rng.integers(0, len(ids) - T, size=B)  # (B,)
    places = starts[:, None] + np.arange(T)         # (B, T)
    return ids[places], ids[places + 1]


def all_windows(ids, T):
    """The windows one after another: inputs and targets, each (n, T), where each token but the first is a target once.

    ids: (m,), m > 1. The last window may be shorter: it is filled up with token 0 and with targets IGNORED.
    """
    if len(ids) < 2:
        raise ValueError(f"{len(ids)} tokens have no target: use a longer text")
    n = -(-(len(ids) - 1) // T)
    inputs, targets = np.zeros((n, T), ids.dtype), np.full((n, T), IGNORED, ids.dtype)
    inputs.flat[:len(ids) - 1] = ids[:-1]
    targets.flat[:len(ids) - 1] = ids[1:]
    return inputs, targets
