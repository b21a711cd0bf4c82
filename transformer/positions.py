"""Positions that are added to the embeddings: a fixed table of sines and cosines, or a learned table."""

import math

import numpy as np


def sinusoidal_positions(T, d, start=0, dtype=np.float64):
    """Sines in the even columns, cosines in the odd ones (Vaswani et al. 2017, section 3.5).

    Columns 2 i and 2 i + 1, for i = 0 to d/2 - 1, share the frequency 10000^(-2 i / d). Wavelengths grow from 2 pi to
    10000^(1 - 2 / d) 2 pi, which is 60,611.5 for d = 512; 10000 times 2 pi is not reached. Row 0 is position ``start``,
    the number of positions that came before. Returns (T, d). ValueError if d is odd: its last sine has no partner.
    """
    if d % 2:
        raise ValueError(f"sinusoidal positions come in pairs of columns, so the width must be even, got d = {d}")
    position = np.arange(start, start + T)[:, None]       # (T, 1)
    frequency = 10000.0 ** (-np.arange(0, d, 2) / d)      # (d/2,)
    angle = position * frequency                          # (T, d/2)
    sine = np.sin(angle)                                  # (T, d/2)
    cosine = np.cos(angle)                                # (T, d/2)
    PE = np.stack([sine, cosine], axis=-1).reshape(T, d)  # (T, d)
    return PE.astype(dtype)


def learned_positions_forward(x, P, start=0):
    """Add row ``start`` + t of the table P to row t of x (Gehring et al. 2017; Radford et al. 2018: GPT).

    x: (..., T, d), P: (n_max, d). Returns y: (..., T, d) and the cache. ValueError if the table is too short.
    """
    T = x.shape[-2]  # ()
    if start < 0 or start + T > len(P):
        raise ValueError(f"positions {start} to {start + T - 1} are asked for, the table has 0 to {len(P) - 1}: "
                         "shorten the text, or train with a longer table")
    y = x + P[start:start + T]  # (..., T, d)
    return y, (P.shape, start)


def learned_positions_backward(dy, cache):
    """Gradients of the sum; that of P adds up over all sequences and is 0 for positions that were not used.

    dy: (..., T, d). Returns dx: (..., T, d), which is dy itself and no copy, and {"P": (n_max, d)}.
    """
    (n_max, d), start = cache
    T = dy.shape[-2]                                          # ()
    sequences = math.prod(dy.shape[:-2])                      # ()
    total = dy.reshape(sequences, T, d).sum(axis=0)           # (T, d)
    dP = np.pad(total, [(start, n_max - start - T), (0, 0)])  # (n_max, d)
    return dy, {"P": dP}
