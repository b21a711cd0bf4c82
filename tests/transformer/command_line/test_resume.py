"""``train --resume``: a training goes on as it was begun, or not at all."""

from pathlib import Path

import pytest

from tests.transformer.command_line.commands import begun, one_sentence, rewritten
from transformer import checkpoint, resuming
from transformer.recipes import language
from transformer.training import start


@pytest.mark.parametrize(("arguments", "why"), [
    (["--resume", "--seed", 1], "begun with another seed (0, asked for 1)"),
    (["--resume", "--steps", 9], "model: the training there is of 4 steps, and what each step does depends on how many "
                                 "there are: leave out --steps, or train 9 from the start with --overwrite"),
])
def test_a_training_goes_on_only_as_it_was_begun(run, folder, arguments, why):
    begun("model")
    code, _, error = run("train", "reversal", "--out", "model", *arguments)
    assert code == 1 and why in one_sentence(error)
    assert run("train", "reversal", "--out", "model", "--resume", "--small", "--seed", 0)[0] == 0


def test_a_training_of_another_task_is_not_resumed(run, folder):
    begun("model")
    code, _, error = run("train", "language", "--out", "model", "--resume")
    assert code == 1 and "the training there is of 'reversal', not 'language'" in one_sentence(error)


@pytest.mark.parametrize("entry", ["beta1", "task", "steps", "d"])
def test_a_training_whose_record_lacks_an_entry_is_not_resumed(run, folder, entry):
    begun("model")
    configuration = checkpoint.load("model.unfinished").provenance.configuration
    del configuration[entry]
    rewritten("model.unfinished", configuration=configuration)
    code, _, error = run("train", "reversal", "--out", "model", "--resume")
    assert code == 1 and ("has no whole configuration" in one_sentence(error) or "is of None" in error)


def test_a_state_that_lacks_an_entry_is_not_resumed(run, folder):
    begun("model")
    rewritten("model.unfinished", progress={})
    code, _, error = run("train", "reversal", "--out", "model", "--resume")
    assert code == 1 and "do not hold a state to go on from (KeyError: 'step')" in one_sentence(error)


def test_a_corpus_that_was_moved_is_the_same(run, folder):
    Path("here.txt").write_text("one two three four five six seven\n" * 60)
    recipe = language.recipe(language.configuration(steps=2, small=True, corpus="here.txt"), 0)
    resuming.save_state("model", recipe, start(recipe), {})
    Path("here.txt").rename("there.txt")
    assert run("train", "language", "--out", "model", "--resume")[0] == 1
    assert run("train", "language", "--out", "model", "--resume", "--corpus", "there.txt")[0] == 0
    assert checkpoint.load("model").provenance.configuration["corpus"] == "there.txt"
