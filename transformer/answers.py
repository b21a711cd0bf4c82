"""What a trained model answers to a text: by chance, or by beam search."""

from typing import NamedTuple

from transformer.beam import beam_search
from transformer.generation import generate, take_rows


class Answer(NamedTuple):
    text: str
    tokens: int    # how many were written, the end token included
    ended: bool    # by the end token; otherwise the answer was cut


def sampled(writing, count, max_new, choose, rng):
    """Answers by chance, each with its own: a list of count Answer.

    writing: a recipes.common.Writing. choose: a generation.sampler. rng: a numpy Generator.
    """
    written = generate(writing.step, [writing.prompt] * count, max_new, choose, writing.eos, rng=rng,
                       state=take_rows(writing.state, [0] * count))
    start = len(writing.prompt)
    rows = [ids[start:n] for ids, n in zip(written.ids.tolist(), written.lengths, strict=True)]
    return [Answer(writing.text(ids), len(ids), ids[-1] == writing.eos) for ids in rows]


def searched(writing, count, width, max_new):
    """The likeliest answers that a search of this width finds, best first: a list of count Answer, or fewer."""
    found = beam_search(writing.step, writing.prompt, width, max_new, writing.eos, n_best=count, state=writing.state)
    return [Answer(writing.text(hypothesis.ids), len(hypothesis.ids), hypothesis.ended) for hypothesis in found]
