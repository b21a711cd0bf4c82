"""Checkpoints: what is saved comes back, whole or not at all, also where saving was killed."""

import dataclasses
import json
import os
import signal
import sys
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from transformer import checkpoint
from transformer.checkpoint import Provenance
from transformer.files import FileRefused, sealed
from transformer.provenance import code_hashes

ARRAYS = {"theta": np.arange(6, dtype=np.float32), "adam.t": np.array(3), "embedding": np.arange(6.0).reshape(2, 3).T,
          "mask": np.array([True, False]), "empty": np.zeros((0, 2))}
PROVENANCE = Provenance(configuration={"d": 64, "H": 4, "dropout": 0.1}, seed=0, data_sha256="0" * 64,
                        code=code_hashes(["transformer.softmax:softmax_forward", "transformer.heads:merge_heads"]),
                        curve=[{"step": 1, "loss": 5.25}, {"step": 100, "loss": 1.5}],
                        progress={"step": 100, "rng": np.random.default_rng(0).bit_generator.state})


@pytest.fixture
def saved(tmp_path):
    checkpoint.save(tmp_path / "toy", ARRAYS, PROVENANCE)
    return tmp_path / "toy"


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def rewrite(path, **changes):
    """Change entries of a JSON file and seal it again, as a program that writes other contents would."""
    content = json.loads(path.read_text())
    content = {name: value for name, value in content.items() if name not in ("format", "version", "sha256")}
    path.write_bytes(sealed(checkpoint.KIND, checkpoint.VERSION, content | changes))


# --- whole -----------------------------------------------------------------------------------------------------------


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


# --- killed ----------------------------------------------------------------------------------------------------------


def killed_save(path, arrays, provenance, at):
    """Save in a child process that kills itself before the ``at``-th file operation. Returns whether it was killed."""
    child = os.fork()
    if child == 0:
        try:
            left = [at]

            def hook(event, arguments):
                if event in ("open", "os.rename") and str(path) in str(arguments[0]):
                    left[0] -= 1
                    if left[0] < 0:
                        os.kill(os.getpid(), signal.SIGKILL)

            sys.addaudithook(hook)
            checkpoint.save(path, arrays, provenance)
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def test_a_save_killed_at_any_moment_leaves_a_whole_pair_and_so_does_one_after_it(saved, not_run):
    """Before each opening and replacing of a file; then another save is killed at each moment of its own."""
    if not hasattr(os, "fork"):
        not_run("a save is killed half way in a child process, which needs os.fork")
    first, second = (({"theta": np.full(3, seed)}, dataclasses.replace(PROVENANCE, seed=seed)) for seed in (10, 20))
    outcomes = []
    while killed_save(saved, *first, at=len(outcomes)):
        outcomes.append(seed_of_whole_pair(saved))
        at, killed = 0, True
        while killed:
            checkpoint.save(saved, ARRAYS, PROVENANCE)
            killed_save(saved, *first, at=len(outcomes) - 1)  # the same interrupted state again
            killed = killed_save(saved, *second, at=at)
            assert seed_of_whole_pair(saved) in ((outcomes[-1], 20) if killed else (20,))
            at += 1
        checkpoint.save(saved, ARRAYS, PROVENANCE)
    assert outcomes == sorted(outcomes) and set(outcomes) == {0, 10}, "first the old pair, then the new one"


def seed_of_whole_pair(path):
    """The seed in the record, after a check that the arrays are those of that seed."""
    loaded = checkpoint.load(path)
    seed = loaded.provenance.seed
    assert_array_equal(loaded.arrays["theta"], np.full(3, seed) if seed else ARRAYS["theta"])
    return seed


def test_a_first_save_that_is_killed_leaves_no_checkpoint_or_a_whole_one(tmp_path, not_run):
    if not hasattr(os, "fork"):
        not_run("a save is killed half way in a child process, which needs os.fork")
    at, outcomes = 0, []
    while killed_save(tmp_path / f"toy{at}", ARRAYS, PROVENANCE, at):
        try:
            outcomes.append(checkpoint.load(tmp_path / f"toy{at}").provenance == PROVENANCE)
        except FileRefused as error:
            assert "does not exist" in str(error)
            outcomes.append(False)
        at += 1
    assert outcomes == sorted(outcomes) and set(outcomes) == {False, True}


# --- refused ---------------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from([".npz", ".json"]))
def test_a_changed_byte_anywhere_is_noticed(tmp_path_factory, data, suffix):
    stem = tmp_path_factory.mktemp("damage") / "toy"
    checkpoint.save(stem, ARRAYS, PROVENANCE)
    path = stem.parent / f"toy{suffix}"
    whole = path.read_bytes()
    place = data.draw(st.integers(0, len(whole) - 1))
    changed = data.draw(st.integers(0, 255).filter(lambda byte: byte != whole[place]))
    path.write_bytes(whole[:place] + bytes([changed]) + whole[place + 1:])
    try:
        checkpoint.load(stem)
        assert suffix == ".json" and whole[place:place + 1].isspace() and bytes([changed]).isspace()
    except FileRefused:
        pass


@pytest.mark.parametrize("suffix", [".npz", ".json"])
@pytest.mark.parametrize("length", [0, 100, -1])
def test_a_file_cut_short_is_refused(saved, suffix, length):
    path = saved.parent / f"toy{suffix}"
    whole = path.read_bytes().rstrip()
    path.write_bytes(whole[:length])
    with pytest.raises(FileRefused, match=r"^\S*toy.* is damaged .*restore .* again$"):
        checkpoint.load(saved)


@pytest.mark.parametrize("suffix", [".npz", ".json"])
def test_half_a_pair_is_refused(saved, suffix):
    (saved.parent / f"toy{suffix}").unlink()
    with pytest.raises(FileRefused, match=rf"toy{suffix} does not exist"):
        checkpoint.load(saved)


def test_the_arrays_of_another_training_are_refused(saved, tmp_path):
    checkpoint.save(tmp_path / "other", {**ARRAYS, "theta": np.zeros(6, np.float32)}, PROVENANCE)
    os.replace(tmp_path / "other.npz", tmp_path / "toy.npz")
    with pytest.raises(FileRefused, match="toy.npz is damaged or belongs to another training .*toy.json.*train again"):
        checkpoint.load(saved)


def test_a_newer_checkpoint_is_refused(saved):
    (saved.parent / "toy.json").write_bytes(sealed(checkpoint.KIND, checkpoint.VERSION + 1, {}))
    with pytest.raises(FileRefused, match="toy.json is newer than this code: it has version 2.*update the package"):
        checkpoint.load(saved)


@pytest.mark.parametrize("content", ['{"weights": [1]}', '{"format": "byte-pair tokenizer", "version": 1}', "[]"])
def test_a_foreign_file_is_refused(saved, content):
    (saved.parent / "toy.json").write_text(content)
    with pytest.raises(FileRefused, match="toy.json is not a transformer checkpoint.*name the right file"):
        checkpoint.load(saved)


def test_a_record_without_an_entry_is_refused(saved):
    path = saved.parent / "toy.json"
    content = json.loads(path.read_text())
    for name in ("format", "version", "sha256", "curve"):
        del content[name]
    path.write_bytes(sealed(checkpoint.KIND, checkpoint.VERSION, content))
    with pytest.raises(FileRefused, match="toy.json lacks the entry 'curve'.*restore or train again"):
        checkpoint.load(saved)


@pytest.mark.parametrize("name", ["writing", "measures", "progress"])
def test_a_record_from_before_an_entry_was_added_is_read(saved, name):
    """As long as the version is the same."""
    path = saved.parent / "toy.json"
    content = json.loads(path.read_text())
    for gone in ("format", "version", "sha256", name):
        del content[gone]
    path.write_bytes(sealed(checkpoint.KIND, checkpoint.VERSION, content))
    assert getattr(checkpoint.load(saved).provenance, name) == {}


@pytest.mark.parametrize(("name", "value"), [("code", [1]), ("configuration", None), ("seed", "0"), ("curve", {}),
                                             ("progress", 3), ("versions", "1")])
def test_an_entry_of_another_kind_is_refused(saved, name, value):
    rewrite(saved.parent / "toy.json", **{name: value})
    with pytest.raises(FileRefused, match=rf"toy.json has .* as its entry '{name}', not a .*restore or train again"):
        checkpoint.load(saved)


def test_every_entry_has_a_kind():
    """Or it would not be read."""
    assert checkpoint.KINDS.keys() == Provenance.__dataclass_fields__.keys()
    assert checkpoint.LATER.keys() <= checkpoint.KINDS.keys()


@pytest.mark.parametrize("version", ["1", 0, None, 1.5])
def test_a_version_that_is_no_number_is_refused(saved, version):
    (saved.parent / "toy.json").write_bytes(sealed(checkpoint.KIND, version, {}))
    with pytest.raises(FileRefused, match="its version is .*, not 1 or more"):
        checkpoint.load(saved)


def test_arrays_that_are_not_those_stated_are_refused(saved):
    rewrite(saved.parent / "toy.json", arrays={"theta": ["float32", [6]]})
    with pytest.raises(FileRefused, match="toy.npz holds other arrays than .*toy.json states"):
        checkpoint.load(saved)


def test_a_pickle_is_never_opened(saved, tmp_path):
    """An array of objects, whose file would run code on loading, even where its hash is the one stated."""

    class Opened:
        def __reduce__(self):
            return (os.mkdir, (str(tmp_path / "opened"),))

    np.savez(tmp_path / "toy.npz", theta=np.array([Opened()], dtype=object))
    rewrite(tmp_path / "toy.json", arrays_sha256=checkpoint.sha256((tmp_path / "toy.npz").read_bytes()))
    with pytest.raises(FileRefused, match="toy.npz holds no plain arrays.*allow_pickle=False"):
        checkpoint.load(saved)
    assert not (tmp_path / "opened").exists()


@pytest.mark.parametrize("data", [b"not an archive", b"", b"PK\x05\x06", b"\x93NUMPY"])
def test_what_is_no_archive_is_refused_even_with_the_stated_hash(saved, data):
    (saved.parent / "toy.npz").write_bytes(data)
    rewrite(saved.parent / "toy.json", arrays_sha256=checkpoint.sha256(data))
    with pytest.raises(FileRefused, match="toy.npz holds no plain arrays"):
        checkpoint.load(saved)


# --- compared --------------------------------------------------------------------------------------------------------


def test_a_checkpoint_of_another_model_is_refused(saved):
    assert checkpoint.load(saved, PROVENANCE.configuration).provenance == PROVENANCE
    with pytest.raises(FileRefused, match=r"another model \(d: trained with 64, run with 32\): ask for the same"):
        checkpoint.load(saved, {**PROVENANCE.configuration, "d": 32})
    with pytest.raises(FileRefused, match=r"another model \(layers: trained with not there, run with 2\)"):
        checkpoint.load(saved, {**PROVENANCE.configuration, "layers": 2})


def test_a_tuple_in_the_configuration_is_the_list_that_comes_back(tmp_path):
    configuration = {"betas": (0.9, 0.98), "d": np.int64(8)}
    checkpoint.save(tmp_path / "toy", ARRAYS, dataclasses.replace(PROVENANCE, configuration=configuration))
    assert checkpoint.load(tmp_path / "toy", configuration).provenance.configuration == {"betas": [0.9, 0.98], "d": 8}


def test_keys_that_are_numbers_in_the_configuration_are_the_text_that_comes_back(tmp_path):
    configuration = {"rates": {3: 0.1, 10: 0.2, "last": 0.3}}
    checkpoint.save(tmp_path / "toy", ARRAYS, dataclasses.replace(PROVENANCE, configuration=configuration))
    loaded = checkpoint.load(tmp_path / "toy", configuration).provenance.configuration
    assert loaded == {"rates": {"3": 0.1, "10": 0.2, "last": 0.3}}


def test_code_and_versions_as_in_training_have_no_differences(saved):
    provenance = checkpoint.load(saved).provenance
    assert checkpoint.code_differences(provenance) == checkpoint.version_differences(provenance) == ()


def test_what_writes_is_compared_apart_from_what_trains(saved):
    softmax = "transformer.softmax:softmax_forward"
    names = {softmax: "0" * 64, "transformer.generation:greedy": "1" * 64}
    both = dataclasses.replace(PROVENANCE, code={softmax: "0" * 64}, writing=names)
    assert [found.what for found in checkpoint.code_differences(both)] == [softmax]
    assert [found.what for found in checkpoint.writing_differences(both)] == ["transformer.generation:greedy"]


def test_what_changed_since_training_is_returned_as_data(saved):
    name = "transformer.softmax:softmax_forward"
    old = dataclasses.replace(PROVENANCE, versions={**PROVENANCE.versions, "numpy": "1.0"},
                              code={**PROVENANCE.code, name: "0" * 64, "transformer.gone:f": "1" * 64})
    checkpoint.save(saved, ARRAYS, old)
    provenance = checkpoint.load(saved).provenance
    assert checkpoint.version_differences(provenance) == (("numpy", "1.0", np.__version__),)
    gone, changed = sorted(checkpoint.code_differences(provenance))
    assert gone == ("transformer.gone:f", "1" * 64, "not there")
    assert changed == (name, "0" * 64, PROVENANCE.code[name])
    assert str(changed).startswith(f"{name}: trained with 0000") and ", run with " in str(changed)
