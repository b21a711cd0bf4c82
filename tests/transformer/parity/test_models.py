"""Both models against PyTorch: logits, loss and the gradient of every parameter, in double and single precision.

The references are PyTorch's own layers with our parameters copied in. Gamma, beta and all biases are random, as after
training, batches are padded, and both masks are on. Errors are relative to the largest entry. The key biases are left
out: their gradients are 0 in theory, so that they hold nothing but round-off.
"""

import math

import numpy as np
import pytest

from transformer import decoder_only, encoder_decoder
from transformer.dropout import EVALUATION
from transformer.gradcheck import relative_error
from transformer.parameters import shapes_of
from transformer.positions import sinusoidal_positions

LIMITS = {np.float64: 1e-10, np.float32: 1e-5}
PAD = 0
DTYPES = pytest.mark.parametrize("dtype", LIMITS, ids=lambda dtype: dtype.__name__)


@pytest.fixture(scope="module")
def torch(not_run):
    """PyTorch, from the extra ``parity``."""
    try:
        import torch
    except ImportError:
        not_run("PyTorch is not installed: it comes with the extra `parity`")
    torch.set_num_threads(1)
    return torch


def as_after_training(views, dtype, rng):
    """Random values for all parameters, gamma around 1."""
    return {name: (name.endswith("gamma") + rng.normal(size=shape) / math.sqrt(shape[-1])).astype(dtype)
            for name, shape in shapes_of(views).items()}


def padded(rng, B, T, V):
    """Token ids of rows of different length, padded at the end; the first row is full, the last one is short."""
    ids = rng.integers(1, V, (B, T))
    for n in range(B):
        ids[n, T - n:] = PAD
    return ids


def copy_linear(torch, layer, W, b):
    layer.weight, layer.bias = torch.nn.Parameter(torch.tensor(W.T.copy())), torch.nn.Parameter(torch.tensor(b))


def copy_attention(torch, attention, params, prefix):
    stacked = np.concatenate([params[f"{prefix}.w{name}"].T for name in "qkv"])
    attention.in_proj_weight = torch.nn.Parameter(torch.tensor(stacked))
    biases = np.concatenate([params[f"{prefix}.b{name}"] for name in "qkv"])
    attention.in_proj_bias = torch.nn.Parameter(torch.tensor(biases))
    copy_linear(torch, attention.out_proj, params[f"{prefix}.wo"], params[f"{prefix}.bo"])


def copy_norm(torch, norm, params, prefix):
    norm.weight = torch.nn.Parameter(torch.tensor(params[f"{prefix}.gamma"]))
    norm.bias = torch.nn.Parameter(torch.tensor(params[f"{prefix}.beta"]))


def copy_layer(torch, layer, params, prefix, attentions, norms):
    """Our names of the attentions and norms of a layer, in the order in which PyTorch has them."""
    for module, name in zip((layer.self_attn, getattr(layer, "multihead_attn", None)), attentions):
        copy_attention(torch, module, params, f"{prefix}.{name}")
    for number, name in enumerate(norms, 1):
        copy_norm(torch, getattr(layer, f"norm{number}"), params, f"{prefix}.{name}")
    copy_linear(torch, layer.linear1, params[f"{prefix}.ffn.w1"], params[f"{prefix}.ffn.b1"])
    copy_linear(torch, layer.linear2, params[f"{prefix}.ffn.w2"], params[f"{prefix}.ffn.b2"])


def layer_gradients(layer, prefix, attentions, norms):
    """The gradients of a PyTorch layer under our names; key biases are left out."""
    found = {}
    for module, name in zip((layer.self_attn, getattr(layer, "multihead_attn", None)), attentions):
        for letter, W, b in zip("qkv", module.in_proj_weight.grad.chunk(3), module.in_proj_bias.grad.chunk(3)):
            found[f"{prefix}.{name}.w{letter}"] = W.T
            if letter != "k":
                found[f"{prefix}.{name}.b{letter}"] = b
        found[f"{prefix}.{name}.wo"] = module.out_proj.weight.grad.T
        found[f"{prefix}.{name}.bo"] = module.out_proj.bias.grad
    for number, name in enumerate(norms, 1):
        norm = getattr(layer, f"norm{number}")
        found[f"{prefix}.{name}.gamma"], found[f"{prefix}.{name}.beta"] = norm.weight.grad, norm.bias.grad
    for number, linear in ((1, layer.linear1), (2, layer.linear2)):
        found[f"{prefix}.ffn.w{number}"], found[f"{prefix}.ffn.b{number}"] = linear.weight.grad.T, linear.bias.grad
    return found


def compare(dtype, what, mine, reference):
    errors = {name: relative_error(mine[name], value.detach().numpy()) for name, value in reference.items()}
    worst = max(errors, key=errors.get)
    print(f"{what}, {dtype.__name__}: {len(errors)} arrays, largest relative error {errors[worst]:.1e}, of {worst}")
    assert errors[worst] < LIMITS[dtype], errors


ENCODER = (("attention",), ("norm1", "norm2"))
DECODER = (("self", "cross"), ("norm1", "norm2", "norm3"))


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
@pytest.mark.parametrize("sharing", encoder_decoder.SHARING)
@DTYPES
def test_row_A3_the_model_of_2017_agrees_with_nn_transformer_without_its_extra_norms(torch, dtype, sharing):
    rng = np.random.default_rng(3)
    config = encoder_decoder.Config(11, 11 if sharing == "all" else 9, d=12, H=3, d_ff=20, layers=2, sharing=sharing)
    params = as_after_training(encoder_decoder.init_encoder_decoder(config, rng)[1], dtype, rng)
    src, tgt = padded(rng, 3, 7, config.V_src), padded(rng, 3, 6, config.V_tgt)
    tgt_in, tgt_out = tgt[:, :-1], tgt[:, 1:]
    loss, grads = encoder_decoder.encoder_decoder_loss(src, tgt_in, tgt_out, params, config, PAD, EVALUATION, 0.1)
    logits, _ = encoder_decoder.encoder_decoder_forward(src, tgt_in, params, config, PAD, EVALUATION)

    model = torch.nn.Transformer(config.d, config.H, config.layers, config.layers, config.d_ff, dropout=0.0,
                                 activation="relu", batch_first=True, norm_first=False)
    model.encoder.norm = model.decoder.norm = None
    for number in range(config.layers):
        copy_layer(torch, model.encoder.layers[number], params, f"encoder{number}", *ENCODER)
        copy_layer(torch, model.decoder.layers[number], params, f"decoder{number}", *DECODER)
    names = encoder_decoder.SHARING[sharing]
    E = {name: torch.tensor(params[name], requires_grad=True) for name in set(names)}

    def embed(ids, name):
        positions = torch.tensor(sinusoidal_positions(ids.shape[1], config.d, dtype=dtype))
        return math.sqrt(config.d) * torch.nn.functional.embedding(torch.tensor(ids), E[name]) + positions

    later = torch.ones(tgt_in.shape[1], tgt_in.shape[1], dtype=torch.bool).triu(1)
    src_pad, tgt_pad = torch.tensor(src == PAD), torch.tensor(tgt_in == PAD)
    y = model(embed(src, names.src), embed(tgt_in, names.tgt), tgt_mask=later, src_key_padding_mask=src_pad,
              tgt_key_padding_mask=tgt_pad, memory_key_padding_mask=src_pad)
    expected = y @ E[names.out].T
    expected_loss = torch.nn.functional.cross_entropy(expected.flatten(0, 1), torch.tensor(tgt_out).flatten(),
                                                      ignore_index=PAD, label_smoothing=0.1)
    expected_loss.backward()
    reference = {name: matrix.grad for name, matrix in E.items()}
    for number in range(config.layers):
        reference |= layer_gradients(model.encoder.layers[number], f"encoder{number}", *ENCODER)
        reference |= layer_gradients(model.decoder.layers[number], f"decoder{number}", *DECODER)
    assert set(grads) - set(reference) == {name for name in grads if name.endswith("bk")}
    compare(dtype, f"model of 2017, sharing {sharing}", {"logits": logits, "loss": np.array(loss), **grads},
            {"logits": expected, "loss": expected_loss, **reference})


def test_row_A3_the_extra_norms_of_nn_transformer_change_the_outputs(torch):
    """With gamma and beta as after training the outputs differ much; with 1 and 0 the difference would not show."""
    rng = np.random.default_rng(3)
    y = torch.tensor(rng.normal(size=(3, 12)))
    gamma, beta = torch.tensor(1 + rng.normal(size=12) / 4), torch.tensor(rng.normal(size=12) / 4)
    fresh = torch.nn.functional.layer_norm(y, (12,))
    trained = torch.nn.functional.layer_norm(y, (12,), gamma, beta)
    again = torch.nn.functional.layer_norm(fresh, (12,)), torch.nn.functional.layer_norm(trained, (12,), gamma, beta)
    assert (again[0] - fresh).abs().max() < 1e-4 and (again[1] - trained).abs().max() > 0.1


@pytest.mark.parametrize("positions", ["learned", "sinusoidal"])
@DTYPES
def test_the_decoder_only_model_agrees_with_pre_norm_layers_and_a_final_norm(torch, dtype, positions):
    """PyTorch's encoder layer with norm_first, the causal mask and the tanh form of GELU is the block of GPT-2."""
    rng = np.random.default_rng(4)
    config = decoder_only.Config(V=11, n_max=10, d=12, H=3, d_ff=20, layers=2, positions=positions)
    params = as_after_training(decoder_only.init_decoder_only(config, rng)[1], dtype, rng)
    ids = padded(rng, 3, 8, config.V)
    inputs, targets = ids[:, :-1], np.where(ids[:, 1:] == PAD, -1, ids[:, 1:])
    loss, grads = decoder_only.decoder_only_loss(inputs, targets, params, config, EVALUATION, PAD)
    logits, _ = decoder_only.decoder_only_forward(inputs, params, config, EVALUATION, PAD)

    E = torch.tensor(params["E"], requires_grad=True)
    table = params["P"] if positions == "learned" else sinusoidal_positions(config.n_max, config.d, dtype=dtype)
    P = torch.tensor(table, requires_grad=True)
    layers = [torch.nn.TransformerEncoderLayer(config.d, config.H, config.d_ff, dropout=0.0, batch_first=True,
                                               activation=torch.nn.GELU(approximate="tanh"), norm_first=True)
              for _ in range(config.layers)]
    for number, layer in enumerate(layers):
        copy_layer(torch, layer, params, f"block{number}", *ENCODER)
    final = torch.nn.LayerNorm(config.d)
    copy_norm(torch, final, params, "norm")
    y = torch.nn.functional.embedding(torch.tensor(inputs), E) + P[:inputs.shape[1]]
    later = torch.ones(inputs.shape[1], inputs.shape[1], dtype=torch.bool).triu(1)
    for layer in layers:
        y = layer(y, src_mask=later, src_key_padding_mask=torch.tensor(inputs == PAD))
    expected = final(y) @ E.T
    expected_loss = torch.nn.functional.cross_entropy(expected.flatten(0, 1), torch.tensor(targets).flatten(),
                                                      ignore_index=-1)
    expected_loss.backward()
    reference = {"E": E.grad, "norm.gamma": final.weight.grad, "norm.beta": final.bias.grad}
    reference |= {"P": P.grad} if positions == "learned" else {}
    for number, layer in enumerate(layers):
        reference |= layer_gradients(layer, f"block{number}", *ENCODER)
    assert set(grads) - set(reference) == {name for name in grads if name.endswith("bk")}
    compare(dtype, f"decoder-only, {positions} positions", {"logits": logits, "loss": np.array(loss), **grads},
            {"logits": expected, "loss": expected_loss, **reference})
