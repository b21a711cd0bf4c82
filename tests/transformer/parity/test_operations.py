"""Every operation against PyTorch: results and gradients, in double and single precision.

Errors are relative to the largest entry: at most 1e-10 in float64 and 1e-5 in float32.
"""

import math

import numpy as np
import pytest

from tests.transformer.sample_calls import gradients, samples
from transformer.gradcheck import relative_error
from transformer.optimizers import adam_state, adam_step, adamw_step, clip_by_global_norm

LIMITS = {np.float64: 1e-10, np.float32: 1e-5}
SAMPLES = samples()


@pytest.fixture(scope="module")
def torch(not_run):
    """PyTorch, from the extra ``parity``."""
    try:
        import torch
    except ImportError:
        not_run("PyTorch is not installed: it comes with the extra `parity`")
    torch.set_num_threads(1)
    return torch


def cross_entropy(torch, logits, targets, ignore, eps=0.0):
    function = torch.nn.functional.cross_entropy
    return function(logits.reshape(-1, logits.shape[-1]), targets.reshape(-1), ignore_index=ignore, label_smoothing=eps)


def rotated(torch, x, cosine, sine):
    """Pairs of columns as complex numbers, multiplied by exp(i angle)."""
    turned = torch.view_as_complex(x.unflatten(-1, (-1, 2))) * torch.complex(cosine, sine)
    return torch.view_as_real(turned).flatten(-2)


def swiglu(torch, x, params):
    gate = torch.nn.functional.silu(x @ params["w_gate"])
    return (gate * (x @ params["w_up"])) @ params["w_down"]


def two_layers(torch, x, params, activation):
    return activation(x @ params["w1"] + params["b1"]) @ params["w2"] + params["b2"]


def attended(torch, x, memory, params, H, mask, G=None):
    """Projections around PyTorch's attention; its grouped queries where there are fewer heads of keys and values."""
    def heads(rows, name, n):
        return (rows @ params["w" + name] + params.get("b" + name, 0)).unflatten(-1, (n, -1)).transpose(-3, -2)

    attention = torch.nn.functional.scaled_dot_product_attention
    Oh = attention(heads(x, "q", H), heads(memory, "k", G or H), heads(memory, "v", G or H), mask, enable_gqa=bool(G))
    return Oh.transpose(-3, -2).flatten(-2) @ params["wo"] + params.get("bo", 0)


# The same operation by PyTorch's own functions, from the same arguments.
REFERENCES = {
    "linear_forward": lambda torch, x, W, b: torch.nn.functional.linear(x, W.T, b),
    "softmax_forward": lambda torch, x: torch.softmax(x, dim=-1),
    "relu_forward": lambda torch, x: torch.relu(x),
    "gelu_erf_forward": lambda torch, x: torch.nn.functional.gelu(x),
    "gelu_tanh_forward": lambda torch, x: torch.nn.functional.gelu(x, approximate="tanh"),
    "silu_forward": lambda torch, x: torch.nn.functional.silu(x),
    "layer_norm_forward": lambda torch, x, gamma, beta, eps:
        torch.nn.functional.layer_norm(x, gamma.shape, gamma, beta, eps),
    "rms_norm_forward": lambda torch, x, gamma, eps: torch.nn.functional.rms_norm(x, gamma.shape, gamma, eps),
    "ffn_relu_forward": lambda torch, x, params: two_layers(torch, x, params, torch.relu),
    "ffn_gelu_tanh_forward": lambda torch, x, params:
        two_layers(torch, x, params, torch.nn.GELU(approximate="tanh")),
    "ffn_swiglu_forward": swiglu,
    "embedding_forward": lambda torch, ids, E: torch.nn.functional.embedding(ids, E),
    "scaled_embedding_forward": lambda torch, ids, E: torch.nn.functional.embedding(ids, E) * math.sqrt(E.shape[-1]),
    "tied_logits_forward": lambda torch, x, E: torch.nn.functional.linear(x, E),
    "cross_entropy_forward": cross_entropy,
    "smoothed_cross_entropy_forward": cross_entropy,
    "learned_positions_forward": lambda torch, x, P, start: x + P[start:start + x.shape[-2]],
    "rotary_forward": rotated,
    "scaled_dot_product_forward": lambda torch, Qh, Kh, Vh, mask:
        torch.nn.functional.scaled_dot_product_attention(Qh, Kh, Vh, mask),
    "attention_forward": lambda torch, Xn, params, H, mask: attended(torch, Xn, Xn, params, H, mask),
    "cross_attention_forward": attended,
    "grouped_query_forward": lambda torch, Xn, params, H, G, mask: attended(torch, Xn, Xn, params, H, mask, G),
}
NOT_HERE = {"identity_forward": "changes nothing", "dropout_forward": "other random numbers; test_dropout.py",
            **dict.fromkeys(("pre_norm_block_forward", "encoder_layer_forward", "decoder_layer_forward",
                             "embed_forward", "encoder_forward", "decoder_forward", "decoder_only_forward",
                             "encoder_decoder_forward"), "part of the models in test_models.py")}


def test_every_operation_is_compared_or_has_a_reason_not_to_be():
    assert {name for name, sample in SAMPLES.items() if sample.backward} == set(REFERENCES) | set(NOT_HERE)


def tensors(torch, value):
    """Arrays as tensors of the same dtype; floats collect gradients."""
    if isinstance(value, dict):
        return {name: tensors(torch, part) for name, part in value.items()}
    if not isinstance(value, np.ndarray):
        return value
    return torch.tensor(value, requires_grad=value.dtype.kind == "f")


@pytest.mark.parametrize("dtype", LIMITS, ids=lambda dtype: dtype.__name__)
@pytest.mark.parametrize("name", REFERENCES)
def test_results_and_gradients_agree(torch, name, dtype):
    sample = SAMPLES[name].as_dtype(dtype)
    dy = sample.dy()
    y, cache = sample.call()
    args = tensors(torch, sample.args)
    reference = REFERENCES[name](torch, **args)
    reference.backward(torch.tensor(dy, dtype=reference.dtype))
    errors = {"y": relative_error(y, reference.detach().numpy())}
    for argument, gradient in gradients(sample, dy, cache).items():
        if argument == "bk":  # 0 in theory: both hold round-off alone
            continue
        expected = (args.get("params", {}) | args)[argument].grad.numpy()
        errors[argument] = relative_error(gradient, expected)
    worst = max(errors, key=errors.get)
    print(f"{name}, {dtype.__name__}: largest relative error {errors[worst]:.1e}, of {worst}")
    assert errors[worst] < LIMITS[dtype], f"{name}: {errors}"


@pytest.mark.parametrize("dtype", LIMITS, ids=lambda dtype: dtype.__name__)
@pytest.mark.parametrize("decay", [0.0, 0.3])
def test_twenty_updates_agree(torch, decay, dtype):
    """Adam, and AdamW with two parameter groups of which one does not decay; large and small gradients."""
    rng = np.random.default_rng(0)
    theta, decayed = rng.normal(size=12).astype(dtype), np.repeat([1, 0], 6).astype(dtype)
    parts = [torch.tensor(part, requires_grad=True) for part in np.split(theta, 2)]
    settings = {"lr": 0.02, "betas": (0.9, 0.98), "eps": 1e-3}
    if decay:
        groups = [{"params": [parts[0]], "weight_decay": decay}, {"params": [parts[1]], "weight_decay": 0.0}]
        optimizer = torch.optim.AdamW(groups, **settings)
    else:
        optimizer = torch.optim.Adam(parts, **settings)
    state, mine = adam_state(theta), {"lr": 0.02, "beta1": 0.9, "beta2": 0.98, "eps": 1e-3}
    for _ in range(20):
        g = (rng.normal(size=12) * 10.0 ** rng.integers(-4, 2, 12)).astype(dtype)
        for part, gradient in zip(parts, np.split(g, 2), strict=True):
            part.grad = torch.tensor(gradient)
        optimizer.step()
        if decay:
            adamw_step(theta, g, state, decay=decay, decayed=decayed, **mine)
        else:
            adam_step(theta, g, state, **mine)
    error = relative_error(theta, np.concatenate([part.detach().numpy() for part in parts]))
    assert error < LIMITS[dtype], f"largest relative error {error:.1e}"


def test_clipping_agrees_up_to_the_1e_6_that_pytorch_adds_to_the_norm(torch):
    g = np.random.default_rng(0).normal(size=12)
    parts = [torch.nn.Parameter(torch.zeros(6, dtype=torch.float64)) for _ in range(2)]
    for part, gradient in zip(parts, np.split(g, 2), strict=True):
        part.grad = torch.tensor(gradient)
    norm = torch.nn.utils.clip_grad_norm_(parts, 0.5)
    clipped, mine = clip_by_global_norm(g, 0.5)
    assert abs(mine - float(norm)) < 1e-14 * mine
    assert relative_error(clipped, np.concatenate([part.grad.numpy() for part in parts])) < 1e-6
