"""Wrong use is one sentence, or the usage and one sentence; help is there for every command."""

import pytest

from tests.transformer.command_line.commands import one_sentence


@pytest.mark.parametrize(("arguments", "why"), [
    (["--model", "reversal"], "--prompt: the model reverses letters: give it some, a to j"),
    (["--model", "reversal", "--prompt", "ab"], "--prompt: the model learned to reverse 3 to 8 letters, got 2"),
    (["--model", "reversal", "--prompt", "abcdefghij"], "the model learned to reverse 3 to 8 letters, got 10"),
    (["--model", "reversal", "--prompt", "abcz"], "--prompt: 'z' is not one of the letters a to j"),
    (["--model", "language", "--prompt", "word " * 70], "and the model reads 48, together with what it writes"),
    (["--model", "language", "--prompt", "\udcff"], "--prompt: character 0 of the text is the lone surrogate U+DCFF"),
    (["--model", "language", "--max-new", 64], "--max-new: after this prompt the model can write 47 tokens, not 64"),
    (["--beam", 3, "--temperature", 1], "--beam leaves nothing to chance: leave out --temperature, or --beam"),
    (["--beam", 3, "--top-k", 1], "leave out --top-k, or --beam"),
    (["--beam", 3, "--count", 4], "a beam of 3 cannot give 4 answers"),
])
def test_wrong_use_is_one_sentence(run, arguments, why):
    code, out, error = run("generate", *arguments)
    assert (code, out) == (2, "") and why in one_sentence(error)


@pytest.mark.parametrize(("arguments", "why"), [
    ([], "required: COMMAND"),
    (["train"], "required: TASK"),
    (["train", "reversal", "--corpus", "x"], "unrecognized arguments: --corpus"),
    (["train", "reversal", "--steps", "0"], "--steps: '0' is not a whole number from 1 on"),
    (["train", "reversal", "--resume", "--overwrite"], "not allowed with argument"),
    (["train", "reversal", "--seed", "-1"], "--seed: '-1' is not a whole number from 0 on"),
    (["generate", "--temperature", "nan"], "--temperature: 'nan' is not 0 or a positive number"),
    (["generate", "--top-p", "1.5"], "--top-p: '1.5' is not a number from 0 to 1"),
    (["generate", "--count", "1000000000000"], "--count: '1000000000000' is not a whole number from 1 to 10,000"),
    (["generate", "--beam", "1001"], "--beam: '1001' is not a whole number from 1 to 1,000"),
    (["generate", "--top-k", "few"], "--top-k: 'few' is not a whole number from 1 on"),
])
def test_wrong_arguments_are_refused_with_the_usage(run, arguments, why):
    code, out, error = run(*arguments)
    assert (code, out) == (2, "") and error.startswith("usage: python -m transformer") and why in error


@pytest.mark.parametrize("arguments", [["--help"], ["train", "--help"], ["train", "language", "--help"],
                                       ["generate", "--help"]])
def test_help(run, arguments):
    code, out, error = run(*arguments)
    assert (code, error) == (0, "") and out.startswith("usage: python -m transformer")
