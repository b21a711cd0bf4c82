"""A printed walkthrough of a small model of 2017 with random weights is computed again: every display of it.

Numbers are compared at the decimals printed: within half a unit of the last one, times 1 + 1e-9. "-inf" stands for a
masked score. The computed side is in tests/transformer/walkthrough.
"""

import json
import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from tests.page_numbers import DATA
from tests.transformer.walkthrough.decoder import decoder_numbers
from tests.transformer.walkthrough.encoder import encoder_numbers
from tests.transformer.walkthrough.network import CONFIG, network
from tests.transformer.walkthrough.output import cost_numbers, generation_numbers, output_numbers, stage_shapes
from tests.transformer.walkthrough.traces import trace_a, trace_b
from transformer.dropout import EVALUATION
from transformer.encoder_decoder import encoder_decoder_forward
from transformer.masks import causal_mask
from transformer.perplexity import perplexity
from transformer.softmax import softmax_forward
from transformer.vocabulary import PAD

PARTS = (encoder_numbers, decoder_numbers, output_numbers, generation_numbers, cost_numbers, stage_shapes, trace_a,
         trace_b)
PRINTED = {key: entry for name in ("walkthrough_numbers.json", "walkthrough_traces.json")
           for key, entry in json.loads((DATA / name).read_text(encoding="utf-8")).items()}
NOT_COMPARED = {
    "meta.numpy_version": "the version that printed the walkthrough: no value of the model",
    "init_experiment.n_matmuls": "an input: the experiment is run with it, and with another number every later draw "
                                 "from the random stream would be another",
}


@pytest.fixture(scope="module")
def computed():
    """What the package computes for each display, by key."""
    found = {}
    for part in PARTS:
        numbers_of_part = part(network())
        assert not found.keys() & numbers_of_part.keys()
        found |= numbers_of_part
    return found


def flat(value):
    """The numbers of a display as one array; of numbers with names the values, since the names are compared apart."""
    if isinstance(value, dict):
        return flat(list(value.values()))
    if isinstance(value, list):
        return np.concatenate([flat(part) for part in value]) if value else np.zeros(0)
    return np.asarray(value, dtype=float).reshape(-1)


def is_words(entry):
    return "tol" not in entry and "bound" not in entry


def tolerances(entry, count):
    """Half a unit of the last decimal of each number; numbers without decimals must be equal, up to round-off."""
    half_units = np.tile(flat(entry["tol"]), count // flat(entry["tol"]).size)
    exact = 1e-12 * np.abs(np.where(np.isinf(flat(entry["value"])), 0, flat(entry["value"])))
    return np.where(half_units == 0, exact, half_units * (1 + 1e-9))


def differing(entry, mine):
    """Which numbers do not match. Some displays were rounded to four decimals before they were rounded to three."""
    printed = flat(entry["value"])
    allowed = tolerances(entry, printed.size)
    finite = np.where(np.isinf(printed), 0, printed)
    same = (printed == mine) | (np.abs(finite - mine) <= allowed)
    if entry.get("rounded_twice"):
        same |= np.abs(finite - np.round(mine, 4)) <= allowed
    return ~same


@pytest.mark.parametrize("key", [key for key in PRINTED if key not in NOT_COMPARED])
def test_a_display_of_the_walkthrough_is_computed_again(computed, key):
    entry, mine = PRINTED[key], computed[key]
    if is_words(entry):
        assert mine == entry["value"]
        return
    if isinstance(entry["value"], dict):
        assert list(mine) == list(entry["value"])
    numbers = flat(mine)
    assert numbers.shape == flat(entry["value"]).shape
    if "bound" in entry:  # round-off, of which nobody can print the same digits
        assert np.abs([*numbers, *flat(entry["value"])]).max() < entry["bound"]
        return
    wrong = differing(entry, numbers)
    assert not wrong.any(), f"{key}: printed {flat(entry['value'])[wrong]}, computed {numbers[wrong]}"


def test_every_display_is_computed_or_has_a_reason_not_to_be(computed):
    assert set(PRINTED) - set(computed) == set(NOT_COMPARED)


def test_how_many_numbers_are_compared(computed):
    entries = {key: entry for key, entry in PRINTED.items() if key in computed}
    words = sum(np.size(entry["value"]) for entry in entries.values() if is_words(entry))
    bounded = sum(flat(entry["value"]).size for entry in entries.values() if "bound" in entry)
    numbers = sum(flat(entry["value"]).size for entry in entries.values() if not is_words(entry)) - bounded
    print(f"{numbers} numbers, {words} words or truth values and {bounded} bounds of round-off in {len(entries)} "
          "displays of the walkthrough; not compared:",
          *(f"{key} ({reason})" for key, reason in NOT_COMPARED.items()), sep="\n  ")
    assert (len(entries), len(PRINTED)) == (410, 412)
    assert (numbers, words, bounded) == (7044, 45, 2)


def test_twelve_printed_digits_were_rounded_twice(computed):
    """They lie beyond half a unit of the value, and within half a unit of the value rounded to four decimals."""
    twice = {key: entry for key, entry in PRINTED.items() if entry.get("rounded_twice")}
    beyond = 0
    for key, entry in twice.items():
        mine = flat(computed[key])
        once = {**entry, "rounded_twice": False}
        beyond += differing(once, mine).sum()
        assert not differing(entry, mine).any()
    assert (len(twice), beyond) == (27, 12)


@pytest.mark.parametrize("change", [1e-3, -1e-3])
def test_a_number_that_is_off_by_one_unit_is_noticed(computed, change):
    key = "encoder.self_attn.weights_head0"
    mine = flat(computed[key])
    assert not differing(PRINTED[key], mine).any()
    assert differing(PRINTED[key], mine + change).all()


def test_the_recorded_layers_are_the_model():
    """The displays come from the layers one by one; the whole model must give the same scores, bit for bit."""
    net = network()
    logits, _ = encoder_decoder_forward(net.src, net.tgt, net.params, CONFIG, PAD, EVALUATION)
    assert_array_equal(net.logits, logits)


# --- what the walkthrough says and its numbers do not ----------------------------------------------------------------


def test_untrained_perplexity_is_not_the_number_of_tokens():
    """It is said to be about V = 500. Scores of variance s cost s / 2 more than log V: loss 6.97, perplexity 1,064."""
    net = network()
    spread = net.logits.var(axis=1)
    expected = np.log(net.softmax.total[:, 0]) + net.softmax.top[:, 0] - net.logits.mean(axis=1)  # over all labels
    assert_allclose(expected, math.log(500) + spread / 2, atol=0.15)
    assert round(perplexity([(loss, 1) for loss in expected])) > 700
    assert PRINTED["output.loss_mean"]["value"] > math.log(500) + 0.5


def test_the_mask_is_not_strictly_triangular():
    """It is called strictly lower-triangular; but each position reads itself, and the diagonal is open."""
    mask = causal_mask(7)
    assert mask.diagonal().all() and not np.array_equal(mask, np.tri(7, k=-1, dtype=bool))
    assert PRINTED["decoder.allowed_per_row"]["value"] == mask.sum(axis=1).tolist()


def test_minus_a_billion_is_not_minus_infinity():
    """It is called safe. Where everything is masked, replaced scores give equal weights, and added to scores in double
    precision it changes nothing at all; with minus infinity and our rule the weights are 0."""
    scores = np.array([3.0, 1.0, 2.0])
    assert_allclose(softmax_forward(np.full(3, -1e9, np.float32))[0], 1 / 3, rtol=1e-6)
    assert_allclose(softmax_forward(scores - 1e9)[0], softmax_forward(scores)[0], rtol=1e-6)
    assert not softmax_forward(np.full(3, -np.inf))[0].any()
