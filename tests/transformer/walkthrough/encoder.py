"""Words, ids, embeddings, positions, the encoder, and the display of an attention that decoder and encoder share."""

import inspect
import math

import numpy as np

from tests.transformer.recording import recorded
from tests.transformer.walkthrough.by_hand import mean_std, product
from tests.transformer.walkthrough.network import CONTINUATION, PREFIX
from transformer import vocabulary
from transformer.attention import scaled_dot_product_forward
from transformer.counting import parameter_count
from transformer.layer_norm import layer_norm_forward
from transformer.parameters import scope, shapes_of
from transformer.positions import sinusoidal_positions
from transformer.softmax import softmax_forward


def sizes_and_words(net):
    attention, weights = net.encoder.attention, scope(net.encoder.weights, "attention")
    matrices = {name: shape for name, shape in shapes_of(weights).items() if name.startswith("w")}
    prefix, continuation = (vocabulary.decode(ids, net.vocabulary).split() for ids in (net.src, net.continuation))
    assert [" ".join(prefix), " ".join(continuation)] == [PREFIX, CONTINUATION]
    found = {"tokens": prefix + continuation, "prefix": prefix, "continuation": continuation,
             "d_model": net.params["E"].shape[1], "h": attention.Qh.shape[0], "d_k": attention.Qh.shape[-1],
             "d_ff": net.encoder.ffn.Z.shape[-1], "vocab_size": net.logits.shape[-1], "n_src": len(net.encoder.x),
             "n_tgt": len(net.decoder.x), "vocab_entries_used": len(net.vocabulary), "prefix_ids": net.src,
             "continuation_ids": net.continuation, "special_ids": vocabulary.SPECIAL,
             "params_per_attention": parameter_count(matrices)}
    return {f"meta.{key}": value for key, value in found.items()}


def before_the_layers(net):
    """The experiment on initial weights, embeddings, positions, one normalised row, and attention to three keys."""
    x, PE = net.encoder.embedded.x, net.encoder.embedded.PE
    frequencies = np.arctan2(*sinusoidal_positions(2, 8)[1].reshape(4, 2).T)  # the angles of position 1
    norm = recorded(layer_norm_forward, net.encoder.x[0], np.ones(8), np.zeros(8))
    found = {f"init_experiment.{name}_mean_abs": np.abs(end).mean() for name, end in net.ends.items()}
    found |= {f"init_experiment.{name}_row_to_row_std": end.std(axis=0).mean() for name, end in net.ends.items()}
    return found | {
        "embedding.table_shape": net.params["E"].shape, "embedding.scale": math.sqrt(net.params["E"].shape[1]),
        "embedding.src_emb_scaled": x, "embedding.the_pos0": x[0], "embedding.the_pos4": x[4],
        "embedding.the_identical_before_pe": bool((x[0] == x[4]).all()), "positional.pe_src": PE,
        "positional.pe_3_2": PE[3, 2], "positional.omega_1": frequencies[1],
        "positional.wavelengths": 2 * math.pi / frequencies, "positional.elementwise_emb_scaled": x,
        "positional.elementwise_pe": PE, "positional.elementwise_x_enc": net.encoder.x,
        "positional.elementwise_check_00": [x[0, 0], PE[0, 0], net.encoder.x[0, 0]],
        "layernorm.x": net.encoder.x[0], "layernorm.mean": norm.mu[0], "layernorm.variance": norm.var[0],
        "layernorm.std": math.sqrt(norm.var[0]), "layernorm.out": norm.y, "layernorm.out_mean": norm.y.mean(),
        "layernorm.out_std": norm.y.std(),
        "layernorm.eps": inspect.signature(layer_norm_forward).parameters["eps"].default, **three_keys()}


def three_keys():
    """A query, three keys and three values, of which the walkthrough prints the products only: any that give them."""
    query = np.array([[1.0, 0, 1, 0]])
    keys = np.array([[1.0, 0, 1, 0], [0, 1, 0, 1], [1, 0, 0, 0]])
    v = recorded(scaled_dot_product_forward, query, keys, 10 * np.eye(3, 4), np.ones((1, 3), dtype=bool))
    found = {"raw_scores": (query @ keys.T)[0], "scaled": v.S[0], "weights": v.A[0], "weights_sum": v.A[0].sum(),
             "output": v.Oh[0]}
    return {f"attention_toy.{key}": value for key, value in found.items()}


def attention_numbers(prefix, v):
    """What is printed of a self-attention; ``v`` is from recorded_attention."""
    S, A, raw, exponentials = v.S[0], v.A[0], v.products[0], recorded(softmax_forward, v.S[0, 2, :3])
    found = {"x_in": v.Xn, "wq": v.params["wq"], "q_full": v.Q, "q_head0": v.Qh[0], "k_head0_t": v.Kh[0].T,
             "raw_scores_head0": raw, "v_head0": v.Vh[0], "head0_out": v.Oh[0], "concat": v.O,
             "concat_two_panel": np.concatenate([v.Oh[0], v.Oh[1]], axis=1), "wo": v.params["wo"], "attn_out": v.out,
             "split_q_head0": v.Qh[0], "split_q_head1": v.Qh[1], "scaled_scores_head0": S, "weights_head0": A,
             "s9_q_head0": v.Qh[0], "s9_k_head0": v.Kh[0], "s9_v_head0": v.Vh[0], "s9_scaled_scores_head0": S,
             "scores_before_mask_head0": S, "masked_scores_head0": v.S_masked[0],
             "masked_scores_head0_s12": v.S_masked[0], "weights_head0_3dec": A, "weights_head0_s12": A,
             "weights_row0": A[0], "row_sums": A.sum(axis=-1), "nonzero_per_row": np.count_nonzero(A, axis=-1),
             "row2_scores": S[2, :3], "row2_exp": exponentials.e, "row2_exp_sum": exponentials.total[0],
             "row2_weights": exponentials.y, "row2_weights_from_array": A[2, :3], "q1_head0": v.Qh[0, 1],
             "k8_head0": v.Kh[0, -1], "q1k8_dot": raw[1, -1],
             "q1k8_terms": np.stack([v.Qh[0, 1], v.Kh[0, -1]], axis=1), "q1k8_scaled": S[1, -1],
             "softmax_row1_head0": A[1], "softmax_row1_sum": A[1].sum(),
             **product("q_full", v.Xn, v.params["wq"], v.Q),
             **product("raw_scores_head0", v.Qh[0], v.Kh[0].T, raw), **product("head0_out", A, v.Vh[0], v.Oh[0]),
             **product("attn_out", v.O, v.params["wo"], v.out)}
    return {f"{prefix}.{key}": value for key, value in found.items()}


def ffn_numbers(net):
    f, w1, w2 = net.encoder.ffn, net.encoder.weights["ffn.w1"], net.encoder.weights["ffn.w2"]
    found = {"x_in": f.x, "w1_first12": w1[:, :12], "pre_relu_first12": f.Z[:, :12], "post_relu_first12": f.R[:, :12],
             "w2": w2, "out": f.y, "out_s10": f.y, "post_relu_first12_2dec": f.R[:, :12], "token0_unit5_pre": f.Z[0, 5],
             "token0_unit5_post": f.R[0, 5], "percent_zeroed": 100 * (f.R == 0).mean(),
             "negatives_total": (f.Z < 0).sum(), "units_total": f.Z.size, "killed_per_token": (f.R == 0).sum(axis=1),
             **product("pre_relu", f.x, w1, f.Z), **product("out", f.R, w2, f.y)}
    return {f"ffn.{key}": value for key, value in found.items()}


def encoder_numbers(net):
    x, y, v, norm1 = net.encoder.x, net.encoder.y, net.encoder.layer, net.encoder.norm1
    found = {"x_enc": x, "x_enc_the_pos0": x[0], "x_enc_the_pos4": x[4], "add_norm1.attn_out_mean_std": mean_std(v.a),
             "add_norm1.residual_mean_std": mean_std(v.r), "add_norm1.out_mean_std": mean_std(v.z),
             "add_norm1.out": v.z, "add_norm1.x_enc": x, "add_norm1.attn_out": v.a, "add_norm1.residual": v.r,
             "add_norm1.check_00": [x[0, 0], v.a[0, 0], v.r[0, 0]],
             "add_norm1.ln_mean_std": np.concatenate([norm1.mu, np.sqrt(norm1.var)], axis=1),
             "add_norm1.ln_before": norm1.x, "add_norm1.ln_after": norm1.y, "add_norm2.ln1_out": v.z,
             "add_norm2.ffn_out": v.f, "add_norm2.residual": v.s, "add_norm2.out": y, "output": y,
             "add_norm2.check_00": [v.z[0, 0], v.f[0, 0], v.s[0, 0]], "output_mean": y.mean(),
             "output_std": y.std(), "output_row_std": y.std(axis=1), "output_row_spread": y.std(axis=0).mean(),
             **ffn_numbers(net), **attention_numbers("self_attn", net.encoder.attention)}
    return sizes_and_words(net) | before_the_layers(net) | {f"encoder.{key}": value for key, value in found.items()}
