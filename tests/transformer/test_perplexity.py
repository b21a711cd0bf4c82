"""The mean loss of real targets does not depend on how the data were cut into batches."""

import math

import numpy as np
import pytest

from transformer.cross_entropy import cross_entropy_forward, number_of_targets
from transformer.data import reversal
from transformer.perplexity import mean_over_targets, perplexity
from transformer.vocabulary import PAD


def test_row_D26_two_sequences_of_different_length():
    """Losses that add up to 0.4 over 3 tokens and to 1.5 over 5: one mean over 8, not the mean of two means."""
    parts = [(0.4 / 3, 3), (1.5 / 5, 5)]
    assert round(perplexity(parts), 4) == 1.2681 == round(math.exp(1.9 / 8), 4)
    assert mean_over_targets(parts) != pytest.approx((0.4 / 3 + 1.5 / 5) / 2, rel=1e-3)


def test_row_D26_the_batch_size_does_not_change_perplexity():
    """16 sequences of 3 to 8 letters, each batch padded to its own longest row."""
    rng = np.random.default_rng(0)
    sources = reversal.draw(16, rng)
    scores = rng.normal(size=(len(sources), sources.shape[1] + 1, len(reversal.VOCABULARY)))  # (16, 9, V)

    def measured(size):
        parts = []
        for start in range(0, 16, size):
            targets = reversal.from_sources(sources[start:start + size]).tgt_out
            loss, _ = cross_entropy_forward(scores[start:start + size, :targets.shape[1]], targets, PAD)
            parts.append((loss, number_of_targets(targets, PAD)))
        return perplexity(parts), sum(n for _, n in parts)

    one_by_one, real = measured(1)
    assert real == np.count_nonzero(sources) + 16
    for size in (3, 4, 16):
        assert measured(size)[0] == pytest.approx(one_by_one, rel=1e-13)
        assert measured(size)[1] == real


def test_row_D26_a_batch_of_padding_alone_weighs_nothing():
    assert mean_over_targets([(0.5, 4), (0.0, 0)]) == 0.5


def test_a_loss_beyond_what_a_float_can_hold_is_infinite_perplexity():
    assert perplexity([(709.0, 3)]) < math.inf
    assert perplexity([(710.0, 3)]) == math.inf


def test_no_real_target_at_all_is_refused():
    with pytest.raises(ValueError, match="no batch has a real target"):
        mean_over_targets([(0.0, 0)])
