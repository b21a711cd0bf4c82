"""The decoder: its masked attention, its attention to the encoder, and its output."""

import numpy as np

from tests.transformer.walkthrough.by_hand import product
from tests.transformer.walkthrough.encoder import attention_numbers
from transformer import vocabulary


def cross_numbers(v):
    """What is printed of the attention to the encoder; ``v`` is from recorded_attention."""
    A, raw = v.A[0], v.products[0]
    order = np.argsort(-A[3])[:3]
    found = {"q_head0": v.Qh[0], "k_head0_t": v.Kh[0].T, "raw_scores_head0": raw, "weights_head0": A,
             "weights_head0_s13": A, "v_head0": v.Vh[0], "head0_out": v.Oh[0],
             "top3_position3": np.stack([order, A[3, order]], axis=1),
             **product("raw_scores_head0", v.Qh[0], v.Kh[0].T, raw), **product("head0_out", A, v.Vh[0], v.Oh[0])}
    return {f"cross.{key}": value for key, value in found.items()}


def decoder_numbers(net):
    x, y, v, mask = net.decoder.x, net.decoder.y, net.decoder.layer, net.decoder.mask
    found = {"input_tokens": vocabulary.decode(net.tgt, net.vocabulary).split(),
             "label_tokens": vocabulary.decode(net.labels, net.vocabulary).split(),
             "input_ids": net.tgt, "label_ids": net.labels, "x_dec": x, "causal_mask": ~mask,
             "allowed_per_row": mask.sum(axis=1), "add_norm1.x_dec": x, "add_norm1.attn_out": v.a,
             "add_norm1.residual": v.r, "add_norm1.check_00": [x[0, 0], v.a[0, 0], v.r[0, 0]], "add_norm1.y1": v.z,
             "add_norm1.y1_mean": v.z.mean(), "add_norm1.y1_row_std": v.z.std(axis=1), "add_norm2.y2": v.u,
             "ffn.percent_zeroed": 100 * (net.decoder.ffn.R == 0).mean(), "output": y, "output_mean": y.mean(),
             "output_std": y.std(), **attention_numbers("self_attn", net.decoder.attention)}
    return {f"decoder.{key}": value for key, value in found.items()} | cross_numbers(net.decoder.cross)
