"""The reversal task: what stands in a batch, the one shift, and test sequences that training never sees."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from transformer.data import reversal
from transformer.vocabulary import EOS, PAD, SOS


def rows_of(batch):
    """Source and target of each row as lists without padding."""
    for src, tgt_in, tgt_out in zip(*batch):
        yield tuple([int(token) for token in row if token != PAD] for row in (src, tgt_in, tgt_out))


def test_the_tokens_are_padding_start_end_and_ten_letters():
    names = ["<pad>", "<sos>", "<eos>", *"abcdefghij"]
    assert {name: i for i, name in enumerate(names)} == reversal.VOCABULARY


def test_the_example_of_the_lesson():
    """The lesson's ids of "c a b e d": its source, and its decoder input."""
    batch = reversal.from_sources(np.array([reversal.encode("cabed")]))
    assert batch.src.tolist() == [[5, 3, 4, 7, 6]]
    assert batch.tgt_in.tolist() == [[1, 6, 7, 4, 3, 5]]
    assert batch.tgt_out.tolist() == [[6, 7, 4, 3, 5, 2]]
    assert reversal.decode(batch.tgt_out[0]) == "debac"


def test_row_D27_the_target_is_shifted_once_in_each_row():
    """Of y = start, letters, end: in is y[:-1] and out is y[1:], so the target at t is the input at t + 1."""
    batch = reversal.batch(200, np.random.default_rng(0))
    for src, tgt_in, tgt_out in rows_of(batch):
        y = [SOS, *reversed(src), EOS]
        assert tgt_in == y[:-1]
        assert tgt_out == y[1:]
    later = batch.tgt_in[:, 1:]
    assert_array_equal(batch.tgt_out[:, :-1][later != PAD], later[later != PAD])


def test_padding_stands_only_at_the_end_and_at_the_same_places_in_both_targets():
    batch = reversal.batch(200, np.random.default_rng(1))
    for part in batch:
        padding = part == PAD
        assert (padding[:, 1:] >= padding[:, :-1]).all()
    assert_array_equal(batch.tgt_in == PAD, batch.tgt_out == PAD)
    assert_array_equal((batch.tgt_in != PAD).sum(axis=1), (batch.src != PAD).sum(axis=1) + 1)


def test_a_batch_is_as_wide_as_its_longest_row_and_rows_do_not_depend_on_it():
    sources = np.array([[3, 4, 5, 0, 0, 0, 0, 0], [6, 7, 8, 9, 3, 0, 0, 0]])
    both, first = reversal.from_sources(sources), reversal.from_sources(sources[:1])
    assert [part.shape for part in both] == [(2, 5), (2, 6), (2, 6)]
    assert [part.shape for part in first] == [(1, 3), (1, 4), (1, 4)]
    assert next(rows_of(both)) == next(rows_of(first)) == ([3, 4, 5], [1, 5, 4, 3], [5, 4, 3, 2])


def test_lengths_and_letters_are_drawn_evenly():
    """Each count within five standard deviations of its mean."""
    src = reversal.draw(12000, np.random.default_rng(0))
    lengths = (src != PAD).sum(axis=1)
    for values, kinds in ((lengths, range(3, 9)), (src[src != PAD], range(3, 13))):
        share, n = 1 / len(kinds), values.size
        counts = [np.count_nonzero(values == kind) for kind in kinds]
        assert sum(counts) == n
        assert max(abs(count - n * share) for count in counts) < 5 * np.sqrt(n * share * (1 - share))


def test_test_sequences_are_different_and_never_trained_on():
    held_out = reversal.held_out(500, np.random.default_rng(1234))
    tests = {tuple(row) for row in held_out.tolist()}
    assert held_out.shape == (500, 8) and len(tests) == 500
    rng = np.random.default_rng(0)
    trained, free = set(), set()
    free_rng = np.random.default_rng(0)
    for _ in range(60):
        src = reversal.batch(64, rng, held_out).src
        trained |= {tuple(row) for row in np.pad(src, ((0, 0), (0, 8 - src.shape[1]))).tolist()}
        src = reversal.batch(64, free_rng).src
        free |= {tuple(row) for row in np.pad(src, ((0, 0), (0, 8 - src.shape[1]))).tolist()}
    assert not trained & tests
    assert free & tests, "without the exclusion some would have come up, so the test can fail"


def test_a_sequence_drawn_again_may_not_be_a_test_sequence_either():
    """900 of the 1,000 sequences of three letters are kept back: they come up again and again."""
    every = np.array(list(itertools.product(range(3, 13), repeat=3)))
    unseen = np.pad(every[:900], ((0, 0), (0, 5)))
    src = reversal.batch(2000, np.random.default_rng(0), unseen).src
    short = src[(src != PAD).sum(axis=1) == 3, :3]
    assert len(short) > 10
    assert not {tuple(row) for row in short.tolist()} & {tuple(row) for row in every[:900].tolist()}


def test_many_test_sequences_are_found_although_short_ones_repeat():
    """Of 3,000 random sequences some are equal."""
    rng = np.random.default_rng(3)
    assert len(np.unique(reversal.draw(3000, rng), axis=0)) < 3000
    held_out = reversal.held_out(3000, rng)
    assert len(np.unique(held_out, axis=0)) == len(held_out) == 3000


def test_a_seed_gives_the_same_batches_again():
    for first, again in zip(*(reversal.batch(64, np.random.default_rng(7)) for _ in range(2))):
        assert_array_equal(first, again)


@pytest.mark.parametrize("word", ["cabxd", "cab ", "CAB"])
def test_other_letters_are_refused(word):
    with pytest.raises(ValueError, match="is not one of the letters a to j"):
        reversal.encode(word)


def test_decoding_stops_at_the_end_token_and_leaves_out_the_start():
    assert reversal.decode([1, 5, 3, 4, 2, 7, 0]) == "cab"
    assert reversal.decode([5, 3, 0, 4]) == "ca"
