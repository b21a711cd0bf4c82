"""Rotary positions: queries and keys are turned by angles that grow with the position.

The pairing is that of the paper, interleaved: columns 2 i and 2 i + 1 form a plane, for i = 0 to d_h/2 - 1. Other code
pairs column i with column i + d_h/2; weights and tables of one pairing do not work with the other.
"""

import numpy as np


def rotary_table(T, d_h, start=0, base=10000.0, dtype=np.float64):
    """Cosines and sines of the angles t base^(-2 i / d_h), for all planes i (Su et al. 2021, eq. 15).

    Row 0 is position t = ``start``, the number of positions that came before. Returns cosine and sine: (T, d_h/2).
    ValueError if d_h is odd: its last column has no partner.
    """
    if d_h % 2:
        raise ValueError(f"rotary positions turn pairs of columns, so the head width must be even, got d_h = {d_h}")
    position = np.arange(start, start + T)[:, None]    # (T, 1)
    frequency = base ** (-np.arange(0, d_h, 2) / d_h)  # (d_h/2,)
    angle = position * frequency                       # (T, d_h/2)
    cosine = np.cos(angle).astype(dtype)               # (T, d_h/2)
    sine = np.sin(angle).astype(dtype)                 # (T, d_h/2)
    return cosine, sine


def rotary_forward(x, cosine, sine):
    """Turn the plane i of row t by the angle of position t and plane i (Su et al. 2021, eq. 34).

    The dot product of a turned query and a turned key then depends on the distance of their positions, not on where
    they stand. x: (..., T, d_h), cosine, sine: (T, d_h/2), from rotary_table. Returns y: (..., T, d_h) and the cache.
    """
    first = x[..., 0::2]                                                   # (..., T, d_h/2)
    second = x[..., 1::2]                                                  # (..., T, d_h/2)
    turned_first = first * cosine - second * sine                          # (..., T, d_h/2)
    turned_second = first * sine + second * cosine                         # (..., T, d_h/2)
    y = np.stack([turned_first, turned_second], axis=-1).reshape(x.shape)  # (..., T, d_h)
    return y, (cosine, sine)


def rotary_backward(dy, cache):
    """Turn back: the transpose of a rotation is the rotation by the opposite angle. Returns dx: (..., T, d_h)."""
    cosine, sine = cache
    dfirst = dy[..., 0::2]                                               # (..., T, d_h/2)
    dsecond = dy[..., 1::2]                                              # (..., T, d_h/2)
    back_first = dfirst * cosine + dsecond * sine                        # (..., T, d_h/2)
    back_second = dsecond * cosine - dfirst * sine                       # (..., T, d_h/2)
    dx = np.stack([back_first, back_second], axis=-1).reshape(dy.shape)  # (..., T, d_h)
    return dx
