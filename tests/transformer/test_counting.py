"""Parameters and multiply-adds: printed numbers of the lesson, GPT-2, and a count of the products that really run."""

import json
import math

import numpy as np
import pytest

from tests.page_numbers import DATA
from tests.transformer.model_samples import PAD, language_model, translation_model
from tests.transformer.published_models import BASE, GERMAN, TOY, shapes
from transformer import decoder_only, encoder_decoder
from transformer.counting import (attention_multiply_adds, counts_by_group, decoder_only_multiply_adds,
                                  encoder_decoder_multiply_adds, linear_multiply_adds, parameter_count)
from transformer.decoder_only import decoder_only_forward
from transformer.dropout import EVALUATION
from transformer.encoder_decoder import encoder_decoder_forward
from transformer.parameters import scope, shapes_of

PRINTED = json.loads((DATA / "model_sizes.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def base():
    return shapes(BASE)


def test_the_reversal_toy_has_234_304_parameters():
    assert parameter_count(shapes(TOY)) == PRINTED["toy.parameters"] == 234_304
    vector, _ = encoder_decoder.init_encoder_decoder(TOY, np.random.default_rng(0))
    assert vector.size == PRINTED["toy.parameters"]


def test_row_C22_the_base_model_has_63_082_496_parameters(base):
    assert parameter_count(base) == PRINTED["base.parameters.total"] == 63_082_496
    groups = counts_by_group(base)
    assert {groups[f"encoder{n}"] for n in range(6)} == {PRINTED["base.parameters.encoder_layer"]}
    assert {groups[f"decoder{n}"] for n in range(6)} == {PRINTED["base.parameters.decoder_layer"]}
    assert parameter_count(base) - groups["E"] == PRINTED["base.layers_total"]
    assert parameter_count(scope(base, "encoder0.attention")) == PRINTED["base.parameters.attention"]
    assert parameter_count(scope(base, "encoder0.ffn")) == PRINTED["base.parameters.ffn"]


def test_row_C22_a_separate_output_matrix_makes_82_026_496(base):
    separate = {**base, "E_out": base["E"]}
    assert parameter_count(separate) == PRINTED["base.parameters.separate_output"] == 82_026_496


def test_the_attention_biases_of_the_base_model_are_36_864(base):
    biases = {name: shape for name, shape in base.items() if name.endswith(("bq", "bk", "bv", "bo"))}
    assert parameter_count(biases) == PRINTED["base.parameters.attention_biases_removed"]


def test_row_C22_two_vocabularies_of_32_000_make_76_906_496():
    german = shapes(GERMAN)
    assert parameter_count(german) == PRINTED["german.total"] == 76_906_496
    assert counts_by_group(german)["E_src"] == counts_by_group(german)["E"] == PRINTED["german.table"]


def test_row_C22_gpt_2_small_has_124_439_808_parameters_and_163_037_184_untied():
    gpt2 = shapes(decoder_only.Config(V=50257, n_max=1024, d=768, H=12, d_ff=3072, layers=12))
    assert parameter_count(gpt2) == 124_439_808
    assert parameter_count({**gpt2, "output": gpt2["E"]}) == 163_037_184


class Counting(np.ndarray):
    """An array that counts the multiply-adds of the matrix products it takes part in."""

    total = 0

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        plain = [np.asarray(value) if isinstance(value, np.ndarray) else value for value in inputs]
        result = getattr(ufunc, method)(*plain, **kwargs)
        if ufunc is np.matmul and min(value.ndim for value in plain) > 1:  # a product with a vector of ones is a sum
            Counting.total += result.size * plain[0].shape[-1]
        return result.view(Counting) if isinstance(result, np.ndarray) else result


def counted(run, params):
    """How many multiply-adds the matrix products of ``run(params)`` make."""
    Counting.total = 0
    run({name: value.view(Counting) for name, value in params.items()})
    return Counting.total


@pytest.mark.parametrize("T", [1, 4, 7])
def test_multiply_adds_of_the_language_model_are_those_that_run(T):
    config, params = language_model()
    ids = np.ones((T,), dtype=int)
    run = counted(lambda params: decoder_only_forward(ids, params, config, EVALUATION), params)
    assert decoder_only_multiply_adds(shapes_of(params), config, T) == run > 0


@pytest.mark.parametrize("sharing", encoder_decoder.SHARING)
@pytest.mark.parametrize(("n_src", "T"), [(1, 1), (5, 3), (2, 7)])
def test_multiply_adds_of_the_model_of_2017_are_those_that_run(n_src, T, sharing):
    config, params = translation_model(sharing)
    src, tgt = np.ones((n_src,), dtype=int), np.ones((T,), dtype=int)
    run = counted(lambda params: encoder_decoder_forward(src, tgt, params, config, PAD, EVALUATION), params)
    assert encoder_decoder_multiply_adds(shapes_of(params), config, n_src, T) == run > 0


def test_the_pieces_of_a_count():
    """7 rows through an output matrix of 500 tokens and width 8 are the 28,000 that the walkthrough prints."""
    assert linear_multiply_adds({"W": (8, 500), "b": (500,), "E": (500, 8), "P": (9, 8)}, 7) == 28_000
    assert attention_multiply_adds(3, 5, 8) == 2 * math.prod((3, 5, 8))
