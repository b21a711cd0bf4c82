"""Cutting the columns of a matrix into heads, and putting them side by side again.

Both only move numbers, so each is the backward pass of the other.
"""


def head_width(d, H):
    """The width of each of H equal heads that share d columns. ValueError unless H is positive and divides d."""
    if H < 1 or d % H:
        raise ValueError(f"the width d = {d} cannot be cut into H = {H} equal heads: choose H so that it divides d")
    dh = d // H  # ()
    return dh


def split_heads(M, H):
    """Cut the columns into H equal blocks, one for each head (Vaswani et al. 2017, section 3.2.2).

    M: (..., T, d). Returns (..., H, T, d_h), d_h from head_width. Backward: merge_heads.
    """
    dh = head_width(M.shape[-1], H)                        # ()
    Mh = M.reshape(*M.shape[:-1], H, dh).swapaxes(-3, -2)  # (..., H, T, d_h)
    return Mh


def merge_heads(Mh):
    """Put the heads side by side (Vaswani et al. 2017, section 3.2.2: Concat).

    Mh: (..., H, T, d_h). Returns (..., T, d) with d = H d_h. Backward: split_heads.
    """
    H, T, dh = Mh.shape[-3:]
    M = Mh.swapaxes(-3, -2).reshape(*Mh.shape[:-3], T, H * dh)  # (..., T, d)
    return M
