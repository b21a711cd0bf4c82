"""Values as plain data: what a probe saw, copied, with its dtype and shape."""

import hashlib
from collections.abc import Mapping
from functools import cache

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
    if is_numeric(value):
        return {"dtype": name_of(value.dtype), "shape": list(value.shape), "data": value.tolist()}
    return None


def is_numeric(value: object) -> bool:
    """Whether ``encode`` gives more than None."""
    if isinstance(value, (np.ndarray, np.generic)):
        return value.dtype.kind in "biuf"
    return isinstance(value, (int, float))


def one_number(value: object) -> float | None:
    """A number, or that of which an array holds nothing else."""
    entries = np.asarray(value) if is_numeric(value) else np.empty(0)
    if entries.dtype.hasobject or not entries.size or not (entries == entries.flat[0]).all():
        return None
    return float(entries.flat[0])


@cache
def name_of(dtype: np.dtype) -> str:
    """NumPy puts the name together anew each time, which takes longer than to copy a small array."""
    return str(dtype)


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


def summary(value: object) -> Plain | None:
    """What can be said of a number or an array without its entries; None for everything else, and for no entries."""
    plain = encode(value)
    if plain is None or np.size(value) == 0:
        return None
    ends = {"least": float(np.min(value)), "greatest": float(np.max(value))}
    return {"dtype": plain["dtype"], "shape": plain["shape"], "digest": held(value)["digest"], **ends}


def held(value: object) -> Plain:
    """The shape, dtype and a digest of a value, whatever it is; ``elements`` of a tuple."""
    if not is_numeric(value):
        return {"shape": None, "digest": "", "elements": len(value) if isinstance(value, tuple) else 0, "dtype": ""}
    content = np.asarray(value)
    data = hex(value).encode() if content.dtype.hasobject else content.tobytes()  # too large a whole number for NumPy
    dtype = name_of(content.dtype)
    digest = hashlib.sha256(data + dtype.encode()).hexdigest()[:16]
    return {"shape": list(content.shape), "digest": digest, "elements": 0, "dtype": dtype}


def holdings(names: Mapping[str, object]) -> dict[str, Plain]:
    """Numbers and arrays of a frame: by name, and in dictionaries by name and key."""
    found = {}
    for name, value in names.items():
        if is_numeric(value):
            found[name] = held(value)
        elif isinstance(value, dict):
            pairs = ((f"{name}[{key!r}]", item) for key, item in value.items() if isinstance(key, str))
            found |= {inner: held(item) for inner, item in pairs if is_numeric(item)}
    return found
