"""All parameters of a model in one flat vector, each with a name and a view of its shape.

The vector is what an optimizer updates, in a few statements for the whole model; the views are what the mathematics
reads. Both are the same memory. Names are paths with dots, such as "block0.attention.wq". A gradient is a second vector
of the same layout.
"""

import math
from functools import lru_cache

import numpy as np


def allocate(shapes, dtype=np.float64):
    """Zeros for all parameters: (vector, views).

    shapes: dict from name to shape; its order is the order in the vector. Returns the vector: (n,), and a dict from
    name to a view of that shape into it. Raises ValueError where one name is a prefix of another ("a.b" and "a.b.c"):
    then ``scope`` could not tell a parameter from a group.
    """
    for name in shapes:
        parts = name.split(".")
        group = next((path for n in range(1, len(parts)) if (path := ".".join(parts[:n])) in shapes), None)
        if group is not None:
            raise ValueError(f"the parameter {group!r} would also be the group of {name!r}: rename one of them")
    ends = np.cumsum([math.prod(shape) for shape in shapes.values()], dtype=np.int64)
    vector = np.zeros(int(ends[-1]) if shapes else 0, dtype)
    parts = np.split(vector, ends[:-1]) if shapes else []
    return vector, {name: part.reshape(shape) for (name, shape), part in zip(shapes.items(), parts, strict=True)}


def shapes_of(views):
    """The shapes of named arrays: what ``allocate`` needs for a gradient of the same layout."""
    return {name: view.shape for name, view in views.items()}


def scope(views, prefix):
    """The parameters of one group under their plain names: "block0.attention.wq" becomes "wq" in "block0.attention".

    Raises KeyError where no name starts with the prefix and a dot.
    """
    inside = names_inside(tuple(views), prefix)
    if not inside:
        raise KeyError(f"no parameter lies in {prefix!r}: the groups are {', '.join(groups(views)) or 'none'}")
    return {short: views[name] for short, name in inside}


@lru_cache(maxsize=1024)
def names_inside(names, prefix):
    """(plain name, name) of each parameter of a group. A model asks for the same groups in every step."""
    start = prefix + "."
    return [(name.removeprefix(start), name) for name in names if name.startswith(start)]


def groups(views):
    """The names of all groups, outer before inner, in the order of the parameters."""
    paths = (name.split(".")[:n] for name in views for n in range(1, name.count(".") + 1))
    return list(dict.fromkeys(".".join(path) for path in paths))


def scoped(prefix, named):
    """The reverse of ``scope``: puts the prefix and a dot before each name."""
    return {f"{prefix}.{name}": value for name, value in named.items()}


def grouped(parts):
    """Several groups as one: {"ffn": {"w1": ...}, "norm": {...}} becomes {"ffn.w1": ..., "norm.gamma": ...}."""
    return {name: value for prefix, named in parts.items() for name, value in scoped(prefix, named).items()}


def assign(views, values):
    """Copy named values into the views, all of them or none.

    Raises ValueError where a name is missing or unknown, or a shape differs; then no view has changed.
    """
    missing, unknown = [n for n in views if n not in values], [n for n in values if n not in views]
    if missing or unknown:
        raise ValueError(f"the names differ: missing {missing or 'none'}, unknown {unknown or 'none'}")
    for name, view in views.items():
        if np.shape(values[name]) != view.shape:
            raise ValueError(f"{name} has the shape {view.shape}, but the value has {np.shape(values[name])}")
    for name, view in views.items():
        view[...] = values[name]


def is_matrix(shape):
    """Whether weight decay applies: to matrices, not to biases and not to the gains and offsets of norms."""
    return len(shape) >= 2


def decay_mask(views):
    """1 for the entries of matrices, 0 for those of vectors: (n,), in the layout and the dtype of the parameters."""
    dtype = np.result_type(*views.values()) if views else np.float64
    mask, parts = allocate(shapes_of(views), dtype)
    for part in parts.values():
        part[...] = is_matrix(part.shape)
    return mask
