"""The reversal task: read 3 to 8 letters, write them in reverse order, then stop.

13 tokens: padding, start, end and the letters a to j. The source is the letters alone; the target y is the start token,
the letters in reverse and the end token. The decoder reads y without its last token and has to write y without its
first: the one shift of teacher forcing, made here and nowhere else.
"""

from typing import NamedTuple

import numpy as np

from transformer import vocabulary
from transformer.vocabulary import EOS, PAD, SOS

LETTERS = "abcdefghij"
VOCABULARY = vocabulary.build(" ".join(LETTERS))
SHORTEST, LONGEST = 3, 8


class Batch(NamedTuple):
    """Rows are sequences, padded at the end to the longest of the batch."""

    src: np.ndarray      # (B, n_src)
    tgt_in: np.ndarray   # (B, n_src + 1), starts with the start token
    tgt_out: np.ndarray  # (B, n_src + 1), what to write at each position; padding is to be ignored by the loss


def encode(word):
    """The ids of letters: "cab" becomes (5, 3, 4). Raises ValueError for anything but the letters a to j."""
    for letter in word:
        if letter not in LETTERS:
            raise ValueError(f"{letter!r} is not one of the letters {LETTERS[0]} to {LETTERS[-1]}")
    return tuple(VOCABULARY[letter] for letter in word)


def decode(ids):
    """The letters up to the end token or the padding; a start token is left out."""
    names = {number: name for name, number in VOCABULARY.items()}
    letters = []
    for number in ids:
        if number in (EOS, PAD):
            break
        if number != SOS:
            letters.append(names[int(number)])
    return "".join(letters)


def batch(B, rng, unseen=None):
    """B random sequences: lengths drawn evenly from 3 to 8, then letters drawn evenly from a to j.

    rng: a numpy Generator. unseen: (n, 8), sequences that must not come up, as ``held_out`` makes them: they are drawn
    again. Returns a Batch.
    """
    rows = draw(B, rng)
    if unseen is not None:
        keys = _key(unseen)
        while (seen := np.isin(_key(rows), keys)).any():
            rows[seen] = draw(np.count_nonzero(seen), rng)
    return from_sources(rows)


def held_out(n, rng):
    """n different random sequences, drawn as for training, to test on: (n, 8), padded."""
    rows = draw(n, rng)
    while len(first := np.unique(_key(rows), return_index=True)[1]) < n:
        rows = np.concatenate([rows[np.sort(first)], draw(n - len(first), rng)])
    return rows


def draw(n, rng):
    """n random sequences as ids: (n, 8), padded at the end."""
    lengths = rng.integers(SHORTEST, LONGEST + 1, size=n)
    letters = rng.integers(VOCABULARY[LETTERS[0]], len(VOCABULARY), size=(n, LONGEST))
    return np.where(np.arange(LONGEST) < lengths[:, None], letters, PAD)


def from_sources(sources):
    """The Batch of given sequences. sources: (B, n) ids of letters, padded at the end."""
    lengths = np.count_nonzero(sources != PAD, axis=1)  # (B,)
    src = sources[:, :lengths.max(initial=0)]           # (B, n_src)
    B, n = src.shape

    mirrored = lengths[:, None] - 1 - np.arange(n)      # (B, n_src), negative where the row has ended
    letters = np.take_along_axis(src, np.maximum(mirrored, 0), axis=1)
    y = np.full((B, n + 2), PAD, dtype=src.dtype)       # (B, n_src + 2)
    y[:, 0] = SOS
    y[:, 1:-1] = np.where(mirrored >= 0, letters, PAD)
    y[np.arange(B), lengths + 1] = EOS

    tgt_out = y[:, 1:]
    tgt_in = np.where(tgt_out == PAD, PAD, y[:, :-1])   # each row's y[:-1] drops its own end token
    return Batch(src, tgt_in, tgt_out)


def _key(rows):
    """One number for each sequence, equal only for equal sequences: its ids as digits. rows: (n, 8). Returns (n,)."""
    return rows @ len(VOCABULARY) ** np.arange(LONGEST, dtype=np.int64)
