"""The two recipes: that they are those of the paper and the lesson, and that what they measure is what it is called."""

import ast
import json
import math
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import transformer
from transformer import tokenizer
from transformer.cross_entropy import smoothing_floor
from transformer.data import grammar
from transformer.data import reversal as letters
from transformer.decoder_only import decoder_only_forward
from transformer.dropout import EVALUATION
from transformer.encoder_decoder import encoder_decoder_forward
from transformer.generation import generate, sampler, take_rows
from transformer.parameters import is_matrix
from transformer.perplexity import mean_over_targets
from transformer.recipes import TASKS, language, reversal
from transformer.trained import Model
from transformer.training import start, train_step, training
from transformer.vocabulary import EOS, PAD, SOS

pytestmark = pytest.mark.slow  # the small variants of both models are trained


@pytest.fixture(scope="module")
def small_reversal():
    """(recipe, state) after the whole training of the small variant: it takes seconds."""
    recipe = reversal.recipe(reversal.configuration(small=True), seed=0)
    state = start(recipe)
    for _ in training(recipe, state):
        pass
    return recipe, state


# --- reversal --------------------------------------------------------------------------------------------------------


def test_the_small_variant_learns_to_reverse_every_unseen_sequence(small_reversal):
    recipe, state = small_reversal
    assert state.curve[-1]["exact_match"] == 1.0
    floor = smoothing_floor(len(letters.VOCABULARY), recipe.configuration["smoothing"])
    assert floor < state.curve[-1]["validation_smoothed_loss"] < floor + 0.01


def test_exact_match_is_the_share_of_sequences_written_in_reverse():
    """Counted one sequence at a time, by the whole forward pass, on a half-trained model that gets some right."""
    recipe = reversal.recipe(reversal.configuration(small=True, steps=140), seed=1)
    state = start(recipe)
    for _ in training(recipe, state):
        pass
    config, sequences = recipe.measure.keywords["config"], recipe.measure.keywords["sequences"][:60]
    right = 0
    for row in sequences:
        src = row[row != PAD][None]
        written = [SOS]
        while written[-1] != EOS and len(written) < 11:
            logits, _ = encoder_decoder_forward(src, np.array([written]), state.params, config, PAD, EVALUATION)
            written.append(int(logits[0, -1].argmax()))
        right += written == [SOS, *src[0, ::-1], EOS]
    assert 0 < right < 60
    assert reversal.exact_match(state.params, config, sequences) == right / 60


def test_the_measures_of_reversal_are_losses_on_the_held_out_sequences(small_reversal):
    """By loops over tokens: -log p of the target, and with smoothing the mean over all tokens with its share."""
    recipe, state = small_reversal
    config, sequences = recipe.measure.keywords["config"], recipe.measure.keywords["sequences"][:20]
    batch = letters.from_sources(sequences)
    plain, smoothed = [], []
    for src, tgt_in, tgt_out in zip(*batch, strict=True):
        logits, _ = encoder_decoder_forward(src[None], tgt_in[None], state.params, config, PAD, EVALUATION)
        for scores, target in zip(logits[0].astype(float), tgt_out, strict=True):
            if target != PAD:
                log_p = [score - math.log(sum(math.exp(other) for other in scores)) for score in scores]
                plain.append(-log_p[target])
                smoothed.append(-sum((0.9 * (k == target) + 0.1 / 13) * log_p[k] for k in range(13)))
    found = reversal.measure(state.params, config, sequences, smoothing=0.1)
    assert found["validation_loss"] == pytest.approx(sum(plain) / len(plain), rel=1e-5)
    assert found["validation_smoothed_loss"] == pytest.approx(sum(smoothed) / len(smoothed), rel=1e-5)


def test_the_antidiagonal_is_where_the_mean_of_the_heads_reads_the_mirrored_letter():
    """Two sources, of 3 and 2 letters: two of the five letters are read elsewhere, one of them in the mean only."""
    src = np.array([[5, 3, 4], [7, 6, PAD]])
    A = np.zeros((2, 2, 4, 3))
    for row, read in enumerate([[2, 1, 1, 0], [1, 0, 0, 0]]):  # what the first head reads for each written token
        A[row, 0, np.arange(4), read] = 1
        A[row, 1] = A[row, 0]
    A[1, 1, 0] = [1, 0, 0]
    A[1, 0, 0] = [0.3, 0.7, 0]
    assert reversal.antidiagonal(A, src) == 3 / 5
    A[0, :, 0] = [0.8, 0.0, 0.2], [0.1, 0.15, 0.75]  # the largest of a head is elsewhere, that of the mean is not
    assert reversal.antidiagonal(A, src) == 3 / 5


def test_neither_padding_nor_the_start_token_is_ever_written(small_reversal):
    """At a temperature at which all tokens are nearly equally likely."""
    recipe, state = small_reversal
    writing = reversal.writing(Model("reversal", recipe.measure.keywords["config"], state.params, {}, None), "abc")
    written = generate(writing.step, [writing.prompt] * 50, writing.room, sampler(1000.0), writing.eos, pad=PAD,
                       rng=np.random.default_rng(0), state=take_rows(writing.state, [0] * 50))
    tokens = {int(token) for row, n in zip(written.ids, written.lengths, strict=True) for token in row[1:n]}
    assert tokens == set(range(13)) - {PAD, SOS}


@pytest.mark.parametrize("word", ["a", "ab", "abcdefghi", "abcdefghij"])
def test_letters_fewer_or_more_than_in_training_are_refused(small_reversal, word):
    recipe, state = small_reversal
    model = Model("reversal", recipe.measure.keywords["config"], state.params, {}, None)
    with pytest.raises(ValueError, match=f"the model learned to reverse 3 to 8 letters, got {len(word)}"):
        reversal.writing(model, word)
    assert reversal.writing(model, "abc").room == reversal.writing(model, "abcdefgh").room == 9


def test_training_sees_no_held_out_sequence():
    recipe = reversal.recipe(reversal.CONFIGURATION, seed=0)
    sequences = recipe.measure.keywords["sequences"]
    assert len({tuple(row) for row in sequences}) == 500
    short = {tuple(row[row != PAD]) for row in sequences if np.count_nonzero(row) == 3}
    assert short, "of the 1,000 sequences of three letters, batches would soon hold those"
    rng = np.random.default_rng(0)
    seen = {tuple(row[row != PAD]) for _ in range(300) for row in recipe.batch(rng).src}
    assert len([row for row in seen if len(row) == 3]) > 800
    assert not short & seen


def test_the_recipe_is_that_of_the_lesson():
    """Its sizes, batch, dropout and learning rates."""
    recipe = reversal.recipe(reversal.CONFIGURATION, seed=0)
    state = start(recipe)
    assert state.theta.size == 234_304 and state.theta.dtype == np.float32
    assert recipe.steps == 3000 and recipe.dropout == 0.1 and recipe.limit == math.inf
    assert len(recipe.batch(np.random.default_rng(0)).src) == 64
    assert recipe.averaged == (2600, 2700, 2800, 2900, 3000)
    assert recipe.rate(400) == pytest.approx(0.00625)
    assert recipe.rate(100) == pytest.approx(0.0015625) and recipe.rate(1600) == pytest.approx(0.003125)


def test_an_untrained_model_writes_what_it_has_just_read():
    """Linear layers start as in PyTorch, so the residual path rules; with Xavier weights the loss were about 3.06."""
    losses = []
    for seed in range(12):
        recipe = reversal.recipe(reversal.CONFIGURATION, seed)
        losses.append(train_step(recipe, start(recipe))["loss"])
    assert min(losses) < 5.25 < max(losses) and np.mean(losses) == pytest.approx(5, abs=0.2)


def test_linear_layers_start_within_the_bounds_of_pytorch_and_embeddings_with_their_deviation():
    params = start(reversal.recipe(reversal.CONFIGURATION, seed=0)).params
    for name, value in params.items():
        group, _, short = name.rpartition(".")
        if short[0] in "wb" and group and "norm" not in group:
            fan_in = len(params[f"{group}.w{short[1:]}"])
            bound = 1 / math.sqrt(fan_in)
            assert np.abs(value).max() <= bound and np.abs(value).max() > 0.9 * bound, name
            assert np.std(value) == pytest.approx(bound / math.sqrt(3), rel=0.25), name
    assert np.std(params["E"]) == pytest.approx(1 / 8, rel=0.1)


# --- language --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def small_language():
    recipe = language.recipe(language.configuration(small=True, steps=150), seed=0)
    state = start(recipe)
    for _ in training(recipe, state):
        pass
    return recipe, state


def test_the_language_model_learns(small_language):
    recipe, state = small_language
    losses = [entry["loss"] for entry in state.curve]
    V = tokenizer.BYTES + 64
    assert losses[0] == pytest.approx(math.log(V) + 0.5, abs=0.3) and losses[-1] < 0.7 * losses[0]
    assert state.curve[-1]["perplexity"] == math.exp(state.curve[-1]["validation_loss"])


def test_the_validation_loss_counts_every_token_once(small_language):
    """One window after another, by loops: 64 of them at once, then three, of which the last is short."""
    recipe, state = small_language
    config, ids = recipe.measure.keywords["config"], recipe.measure.keywords["validation"][:32 * 66 + 8]
    losses = []
    for begin in range(0, len(ids) - 1, 32):
        window = ids[begin:begin + 33]
        logits, _ = decoder_only_forward(window[None, :-1], state.params, config, EVALUATION)
        for scores, target in zip(logits[0].astype(float), window[1:], strict=True):
            losses.append(math.log(sum(math.exp(score) for score in scores)) - scores[target])
    assert len(losses) == len(ids) - 1
    found = mean_over_targets(language.validation_losses(state.params, config, ids))
    assert found == pytest.approx(sum(losses) / len(losses), rel=1e-5)
    halves = sum(losses[:32 * 64]) / (32 * 64), sum(losses[32 * 64:]) / len(losses[32 * 64:])
    assert abs(sum(halves) / 2 - found) > 1e-3 * found, "equal weights would be another mean"


def test_training_and_validation_are_the_two_ends_of_the_corpus():
    recipe = language.recipe(language.CONFIGURATION, seed=0)
    train, validation = recipe.batch.args[0], recipe.measure.keywords["validation"]
    merges = recipe.measure.keywords["merges"]
    assert tokenizer.decode(np.concatenate([train, validation]), merges) == grammar.corpus()
    assert len(validation) == round(0.1 * (len(train) + len(validation)))
    inputs, targets = recipe.batch(np.random.default_rng(0))
    assert inputs.shape == targets.shape == (4, 48)
    assert_array_equal(inputs[:, 1:], targets[:, :-1])


def test_only_matrices_decay():
    """One update with a rate of 1 and no gradient to speak of: matrices shrink by the decay, all else stays."""
    recipe = language.recipe(language.configuration(small=True), seed=0)
    state = start(recipe)
    before = {name: value.copy() for name, value in state.params.items()}
    state.update(state.theta, np.zeros_like(state.theta), state.moments, 1.0)
    for name, value in state.params.items():
        shrunk = 1 - recipe.configuration["decay"] if is_matrix(value.shape) else 1.0
        assert_allclose(value, before[name] * shrunk, rtol=1e-6, err_msg=name)


@pytest.mark.parametrize("task", [language, reversal])
def test_the_rate_warms_up_and_falls_and_every_step_moves_something(task):
    """Also where steps are few: it would be 0 after the last one."""
    for steps in (1, 2, 7, 3000):
        c = task.configuration(steps=steps, small=True)
        rate = reversal.rate_of(c) if task is reversal else language.recipe(c, seed=0).rate
        rates = [rate(step) for step in range(1, steps + 1)]
        assert max(rates) <= c["peak"] * 1.0001 and 0 < rates[-1] == min(rates)
        assert rate(steps + 1) == pytest.approx(0, abs=1e-12)
    assert rates[c["warmup"] - 1] == max(rates) == pytest.approx(c["peak"])
    assert rates[-1] < 1e-6 * c["peak"]


def test_one_step_changes_every_matrix():
    recipe = language.recipe(language.configuration(small=True, steps=1), seed=0)
    state = start(recipe)
    before = {name: value.copy() for name, value in state.params.items()}
    train_step(recipe, state)
    assert all((state.params[name] != value).any() for name, value in before.items() if is_matrix(value.shape))


@pytest.mark.parametrize("text", ["one two three four five six seven " * 300, "one two three\r" * 300])
def test_a_corpus_without_line_ends_is_refused(text, tmp_path):
    """What a model writes begins and ends with a line end: it would be a token that it never met."""
    (tmp_path / "corpus.txt").write_bytes(text.encode())
    c = language.configuration(small=True, corpus=str(tmp_path / "corpus.txt"))
    with pytest.raises(ValueError, match="corpus.txt: has no line end in the part to train on.* end each sentence"):
        language.recipe(c, 0)


@pytest.mark.parametrize("line", ["    one two three\n", "one two three\n\n\n", "one two three  \r\n\r\n", "\tone\n"])
def test_a_corpus_with_blanks_about_its_line_ends_has_line_ends(line, tmp_path):
    (tmp_path / "corpus.txt").write_bytes(line.encode() * 600)
    recipe = language.recipe(language.configuration(small=True, corpus=str(tmp_path / "corpus.txt")), 0)
    merges = language.pairs(recipe.constants)
    assert tokenizer.encode(line, merges).count(language.LINE_END) == line.count("\n")


def test_a_corpus_with_line_ends_of_two_bytes_and_a_mark_gives_lines(tmp_path):
    (tmp_path / "corpus.txt").write_bytes(b"\xef\xbb\xbf" + b"one two three\r\n" * 300)
    recipe = language.recipe(language.configuration(small=True, corpus=str(tmp_path / "corpus.txt")), 0)
    assert recipe.measure.keywords["text"].startswith("one")
    writing = language.writing(Model("language", recipe.measure.keywords["config"], start(recipe).params,
                                     recipe.constants, None), "one")
    assert writing.text(tokenizer.encode(" two\r\n", language.pairs(recipe.constants))) == "one two"


def test_a_text_that_is_too_short_is_told_in_tokens_with_a_way_out(tmp_path):
    (tmp_path / "corpus.txt").write_text("a b\n" * 100)
    with pytest.raises(ValueError, match=r"corpus.txt: has \d+ tokens, and a model that reads 48 needs 490.*"
                                         r"use a longer text, or train a model that reads 32 \(--small\)$"):
        language.recipe(language.configuration(corpus=str(tmp_path / "corpus.txt")) | {"merges": 0}, 0)
    with pytest.raises(ValueError, match="reads 32 needs 330.*use a longer text$"):
        (tmp_path / "corpus.txt").write_text("a b\n" * 82)
        language.recipe(language.configuration(corpus=str(tmp_path / "corpus.txt"), small=True) | {"merges": 0}, 0)
    (tmp_path / "corpus.txt").write_text("a b\n" * 82 + "a\n")
    language.recipe(language.configuration(corpus=str(tmp_path / "corpus.txt"), small=True) | {"merges": 0}, 0)


def test_sentences_are_judged_by_the_grammar():
    """Five lines: one of the corpus, two new ones, one that is wrong, and one that came to no end."""
    lines = ["The cat sleeps.\n", "Ben waits.\n", "The dogs sing.\n", "Cat the sleeps.\n", "Nina swims."]
    assert language.judged(lines, "The cat sleeps.\nEmma rests.\n") == {"grammatical": 3 / 5, "new": 2 / 5}


def test_the_sentences_of_a_model_end_at_their_line_end(small_language):
    recipe, state = small_language
    measured = recipe.measure.keywords
    lines = language.sentences(state.params, measured["config"], measured["merges"], recipe.configuration)
    assert len(lines) == 50 and any(line.endswith("\n") for line in lines)
    assert all("\n" not in line[:-1] for line in lines)
    assert language.sentences(state.params, measured["config"], measured["merges"], recipe.configuration) == lines


# --- all recipes -----------------------------------------------------------------------------------------------------


def names_asked_of_a_task():
    """Every x of ``task.x`` and ``TASKS[...].x`` in the package."""
    for path in Path(transformer.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value).split("[")[0] in ("task", "TASKS"):
                if node.attr not in ("items", "keys", "values"):
                    yield node.attr


def test_each_recipe_has_every_name_that_the_package_uses():
    names = set(names_asked_of_a_task())
    assert {"recipe", "configuration", "writing", "sizes", "initial", "TEMPERATURE", "HELP", "SAMPLE"} <= names
    for name, task in TASKS.items():
        missing = [wanted for wanted in names if not hasattr(task, wanted)]
        assert not missing, f"recipes/{name}.py lacks {', '.join(missing)}"
        assert task.CONFIGURATION["task"] == task.SMALL["task"] == name


@pytest.mark.parametrize("name", TASKS)
def test_a_configuration_is_json_and_makes_the_same_recipe_again(name):
    task = TASKS[name]
    for small in (False, True):
        configuration = task.configuration(small=small)
        again = json.loads(json.dumps(configuration))
        assert again == configuration and configuration["task"] == name
        first, second = (start(task.recipe(c, 0)) for c in (configuration, again))
        assert_array_equal(first.theta, second.theta)
