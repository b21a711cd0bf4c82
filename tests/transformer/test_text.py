"""A user's corpus: reading, splitting and cutting into windows with one shift."""

import hashlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from transformer.data import text
from transformer.files import FileRefused

# --- reading ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("content", ["plain\n", "line\r\nline\rline\n", "naïve 👩‍👩‍👧\n", " \t "])
def test_a_text_is_read_as_it_is(tmp_path, content):
    path = tmp_path / "corpus.txt"
    path.write_bytes(content.encode())
    assert text.read_corpus(path) == (content, hashlib.sha256(content.encode()).hexdigest())


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path):
    path = tmp_path / "corpus.txt"
    path.write_bytes(b"\xef\xbb\xbfabc")
    assert text.read_corpus(path)[0] == "abc"


@pytest.mark.parametrize(("data", "line", "offset", "byte"), [
    (b"ab\ncaf\xe9 au lait\n", 2, 6, "e9"),       # Latin-1
    (b"\xff\xfea\x00b\x00", 1, 0, "ff"),           # UTF-16
    (b"a\r\nb\rc\nd\x80", 4, 8, "80"),             # all three kinds of line ends
    ("é".encode() + b"\n\xc3", 2, 3, "c3"),        # cut short in the middle of a character
])
def test_what_is_not_utf8_is_refused_with_line_and_offset(tmp_path, data, line, offset, byte):
    path = tmp_path / "corpus.txt"
    path.write_bytes(data)
    message = rf"corpus.txt:{line}: not UTF-8: byte 0x{byte} at offset {offset} .*save the file as UTF-8"
    with pytest.raises(FileRefused, match=message):
        text.read_corpus(path)


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf"])
def test_an_empty_file_is_refused(tmp_path, data):
    path = tmp_path / "corpus.txt"
    path.write_bytes(data)
    with pytest.raises(FileRefused, match="the file is empty"):
        text.read_corpus(path)


@pytest.mark.parametrize("name", ["missing.txt", "."])
def test_what_cannot_be_read_is_refused(tmp_path, name):
    with pytest.raises(FileRefused, match="cannot be read.*name a text file"):
        text.read_corpus(tmp_path / name)


# --- splitting -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "share", "kept"), [(100, 0.1, 10), (101, 0.1, 10), (57, 0.25, 14)])
def test_the_parts_have_no_token_in_common_and_together_are_all(n, share, kept):
    train, validation = text.split(np.arange(n), 3, share)
    assert len(validation) == kept
    assert_array_equal(np.concatenate([train, validation]), np.arange(n))


def test_no_window_of_one_part_holds_a_token_of_the_other():
    train, validation = text.split(np.arange(60), 4, 0.2)
    rng = np.random.default_rng(0)
    seen = np.stack(text.random_windows(train, 500, 4, rng))
    held = np.stack(text.random_windows(validation, 500, 4, rng))
    assert set(seen.ravel().tolist()) == set(range(48))
    assert set(held.ravel().tolist()) == set(range(48, 60))


@pytest.mark.parametrize(("n", "T", "why"), [(40, 4, "4 tokens to validate on, and a window of T = 4 needs 5"),
                                             (10, 40, "9 tokens to train on")])
def test_a_part_without_a_window_is_refused(n, T, why):
    with pytest.raises(ValueError, match=f"the corpus leaves {why}"):
        text.split(np.arange(n), T, 0.1)


@pytest.mark.parametrize("share", [0, 1, -0.1, 2])
def test_a_share_outside_0_to_1_is_refused(share):
    with pytest.raises(ValueError, match="must lie between 0 and 1"):
        text.split(np.arange(100), 2, share)


# --- windows ---------------------------------------------------------------------------------------------------------


@settings(deadline=None)
@given(st.integers(2, 40), st.integers(1, 12), st.integers(1, 5), st.integers(0, 3))
def test_row_D27_the_target_at_t_is_token_t_plus_1_in_random_windows(n, T, B, seed):
    """The tokens are 0 to n - 1, so that a token is its own place."""
    if n <= T:
        with pytest.raises(ValueError, match="hold no window of T"):
            text.random_windows(np.arange(n), B, T, np.random.default_rng(seed))
        return
    inputs, targets = text.random_windows(np.arange(n), B, T, np.random.default_rng(seed))
    assert inputs.shape == targets.shape == (B, T)
    assert_array_equal(targets, inputs + 1)
    assert_array_equal(inputs, inputs[:, :1] + np.arange(T))


@settings(deadline=None)
@given(st.integers(2, 60), st.integers(1, 12))
def test_row_D27_the_target_at_t_is_token_t_plus_1_in_all_windows(n, T):
    """Per row, and each token but the first is a target exactly once; what fills up the last window does not count."""
    inputs, targets = text.all_windows(np.arange(n), T)
    real = targets != text.IGNORED
    assert_array_equal(targets[real], inputs[real] + 1)
    assert_array_equal(targets[real], np.arange(1, n))
    assert inputs.shape == targets.shape == (-(-(n - 1) // T), T)


def test_every_window_can_come_up_and_none_reaches_over_the_end():
    inputs, targets = text.random_windows(np.arange(9), 400, 3, np.random.default_rng(0))
    assert set(inputs[:, 0].tolist()) == set(range(6))
    assert targets.max() == 8


def test_windows_of_one_token_have_no_target():
    with pytest.raises(ValueError, match="1 tokens have no target"):
        text.all_windows(np.arange(1), 3)
