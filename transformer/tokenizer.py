"""Byte-level byte-pair encoding: text to tokens and back, for every text (Sennrich et al. 2016, section 3.2).

A tokenizer is the tuple of its merges. Tokens 0 to 255 are the bytes; token 256 + r stands for the pair of merge r, the
rank of the merge. Text is first cut into pieces, by one rule for training and encoding, and no merge crosses a cut.
"""

import re
from collections import Counter, defaultdict

from transformer.files import FileRefused, read_sealed, sealed, write_whole

BYTES = 256
KIND, VERSION = "byte-pair tokenizer", 1

# Letters (all characters outside ASCII count as letters), digits or other marks, each with at most one blank before
# it; or blanks, of which the last before a word goes to the word. A line end is a piece, and so a token, of its own: by
# it a model knows where a line begins and ends. Only ASCII is told apart, so that the cuts do not depend on the Unicode
# version. A run is cut after 64 characters, so that no text can make merging slow.
PIECE = re.compile(r" ?(?:[a-z]|[^\x00-\x7f]){1,64}| ?[0-9]{1,64}| ?[^\sa-z0-9\x80-\U0010ffff]{1,64}|"
                   r"\n|[^\S\n]{1,64}(?!\S)|\s", re.ASCII | re.IGNORECASE)


def pieces(text):
    """Cut a text; the pieces side by side are the text. No token spans two pieces."""
    return PIECE.findall(text)


def train(text, count):
    """Learn at most ``count`` merges: each joins the pair of neighbours that occurs most often within pieces of text.

    Of pairs that occur equally often the one wins whose joined token is longest, then the one whose left and then right
    part come first in the order of bytes. So the merges depend on how often each piece occurs, not on the order of the
    text. Overlapping pairs count: "aaa" holds "aa" twice. Returns a tuple of (left, right) pairs of token ids, fewer
    than asked for when no pair is left that occurs twice. Raises ValueError for a lone surrogate or a negative number.
    """
    if count < 0:
        raise ValueError(f"the number of merges must not be negative, got {count}")
    repeats = Counter(pieces(checked(text)))
    weights = list(repeats.values())
    # While training, a word is a str with one character for each token, chr(id), and a pair is two such characters:
    # then the search for a pair is one call.
    words = [piece.encode("utf-8").decode("latin-1") for piece in repeats]

    counts = Counter()         # pair -> how often it occurs in the text
    places = defaultdict(set)  # pair -> indices of words that hold it, or held it
    for index, word in enumerate(words):
        for left, right in zip(word, word[1:]):
            counts[left + right] += weights[index]
            places[left + right].add(index)

    tokens = [bytes([byte]) for byte in range(BYTES)]
    learned = []
    while len(learned) < count:
        pair = _best_pair(counts, tokens)
        if pair is None:
            break
        token = chr(BYTES + len(learned))
        for index in places.pop(pair):
            for old, new in _changed_pairs(words[index].split(pair), pair, token):
                counts[old] -= weights[index]
                counts[new] += weights[index]
                places[new].add(index)
            words[index] = words[index].replace(pair, token)
        del counts[pair]
        learned.append((ord(pair[0]), ord(pair[1])))
        tokens.append(tokens[ord(pair[0])] + tokens[ord(pair[1])])
    return tuple(learned)


def encode(text, merges):
    """The tokens of a text, a list of ids: in each piece the merge of lowest rank comes first, wherever it stands.

    Raises ValueError for a lone surrogate, which UTF-8 cannot hold.
    """
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    known = {}  # most pieces occur many times
    ids = []
    for piece in pieces(checked(text)):
        if piece not in known:
            known[piece] = _encode_piece(piece, ranks)
        ids.extend(known[piece])
    return ids


def decode(ids, merges):
    """The text of tokens. Bytes that are no UTF-8, which only a model can produce, become the character U+FFFD.

    Raises ValueError for an id that is no token.
    """
    return decode_bytes(ids, merges).decode("utf-8", errors="replace")


def decode_bytes(ids, merges):
    """The bytes of tokens. Raises ValueError for an id that is no token."""
    tokens = token_bytes(merges)
    ids = list(ids)
    for token in ids:
        if not 0 <= token < len(tokens):
            raise ValueError(f"{token} is no token: this tokenizer has the tokens 0 to {len(tokens) - 1}")
    return b"".join(tokens[token] for token in ids)


def token_bytes(merges):
    """What each token stands for: a list of bytes, of length 256 + len(merges), the size of the vocabulary."""
    tokens = [bytes([byte]) for byte in range(BYTES)]
    for left, right in merges:
        tokens.append(tokens[left] + tokens[right])
    return tokens


def save(path, merges):
    """Write the merges as JSON with a version and a sha256. The file is written whole or not at all."""
    write_whole(path, sealed(KIND, VERSION, {"merges": [list(pair) for pair in merges]}))


def load(path):
    """The merges of a saved tokenizer. Raises FileRefused for a missing, damaged, foreign or newer file."""
    merges = read_sealed(path, KIND, VERSION).get("merges")
    try:
        return pairs_of(merges)
    except ValueError as error:
        raise FileRefused(f"{path} is damaged: {error}; train the tokenizer again") from None


def pairs_of(merges):
    """Merges that were read, as a tuple of pairs. Raises ValueError where they are not pairs of earlier tokens."""
    try:
        pairs = tuple((left, right) for left, right in merges)
        whole = all(type(part) is int and 0 <= part < BYTES + rank for rank, pair in enumerate(pairs) for part in pair)
    except (TypeError, ValueError):
        whole = False
    if not whole:
        raise ValueError("its merges are not pairs of earlier tokens")
    return pairs


def checked(text):
    """The text, if UTF-8 can hold it. Raises ValueError with the place of a lone surrogate."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        code = ord(text[error.start])
        raise ValueError(f"character {error.start} of the text is the lone surrogate U+{code:04X}, which UTF-8 cannot "
                         "hold: remove it, or decode its source with errors='replace'") from None
    return text


def join(word, pair, token):
    """Replace each occurrence of the pair, from left to right, by the token. word: a list of ids; a new one returns."""
    joined, i = [], 0
    while i < len(word):
        if i + 1 < len(word) and (word[i], word[i + 1]) == pair:
            joined.append(token)
            i += 2
        else:
            joined.append(word[i])
            i += 1
    return joined


def _changed_pairs(stretches, pair, token):
    """What joining a pair does to the pairs beside it: (old, new) for each neighbour.

    stretches: the word, split at each occurrence of the pair. Two occurrences side by side share one neighbour.
    """
    left, right = pair
    last = len(stretches) - 1
    for i, stretch in enumerate(stretches):
        if stretch and i > 0:
            yield right + stretch[0], token + stretch[0]
        if stretch and i < last:
            yield stretch[-1] + left, stretch[-1] + token
        if not stretch and 0 < i < last:
            yield right + left, token + token


def _best_pair(counts, tokens):
    """The pair to merge next, by the rule of ``train``; None when no pair occurs twice."""
    most = max(counts.values(), default=0)
    if most < 2:
        return None

    def place(pair):
        left, right = (tokens[ord(part)] for part in pair)
        return -len(left + right), left, right, pair

    return min((pair for pair, count in counts.items() if count == most), key=place)


def _encode_piece(piece, ranks):
    word = list(piece.encode("utf-8"))
    while len(word) > 1:
        rank, pair = min((ranks.get(pair, len(ranks)), pair) for pair in zip(word, word[1:]))
        if rank == len(ranks):
            break
        word = join(word, pair, BYTES + rank)
    return word
