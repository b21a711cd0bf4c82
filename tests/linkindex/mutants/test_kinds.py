"""Every kind of mutant: which change is made of which code."""

import pytest
from linkindex.model import Held
from linkindex.mutants.change import mutants_of
from linkindex.mutants.normal_form import normal_form

MATRIX, OTHER, ROW = Held((2, 3), "a"), Held((2, 3), "b"), Held((3,), "c")
FRAME = {"A": MATRIX, "B": OTHER, "same": MATRIX, "x": ROW, "p['w']": MATRIX, "p['v']": OTHER}  # what the code saw

# (kind, code, one of its mutants)
MADE = [
    ("operator", "a + b", "a - b"),
    ("operator", "a @ b", "a * b"),
    ("operator", "a and b", "a or b"),
    ("operand dropped", "a + b", "a"),
    ("operand dropped", "a + b", "b"),
    ("operands swapped", "a - b", "b - a"),
    ("sign", "-a", "a"),
    ("comparison", "a < b", "a <= b"),
    ("branches swapped", "a if c else b", "b if c else a"),
    ("branches swapped", "np.where(c, a, b)", "np.where(c, b, a)"),
    ("constant", "a * 2.0", "a * 1.0"),
    ("constant", "f(a, keepdims=True)", "f(a, keepdims=False)"),
    ("transpose dropped", "a.T", "a"),
    ("transpose dropped", "a.swapaxes(-1, -2)", "a"),
    ("infinity", "-np.inf", "-0.0"),
    ("function", "np.exp(a)", "np.expm1(a)"),
    ("function", "max(a, b)", "min(a, b)"),
    ("call dropped", "np.exp(a)", "a"),
    ("call dropped", "a.sum()", "a"),
    ("arguments swapped", "f(a, b)", "f(b, a)"),
    ("variable", "f(A)", "f(B)"),
    ("key", "f(p['w'])", "f(p['v'])"),
    ("value negated", "a", "-a"),
    ("value times 1.001", "a", "a * 1.001"),
    ("last axis reversed", "a", "a[..., ::-1]"),
    ("first axis reversed", "a", "a[::-1]"),
]


def made(code, value=MATRIX):
    return {(mutant.kind, mutant.code) for mutant in mutants_of(code, FRAME, value)}


@pytest.mark.parametrize(("kind", "code", "mutant"), MADE)
def test_a_mutant_of_this_kind_is_made(kind, code, mutant):
    assert (kind, mutant) in made(code)


def test_no_kind_is_missing_above():
    """A new kind needs a row of the table."""
    assert {kind for _, code, _ in MADE for kind, _ in made(code)} == {kind for kind, *_ in MADE}


@pytest.mark.parametrize(("code", "mutant"), [
    ("a + b", "b + a"), ("np.maximum(a, b)", "np.maximum(b, a)"), ("f(A)", "f(same)"), ("f(A)", "f(x)"),
    ("a - a", "a - a"),
])
def test_a_change_that_changes_nothing_or_does_not_fit_is_not_made(code, mutant):
    assert mutant not in {code for _, code in made(code)}


SEEN = {
    "e": Held((4, 3), "e", dtype="float64"), "p": Held((4, 3), "p", dtype="float64"),
    "mask": Held((4, 3), "m", dtype="bool"), "square": Held((3, 3), "s", dtype="float64"),
    "mean": Held((4, 1), "n", dtype="float64"), "v": Held((3,), "v", dtype="float64"),
    "w": Held((3,), "w", dtype="float64"), "a": Held((), "a", dtype="float"), "b": Held((), "b", dtype="float"),
    "c": Held((), "c", dtype="float"),
}  # fmt: skip
ALIKE = [
    ("max(a, 1)", "max(1, a)"),
    ("np.multiply(a, b)", "np.multiply(b, a)"),
    ("np.clip(e, -a, a)", "np.clip(-a, e, a)"),
    ("a * b * c", "c * (b * a)"),
    ("a * (e @ p.T)", "e @ p.T * a"),
    ("v @ w", "w @ v"),
    ("np.dot(v, w)", "np.dot(w, v)"),
    ("e / e.shape[-1]", "e / p.shape[-1]"),
    ("e / len(e)", "e / len(p)"),
    ("e / e.size", "e / mask.size"),
    ("np.zeros(4, e.dtype)", "np.zeros(4, p.dtype)"),
    ("np.zeros_like(e)", "np.zeros_like(p)"),
    ("e / square.shape[-1]", "e / square.shape[-2]"),
    ("mean[..., -1]", "mean[..., 0]"),
    ("mean[:, ::-1]", "mean[:, ::1]"),
    ("mean.sum(axis=-1)", "mean.mean(axis=-1)"),
    ("np.max(mean, axis=1)", "np.min(mean, axis=1)"),
    ("np.swapaxes(e, -1, -2)", "np.swapaxes(e, -2, -1)"),
    ("e.swapaxes(-1, -2)", "e.swapaxes(-2, -1)"),
]
DIFFERENT = [
    ("np.max(a, 1)", "np.max(1, a)"),
    ("np.clip(e, -a, a)", "np.clip(e, a, -a)"),
    ("a - b", "b - a"),
    ("e @ p", "p @ e"),
    ("np.dot(e, square)", "np.dot(square, e)"),
    ("np.zeros(4, e.dtype)", "np.zeros(4, mask.dtype)"),
    ("np.zeros_like(e)", "np.zeros_like(mask)"),
    ("e / e.shape[-1]", "e / e.shape[-2]"),
    ("e / e.shape[-1]", "e / e.shape[1]"),  # on a batch, that is another axis
    ("mean[..., -1]", "mean[..., -2]"),
    ("e[..., -1]", "e[..., 0]"),
    ("e.sum(axis=-1)", "e.mean(axis=-1)"),
    ("mean.sum(axis=0)", "mean.mean(axis=0)"),
]


@pytest.mark.parametrize(("code", "other"), ALIKE)
def test_code_that_no_test_could_tell_apart_has_one_normal_form(code, other):
    assert normal_form(code, SEEN) == normal_form(other, SEEN)


@pytest.mark.parametrize(("code", "other"), DIFFERENT)
def test_code_that_a_test_could_tell_apart_has_two(code, other):
    assert normal_form(code, SEEN) != normal_form(other, SEEN)


@pytest.mark.parametrize(("code", "other"), [
    ("max(a, 1)", "max(1, a)"), ("e / e.shape[-1]", "e / p.shape[-1]"), ("mean[..., -1]", "mean[..., -0]"),
    ("v @ w", "w @ v"), ("mean.sum(axis=-1)", "mean.mean(axis=-1)"),
])
def test_a_mutant_with_the_normal_form_of_the_code_is_not_made(code, other):
    codes = {mutant.code for mutant in mutants_of(code, SEEN, SEEN["e"])}
    assert codes and other not in codes


def test_an_axis_of_length_1_is_not_reversed():
    assert not {mutant for _, mutant in made("a", Held((1, 1), "a"))} & {"a[..., ::-1]", "a[::-1]"}
