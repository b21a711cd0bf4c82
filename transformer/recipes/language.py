"""A decoder-only model learns to write the sentences of a corpus: of the small grammar, or of a user's file.

Text becomes tokens by byte pairs that are learned from the same corpus. The last tenth of the tokens is kept for
validation. Weight decay is decoupled and meets matrices only; the gradient is clipped by its global norm; the learning
rate warms up, then falls along half a cosine.
"""

from functools import partial

import numpy as np

from transformer import tokenizer
from transformer.cross_entropy import cross_entropy_forward, number_of_targets
from transformer.data import grammar
from transformer.data.text import IGNORED, all_windows, random_windows, read_corpus, split
from transformer.decoder_only import Config, decoder_only_forward, decoder_only_loss, init_decoder_only, writer
from transformer.dropout import EVALUATION
from transformer.files import sha256
from transformer.generation import generate, sampler
from transformer.optimizers import adamw_step
from transformer.parameters import decay_mask
from transformer.perplexity import mean_over_targets, perplexity
from transformer.recipes.common import Writing, chosen
from transformer.schedules import warmup_cosine
from transformer.training import Recipe

LINE_END = ord("\n")  # a byte is its own token; it begins and ends each line that a model writes

HELP = "a decoder-only model learns to write the sentences of a corpus"
CONFIGURATION = {  # corpus: the path of a file; None: what data.grammar writes
    "task": "language", "corpus": None, "merges": 256, "d": 48, "H": 4, "d_ff": 192, "layers": 2, "n_max": 48,
    "dtype": "float32", "steps": 16000, "batch": 4, "warmup": 200, "peak": 0.003, "beta1": 0.9, "beta2": 0.99,
    "eps": 1e-8, "decay": 0.1, "limit": 1.0, "dropout": 0.1, "measured_every": 1000,
    "sentences": 500, "temperature": 0.8, "sentences_seed": 1234,
}
SMALL = CONFIGURATION | {
    "merges": 64, "d": 32, "H": 2, "d_ff": 64, "layers": 1, "n_max": 32, "steps": 300, "batch": 32, "warmup": 100,
    "measured_every": 250, "sentences": 50,
}


def recipe(configuration, seed):
    """The Recipe of a configuration such as CONFIGURATION.

    Raises FileRefused where the corpus is a file that cannot be read, ValueError where it is too short or has no lines.
    """
    c = configuration
    text, sha = corpus(c["corpus"])
    merges = tokenizer.train(text, c["merges"])
    train, validation = parts(np.array(tokenizer.encode(text, merges)), c)
    constants = {"merges": np.array(merges, np.int64).reshape(-1, 2)}
    config = sizes(c, constants)
    return Recipe(
        configuration=c, seed=seed, data_sha256=sha, steps=c["steps"], measured_every=c["measured_every"],
        dropout=c["dropout"], limit=c["limit"], constants=constants,
        initial=partial(initial, config=config, dtype=c["dtype"]),
        batch=partial(random_windows, train, c["batch"], c["n_max"]),
        loss=partial(loss, config=config),
        rate=partial(warmup_cosine, peak=c["peak"], warmup=min(c["warmup"], c["steps"] // 2),
                     total=c["steps"] + 1),  # so that the last step still moves something
        optimizer=partial(optimizer, decay=c["decay"], beta1=c["beta1"], beta2=c["beta2"], eps=c["eps"]),
        measure=partial(measure, config=config, validation=validation, merges=merges, text=text, c=c),
    )


def configuration(steps=None, small=False, corpus=None):
    """What is to be trained: CONFIGURATION or SMALL, with other steps or with the path of another corpus."""
    return chosen(SMALL if small else CONFIGURATION, steps=steps, corpus=corpus)


def corpus(name):
    """The text of a corpus and the sha256 of its bytes: of a file, by its path, or of the small grammar, by None."""
    if name is not None:
        return read_corpus(name)
    text = grammar.corpus()
    return text, sha256(text.encode())


def parts(ids, configuration):
    """The tokens to train on and those to validate on. Raises ValueError where one is too short or no line ends."""
    name, T = configuration["corpus"], configuration["n_max"]
    enough = 10 * (T + 1)
    if len(ids) < enough:
        smaller = f", or train a model that reads {SMALL['n_max']} (--small)" if T > SMALL["n_max"] else ""
        raise ValueError(f"{name}: has {len(ids)} tokens, and a model that reads {T} needs {enough}, a tenth of them "
                         f"to be judged by: use a longer text{smaller}")
    train, validation = split(ids, T)
    if LINE_END not in train:
        raise ValueError(f"{name}: has no line end in the part to train on, and a line is what the model learns to "
                         "write: end each sentence or paragraph with a line end")
    return train, validation


def sizes(configuration, constants):
    """The sizes of the model: the vocabulary is the bytes and one token for each merge."""
    V = tokenizer.BYTES + len(constants["merges"])
    return Config(V, *(configuration[name] for name in ("n_max", "d", "H", "d_ff", "layers")))


def initial(rng, config, dtype):
    """Initial parameters: (theta, params)."""
    return init_decoder_only(config, rng, dtype)


def loss(params, batch, drop, config):
    """The loss of a batch of windows, inputs and targets, and the gradients of all parameters."""
    return decoder_only_loss(*batch, params, config, drop)


def optimizer(params, decay, beta1, beta2, eps):
    """AdamW; the entries of matrices decay."""
    return partial(adamw_step, decay=decay, decayed=decay_mask(params), beta1=beta1, beta2=beta2, eps=eps)


# --- writing ---------------------------------------------------------------------------------------------------------

TEMPERATURE = 0.8  # where the user names none
SAMPLE = ""


def writing(model, text):
    """How a trained model continues a text, which begins a line. Raises ValueError where the text is too long."""
    merges = pairs(model.constants)
    prompt = [LINE_END, *tokenizer.encode(text, merges)]
    room = model.config.n_max - len(prompt)
    if room < 1:
        raise ValueError(f"the prompt has {len(prompt)} tokens, and the model reads {model.config.n_max}, together "
                         "with what it writes: shorten the prompt")
    return Writing(writer(model.params, model.config), None, prompt, LINE_END, room,
                   lambda ids: text + tokenizer.decode(ids, merges).removesuffix("\n").removesuffix("\r"))


def pairs(constants):
    """The merges of the tokenizer, from the array of a checkpoint."""
    return tuple((left, right) for left, right in constants["merges"].tolist())


# --- judging a model -------------------------------------------------------------------------------------------------


def measure(params, config, validation, merges, text, c):
    """The loss on the validation tokens and its perplexity; for the grammar also how good the sentences are."""
    losses = validation_losses(params, config, validation)
    found = {"validation_loss": mean_over_targets(losses), "perplexity": perplexity(losses)}
    if c["corpus"] is not None:
        return found
    return found | judged(sentences(params, config, merges, c), text)


def validation_losses(params, config, ids):
    """The mean loss of a token and the number of tokens, for 64 windows after another. ids: (n,)."""
    inputs, targets = all_windows(ids, config.n_max)
    losses = []
    for start in range(0, len(inputs), 64):
        logits, _ = decoder_only_forward(inputs[start:start + 64], params, config, EVALUATION)
        some = targets[start:start + 64]
        mean, _ = cross_entropy_forward(logits, some, IGNORED)
        losses.append((mean, number_of_targets(some, IGNORED)))
    return losses


def sentences(params, config, merges, c):
    """Lines that the model writes by itself, each with its line end if it came to one: a list of texts."""
    rng = np.random.default_rng(c["sentences_seed"])
    written = generate(writer(params, config), np.full((c["sentences"], 1), LINE_END), config.n_max - 1,
                       sampler(c["temperature"]), LINE_END, pad=LINE_END, rng=rng)
    return [tokenizer.decode(ids[1:n], merges) for ids, n in zip(written.ids, written.lengths, strict=True)]


def judged(lines, text):
    """The share of lines that the grammar could have written, and of lines that are also new, not in the text.

    A line that came to no end counts as neither.
    """
    right = [line[:-1] for line in lines if line.endswith("\n") and grammar.belongs(line[:-1])]
    known = set(text.splitlines())
    return {"grammatical": len(right) / len(lines), "new": sum(line not in known for line in right) / len(lines)}
