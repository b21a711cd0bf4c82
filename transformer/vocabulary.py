"""A vocabulary of whole words: a dict from word to id, for sentences that are followed by hand.

The ids 0, 1 and 2 are padding, start and end. Words get theirs in the order in which they first appear.
"""

PAD, SOS, EOS = 0, 1, 2
SPECIAL = {"<pad>": PAD, "<sos>": SOS, "<eos>": EOS}


def build(text, ids=None):
    """The vocabulary of a text, whose words stand between blanks.

    ids: one id for each different word, in the order of first appearance; 3, 4, 5, ... unless given. Returns a dict
    from word to id that starts with the special words. Raises ValueError if a word of the text is a special word, or if
    the ids are not as many as the words, repeat, or are below 3.
    """
    words = list(dict.fromkeys(text.split()))
    reserved = [word for word in words if word in SPECIAL]
    if reserved:
        raise ValueError(f"the text holds the special word {reserved[0]!r}: write the word in another way")
    ids = range(len(SPECIAL), len(SPECIAL) + len(words)) if ids is None else [int(number) for number in ids]
    if len(ids) != len(words) or len(set(ids)) != len(ids) or min(ids, default=len(SPECIAL)) < len(SPECIAL):
        raise ValueError(f"the {len(words)} words need as many different ids, each {len(SPECIAL)} or more; "
                         f"got {list(ids)}")
    return SPECIAL | dict(zip(words, ids))


def encode(text, vocabulary):
    """The ids of the words of a text, a list. Raises ValueError with the first word that is not in the vocabulary."""
    for word in text.split():
        if word not in vocabulary:
            raise ValueError(f"the word {word!r} is not in the vocabulary of {len(vocabulary)} words: build it from a "
                             "text that holds the word")
    return [vocabulary[word] for word in text.split()]


def decode(ids, vocabulary):
    """The words of ids, with a blank between them. Raises ValueError with the first id that no word has."""
    ids = list(ids)  # they are gone through twice
    words = {number: word for word, number in vocabulary.items()}
    for number in ids:
        if number not in words:
            raise ValueError(f"no word of the vocabulary has the id {number}")
    return " ".join(words[number] for number in ids)
