r"""Every mutant that does not differ from the code by a finite number: fate -> (formula, mutant) -> the reason.

What becomes of mutants is said in ``tests.linkindex.formula.mutate``. Lists that do not hold any more fail the test.
"""

from tests.linkindex.formula.mutate import FILLED, INFINITE, REFUSED, TRUE, UNDEFINED

PAGE = {
    TRUE: {
        ("attention.head-width", "d: H instead"): "H mod H is 0",
        ("attention.head-width", "H: d_h instead"): "d mod d_h is 0",
        ("attention.head-width", "H: d instead"): "d mod d is 0",
        ("attention.weights", "A_{ij}: index 1: j"): "another name for the row whose sum is 1",
        ("attention.weights", "A_{ij}: index 1: k"): "another name for the row whose sum is 1",
        ("attention.weighted-row", r"\sum_{j \le i} A_{ij} (V_h)_{j}: condition dropped"): "masked weights add nothing",
    },
    REFUSED: {
        ("attention.causal-mask", r"S: \bar S instead"): r"\bar S = \bar S: the target is on both sides",
        ("attention.masked-weight", "j > i: right side plus 1"): "says it of fewer cells: the 1 changes nothing",
        ("attention.weighted-row", r"j \le i: right side plus 1"): "one masked weight more: the 1 changes nothing",
        ("attention-backward.masked-gradient", "A_{ij} = 0: right side plus 1"): "0 + 1: the 0 changes nothing",
        ("attention-backward.masked-gradient", "dS: A instead"): "A = 0 implies A = 0: says nothing of dS",
        ("attention-backward.masked-gradient", "A: dS instead"): "dS = 0 implies dS = 0: true whatever dS is",
        ("attention-backward.masked-gradient", "A_{ij} = 0: right side minus 1"): "no weight is -1: says nothing",
        ("attention-backward.masked-gradient", "A_{ij}: index 1: j"): "no weight on the diagonal is 0: says nothing",
        ("attention-backward.masked-gradient", "A_{ij}: index 2: i"): "no weight on the diagonal is 0: says nothing",
    },
    FILLED: {
        ("attention.causal-mask", r"j \le i: right side plus 1"): "a score added to -inf, which stays -inf",
        ("attention.masked-weight", "A_{ij}: index 2: one more"): "behind a masked cell is another, or none",
        ("attention-backward.masked-gradient", "dS_{ij}: index 2: one more"): "behind a masked cell is another",
        ("attention.merge", "H-1: term 1 doubled"): "the same numbers, and H blocks of zeros",
        ("attention.merge", "H-1: sign of term 2"): "the same numbers, and two blocks of zeros",
        ("attention.merge", "H-1: term 2 dropped"): "the same numbers, and one block of zeros",
    },
    INFINITE: {
        ("attention.causal-mask", r"\bar S_{ij}: indices swapped"): "-inf on the other side of the diagonal",
        ("attention.causal-mask", r"\bar S: S instead"): "S is finite where \bar S is -inf, and equal elsewhere",
        ("attention.causal-mask", r"-\infty: sign dropped"): "inf in place of -inf",
        ("attention.causal-mask", "j > i: >= instead"): "-inf on the diagonal too",
        ("attention.causal-mask", "j > i: right side minus 1"): "-inf on the diagonal too",
        ("attention.causal-mask", "j > i: right side plus 1"): "0 in place of -inf beside the diagonal",
        ("attention.causal-mask", "j > i: < instead"): "-inf below the diagonal, 0 above it",
        ("attention.masked-weight", r"-\infty: sign dropped"): "exp(inf) is inf, not 0",
    },
    UNDEFINED: {
        ("attention.masked-weight", r"\exp(-\infty): log instead"): "-inf has no logarithm",
    },
}

HARDER = {
    TRUE: {
        ("top-p set", r"\sum_{j < i} p_j < \rho: <= instead"): "the same, unless the sum is exactly rho",
    },
    REFUSED: {
        ("positions turn", "p + k < T: right side minus 1"): "says it of fewer positions: the 1 changes nothing",
        ("positions turn", "p + k: term 1 doubled"): "says it of fewer positions, and T plays no part",
        ("positions turn", "p + k: term 2 doubled"): "says it of fewer positions, and T plays no part",
        ("positions turn", "k: T instead"): "p + T < T never holds: says nothing",
        ("positions turn", "T: k instead"): "p + k < k never holds: says nothing",
    },
    FILLED: {
        ("running sum", r"\sum_{j=0}^{i} x_j: lower limit minus 1"): "x_{-1} is beyond the axis and adds nothing",
        ("one-based mean", r"\sum_{j=1}^{n} x_j: lower limit minus 1"): "one term beyond the axis adds nothing",
        ("one-based mean", r"\sum_{j=1}^{n} x_j: upper limit plus 1"): "one term beyond the axis adds nothing",
    },
    INFINITE: {
        ("cross-entropy", "p_{t,y_t}: indices swapped"): "a probability beyond the axis is 0, its logarithm -inf",
        ("cross-entropy", "p_{t,y_t}: index 1: one more"): "a probability beyond the axis is 0, its logarithm -inf",
    },
    UNDEFINED: {
        ("LayerNorm", r"\sigma^2 + \epsilon: sign of term 1"): "epsilon minus the variance has no root",
        ("LayerNorm input gradient", r"\sigma^2 + \epsilon: sign of term 1"): "epsilon minus the variance has no root",
        ("RMSNorm", r"\frac{1}{d} \sum_k x_k^2 + \epsilon: sign of term 1"): "epsilon minus the square has no root",
    },
}
