"""``python -m transformer train``: what it says, writes and refuses."""

import hashlib
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

from tests.transformer.command_line.commands import COMMAND, begun, environment, one_sentence
from transformer import checkpoint
from transformer.command_line import place
from transformer.files import FileRefused
from transformer.recipes import reversal


def test_training_says_what_it_does_and_saves_a_model(run, folder):
    code, out, error = run("train", "reversal", "--small", "--steps", 4)
    assert (code, error) == (0, "")
    said = r"^reversal: 21,792 parameters, step 0 of 4, seed 0\nstep     4  lr .* loss \d\.\d{3}  exact match \d"
    assert re.search(said, out)
    assert out.endswith("saved trained/reversal.npz and trained/reversal.json\n")
    assert sorted(path.name for path in (folder / "trained").iterdir()) == ["reversal.json", "reversal.npz"]
    provenance = checkpoint.load("trained/reversal").provenance
    assert provenance.configuration == reversal.SMALL | {"steps": 4} and provenance.seed == 0
    assert [entry["step"] for entry in provenance.curve] == [1, 2, 3, 4]


def test_equal_commands_give_equal_files_and_another_seed_another_model(run, folder):
    for out, seed in (("a", 7), ("b", 7), ("c", 8)):
        assert run("train", "language", "--small", "--steps", 2, "--seed", seed, "--out", out)[0] == 0
    for suffix in (".npz", ".json"):
        assert Path(f"a{suffix}").read_bytes() == Path(f"b{suffix}").read_bytes()
    assert Path("a.npz").read_bytes() != Path("c.npz").read_bytes()


def test_a_corpus_of_the_user(run, folder):
    """Its name, its hash and its tokenizer are kept; the grammar has no say in it."""
    Path("my text.txt").write_text("Zwölf Boxkämpfer jagen Viktor über den Sylter Deich.\n" * 60, encoding="utf-8")
    code, out, error = run("train", "language", "--small", "--steps", 2, "--corpus", "my text.txt", "--out", "mine")
    assert (code, error) == (0, "") and "perplexity" in out and "grammatical" not in out
    saved = checkpoint.load("mine")
    assert saved.provenance.configuration["corpus"] == "my text.txt"
    assert saved.provenance.data_sha256 == hashlib.sha256(Path("my text.txt").read_bytes()).hexdigest()
    assert len(saved.arrays["constants.merges"]) > 10
    assert run("generate", "--model", "mine", "--prompt", "Zwölf", "--max-new", 4)[1].startswith("Zwölf")


def test_a_corpus_may_be_called_as_the_grammar_is(run, folder):
    Path("grammar").write_text("one two three four five six seven\n" * 60)
    assert run("train", "language", "--small", "--steps", 1, "--corpus", "grammar", "--out", "mine")[0] == 0
    expected = hashlib.sha256(Path("grammar").read_bytes()).hexdigest()
    assert checkpoint.load("mine").provenance.data_sha256 == expected


@pytest.mark.parametrize(("content", "why"), [
    (None, "corpus.txt: cannot be read (No such file or directory); name a text file"),
    (b"", "corpus.txt: the file is empty"),
    (b"caf\xe9\n", "corpus.txt:1: not UTF-8: byte 0xe9 at offset 3"),
    (b"too short", "corpus.txt: has 9 tokens, and a model that reads 32 needs 330"),
])
def test_a_corpus_that_cannot_be_used_is_one_sentence(run, folder, content, why):
    if content is not None:
        Path("corpus.txt").write_bytes(content)
    code, out, error = run("train", "language", "--small", "--corpus", "corpus.txt")
    assert (code, out) == (1, "") and why in one_sentence(error)
    assert not Path("trained").exists()


def test_nothing_is_overwritten_unless_asked_for(run, folder):
    begun("model")
    code, _, error = run("train", "reversal", "--small", "--out", "model")
    assert code == 2 and "a training was begun there: go on with --resume" in one_sentence(error)
    assert run("train", "reversal", "--small", "--steps", 1, "--out", "model.npz", "--overwrite")[0] == 0
    before = Path("model.npz").read_bytes()
    code, _, error = run("train", "reversal", "--small", "--steps", 2, "--out", "model")
    assert code == 2 and "a model is there: train in its place with --overwrite" in one_sentence(error)
    code, _, error = run("train", "reversal", "--out", "model", "--resume")
    assert code == 2 and "the training is finished" in one_sentence(error)
    code, _, error = run("train", "reversal", "--out", "elsewhere", "--resume")
    assert code == 2 and "no training was begun there" in one_sentence(error)
    assert Path("model.npz").read_bytes() == before


@pytest.mark.parametrize("file", ["model.npz", "model.unfinished.npz", "model.json", "model.unfinished.json"])
def test_a_file_of_another_origin_is_not_overwritten_unless_asked_for(run, folder, file):
    """Also where only one of the two files is there."""
    Path(file).write_bytes(b"not ours")
    code, out, error = run("train", "reversal", "--small", "--steps", 1, "--out", "model")
    assert (code, out) == (2, "") and "with --overwrite, or name another --out" in one_sentence(error)
    if file.endswith(".npz"):
        assert f"model: {file} is there, without the record of a training beside it" in error
    assert Path(file).read_bytes() == b"not ours" and list(folder.iterdir()) == [folder / file]
    assert run("train", "reversal", "--small", "--steps", 1, "--out", "model", "--overwrite")[0] == 0
    assert checkpoint.load("model").provenance.configuration["steps"] == 1


@pytest.mark.parametrize("suffix", [".npz", ".json", ".unfinished.npz", ".unfinished.json"])
def test_a_folder_in_the_place_of_a_file_is_refused_before_the_training(run, folder, suffix):
    Path(f"model{suffix}").mkdir()
    code, out, error = run("train", "reversal", "--small", "--steps", 1, "--out", "model", "--overwrite")
    assert (code, out) == (2, "") and f"model{suffix} is a folder, and a file is to be written" in one_sentence(error)
    assert list(folder.iterdir()) == [folder / f"model{suffix}"]


# --- two at the same time --------------------------------------------------------------------------------------------


@pytest.fixture
def locks(not_run):
    if place.fcntl is None:
        not_run("two trainings keep apart by a lock on a file, which Unix alone has")


@pytest.mark.usefixtures("locks")
def test_a_second_training_at_the_same_place_is_refused_and_one_after_a_kill_is_not(run, folder):
    arguments = ["train", "reversal", "--small", "--out", "new/model", "--overwrite"]
    process = subprocess.Popen([*COMMAND, *arguments, "--steps", "90000", "--save-every", "1"], cwd=folder,
                               stdout=subprocess.PIPE, env=environment(), text=True)
    try:
        assert "step 0 of 90,000" in process.stdout.readline()
        for last in ("--overwrite", "--resume"):
            code, out, error = run(*arguments[:-1], last)
            assert (code, out) == (1, "")
            assert one_sentence(error) == (f"error: new/model: another training (process {process.pid}) writes there: "
                                           "wait until it ends, or name another --out\n")
    finally:
        process.kill()
        process.communicate(timeout=60)
    assert Path("new/model.unfinished.lock").read_text() == str(process.pid)
    assert run(*arguments, "--steps", 1)[0] == 0
    assert sorted(path.name for path in Path("new").iterdir()) == ["model.json", "model.npz"]


@pytest.mark.usefixtures("locks")
def test_a_place_is_held_until_its_training_ends_however_it_ends(folder):
    for error in (KeyboardInterrupt, ValueError):
        with pytest.raises(error), place.alone(Path("model")):
            with pytest.raises(FileRefused, match="another training"), place.alone(Path("model")):
                pass
            with place.alone(Path("other")):
                pass
            raise error
        assert not list(folder.iterdir())


@pytest.mark.usefixtures("locks")
def test_a_lock_whose_file_is_removed_before_it_is_taken_is_taken_on_a_new_file(folder, monkeypatch):
    """As where the other training ends just then: a lock on a file without a name would keep nobody away."""
    flock, times = place.fcntl.flock, []

    def removed_first(held, how):
        times.append(held)
        if len(times) == 1:
            Path("model.unfinished.lock").unlink()
        flock(held, how)

    monkeypatch.setattr(place.fcntl, "flock", removed_first)
    with place.alone(Path("model")):
        assert len(times) == 2 and Path("model.unfinished.lock").exists()


@pytest.mark.usefixtures("locks")
def test_a_file_that_only_has_the_name_of_a_lock_stays(run, folder):
    Path("model.unfinished.lock").write_text("my notes")
    code, _, error = run("train", "reversal", "--small", "--steps", 1, "--out", "model")
    assert code == 1 and "model.unfinished.lock is there and is not from a training: move it" in one_sentence(error)
    assert Path("model.unfinished.lock").read_text() == "my notes"


# --- places that cannot be used --------------------------------------------------------------------------------------


@pytest.mark.parametrize("out", ["", ".", "..", "models/", "models", "models/.", "models/..", ".npz", "models/.json"])
def test_a_place_that_is_no_file_is_refused_before_the_training(run, folder, out):
    Path("models").mkdir()
    code, said, error = run("train", "reversal", "--small", "--steps", 1, "--out", out)
    assert (code, said) == (2, "") and "names a folder or nothing: name the files to write" in one_sentence(error)
    assert list(folder.rglob("*")) == [folder / "models"]


@pytest.mark.parametrize("out", ["file/model", "file/deeper/model", "x" * 300])
def test_a_place_where_nothing_can_be_written_is_refused_before_the_training(run, folder, out):
    Path("file").write_text("in the way")
    code, said, error = run("train", "reversal", "--small", "--steps", 100_000, "--out", out)
    assert (code, said) == (1, "") and re.search(r"cannot write there \(.+\): name another --out", one_sentence(error))


def test_a_training_that_diverges_is_one_sentence_and_keeps_what_was_saved(run, folder, monkeypatch):
    monkeypatch.setitem(reversal.SMALL, "peak", 1e39)
    code, _, error = run("train", "reversal", "--small", "--save-every", 100)
    assert code == 1 and re.search("step 2: .*; what was saved after step 0 is kept in", one_sentence(error))
    code, _, error = run("train", "reversal", "--small", "--save-every", 1, "--overwrite")
    assert code == 1 and re.search(r"step 2: the loss is nan: .* lower the learning rate; what was saved after step 1 "
                                   r"is kept in trained/reversal\.unfinished\.npz and \.json", one_sentence(error))
    saved = checkpoint.load("trained/reversal.unfinished")
    assert saved.provenance.progress["step"] == 1
    assert all(np.isfinite(array).all() for name, array in saved.arrays.items() if name.startswith("params."))
