"""PyTorch's side of the benchmarks: eager, as its users write it."""

from itertools import cycle

import torch
from torch import nn

from tests.benchmarks import cases
from tests.benchmarks.torch_models import DecoderOnly, EncoderDecoder, copy_parameters
from transformer.positions import sinusoidal_positions
from transformer.vocabulary import PAD, SOS

LONGEST = 128  # of the positions of the encoder-decoder


def model_of(case):
    """The model with the parameters that the package starts with."""
    config, _, params = cases.parameters(case)
    sizes = (case.d, case.H, case.d_ff, case.layers, case.dropout)
    if case.kind == "encoder-decoder":
        positions = torch.tensor(sinusoidal_positions(LONGEST, case.d, dtype="float32"))
        model = EncoderDecoder(case.V, *sizes, PAD, positions)
    else:
        model = DecoderOnly(case.V, config.n_max, *sizes)
    copy_parameters(model, params)
    return model


def training(case):
    """step() makes one training step, each on the next batch, and returns the loss.

    The model is evaluated once before, as on the other side.
    """
    model = model_of(case)
    evaluate(case, model)
    batches = cycle([tuple(torch.tensor(part) for part in batch) for batch in cases.batches(case)])

    if case.kind == "encoder-decoder":
        criterion = nn.CrossEntropyLoss(ignore_index=PAD, label_smoothing=case.smoothing)
        optimizer = torch.optim.Adam(model.parameters(), lr=case.lr, betas=(0.9, 0.98), eps=1e-9)
    else:
        criterion = nn.CrossEntropyLoss()
        matrices = [p for p in model.parameters() if p.ndim >= 2]
        vectors = [p for p in model.parameters() if p.ndim < 2]
        groups = [{"params": matrices, "weight_decay": case.decay}, {"params": vectors, "weight_decay": 0.0}]
        optimizer = torch.optim.AdamW(groups, lr=case.lr)

    def step():
        *inputs, targets = next(batches)
        logits = model(*inputs)
        loss = criterion(logits.flatten(0, 1), targets.flatten())
        optimizer.zero_grad()
        loss.backward()
        if case.kind == "decoder-only":
            nn.utils.clip_grad_norm_(model.parameters(), case.limit)
        optimizer.step()
        return loss.item()

    return step


def evaluate(case, model):
    *inputs, _ = (torch.tensor(part) for part in cases.evaluated(case))
    model.eval()
    with torch.no_grad():
        model(*inputs)
    model.train()


def decoding(case):
    """write() decodes greedily, with a cache, and returns the tokens."""
    model = model_of(case).eval()
    prompt = torch.tensor(cases.prompt(case))

    def translate():
        return model.generate(prompt, torch.full((case.batch, 1), SOS), case.max_new).numpy()

    def write():
        return model.generate(prompt, case.max_new).numpy()

    return translate if case.kind == "encoder-decoder" else write


def kernel(threads):
    """Set the number of threads, and say what PyTorch runs on, as a sentence."""
    torch.set_num_threads(threads)
    return (f"PyTorch {torch.__version__} for {torch.backends.cpu.get_cpu_capability()}, "
            f"{torch.get_num_threads()} thread(s)")
