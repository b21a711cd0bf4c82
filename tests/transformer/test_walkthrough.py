"""A printed walkthrough of a small model of 2017 with random weights, computed again through the package's functions.

Nine words go into the encoder, seven tokens into the decoder: d = 8, two heads, one layer each, 500 tokens. The weights
come from one old random stream. Numbers are compared at the decimals printed; "-inf" stands for a masked score.
"""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from tests.transformer.recording import variables_of
from transformer import encoder_decoder
from transformer.attention import attention_forward, scaled_dot_product_forward
from transformer.blocks import decoder_layer_forward, encoder_layer_forward
from transformer.counting import (attention_multiply_adds, encoder_decoder_multiply_adds, linear_multiply_adds,
                                  parameter_count)
from transformer.cross_attention import cross_attention_forward
from transformer.cross_entropy import cross_entropy_forward
from transformer.dropout import EVALUATION
from transformer.encoder_decoder import embed_forward, encoder_decoder_forward, reader, writer
from transformer.feed_forward import ffn_relu_forward
from transformer.generation import draw, generate, keep_top_k, sampler, with_temperature
from transformer.init import init_layer_norm, xavier_uniform
from transformer.layer_norm import layer_norm_forward
from transformer.masks import causal_mask
from transformer.parameters import grouped, scope, shapes_of
from transformer.positions import sinusoidal_positions
from transformer.softmax import softmax_forward

PRINTED = json.loads((Path(__file__).parents[1] / "data" / "walkthrough_numbers.json").read_text(encoding="utf-8"))
PREFIX = "the cat sat on the mat and was looking".split()
CONTINUATION = "at a tiny mouse running by".split()
CONFIG = encoder_decoder.Config(500, 500, d=8, H=2, d_ff=32, layers=1)
PAD, SOS, EOS = 0, 1, 2


def attention_weights(stream):
    """Xavier weights in the order Wq, Wk, Wv, Wo, and biases of 0."""
    weights = {f"w{name}": xavier_uniform(8, 8, stream) for name in "qkvo"}
    return weights | {f"b{name}": np.zeros(8) for name in "qkvo"}


def ffn_weights(stream):
    return {"w1": xavier_uniform(8, 32, stream), "b1": np.zeros(32),
            "w2": xavier_uniform(32, 8, stream), "b2": np.zeros(8)}


def chains(stream):
    """The experiment on initial weights: eight products in a row, with weights from U(0, 1) and Xavier weights."""
    uniform = xavier = stream.rand(15, 8)
    for _ in range(8):
        uniform = uniform @ stream.rand(8, 8)
        xavier = xavier @ xavier_uniform(8, 8, stream)
    return uniform, xavier


def model():
    """(both ends of the chains, parameters), drawn in the order of the walkthrough."""
    stream = np.random.RandomState(42)
    ends = chains(stream)
    E = stream.randn(500, 8) / np.sqrt(8)
    norms = {f"norm{n}": init_layer_norm(8) for n in (1, 2, 3)}
    encoder = {"attention": attention_weights(stream), "ffn": ffn_weights(stream)}
    encoder |= {name: norms[name] for name in ("norm1", "norm2")}
    decoder = {"self": attention_weights(stream), "cross": attention_weights(stream), "ffn": ffn_weights(stream)}
    decoder |= norms
    return ends, {"E": E, **grouped({"encoder0": grouped(encoder), "decoder0": grouped(decoder)})}


def token_ids():
    """The ids of prefix and continuation: random, one for each word in the order of first appearance."""
    words = list(dict.fromkeys(PREFIX + CONTINUATION))
    ids = dict(zip(words, np.random.default_rng(0).choice(np.arange(50, 500), size=14, replace=False), strict=True))
    return np.array([ids[word] for word in PREFIX]), np.array([ids[word] for word in CONTINUATION])


def product(prefix, X, W):
    """A matrix product as the walkthrough shows it: the entry (0, 0) worked out term by term."""
    return {f"{prefix}_worked_row0": X[0], f"{prefix}_worked_col0": W[:, 0], f"{prefix}_worked_00": (X @ W)[0, 0],
            f"{prefix}_worked_terms": np.stack([X[0], W[:, 0]], axis=1)}


def attention_numbers(prefix, x, params, mask):
    """What is printed of a self-attention, by key."""
    (out, _), v = variables_of(attention_forward, x, params, 2, mask)
    _, inner = variables_of(scaled_dot_product_forward, v["Qh"], v["Kh"], v["Vh"], mask)
    raw = v["Qh"][0] @ v["Kh"][0].T
    found = {"x_in": x, "wq": params["wq"], "q_full": v["Q"], "q_head0": v["Qh"][0], "k_head0_t": v["Kh"][0].T,
             "raw_scores_head0": raw, "v_head0": v["Vh"][0], "head0_out": v["Oh"][0], "concat": v["O"],
             "concat_two_panel": v["O"], "wo": params["wo"], "attn_out": out, "split_q_head0": v["Qh"][0],
             "split_q_head1": v["Qh"][1], "scaled_scores_head0": inner["S"][0], "weights_head0": inner["A"][0],
             "s9_q_head0": v["Qh"][0], "s9_k_head0": v["Kh"][0], "s9_v_head0": v["Vh"][0],
             "s9_scaled_scores_head0": inner["S"][0], "scores_before_mask_head0": inner["S"][0],
             "masked_scores_head0": inner["S_masked"][0], "masked_scores_head0_s12": inner["S_masked"][0],
             "weights_head0_3dec": inner["A"][0], "weights_head0_s12": inner["A"][0], "weights_row0": inner["A"][0, 0],
             "row_sums": inner["A"][0].sum(axis=-1), "nonzero_per_row": np.count_nonzero(inner["A"][0], axis=-1),
             "row2_scores": inner["S"][0, 2, :3], "row2_exp": np.exp(inner["S"][0, 2, :3] - inner["S"][0, 2, :3].max()),
             "row2_exp_sum": np.exp(inner["S"][0, 2, :3] - inner["S"][0, 2, :3].max()).sum(),
             "row2_weights": inner["A"][0, 2, :3], "row2_weights_from_array": inner["A"][0, 2, :3],
             "q1_head0": v["Qh"][0, 1], "k8_head0": v["Kh"][0, -1], "q1k8_dot": raw[1, -1],
             "q1k8_terms": np.stack([v["Qh"][0, 1], v["Kh"][0, -1]], axis=1), "q1k8_scaled": inner["S"][0, 1, -1],
             "softmax_row1_head0": inner["A"][0, 1], "softmax_row1_sum": inner["A"][0, 1].sum(),
             **product("q_full", x, params["wq"]), **product("raw_scores_head0", v["Qh"][0], v["Kh"][0].T),
             **product("head0_out", inner["A"][0], v["Vh"][0]), **product("attn_out", v["O"], params["wo"])}
    return {f"{prefix}.{key}": value for key, value in found.items()}


def mean_std(x):
    return [x.mean(), x.std()]


def encoder_numbers(src, params):
    layer, everything = scope(params, "encoder0"), np.ones((9, 9), dtype=bool)
    (x, _), embedded = variables_of(embed_forward, src, params["E"], EVALUATION)
    (y, _), v = variables_of(encoder_layer_forward, x, layer, 2, everything, EVALUATION)
    _, f = variables_of(ffn_relu_forward, v["z"], scope(layer, "ffn"))
    _, norm = variables_of(layer_norm_forward, x[0], np.ones(8), np.zeros(8))
    w1, w2, PE = layer["ffn.w1"], layer["ffn.w2"], embedded["PE"]
    found = {"x_enc": x, "x_enc_the_pos0": x[0], "x_enc_the_pos4": x[4], "ffn.x_in": v["z"],
             "ffn.w1_first12": w1[:, :12],
             "ffn.pre_relu_first12": f["Z"][:, :12], "ffn.post_relu_first12": f["R"][:, :12], "ffn.w2": w2,
             "ffn.out": v["f"], "ffn.out_s10": v["f"], "ffn.post_relu_first12_2dec": f["R"][:, :12],
             "ffn.token0_unit5_pre": f["Z"][0, 5],
             "ffn.token0_unit5_post": f["R"][0, 5], "ffn.percent_zeroed": 100 * (f["Z"] < 0).mean(),
             "ffn.negatives_total": (f["Z"] < 0).sum(), "ffn.units_total": f["Z"].size,
             "ffn.killed_per_token": (f["Z"] < 0).sum(axis=1), "add_norm1.attn_out_mean_std": mean_std(v["a"]),
             "add_norm1.residual_mean_std": mean_std(v["r"]), "add_norm1.out_mean_std": mean_std(v["z"]),
             "add_norm1.out": v["z"], "add_norm1.x_enc": x, "add_norm1.attn_out": v["a"], "add_norm1.residual": v["r"],
             "add_norm1.check_00": [x[0, 0], v["a"][0, 0], v["r"][0, 0]],
             "add_norm1.ln_mean_std": np.stack([v["r"].mean(axis=1), v["r"].std(axis=1)], axis=1),
             "add_norm1.ln_before": v["r"], "add_norm1.ln_after": v["z"], "add_norm2.ln1_out": v["z"],
             "add_norm2.ffn_out": v["f"], "add_norm2.residual": v["s"], "add_norm2.out": y, "output": y,
             "add_norm2.check_00": [v["z"][0, 0], v["f"][0, 0], v["s"][0, 0]], "output_mean": y.mean(),
             "output_std": y.std(), "output_row_std": y.std(axis=1), "output_row_spread": y.std(axis=0).mean(),
             **product("ffn.pre_relu", v["z"], w1), **product("ffn.out", f["R"], w2),
             **attention_numbers("self_attn", x, scope(layer, "attention"), everything)}
    before = {"embedding.src_emb_scaled": embedded["x"], "embedding.the_pos0": embedded["x"][0],
              "embedding.the_pos4": embedded["x"][4], "embedding.scale": math.sqrt(8),
              "embedding.table_shape": params["E"].shape, "positional.pe_src": PE, "positional.pe_3_2": PE[3, 2],
              "positional.omega_1": math.asin(sinusoidal_positions(2, 8)[1, 2]),
              "positional.elementwise_emb_scaled": embedded["x"], "positional.elementwise_pe": PE,
              "positional.elementwise_x_enc": x,
              "positional.elementwise_check_00": [embedded["x"][0, 0], PE[0, 0], x[0, 0]],
              "layernorm.x": x[0], "layernorm.mean": norm["mu"][0], "layernorm.variance": norm["var"][0],
              "layernorm.std": math.sqrt(norm["var"][0]), "layernorm.out": norm["y"],
              "layernorm.out_std": norm["y"].std()}
    return y, before | {f"encoder.{key}": value for key, value in found.items()}


def decoder_numbers(tgt, memory, params):
    layer, mask, everything = scope(params, "decoder0"), causal_mask(7), np.ones((7, 9), dtype=bool)
    x, _ = embed_forward(tgt, params["E"], EVALUATION)
    (y, _), v = variables_of(decoder_layer_forward, x, memory, layer, 2, mask, everything, EVALUATION)
    _, f = variables_of(ffn_relu_forward, v["u"], scope(layer, "ffn"))
    _, c = variables_of(cross_attention_forward, v["z"], memory, scope(layer, "cross"), 2, everything)
    _, inner = variables_of(scaled_dot_product_forward, c["Qh"], c["Kh"], c["Vh"], everything)
    A, order = inner["A"][0], np.argsort(-inner["A"][0, 3])[:3]
    found = {"input_ids": tgt, "x_dec": x, "causal_mask": ~mask, "allowed_per_row": mask.sum(axis=1),
             "add_norm1.x_dec": x, "add_norm1.attn_out": v["a"], "add_norm1.residual": v["r"],
             "add_norm1.check_00": [x[0, 0], v["a"][0, 0], v["r"][0, 0]], "add_norm1.y1": v["z"],
             "add_norm1.y1_mean": v["z"].mean(), "add_norm1.y1_row_std": v["z"].std(axis=1), "add_norm2.y2": v["u"],
             "ffn.percent_zeroed": 100 * (f["Z"] < 0).mean(), "output": y, "output_mean": y.mean(),
             "output_std": y.std(),
             **attention_numbers("self_attn", x, scope(layer, "self"), mask)}
    cross = {"q_head0": c["Qh"][0], "k_head0_t": c["Kh"][0].T, "raw_scores_head0": c["Qh"][0] @ c["Kh"][0].T,
             "weights_head0": A, "weights_head0_s13": A, "v_head0": c["Vh"][0], "head0_out": c["Oh"][0],
             "top3_position3": np.stack([order, A[3, order]], axis=1),
             **product("raw_scores_head0", c["Qh"][0], c["Kh"][0].T), **product("head0_out", A, c["Vh"][0])}
    return y, {f"decoder.{key}": value for key, value in found.items()} | {f"cross.{k}": v for k, v in cross.items()}


def entropy(p):
    return -np.sum(p * np.log(p), axis=-1)


def output_numbers(logits, labels, decoded, E):
    p, _ = softmax_forward(logits)
    last, order = p[-1], np.argsort(-logits[-1], kind="stable")
    top5, _ = softmax_forward(keep_top_k(logits[-1], 5))
    rng = np.random.default_rng(7)
    temperatures = [(T, softmax_forward(with_temperature(logits[-1], T))[0]) for T in (0.1, 0.5, 1.0, 2.0, 5.0)]
    label_probs = p[np.arange(7), labels]
    loss, _ = cross_entropy_forward(logits, labels, ignore=-1)
    found = {"decoder_output": decoded, "w_out_first10": E.T[:, :10], "logits_first10": logits[:, :10],
             "logits_t6_first12": logits[-1, :12], "logits_range": [logits.min(), logits.max()],
             "hand_logit_t6_v2_terms": np.stack([decoded[-1], E[2]], axis=1), "hand_logit_t6_v2": logits[-1, 2],
             "projection_multiply_adds": linear_multiply_adds({"output": E.T.shape}, 7), "top5_ids": order[:5],
             "top5_logits": logits[-1, order[:5]], "top5_probs": last[order[:5]], "predicted_id": order[0],
             "true_id": labels[-1], "true_prob": last[labels[-1]], "uniform_prob": 1 / len(last),
             "max_prob": last.max(),
             "entropy_t6": entropy(last), "log_vocab": math.log(len(last)),
             "temperature_table": [[T, entropy(q[q > 0]), q.max(), q.argmax()] for T, q in temperatures],
             "top5_renormalized": np.stack([order[:5], last[order[:5]], top5[order[:5]]], axis=1),
             "top5_samples": [draw(top5, rng) for _ in range(8)], "loss_label_probs": label_probs,
             "losses_per_position": -np.log(label_probs), "loss_mean": loss, "loss_log_vocab": math.log(len(last)),
             "perplexity": math.exp(loss), "probs_top6": last[order[:6]], "probs_top6_ids": order[:6],
             **product("logits", decoded, E.T)}
    return {f"output.{key}": value for key, value in found.items()}


def generation_numbers(src, params):
    """Greedy choice and sampling, through the model's own step with its cache."""
    start, step, scores = reader(src[None], params, CONFIG, PAD), writer(params, CONFIG), []

    def recorded(ids, state):
        logits, longer = step(ids, state)
        scores.append(logits[0])
        return logits, longer

    greedy = generate(recorded, [[SOS]], 8, state=start).ids[0, 1:]
    p, _ = softmax_forward(np.array(scores))
    found = {"greedy_ids": greedy, "greedy_context_len": np.arange(1, 9), "greedy_probs": p.max(axis=1),
             "greedy_entropies": entropy(p)}
    for T in (0.7, 1.0, 1.5):
        written = generate(step, [[SOS]], 8, sampler(T), rng=[np.random.default_rng(3)], state=start)
        found[f"sample_T{T}".replace(".", "_")] = written.ids[0, 1:]
    return {f"generation.{key}": value for key, value in found.items()}


def size_numbers(params):
    """Parameters without the biases of attention, which the walkthrough does not have, and multiply-adds by part."""
    shapes = {name: shape for name, shape in shapes_of(params).items() if not name.endswith(("bq", "bk", "bv", "bo"))}
    parts = {"embedding_tied": {"E": shapes["E"]}, "encoder_self_attn": scope(shapes, "encoder0.attention"),
             "encoder_ffn": scope(shapes, "encoder0.ffn"), "decoder_self_attn": scope(shapes, "decoder0.self"),
             "cross_attn": scope(shapes, "decoder0.cross"), "decoder_ffn": scope(shapes, "decoder0.ffn"),
             "layernorm_x5": {name: shape for name, shape in shapes.items() if "norm" in name}}
    weights = {f"w{name}": (8, 8) for name in "qkvo"}
    q, kv = ({name: weights[name] for name in names} for names in (("wq",), ("wk", "wv")))
    ffn, half = scope(shapes, "encoder0.ffn"), attention_multiply_adds(9, 9, 8) // 2
    costs = [linear_multiply_adds(q | kv, 9), half, half, linear_multiply_adds(q, 9),
             linear_multiply_adds(ffn, 9), linear_multiply_adds(weights, 7),
             attention_multiply_adds(7, 7, 8), linear_multiply_adds(q, 7), linear_multiply_adds(kv, 9),
             attention_multiply_adds(7, 9, 8), linear_multiply_adds(q, 7), linear_multiply_adds(ffn, 7),
             linear_multiply_adds({"output": (8, 500)}, 7)]
    assert sum(costs) == encoder_decoder_multiply_adds(shapes, CONFIG, 9, 7)
    return {"tables.parameter_count": [parameter_count(part) for part in parts.values()],
            "tables.parameter_total": parameter_count(shapes), "tables.multiply_adds": costs}


@pytest.fixture(scope="module")
def computed():
    """Every number of the walkthrough that is compared, by key."""
    (uniform, xavier), params = model()
    src, words = token_ids()
    tgt, labels = np.array([SOS, *words]), np.array([*words, EOS])
    memory, found = encoder_numbers(src, params)
    decoded, more = decoder_numbers(tgt, memory, params)
    logits, _ = encoder_decoder_forward(src, tgt, params, CONFIG, PAD, EVALUATION)
    found |= more | output_numbers(logits, labels, decoded, params["E"]) | generation_numbers(src, params)
    found |= size_numbers(params)
    found |= {"meta.prefix_ids": src, "meta.continuation_ids": words, "decoder.label_ids": labels}
    for name, end in (("uniform01", uniform), ("xavier", xavier)):
        found[f"init_experiment.{name}_mean_abs"] = np.abs(end).mean()
        found[f"init_experiment.{name}_row_to_row_std"] = end.std(axis=0).mean()
    return found


def numbers(value):
    """Printed or computed numbers as one flat array."""
    if isinstance(value, list):
        return np.concatenate([numbers(part) for part in value]) if value else np.zeros(0)
    return np.asarray(value, dtype=float).reshape(-1)


@pytest.mark.parametrize("key", PRINTED)
def test_a_number_of_the_walkthrough_is_computed_again(computed, key):
    printed, mine = numbers(PRINTED[key]["value"]), numbers(computed[key])
    assert printed.shape == mine.shape
    tolerance = numbers(PRINTED[key]["tol"])
    tolerance = np.tile(tolerance, len(printed) // len(tolerance)) * (1 + 1e-9) + 1e-12
    same = (printed == mine) | (np.abs(np.where(np.isinf(printed), 0, printed) - mine) <= tolerance)
    assert same.all(), f"{key}: printed {printed[~same]}, computed {mine[~same]}"


def test_how_many_numbers_are_compared():
    count = sum(numbers(entry["value"]).size for entry in PRINTED.values())
    print(f"{count} numbers in {len(PRINTED)} displays of the walkthrough")
    assert count == 6106
