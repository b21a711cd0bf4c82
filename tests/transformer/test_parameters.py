"""Named parameters in one flat vector."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from transformer import parameters

SHAPES = {"embedding": (7, 4), "block0.attention.wq": (4, 4), "block0.attention.bq": (4,), "block0.norm.gamma": (4,),
          "block1.attention.wq": (4, 4), "scale": ()}


def numbered(dtype=np.float64):
    vector, views = parameters.allocate(SHAPES, dtype)
    vector[...] = np.arange(len(vector))
    return vector, views


def test_each_view_has_its_shape_and_they_fill_the_vector_in_order():
    vector, views = numbered()
    assert {name: view.shape for name, view in views.items()} == SHAPES
    assert_array_equal(np.concatenate([view.ravel() for view in views.values()]), vector)
    assert vector.shape == (28 + 16 + 4 + 4 + 16 + 1,)


def test_views_and_vector_are_the_same_memory_both_ways():
    vector, views = numbered()
    assert all(np.shares_memory(vector, view) for view in views.values())
    vector -= 0.5 * vector
    assert views["block0.attention.bq"].tolist() == [22.0, 22.5, 23.0, 23.5]
    views["block0.attention.bq"][1] = -1
    assert vector[45] == -1


def test_no_two_views_share_memory():
    _, views = parameters.allocate(SHAPES)
    names = list(views)
    assert not any(np.shares_memory(views[a], views[b]) for i, a in enumerate(names) for b in names[:i])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_dtype_is_the_one_asked_for(dtype):
    vector, views = parameters.allocate(SHAPES, dtype)
    assert {view.dtype for view in views.values()} == {vector.dtype} == {np.dtype(dtype)}
    assert parameters.decay_mask(views).dtype == dtype


def test_a_scope_is_the_same_memory_under_plain_names():
    vector, views = numbered()
    block = parameters.scope(views, "block0")
    attention = parameters.scope(block, "attention")
    assert list(block) == ["attention.wq", "attention.bq", "norm.gamma"]
    assert list(attention) == list(parameters.scope(views, "block0.attention")) == ["wq", "bq"]
    assert np.shares_memory(attention["wq"], vector)


def test_a_scope_is_a_whole_name_not_the_beginning_of_one():
    _, views = parameters.allocate({"block1.w": (2,), "block10.w": (3,)})
    assert list(parameters.scope(views, "block1")) == ["w"]
    assert parameters.scope(views, "block1")["w"].shape == (2,)


def test_an_unknown_scope_is_refused_with_the_groups_there_are():
    _, views = parameters.allocate(SHAPES)
    with pytest.raises(KeyError, match="'block2': the groups are block0, block0.attention, block0.norm, block1, "):
        parameters.scope(views, "block2")


def test_scoped_is_the_reverse_of_scope():
    _, views = parameters.allocate(SHAPES)
    assert list(parameters.scoped("block1.attention", {"wq": 1})) == ["block1.attention.wq"]
    inside = parameters.scope(views, "block0")
    assert parameters.scope(parameters.scoped("block0", inside), "block0").keys() == inside.keys()


def test_a_gradient_has_the_same_layout():
    theta, views = numbered()
    g, grads = parameters.allocate(parameters.shapes_of(views), theta.dtype)
    parameters.assign(grads, {name: 2 * view for name, view in views.items()})
    assert_array_equal(g, 2 * theta)


@pytest.mark.parametrize("change", ["missing", "unknown", "shape"])
def test_values_are_assigned_all_or_none(change):
    vector, views = numbered()
    values = {name: np.ones(shape) for name, shape in SHAPES.items()}
    if change == "missing":
        del values["scale"]
    elif change == "unknown":
        values["other"] = np.ones(2)
    else:
        values["scale"] = np.ones(1)
    with pytest.raises(ValueError, match="missing \\['scale'\\]|unknown \\['other'\\]|scale has the shape"):
        parameters.assign(views, values)
    assert_array_equal(vector, np.arange(len(vector)))


def test_a_value_that_would_broadcast_is_refused():
    _, views = parameters.allocate({"w": (3, 4)})
    with pytest.raises(ValueError, match=r"w has the shape \(3, 4\), but the value has \(4,\)"):
        parameters.assign(views, {"w": np.ones(4)})


def test_only_matrices_decay_and_the_two_groups_are_all_parameters():
    _, views = parameters.allocate(SHAPES)
    mask = parameters.decay_mask(views)
    _, parts = parameters.allocate(SHAPES)
    parameters.assign(parts, {name: np.full(shape, len(shape) >= 2) for name, shape in SHAPES.items()})
    assert_array_equal(mask, np.concatenate([part.ravel() for part in parts.values()]))
    assert mask.sum() == 28 + 16 + 16
    assert mask.sum() + (1 - mask).sum() == len(mask)


def test_a_parameter_that_is_also_a_group_is_refused():
    with pytest.raises(ValueError, match="'a.b' would also be the group of 'a.b.c'"):
        parameters.allocate({"a.b": (2,), "a.b.c": (2,)})


def test_no_parameters_make_an_empty_vector():
    vector, views = parameters.allocate({})
    assert vector.shape == (0,) and views == {} and parameters.decay_mask(views).shape == (0,)
