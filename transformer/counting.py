"""How big a model is and what it costs: read off the shapes of its parameters and off the sizes of its inputs."""

import math

from transformer.encoder_decoder import SHARING
from transformer.parameters import is_matrix

EMBEDDINGS = {name for names in SHARING.values() for name in names} | {"P"}  # looked up, not multiplied


def parameter_count(shapes):
    """The number of parameters. shapes: dict from name to shape, from parameters.shapes_of."""
    return sum(math.prod(shape) for shape in shapes.values())


def counts_by_group(shapes):
    """The number of parameters of each part: {"E": ..., "block0": ...}, by the first part of their names, in order."""
    groups = {}
    for name, shape in shapes.items():
        part = name.partition(".")[0]
        groups[part] = groups.get(part, 0) + math.prod(shape)
    return groups


def linear_multiply_adds(shapes, rows):
    """Multiply-adds of linear layers: each of ``rows`` rows meets each entry of each matrix once.

    shapes: dict from name to shape. rows: a number, or a function from the name of a matrix to a number.
    """
    matrices = {name: math.prod(shape) for name, shape in shapes.items() if is_matrix(shape) and name not in EMBEDDINGS}
    return sum(size * (rows(name) if callable(rows) else rows) for name, size in matrices.items())


def attention_multiply_adds(n_q, n_k, d):
    """Scores and weighted values of all heads: each query meets each key, masked or not, twice d multiply-adds."""
    return 2 * n_q * n_k * d


def decoder_only_multiply_adds(shapes, config, T):
    """Multiply-adds of matrix products in one forward pass over T tokens, the output layer included.

    shapes: those of the model's parameters. Element-wise work, such as normalisation and softmax, is not counted.
    """
    attention = config.layers * attention_multiply_adds(T, T, config.d)
    return linear_multiply_adds(shapes, T) + attention + T * math.prod(shapes["E"])


def encoder_decoder_multiply_adds(shapes, config, n_src, T):
    """The same for a source of n_src tokens and a target of T tokens.

    Encoder layers, and the keys and values of cross-attention, work on the rows of the source, the rest on those of the
    target.
    """

    def rows(name):
        reads_memory = name.endswith(("cross.wk", "cross.wv"))
        return n_src if name.startswith("encoder") or reads_memory else T

    products = ((n_src, n_src), (T, T), (T, n_src))
    attention = config.layers * sum(attention_multiply_adds(n_q, n_k, config.d) for n_q, n_k in products)
    output = T * math.prod(shapes[SHARING[config.sharing].out])
    return linear_multiply_adds(shapes, rows) + attention + output
