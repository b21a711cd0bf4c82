"""Random inputs for the tests of the package."""

import numpy as np

# All sizes differ, so that no axis can stand in for another. With d_h > T and d > B T no product of the backward pass
# loses information: a change in any intermediate gradient is seen in the gradients that the function returns.
SIZES = {"B": 2, "H": 3, "T": 4, "d_h": 5, "d": 15}


def attention_sample(seed=0, sizes=SIZES, leading=None):
    """Xn: (*leading, T, d), params, H, the causal mask: (T, T), and dOut: (*leading, T, d); all floats are float64.

    ``leading`` is (B,) unless given.
    """
    rng = np.random.default_rng(seed)
    d, T, H = sizes["d"], sizes["T"], sizes["H"]
    leading = (sizes["B"],) if leading is None else leading
    params = {}
    for name in "qkvo":
        params["w" + name] = rng.normal(size=(d, d)) / np.sqrt(d)
        params["b" + name] = rng.normal(size=d)
    Xn = rng.normal(size=(*leading, T, d))
    dOut = rng.normal(size=(*leading, T, d))
    mask = np.array([[j <= i for j in range(T)] for i in range(T)])
    return Xn, params, H, mask, dOut
