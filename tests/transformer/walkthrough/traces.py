"""Two traces: one token through all of the encoder, one position through all of the decoder, term by term.

Each sum that the walkthrough writes out is added up here in the same way, and must be the entry of the package's array.
"""

import math

import numpy as np

from tests.transformer.walkthrough.by_hand import sum_of_products, terms, total_of
from transformer.cross_entropy import cross_entropy_forward
from transformer.vocabulary import EOS

A_TOKEN, B_POSITION = 1, 6  # "cat" in the encoder, "by" in the decoder


def keyed(prefix, found):
    return {f"{prefix}_{key}": value for key, value in found.items()}


def attention_row(v, t):
    """Scores, exponentials and weights of query t in head 0, and the first component of what it reads.

    ``v`` is from network.recorded_attention. The last key is written out.
    """
    q, K, S, A = v.Qh[0, t], v.Kh[0], v.S[0, t], v.A[0, t]
    last, first = terms(q, K[-1]), terms(A, v.Vh[0][:, 0])
    row = {name: getattr(v.softmax, name)[0, t] for name in ("top", "e", "total")}
    dots = [sum_of_products(terms(q, k), product) for k, product in zip(K, v.products[0, t], strict=True)]
    return {"q_head0": q, "dots": dots, "scores": S, "row_max": row["top"], "shifted": S - row["top"], "exp": row["e"],
            "z_terms": row["e"], "z": total_of(row["e"], row["total"][0]), "weights": A,
            "weights_sum": total_of(A, math.fsum(A)), "j8_terms": last, "j8_dot": sum_of_products(last, dots[-1]),
            "j8_score": S[-1], "comp0_terms": first, "comp0": sum_of_products(first, v.Oh[0, t, 0]),
            "head0": v.Oh[0, t], "head0_3dec": v.Oh[0, t], "head1": v.Oh[1, t], "head1_3dec": v.Oh[1, t],
            "concat": v.O[t], "concat_3dec": v.O[t]}


def projected(v, t, names):
    """The output projection, its component 0 written out. ``names``: of that component and of the whole row."""
    pairs = terms(v.O[t], v.params["wo"][:, 0])
    return {"terms": pairs, names[0]: sum_of_products(pairs, v.out[t, 0]), names[1]: v.out[t]}


def normalised(norm, t):
    """One layer normalisation, from its sum to its result."""
    r, dev = norm.x[t], norm.centred[t]
    return {"r": r, "r_4dec": r, "sum": total_of(r, len(r) * norm.mu[t, 0]), "mu": norm.mu[t], "dev": dev,
            "dev_4dec": dev, "sqsum": sum_of_products(terms(dev, dev), len(r) * norm.var[t, 0]), "var": norm.var[t],
            "den": norm.sigma[t], "ln": norm.y[t], "out_mean": norm.y[t].mean(), "out_std": norm.y[t].std()}


def feed_forward(f, t, units):
    """Two hidden units and the first output, which only the units that are not 0 reach."""
    found = {"killed": np.count_nonzero(f.R[t] == 0)}
    for u in units:
        pairs = terms(f.x[t], f.params["w1"][:, u])
        found |= {f"unit{u}_terms": pairs, f"b1_{u}": f.params["b1"][u], f"unit{u}_post": f.R[t, u],
                  f"unit{u}_pre": sum_of_products([*pairs, (f.params["b1"][u], 1.0)], f.Z[t, u])}
    alive = f.R[t] != 0
    pairs = terms(f.R[t, alive], f.params["w2"][alive, 0])
    return found | {"ffn0_terms": pairs, "ffn0": sum_of_products([*pairs, (f.params["b2"][0], 1.0)], f.y[t, 0])}


def picked(found, *names):
    return {name: found[name] for name in names}


def trace_a(net):
    encoder, t = net.encoder, A_TOKEN
    layer, v = encoder.layer, encoder.attention
    e, emb, PE, x = net.params["E"][net.src[t]], encoder.embedded.x[t], encoder.embedded.PE[t], encoder.x[t]
    row, norm1, norm2 = attention_row(v, t), normalised(encoder.norm1, t), normalised(encoder.norm2, t)
    root, q_terms = math.sqrt(len(e)), terms(x, v.params["wq"][:, 0])
    for factor, number, position, entry in zip(e, emb, PE, x, strict=True):
        sum_of_products([(factor, root)], number)
        sum_of_products([(number, 1.0), (position, 1.0)], entry)
    found = {"a1_e_row": e, "a1_emb": emb, "a1_sqrt_d": root,
             "a2_omega": np.repeat(np.arctan2(PE[0::2], PE[1::2]), 2), "a2_pe": PE, "a2_emb": emb, "a2_x_enc": x,
             "a2_x_enc_3dec": x, "a3_q0_terms": q_terms, "a3_q0": sum_of_products(q_terms, v.Q[t, 0]),
             "a3_q_full_row": v.Q[t], "a3_head0": v.Qh[0, t], "a3_head1": v.Qh[1, t],
             **keyed("a4", picked(row, "dots", "scores", "j8_terms", "j8_dot", "j8_score")),
             **keyed("a5", picked(row, "row_max", "shifted", "exp", "weights", "z_terms", "z", "weights_sum")),
             **keyed("a6", picked(row, "comp0_terms", "comp0", "head0", "head0_3dec", "head1_3dec", "concat_3dec")),
             "a6_v_col0_range": [v.Vh[0][:, 0].min(), v.Vh[0][:, 0].max()], "a6_output0_4dec": v.Oh[0, t, 0],
             **keyed("a7", projected(v, t, ("attn_out0", "attn_out_3dec"))),
             "a8_x": x, "a8_attn_out": layer.a[t], "a8_r": layer.r[t],
             **keyed("a9", norm1), **keyed("a10", feed_forward(encoder.ffn, t, (8, 24))),
             "a11_ln1": layer.z[t], "a11_ffn": layer.f[t], "a11_r2": layer.s[t], "a11_ln2": norm2["ln"],
             "a11_mu": norm2["mu"], "a11_var": norm2["var"], "a11_h_3dec": encoder.y[t]}
    return {f"trace_a.{key}": value for key, value in found.items()}


def trace_b(net):
    decoder, t = net.decoder, B_POSITION
    layer, v, c = decoder.layer, decoder.attention, decoder.cross
    row, cross = attention_row(v, t), attention_row(c, t)
    norms = [normalised(norm, t) for norm in (decoder.norm1, decoder.norm2, decoder.norm3)]
    found = {**keyed("b1", picked(row, "q_head0", "scores", "exp", "weights", "z")), "b1_weights_pos0": v.A[0, 0],
             **keyed("b2", picked(row, "head0", "head1", "concat")),
             **keyed("b2", projected(v, t, ("attn_out0", "attn_out_3dec"))),
             "b3_x_dec": layer.x[t], "b3_attn_out": layer.a[t],
             **keyed("b3", picked(norms[0], "r", "r_4dec", "sum", "mu", "var", "den", "dev", "ln")),
             **keyed("b4", picked(cross, "q_head0", "scores", "exp", "weights", "j8_terms", "j8_dot", "j8_score",
                                  "head0_3dec", "comp0_terms", "comp0")),
             "b5_concat": c.O[t], **keyed("b5", projected(c, t, ("cross_out0", "cross_out_3dec"))),
             "b5_y1": layer.z[t], "b5_cross": layer.c[t], **keyed("b5", picked(norms[1], "r", "ln", "mu", "var")),
             **keyed("b6", feed_forward(decoder.ffn, t, (8, 27))),
             "b7_y2": layer.u[t], "b7_ffn": layer.f[t], "b7_r3": layer.v[t],
             **keyed("b7", picked(norms[2], "ln", "mu", "var")), **to_the_token(net, t)}
    return {f"trace_b.{key}": value for key, value in found.items()}


def to_the_token(net, t):
    """From the decoder's output to the scores of the true and of the best token, their softmax and the loss."""
    y, logits, E = net.decoder.y[t], net.logits[t], net.params["E"]
    norm, order = math.sqrt(sum_of_products(terms(y, y), y @ y)), np.argsort(-logits, kind="stable")
    found = {"b8_decoder_output": y, "b8_norm": norm}
    for token in (EOS, order[0]):
        pairs, length = terms(y, E[token]), math.sqrt(E[token] @ E[token])
        found |= {f"b8_v{token}_terms": pairs, f"b8_v{token}_logit": sum_of_products(pairs, logits[token]),
                  f"b8_v{token}_cosine": logits[token] / (norm * length), f"b8_v{token}_norm": length}
    top, e, total, p = (getattr(net.softmax, name)[t] for name in ("top", "e", "total", "y"))
    ids = [*order[:6], EOS]
    loss, _ = cross_entropy_forward(net.logits[t:t + 1], np.array([EOS]), ignore=-1)
    found |= {"b9_max_logit": top, "b9_z": total_of(e, total[0]), "b9_ids": ids,
              "b9_ranks": [order.tolist().index(token) + 1 for token in ids], "b9_logits": logits[ids],
              "b9_shifted": logits[ids] - top, "b9_exp": e[ids], "b9_probs": p[ids], "b10_p": p[EOS],
              "b10_loss": -math.log(p[EOS]), "b10_lse_parts": [logits[EOS], top[0], math.log(total[0])],
              "b10_loss_lse": loss, "b10_log_v": math.log(len(p))}
    return found
