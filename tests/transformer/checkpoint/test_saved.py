"""What is saved comes back, whole; what cannot be saved leaves what was there."""

import dataclasses
import json
import zipfile

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from tests.transformer.checkpoint.toy import ARRAYS, PROVENANCE, names
from transformer import checkpoint
from transformer.files import FileRefused


def test_what_is_saved_comes_back(saved):
    loaded = checkpoint.load(saved)
    assert loaded.arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert_array_equal(loaded.arrays[name], array, strict=True)
    assert loaded.provenance == PROVENANCE
    assert names(saved.parent) == ["toy.json", "toy.npz"]


def test_the_state_of_a_generator_comes_back_to_the_last_bit(saved):
    rng, restored = np.random.default_rng(0), np.random.default_rng(1)
    restored.bit_generator.state = checkpoint.load(saved).provenance.progress["rng"]
    assert_array_equal(restored.random(5), rng.random(5))


def test_equal_arguments_give_equal_bytes(saved, tmp_path):
    """Also where the memory of an array has another order."""
    same = {name: np.array(array, order="C") for name, array in ARRAYS.items()}
    checkpoint.save(tmp_path / "again", same, PROVENANCE)
    for suffix in (".npz", ".json"):
        assert (tmp_path / f"again{suffix}").read_bytes() == (tmp_path / f"toy{suffix}").read_bytes()


def test_the_array_file_is_a_plain_npz_without_pickle(saved):
    with np.load(f"{saved}.npz", allow_pickle=False) as file:
        assert set(file.files) == set(ARRAYS)
    assert zipfile.ZipFile(f"{saved}.npz").testzip() is None


def test_the_record_states_arrays_code_and_hashes(saved):
    record = json.loads((saved.parent / "toy.json").read_text())
    assert record["format"] == "transformer checkpoint" and record["version"] == 1
    assert record["arrays"]["embedding"] == ["float64", [3, 2]]
    assert set(record["versions"]) == {"python", "numpy"}
    assert len(record["code_sha256"]) == len(record["arrays_sha256"]) == len(record["sha256"]) == 64


def test_saving_again_replaces_both(saved):
    checkpoint.save(saved, {"theta": np.ones(2)}, dataclasses.replace(PROVENANCE, seed=1))
    loaded = checkpoint.load(saved)
    assert loaded.arrays["theta"].tolist() == [1, 1] and loaded.provenance.seed == 1


@pytest.mark.parametrize(("arrays", "changes", "error", "why"), [
    ({"x": np.array([None])}, {}, TypeError, "the array 'x' holds objects"),
    ({"x": np.ones(1)}, {"curve": [{"loss": float("nan")}]}, ValueError, "not JSON compliant"),
    ({"x": np.ones(1)}, {"configuration": {"rng": np.random.default_rng(0)}}, TypeError, "Generator is no JSON value"),
    ({"x": np.ones(1)}, {"measures": {3: 1.0, "3": 0.5}}, ValueError, "two keys become the same text '3'"),
    ({"x": np.ones(1)}, {"seed": None}, TypeError, "None as its entry 'seed', not a int: load would refuse it"),
    ({"x": np.ones(1)}, {"curve": {"step": 1}}, TypeError, "as its entry 'curve', not a list: load would refuse it"),
    ({"x\0y": np.ones(1)}, {}, ValueError, "the array name 'x.x00y' would be read as 'x': an archive cuts a name"),
    ({"x": np.zeros(1, [(f"field{i}", "f4") for i in range(1000)])}, {}, ValueError, "Header info length"),
])
def test_what_cannot_be_saved_leaves_the_old_pair(saved, arrays, changes, error, why):
    with pytest.raises(error, match=why):
        checkpoint.save(saved, arrays, dataclasses.replace(PROVENANCE, **changes))
    assert checkpoint.load(saved).provenance == PROVENANCE
    assert names(saved.parent) == ["toy.json", "toy.npz"]


def test_keys_that_are_numbers_come_back_as_text(tmp_path):
    """Sorted as numbers, their hash would be another than that of the text that is read."""
    measures = {"accuracy_by_length": {3: 1.0, 8: 0.9, 10: 0.5}}
    curve = [{"step": 1, "by_length": {9: 1, 10: 2, "all": 3}}]
    checkpoint.save(tmp_path / "toy", ARRAYS, dataclasses.replace(PROVENANCE, measures=measures, curve=curve))
    loaded = checkpoint.load(tmp_path / "toy").provenance
    assert loaded.measures == {"accuracy_by_length": {"3": 1.0, "8": 0.9, "10": 0.5}}
    assert loaded.curve == [{"step": 1, "by_length": {"9": 1, "10": 2, "all": 3}}]


def test_a_curve_that_is_a_tuple_and_a_seed_of_numpy_can_be_read(tmp_path):
    checkpoint.save(tmp_path / "toy", ARRAYS, dataclasses.replace(PROVENANCE, curve=({"step": 1},), seed=np.int64(3)))
    loaded = checkpoint.load(tmp_path / "toy").provenance
    assert loaded.curve == [{"step": 1}] and loaded.seed == 3


def test_an_array_whose_dtype_is_read_as_another_can_be_read(tmp_path):
    """The format of NumPy keeps where the fields of a structure lie, not that they are aligned."""
    array = np.zeros(2, np.dtype([("a", "i1"), ("b", "i4")], align=True))
    checkpoint.save(tmp_path / "toy", {"x": array}, PROVENANCE)
    assert_array_equal(checkpoint.load(tmp_path / "toy").arrays["x"], array)


@pytest.mark.parametrize("suffix", [".npz", ".json"])
def test_a_folder_in_the_place_of_a_file_is_neither_written_nor_read(saved, suffix):
    """Nothing is left beside the two, and the file that is there stays as it is."""
    other = saved.parent / ("toy.json" if suffix == ".npz" else "toy.npz")
    before = other.read_bytes()
    (saved.parent / f"toy{suffix}").unlink()
    (saved.parent / f"toy{suffix}").mkdir()
    with pytest.raises(IsADirectoryError):
        checkpoint.save(saved, {"theta": np.ones(2)}, PROVENANCE)
    assert names(saved.parent) == ["toy.json", "toy.npz"] and other.read_bytes() == before
    with pytest.raises(FileRefused, match=rf"toy{suffix} cannot be read \(Is a directory\): name a transformer checkp"):
        checkpoint.load(saved)
