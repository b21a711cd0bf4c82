"""The vocabulary of whole words."""

import json

import numpy as np
import pytest

from transformer import vocabulary

PREFIX, CONTINUATION = "the cat sat on the mat and was looking", "at a tiny mouse running by"


def test_words_get_ids_in_the_order_of_first_appearance():
    built = vocabulary.build("the cat sees the dog")
    assert built == {"<pad>": 0, "<sos>": 1, "<eos>": 2, "the": 3, "cat": 4, "sees": 5, "dog": 6}


def test_given_ids_go_to_the_words_in_that_order():
    """The walkthrough draws its ids: 14 of the numbers from 50 to 499, by the generator with seed 0."""
    ids = np.random.default_rng(0).choice(np.arange(50, 500), size=14, replace=False)
    built = vocabulary.build(f"{PREFIX} {CONTINUATION}", ids)
    assert vocabulary.encode(PREFIX, built) == [83, 168, 458, 328, 83, 421, 185, 276, 274]
    assert vocabulary.encode(CONTINUATION, built) == [127, 340, 68, 57, 412, 322]
    assert len(built) == 17
    json.dumps(built)  # plain numbers, not NumPy's


def test_words_come_back():
    built = vocabulary.build(PREFIX)
    assert vocabulary.decode(vocabulary.encode(PREFIX, built), built) == PREFIX
    assert vocabulary.decode([1, 3, 2, 0], built) == "<sos> the <eos> <pad>"


def test_ids_may_come_one_by_one():
    assert vocabulary.decode(iter([3, 4]), vocabulary.build("cat dog")) == "cat dog"
    with pytest.raises(ValueError, match="no word of the vocabulary has the id 50"):
        vocabulary.decode(iter([3, 50]), vocabulary.build("cat"))


def test_an_unknown_word_is_refused_by_name():
    with pytest.raises(ValueError, match="the word 'dog' is not in the vocabulary of 4 words"):
        vocabulary.encode("cat dog bird", vocabulary.build("cat"))


def test_an_id_that_no_word_has_is_refused():
    with pytest.raises(ValueError, match="no word of the vocabulary has the id 50"):
        vocabulary.decode([3, 50], vocabulary.build("cat"))


@pytest.mark.parametrize("ids", [[3], [3, 3], [2, 3], [3, 4, 5]])
def test_ids_must_be_as_many_as_the_words_different_and_free(ids):
    with pytest.raises(ValueError, match="the 2 words need as many different ids, each 3 or more"):
        vocabulary.build("cat dog", ids)


def test_a_text_with_a_special_word_is_refused():
    with pytest.raises(ValueError, match="the special word '<eos>'"):
        vocabulary.build("cat <eos>")


def test_a_text_without_words_has_only_the_special_words():
    assert vocabulary.build("") == vocabulary.SPECIAL
