"""Values as plain data: what a probe saw, copied, with its dtype and shape."""

import numpy as np

Plain = dict  # {"dtype": str, "shape": [int], "data": nested lists}


def encode(value: object) -> Plain | None:
    """A number or an array of numbers; None for everything else."""
    if isinstance(value, bool):
        return {"dtype": "bool", "shape": [], "data": value}
    if isinstance(value, int):
        return {"dtype": "int", "shape": [], "data": value}
    if isinstance(value, float):
        return {"dtype": "float", "shape": [], "data": value}
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "biuf":
        return {"dtype": str(value.dtype), "shape": list(value.shape), "data": value.tolist()}
    return None


def flatten(name: str, value: object) -> dict[str, Plain]:
    """A nested result of an example's function as {"f()['key']": value}, in the notation of pages."""
    plain = encode(value)
    if plain is not None:
        return {name: plain}
    if isinstance(value, dict):
        pairs = [(f"{name}[{key!r}]", item) for key, item in value.items()]
    elif isinstance(value, (list, tuple)):
        pairs = [(f"{name}[{position}]", item) for position, item in enumerate(value)]
    else:
        return {}
    return {key: plain for inner, item in pairs for key, plain in flatten(inner, item).items()}
