"""From the decoder's output to tokens: scores, choices, losses, text written token by token; and what it all costs."""

import math

import numpy as np

from tests.transformer.walkthrough.by_hand import product, sum_of_products, terms
from tests.transformer.walkthrough.network import CONFIG, PREFIX
from transformer.counting import (attention_multiply_adds, encoder_decoder_multiply_adds, linear_multiply_adds,
                                  parameter_count)
from transformer.cross_entropy import cross_entropy_forward
from transformer.encoder_decoder import reader, writer
from transformer.generation import draw, generate, greedy, keep_top_k, sampler, with_temperature
from transformer.parameters import scope, shapes_of
from transformer.perplexity import perplexity
from transformer.softmax import softmax_forward
from transformer.vocabulary import PAD, SOS


def entropy(p):
    return -np.sum(p * np.log(p), axis=-1)


def output_numbers(net):
    logits, labels, decoded, E, p = net.logits, net.labels, net.decoder.y, net.params["E"], net.softmax.y
    last, order = p[-1], np.argsort(-logits[-1], kind="stable")
    top5, _ = softmax_forward(keep_top_k(logits[-1], 5))
    rng = np.random.default_rng(7)
    temperatures = [(T, softmax_forward(with_temperature(logits[-1], T))[0]) for T in (0.1, 0.5, 1.0, 2.0, 5.0)]
    loss, _ = cross_entropy_forward(logits, labels, ignore=-1)
    losses = [cross_entropy_forward(logits[t:t + 1], labels[t:t + 1], ignore=-1)[0] for t in range(7)]
    end_terms = terms(decoded[-1], E[2])
    found = {"decoder_output": decoded, "w_out_first10": E.T[:, :10], "logits_first10": logits[:, :10],
             "logits_t6_first12": logits[-1, :12], "logits_range": [logits.min(), logits.max()],
             "hand_logit_t6_v2_terms": end_terms, "hand_logit_t6_v2": sum_of_products(end_terms, logits[-1, 2]),
             "projection_multiply_adds": linear_multiply_adds({"output": E.T.shape}, 7), "top5_ids": order[:5],
             "top5_logits": logits[-1, order[:5]], "top5_probs": last[order[:5]],
             "predicted_id": greedy(logits[-1:])[0], "true_id": labels[-1], "true_prob": last[labels[-1]],
             "uniform_prob": 1 / len(last), "max_prob": last.max(), "entropy_t6": entropy(last),
             "log_vocab": math.log(len(last)),
             "temperature_table": [[T, entropy(q[q > 0]), q.max(), q.argmax()] for T, q in temperatures],
             "top5_renormalized": np.stack([order[:5], last[order[:5]], top5[order[:5]]], axis=1),
             "top5_samples": [draw(top5, rng) for _ in range(8)], "loss_label_probs": p[np.arange(7), labels],
             "losses_per_position": losses, "loss_mean": loss, "loss_log_vocab": math.log(len(last)),
             "perplexity": perplexity([(loss, 7)]), "probs_top6": last[order[:6]], "probs_top6_ids": order[:6],
             **product("logits", decoded, E.T, logits)}
    return {f"output.{key}": value for key, value in found.items()}


def generation_numbers(net):
    """Greedy choice and sampling, through the model's own step with its cache."""
    start = reader(net.src[None], net.params, CONFIG, PAD)
    step, scores, lengths = writer(net.params, CONFIG), [], []

    def recorded(ids, state):
        logits, longer = step(ids, state)
        scores.append(logits[0])
        lengths.append(longer["read"])
        return logits, longer

    written = generate(recorded, [[SOS]], 8, state=start).ids[0, 1:]
    p, _ = softmax_forward(np.array(scores))
    found = {"greedy_ids": written, "greedy_context_len": lengths, "greedy_probs": p.max(axis=1),
             "greedy_entropies": entropy(p)}
    for T in (0.7, 1.0, 1.5):
        sampled = generate(step, [[SOS]], 8, sampler(T), rng=[np.random.default_rng(3)], state=start)
        found[f"sample_T{T}".replace(".", "_")] = sampled.ids[0, 1:]
    return {f"generation.{key}": value for key, value in found.items()}


def cost_numbers(net):
    """Parameters without the biases of attention, which the walkthrough does not have, and multiply-adds by part."""
    shapes = {name: shape for name, shape in shapes_of(net.params).items()
              if not name.endswith(("bq", "bk", "bv", "bo"))}
    encoder, own, cross = (scope(shapes, name) for name in ("encoder0.attention", "decoder0.self", "decoder0.cross"))
    ffns = [scope(shapes, f"{side}0.ffn") for side in ("encoder", "decoder")]
    parts = {"embedding_tied": {"E": shapes["E"]}, "encoder_self_attn": encoder, "encoder_ffn": ffns[0],
             "decoder_self_attn": own, "cross_attn": cross, "decoder_ffn": ffns[1],
             "layernorm_x5": {name: shape for name, shape in shapes.items() if "norm" in name}}
    n_src, T, d = len(net.src), len(net.tgt), CONFIG.d
    of_scores, of_values = 2 * [attention_multiply_adds(n_src, n_src, d) // 2]  # q k and A v cost the same
    costs = {"enc_qkv": linear_multiply_adds({name: encoder[name] for name in ("wq", "wk", "wv")}, n_src),
             "enc_scores": of_scores, "enc_av": of_values,
             "enc_wo": linear_multiply_adds({"wo": encoder["wo"]}, n_src),
             "enc_ffn": linear_multiply_adds(ffns[0], n_src), "dec_self_qkvo": linear_multiply_adds(own, T),
             "dec_self_attn": attention_multiply_adds(T, T, d),
             "cross_q": linear_multiply_adds({"wq": cross["wq"]}, T),
             "cross_kv": linear_multiply_adds({name: cross[name] for name in ("wk", "wv")}, n_src),
             "cross_scores_av": attention_multiply_adds(T, n_src, d),
             "cross_wo": linear_multiply_adds({"wo": cross["wo"]}, T), "dec_ffn": linear_multiply_adds(ffns[1], T),
             "output_projection": linear_multiply_adds({"output": net.params["E"].T.shape}, T)}
    whole = encoder_decoder_multiply_adds(shapes, CONFIG, n_src, T)
    assert sum(costs.values()) == whole
    return {"tables.parameter_count": {name: parameter_count(part) for name, part in parts.items()},
            "tables.parameter_total": parameter_count(shapes), "tables.multiply_adds": costs,
            "tables.multiply_adds_stated_total_approx": whole}


def stage_shapes(net):
    encoder, decoder = net.encoder, net.decoder
    stages = {"prefix_tokens": np.array(PREFIX.split()), "prefix_ids": net.src, "prefix_embeddings": encoder.embedded.x,
              "x_enc": encoder.x, "enc_qkv": encoder.attention.Qh, "enc_scores": encoder.attention.S,
              "enc_concat_wo": encoder.attention.out, "enc_add_norm1": encoder.layer.z, "enc_ffn": encoder.ffn.y,
              "enc_output": encoder.y, "dec_input": net.tgt, "x_dec": decoder.x, "dec_scores": decoder.attention.S,
              "dec_add_norm1": decoder.layer.z, "cross_scores": decoder.cross.S, "dec_add_norm2": decoder.layer.u,
              "dec_ffn": decoder.ffn.y, "dec_output": decoder.y, "logits": net.logits, "probs": net.softmax.y,
              "next_token": greedy(net.logits[-1:])[0]}
    return {"tables.stage_shapes": {name: list(stage.shape) for name, stage in stages.items()}}
