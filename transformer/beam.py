"""Beam search: the most probable continuations, found by keeping several at a time."""

from typing import NamedTuple

import numpy as np

from transformer.generation import log_probabilities, take_rows


class Hypothesis(NamedTuple):
    """One continuation. Its score is its log-probability divided by the length penalty of its number of tokens."""

    ids: tuple              # what was written, the end token included
    log_probability: float  # the sum over all tokens of ids
    score: float
    ended: bool             # by the end token, not by max_new


# --- length penalties: functions of n, the number of tokens written, the end token included --------------------------


def no_penalty(n):
    """1: the score is the log-probability, which favours short continuations."""
    return 1.0


def mean_penalty(n):
    """n: the score is the mean log-probability of a token."""
    return float(n)


def gnmt_penalty(alpha):
    """((5 + n) / 6)^alpha (Wu et al. 2016, eq. 14): 0 is no penalty, and the larger alpha, the longer the results."""

    def penalty(n):
        return ((5 + n) / 6) ** alpha

    return penalty


# --- the search ------------------------------------------------------------------------------------------------------


def beam_search(step, prompt, width, max_new, eos, penalty=no_penalty, n_best=None, state=None):
    """The best continuations of one prompt that the search finds, best first: a list of n_best Hypothesis, or fewer.

    At each step every open continuation is extended by every token; the ``width`` of them with the largest
    log-probability are kept, of equal ones the one from the better continuation, then the lower id. Those that end are
    put aside, the others stay open. With width 1 this is greedy choice. Continuations still open after ``max_new``
    tokens compete as they are. The search stops early only when none that is open can still beat the n_best-th that is
    finished: a sum of log-probabilities only falls, so the best that an open one can reach is its present sum divided
    by the largest penalty still ahead.

    step, state: see transformer.generation; the state has one row, and must hold all that belongs to a row, since rows
    are copied and dropped (``take_rows``). prompt: (n,). n_best: ``width`` unless given. Raises ValueError for a width,
    max_new or n_best below 1, an empty prompt, or a penalty that is not positive.
    """
    n_best = width if n_best is None else n_best
    if min(width, max_new, n_best, len(prompt)) < 1:
        raise ValueError(f"width, max_new, n_best and the length of the prompt must be at least 1, "
                         f"got {width}, {max_new}, {n_best} and {len(prompt)}")
    penalties = [penalty(n) for n in range(1, max_new + 1)]
    if not min(penalties) > 0:
        raise ValueError(f"a length penalty must be positive, got {min(penalties)}: it would turn the order around")

    finished = []
    written = np.zeros((1, 0), dtype=np.int64)         # (open, tokens written)
    sums = np.zeros(1)                                 # (open,), their log-probabilities, largest first
    unread = np.array(prompt, dtype=np.int64)[None]    # (open, tokens not read yet)
    for n, lp in enumerate(penalties, start=1):
        logits, state = step(unread, state)
        totals = sums[:, None] + log_probabilities(logits)                   # (open, V)
        best = np.argsort(-totals, axis=None, kind="stable")[:width]
        best = best[np.isfinite(totals.flat[best])]                          # a token that is ruled out extends nothing
        rows, tokens = np.divmod(best, totals.shape[1])                      # (kept,) each
        written = np.concatenate([written[rows], tokens[:, None]], axis=1)   # (kept, n)
        sums = totals.flat[best]                                             # (kept,)
        done = (tokens == eos) | (n == max_new)
        finished += [Hypothesis(tuple(ids.tolist()), float(total), float(total) / lp, bool(ids[-1] == eos))
                     for ids, total in zip(written[done], sums[done])]
        finished.sort(key=lambda hypothesis: -hypothesis.score)

        rows, written, sums, unread = rows[~done], written[~done], sums[~done], tokens[~done, None]
        if not sums.size or cannot_improve(finished, n_best, sums[0], penalties[n:]):
            break
        state = take_rows(state, rows)
    return finished[:n_best]


def cannot_improve(finished, n_best, best_sum, penalties_ahead):
    """Whether no open continuation can still beat the n_best-th finished one.

    finished: sorted by score. best_sum: the largest log-probability of an open continuation, at most 0.
    penalties_ahead: of the lengths that it can still end with, at least one.
    """
    return len(finished) >= n_best and finished[n_best - 1].score >= best_sum / max(penalties_ahead)
