"""A file is written whole or not at all, also where the process dies in the middle of a write."""

import dataclasses
import os
import signal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from transformer import checkpoint, tokenizer
from transformer.files import DEEPEST, FileRefused, read_back, read_sealed, sealed, write_whole
from transformer.provenance import code_hashes

try:
    import resource
except ImportError:
    resource = None

SOURCE = "the cat sat on the mat and the dog sat on the cat " * 20
LONG = checkpoint.Provenance(configuration={"d": 8}, seed=1, data_sha256="0" * 64,
                             code=code_hashes(["transformer.softmax:softmax_forward"]),
                             curve=[{"step": step, "loss": 1 / step} for step in range(1, 200)])


@pytest.mark.parametrize("content", [
    b'{"format": "thing", "version": 1, "x": NaN}', b'{"format": "thing", "version": 1, "x": -Infinity}',
    b'{"format": "thing", "version": 1, "x": 1e999}', b"[" * 200_000,
    b'{"format": "thing", "version": 1, "x": ' + b"[" * 900 + b"]" * 900 + b"}", b"\xff", b"",
], ids=["NaN", "infinity", "too large", "nested without end", "nested deep", "no text", "empty"])
def test_what_is_no_json_is_refused_with_its_path(tmp_path, content):
    (tmp_path / "thing.json").write_bytes(content)
    with pytest.raises(FileRefused, match=r"thing.json is damaged.*restore it or make it again$"):
        read_sealed(tmp_path / "thing.json", "thing", 1)


@pytest.mark.parametrize("name", ["NaN", "Infinity", "-Infinity"])
def test_a_number_that_json_does_not_have_is_named(tmp_path, name):
    (tmp_path / "thing.json").write_text(f'{{"x": {name}}}')
    with pytest.raises(FileRefused, match=f"thing.json is damaged .*{name} is no number of JSON"):
        read_sealed(tmp_path / "thing.json", "thing", 1)


def test_what_has_no_hash_is_not_sealed_by_none(tmp_path):
    (tmp_path / "thing.json").write_text('{"format": "thing", "version": 1, "x": 1e999, "sha256": null}')
    with pytest.raises(FileRefused, match="its content has not the sha256 it states"):
        read_sealed(tmp_path / "thing.json", "thing", 1)


def reads_as(path, value):
    """What read_sealed gives for an entry of this value."""
    path.write_bytes(sealed("thing", 1, {"x": value}))
    return read_sealed(path, "thing", 1)["x"]


@pytest.mark.parametrize(("value", "read"), [
    ({3: 1.0, 8: 0.9, 10: 0.5}, {"3": 1.0, "8": 0.9, "10": 0.5}),
    ({"3": 1, 10: 2}, {"3": 1, "10": 2}),
    ({10.5: 1, 9.5: 2, None: 3, True: 4}, {"10.5": 1, "9.5": 2, "null": 3, "true": 4}),
    ((1, (2,)), [1, [2]]),
    ([np.float32(0.5), np.int64(3), np.bool_(True)], [0.5, 3, True]),
])
def test_a_hash_is_that_of_what_will_be_read(tmp_path, value, read):
    """Keys that are no text are sorted as the text that they become."""
    assert reads_as(tmp_path / "thing.json", value) == read


KEYS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
LEAVES = KEYS | st.floats(width=32).map(np.float32) | st.integers(0, 9).map(np.int64)
VALUES = st.recursive(LEAVES, lambda part: st.lists(part) | st.dictionaries(KEYS, part) | st.tuples(part, part))


@settings(deadline=None)
@given(VALUES)
def test_what_is_sealed_can_be_read(tmp_path_factory, value):
    """Whatever it is; what cannot be read is not sealed."""
    try:
        read = read_back(value)
    except (TypeError, ValueError):
        with pytest.raises((TypeError, ValueError)):
            sealed("thing", 1, {"x": value})
        return
    assert reads_as(tmp_path_factory.mktemp("sealed") / "thing.json", value) == read


@pytest.mark.parametrize(("value", "error", "why"), [
    ({3: 1, "3": 2}, ValueError, "two keys become the same text '3' in JSON"),
    ({float("nan"): 1}, ValueError, "not JSON compliant"),
    (np.longdouble(1) / 3, TypeError, "longdouble is no JSON value"),
    ({np.int64(3): 1}, TypeError, "keys must be str"),
    (np.ones(2), TypeError, "ndarray is no JSON value"),
])
def test_what_would_be_read_as_something_else_is_not_sealed(value, error, why):
    with pytest.raises(error, match=why):
        sealed("thing", 1, {"x": value})


def nested(count):
    """Lists and dicts in one another, so many."""
    deep = []
    for number in range(1, count):
        deep = {"inner": deep} if number % 2 else [deep]
    return deep


def test_what_nests_as_deep_as_is_allowed_is_read_again(tmp_path):
    write_whole(tmp_path / "file", sealed("thing", 1, {"x": nested(DEEPEST - 1)}))
    assert read_sealed(tmp_path / "file", "thing", 1) == {"x": nested(DEEPEST - 1)}


@pytest.mark.parametrize("count", [DEEPEST, 5000, 100_000])
def test_what_nests_too_deep_to_be_read_is_not_sealed(count):
    deep = nested(count)
    with pytest.raises(ValueError, match="too deep in one another to be read again"):
        sealed("thing", 1, {"x": deep})


@pytest.mark.parametrize(("name", "why"), [("folder", "cannot be read .Is a directory."), ("gone", "does not exist"),
                                           ("folder/file/deeper", "cannot be read .Not a directory.")])
def test_what_is_no_file_is_refused(tmp_path, name, why):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").write_text("")
    with pytest.raises(FileRefused, match=f"{name} {why}: name a thing"):
        read_sealed(tmp_path / name, "thing", 1)


def test_a_file_that_cannot_be_written_leaves_nothing_beside_it(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError):
        write_whole(tmp_path / "folder", b"data")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@pytest.fixture
def unix(not_run):
    if resource is None:
        not_run("a save is killed by a limit on the size of a file, which Unix alone has")


def killed_beyond(limit, action):
    """Run in a child process that the system kills as soon as a file grows beyond so many bytes. Was it killed?"""
    child = os.fork()
    if child == 0:
        try:
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            action()
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


@pytest.mark.usefixtures("unix")
@pytest.mark.parametrize("limit", [0, 1, 700, 999, 1000, 5000])
def test_a_file_holds_what_it_held_or_all_that_is_new(tmp_path, limit):
    path = tmp_path / "file"
    write_whole(path, b"old" * 100)
    killed = killed_beyond(limit, lambda: write_whole(path, b"n" * 1000))
    assert killed == (limit < 1000)
    assert path.read_bytes() == (b"old" * 100 if killed else b"n" * 1000)


@pytest.mark.usefixtures("unix")
def test_a_tokenizer_that_is_killed_while_it_is_saved_is_the_old_one(tmp_path):
    path, old, new = tmp_path / "merges.json", tokenizer.train(SOURCE, 5), tokenizer.train(SOURCE, 30)
    tokenizer.save(path, old)
    assert killed_beyond(100, lambda: tokenizer.save(path, new))
    assert tokenizer.load(path) == old
    tokenizer.save(path, new)
    assert tokenizer.load(path) == new


@pytest.mark.usefixtures("unix")
def test_a_checkpoint_that_is_killed_in_the_middle_of_a_write_is_the_old_pair(tmp_path):
    """At 15 places: first within the arrays, then within the longer record. Another save after it succeeds."""
    path, other = tmp_path / "toy", dataclasses.replace(LONG, seed=2)
    checkpoint.save(path, {"theta": np.full(20, 2.0)}, other)
    sizes = [(tmp_path / f"toy{suffix}").stat().st_size for suffix in (".npz", ".json")]
    assert sizes[0] < sizes[1] / 4
    for limit in np.linspace(0, sizes[1] - 1, 15, dtype=int):
        checkpoint.save(path, {"theta": np.full(20, 1.0)}, LONG)
        assert killed_beyond(int(limit), lambda: checkpoint.save(path, {"theta": np.full(20, 2.0)}, other))
        loaded = checkpoint.load(path)
        assert loaded.provenance == LONG and (loaded.arrays["theta"] == 1).all()
    assert not killed_beyond(sizes[1], lambda: checkpoint.save(path, {"theta": np.full(20, 2.0)}, other))
    assert checkpoint.load(path).provenance == other
