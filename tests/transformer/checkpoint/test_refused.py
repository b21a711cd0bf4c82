"""What is damaged, foreign, newer or incomplete is refused, with what to do."""

import json
import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.transformer.checkpoint.toy import ARRAYS, PROVENANCE, rewrite
from transformer import checkpoint
from transformer.checkpoint import Provenance
from transformer.files import FileRefused, sealed


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
