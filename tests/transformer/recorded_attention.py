"""What an attention computes on the way: projections, heads, scores, weights."""

from types import SimpleNamespace

from tests.transformer.recording import recorded
from transformer.attention import scaled_dot_product_forward
from transformer.softmax import softmax_forward


def recorded_attention(function, *args):
    """The variables of an attention, of the scores and weights inside it, and of their softmax.

    args: of attention_forward or cross_attention_forward; the last is the mask. ``products`` are the scores before they
    are scaled, which no variable holds.
    """
    outer = recorded(function, *args)
    inner = recorded(scaled_dot_product_forward, outer.Qh, outer.Kh, outer.Vh, args[-1])
    return SimpleNamespace(**{**vars(inner), **vars(outer)}, products=outer.Qh @ outer.Kh.mT,
                           softmax=recorded(softmax_forward, inner.S_masked))
