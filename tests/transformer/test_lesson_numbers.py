"""Every number that a lesson on the model of 2017 prints, and that does not come from its own training, computed again.

Each is compared within half a unit of its last decimal, times 1 + 1e-9. Parameter counts are in test_counting.py.
"""

import json
import math

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from tests.page_numbers import DATA
from tests.transformer.published_models import BASE, GERMAN, TOY, llama_shapes, shapes
from tests.transformer.recorded_attention import recorded_attention
from tests.transformer.recording import recorded
from transformer.attention import attention_forward
from transformer.blocks import decoder_layer_forward, encoder_layer_forward
from transformer.cache import empty_past, grouped_query_step
from transformer.counting import counts_by_group, parameter_count
from transformer.cross_attention import cross_attention_forward
from transformer.cross_entropy import (cross_entropy_forward, smoothed_cross_entropy_backward,
                                       smoothed_cross_entropy_forward, smoothing_floor)
from transformer.data import reversal
from transformer.dropout import EVALUATION
from transformer.embedding import scaled_embedding_forward, tied_logits_forward
from transformer.encoder_decoder import embed_forward, encoder_decoder_forward, init_encoder_decoder
from transformer.feed_forward import ffn_relu_forward
from transformer.heads import head_width
from transformer.layer_norm import layer_norm_forward
from transformer.masks import causal_mask
from transformer.parameters import scope
from transformer.positions import sinusoidal_positions
from transformer.schedules import warmup_inverse_root
from transformer.softmax import softmax_forward
from transformer.vocabulary import PAD

LESSON = json.loads((DATA / "lesson_numbers.json").read_text(encoding="utf-8"))
COMPARED = [key for key, number in LESSON.items() if "tolerance" in number]


def sizes():
    base, german = shapes(BASE), shapes(GERMAN)
    groups, tables = counts_by_group(base), counts_by_group(german)
    vector, _ = init_encoder_decoder(TOY, np.random.default_rng(0))
    return {"toy.parameters_of_running_model": vector.size,
            "base.parameters.norm": parameter_count(scope(base, "encoder0.norm1")),
            "base.parameters.embedding_millions": groups["E"] / 1e6,
            "base.decoder_over_encoder_layer": groups["decoder0"] / groups["encoder0"],
            "german.tables": tables["E"] + tables["E_src"],
            "german.over_65M_millions": (parameter_count(german) - 65e6) / 1e6,
            "paper.d_k": [head_width(BASE.d, BASE.H), head_width(TOY.d, TOY.H)]}


def cached(config, G):
    """How many numbers attention with G groups keeps of one token."""
    d, H, dh = config["d"], config["H"], head_width(config["d"], config["H"])
    widths = {"wq": d, "wk": G * dh, "wv": G * dh, "wo": d}
    weights = {name: np.zeros((d, width)) for name, width in widths.items()}
    _, kept = grouped_query_step(np.zeros((1, d)), weights, H, G, empty_past((), G, dh))
    return sum(part.size for part in kept)


def sizes_of_smollm2():
    """A decoder of today, from its configuration: parameters, and how much less it caches than with a group a head."""
    c = LESSON["smollm2.table"]["printed"]
    model = llama_shapes(c["V"], c["d"], c["H"], c["G"], c["d_ff"], c["layers"])
    return {"smollm2.parameters_millions": parameter_count(model) / 1e6,
            "smollm2.tying_saves_millions": parameter_count({"E": model["E"]}) / 1e6,
            "smollm2.kv_cache_ratio": cached(c, c["H"]) / cached(c, c["G"]),
            "smollm2.head_size": head_width(c["d"], c["H"])}


def wavelength(i, d):
    """How many positions one turn of the pair i takes, read off the angle of position 1."""
    sine, cosine = sinusoidal_positions(2, d)[1, 2 * i:2 * i + 2]
    return 2 * math.pi / math.atan2(sine, cosine)


def turned(pair, angle):
    """A pair (sine, cosine) of an angle becomes that of the sum of both angles."""
    return np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]]) @ pair


def positions():
    PE = sinusoidal_positions(50, 64)
    found = {"pe.shape_50_64": PE.shape, "pe.row1_first4": PE[1, :4], "pe.row0_first4": PE[0, :4],
             "pe.check_line": PE[1, :3], "practice.pe_2_0__2_1": PE[2, :2],
             "pe.angle_i1_pos1": math.atan2(PE[1, 2], PE[1, 3]),
             "pe.divisor_i1_d64": 1 / math.atan2(PE[1, 2], PE[1, 3]),
             "wavelengths.d64.i_0_1_d/4_d/2-1": [wavelength(i, 64) for i in (0, 1, 16, 31)],
             "wavelengths.d512.i_0_1_d/4_d/2-1": [wavelength(i, 512) for i in (0, 1, 128, 255)],
             "wavelengths.columns_0_8_20_d64": [wavelength(i, 64) for i in (0, 4, 10)],
             "wavelengths.column20_quarter_turn": wavelength(10, 64) / 4}
    for pos in (0, 10, 40):  # the pair i = 5, three positions on
        found[f"rotation.pos{pos}.turned"] = turned(PE[pos, 10:12], 3 / 10_000 ** (10 / 64))
        found[f"rotation.pos{pos}.direct"] = PE[pos + 3, 10:12]
    return found


def normalisation_and_rates():
    norm = recorded(layer_norm_forward, np.array([1.0, 2, 3, 6]), np.ones(4), np.zeros(4))
    ones, _ = scaled_embedding_forward(np.array([0]), np.ones((1, TOY.d)))
    found = {"layernorm.mean_var": [norm.mu[0], norm.var[0]], "layernorm.sqrt_var": math.sqrt(norm.var[0]),
             "layernorm.out": norm.y, "toy.sqrt_d": ones[0, 0], "toy.embedding_std": 1 / ones[0, 0],
             "lr.base.step40000_approx": warmup_inverse_root(40_000, 512, 4000),
             "lr.base.factors": [math.sqrt(1 / 512), math.sqrt(1 / 4000)],
             "lr.base.peak": warmup_inverse_root(4000, 512, 4000), "lr.toy.peak": warmup_inverse_root(400, 64, 400),
             "practice.lr_100": warmup_inverse_root(100, 64, 400),
             "practice.lr_100_logged": warmup_inverse_root(101, 64, 400),
             "practice.lr_1600": warmup_inverse_root(1600, 64, 400)}
    found |= {f"lr.base.step{step}": warmup_inverse_root(step, 512, 4000)
              for step in (1, 100, 1000, 4000, 10_000, 100_000)}
    return found | {f"lr.toy.logged_step{step}": warmup_inverse_root(step + 1, 64, 400)  # printed one step late
                    for step in (1, 500, 1000, 2000, 3000)}


def smoothing(V=13, eps=0.1):
    """The smoothed target is p minus the gradient of one row; the losses of p = q and of all but 1e-8 on the target."""
    target, uniform = np.array([4]), np.zeros((1, V))
    p, _ = softmax_forward(uniform)
    q = (p - smoothed_cross_entropy_backward(1.0, smoothed_cross_entropy_forward(uniform, target, -1, eps)[1]))[0]
    sure, _ = smoothed_cross_entropy_forward(20.0 * np.eye(V)[target], target, -1, eps)
    unsmoothed, _ = cross_entropy_forward(np.log(q)[None], target, -1)
    return {"smoothing.q_right_other": [q[4], q[0]], "smoothing.q_right_3": q[4],
            "smoothing.floor": smoothing_floor(V, eps), "smoothing.sure": sure, "run.test_ce_floor_with_q": unsmoothed}


def stages(word):
    """The arrays of the toy on the way from the letters of a word to the probabilities of the next token."""
    _, params = init_encoder_decoder(TOY, np.random.default_rng(0))
    src, tgt_in, _ = reversal.from_sources(np.array([reversal.encode(word)]))
    read, written = (recorded(embed_forward, ids, params["E"], EVALUATION) for ids in (src, tgt_in))
    everything = np.ones((1, 1, 1, src.shape[1]), dtype=bool)
    causal = causal_mask(tgt_in.shape[1])
    first, second = (scope(params, f"encoder{n}") for n in range(2))
    layer = recorded(encoder_layer_forward, read.x_drop, first, TOY.H, everything, EVALUATION)
    own = recorded_attention(attention_forward, read.x_drop, scope(first, "attention"), TOY.H, everything)
    memory, _ = encoder_layer_forward(layer.y, second, TOY.H, everything, EVALUATION)
    lower, upper = (scope(params, f"decoder{n}") for n in range(2))
    x = written.x_drop
    masked = recorded_attention(attention_forward, x, scope(lower, "self"), TOY.H, causal)
    y, _ = decoder_layer_forward(x, memory, lower, TOY.H, causal, everything, EVALUATION)
    last = recorded(decoder_layer_forward, y, memory, upper, TOY.H, causal, everything, EVALUATION)
    cross = recorded_attention(cross_attention_forward, last.z, memory, scope(upper, "cross"), TOY.H, everything)
    logits, _ = tied_logits_forward(last.y, params["E"])
    hidden = recorded(ffn_relu_forward, layer.z, scope(first, "ffn")).R
    p, _ = softmax_forward(logits)
    return [src, params["E"][src], read.x, read.x_pos, own.Qh, own.A, layer.z, layer.y, memory, tgt_in, masked.A,
            cross.A, logits, p], hidden, x, causal


def explorer():
    """The example word, and the practice word of seven letters."""
    steps, hidden, _, _ = stages("cabed")
    found = {f"explorer.step{n:02}.shape": step.shape for n, step in enumerate(steps, 1)}
    found |= {"explorer.step08.hidden_shape": hidden.shape, "example.src_ids": steps[0][0],
              "example.decoder_in_ids": steps[9][0]}
    steps, hidden, x, causal = stages("abcdefg")
    return found | {"practice.shape_src": steps[3].shape, "practice.shape_enc_self": steps[5].shape,
                    "practice.shape_memory": steps[8].shape, "practice.shape_dec_self": steps[10].shape,
                    "practice.shape_cross": steps[11].shape, "practice.shape_logits": steps[12].shape,
                    "practice.shape_tgt": x.shape, "practice.shape_ffn_hidden": hidden.shape,
                    "practice.hidden_cells_per_head": np.count_nonzero(~causal)}


@pytest.fixture(scope="module")
def computed():
    found = {}
    for part in (sizes, sizes_of_smollm2, positions, normalisation_and_rates, smoothing, explorer):
        found |= part()
    return found


@pytest.mark.parametrize("key", COMPARED)
def test_a_number_of_the_lesson_is_computed_again(computed, key):
    printed, tolerance = np.asarray(LESSON[key]["printed"], dtype=float), LESSON[key]["tolerance"]
    mine = np.asarray(computed[key], dtype=float)
    assert mine.shape == printed.shape
    allowed = tolerance * (1 + 1e-9) if tolerance else 1e-12 * np.abs(printed)
    assert (np.abs(mine - printed) <= allowed).all(), f"{key}: printed {printed}, computed {mine}"


def test_every_number_of_the_lesson_is_computed_or_has_a_reason_not_to_be(computed):
    assert sorted(computed) == sorted(COMPARED)
    reasons = [number["not_computed"] for key, number in LESSON.items() if key not in computed]
    print(f"{len(COMPARED)} displays of the lesson compared, {len(reasons)} not:",
          *(f"{reasons.count(reason)} {reason}" for reason in dict.fromkeys(reasons)), sep="\n  ")
    assert (len(COMPARED), len(reasons)) == (82, 33) and all(reasons)


def test_the_peak_from_rounded_factors_is_another_number():
    """The lesson multiplies 0.0442 and 0.0158, which is 6.98e-04, and prints the product of the exact factors."""
    printed = LESSON["lr.base.peak_by_hand_product"]["printed"]
    assert f"{math.prod(LESSON['lr.base.factors']['printed']):.2e}" == "6.98e-04" != f"{printed:.2e}"
    assert f"{warmup_inverse_root(4000, 512, 4000):.2e}" == f"{printed:.2e}"


def test_the_stages_are_those_of_the_whole_model():
    """The shapes above are read off layers that are run one by one: they must lead to the scores of the model."""
    steps, *_ = stages("cabed")
    _, params = init_encoder_decoder(TOY, np.random.default_rng(0))
    logits, _ = encoder_decoder_forward(steps[0], steps[9], params, TOY, PAD, EVALUATION)
    assert_array_equal(steps[12], logits)
