"""Cutting the columns of a matrix into heads, and putting them side by side again.

Both only move numbers, so each is the backward pass of the other.
"""


def split_heads(M, H):
    """Cut the columns into H equal blocks, one for each head (Vaswani et al. 2017, section 3.2.2).

    M: (..., T, d), d a multiple of H. Returns (..., H, T, d_h) with d_h = d / H. Backward: merge_heads.
    """
    dh = M.shape[-1] // H                                  # ()
    Mh = M.reshape(*M.shape[:-1], H, dh).swapaxes(-3, -2)  # (..., H, T, d_h)
    return Mh


def merge_heads(Mh):
    """Put the heads side by side (Vaswani et al. 2017, section 3.2.2: Concat).

    Mh: (..., H, T, d_h). Returns (..., T, d) with d = H d_h. Backward: split_heads.
    """
    H, T, dh = Mh.shape[-3:]
    M = Mh.swapaxes(-3, -2).reshape(*Mh.shape[:-3], T, H * dh)  # (..., T, d)
    return M
