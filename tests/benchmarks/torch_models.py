"""Both models in PyTorch, as its users write them: modules of their own over nn.Linear, nn.LayerNorm and so on.

The mathematics is that of the package: post-norm with ReLU in the model of 2017, pre-norm with GELU in its tanh form in
the decoder-only model, dropout on the output of each sublayer and on the embeddings. Decoding keeps keys and values,
and lengthens them by torch.cat.
"""

import math
import re

import torch
from torch import nn
from torch.nn import functional as F


class Attention(nn.Module):
    """Multi-head attention from x to the memory; ``past`` holds keys and values of what was read before."""

    def __init__(self, d, H):
        super().__init__()
        self.H = H
        self.q, self.k, self.v, self.o = (nn.Linear(d, d) for _ in range(4))

    def heads(self, x):
        B, T, d = x.shape
        return x.view(B, T, self.H, d // self.H).transpose(1, 2)

    def keys_values(self, memory):
        return self.heads(self.k(memory)), self.heads(self.v(memory))

    def read(self, x, keys, values, mask=None):
        q = self.heads(self.q(x))
        scores = q @ keys.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        mixed = F.softmax(scores, dim=-1) @ values
        return self.o(mixed.transpose(1, 2).reshape(x.shape))

    def forward(self, x, memory, mask):
        return self.read(x, *self.keys_values(memory), mask)

    def step(self, x, past, mask=None):
        keys, values = self.keys_values(x)
        if past is not None:
            keys, values = torch.cat([past[0], keys], dim=2), torch.cat([past[1], values], dim=2)
        return self.read(x, keys, values, mask), (keys, values)


class FeedForward(nn.Module):
    def __init__(self, d, d_ff, activation):
        super().__init__()
        self.linear1, self.activation, self.linear2 = nn.Linear(d, d_ff), activation, nn.Linear(d_ff, d)

    def forward(self, x):
        return self.linear2(self.activation(self.linear1(x)))


def causal(T):
    """True where a position may be read: (T, T)."""
    return torch.ones(T, T, dtype=torch.bool).tril()


# --- the model of 2017 -----------------------------------------------------------------------------------------------


class EncoderLayer(nn.Module):
    def __init__(self, d, H, d_ff, dropout):
        super().__init__()
        self.attention, self.ffn = Attention(d, H), FeedForward(d, d_ff, nn.ReLU())
        self.norm1, self.norm2, self.drop = nn.LayerNorm(d), nn.LayerNorm(d), nn.Dropout(dropout)

    def forward(self, x, mask):
        x = self.norm1(x + self.drop(self.attention(x, x, mask)))
        return self.norm2(x + self.drop(self.ffn(x)))


class DecoderLayer(nn.Module):
    def __init__(self, d, H, d_ff, dropout):
        super().__init__()
        self.self_attention, self.cross, self.ffn = Attention(d, H), Attention(d, H), FeedForward(d, d_ff, nn.ReLU())
        self.norm1, self.norm2, self.norm3 = nn.LayerNorm(d), nn.LayerNorm(d), nn.LayerNorm(d)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, mask, memory_mask):
        x = self.norm1(x + self.drop(self.self_attention(x, x, mask)))
        x = self.norm2(x + self.drop(self.cross(x, memory, memory_mask)))
        return self.norm3(x + self.drop(self.ffn(x)))

    def step(self, x, past, kept, memory_mask):
        a, longer = self.self_attention.step(x, past)
        x = self.norm1(x + self.drop(a))
        x = self.norm2(x + self.drop(self.cross.read(x, *kept, memory_mask)))
        return self.norm3(x + self.drop(self.ffn(x))), longer


class EncoderDecoder(nn.Module):
    """Post-norm, one embedding for source, target and output. ``positions``: (longest, d), added to embeddings."""

    def __init__(self, V, d, H, d_ff, layers, dropout, pad, positions):
        super().__init__()
        self.scale, self.pad = math.sqrt(d), pad
        self.E, self.drop = nn.Embedding(V, d), nn.Dropout(dropout)
        self.encoder = nn.ModuleList(EncoderLayer(d, H, d_ff, dropout) for _ in range(layers))
        self.decoder = nn.ModuleList(DecoderLayer(d, H, d_ff, dropout) for _ in range(layers))
        self.register_buffer("positions", positions)

    def embed(self, ids, start=0):
        return self.drop(self.scale * self.E(ids) + self.positions[start:start + ids.shape[1]])

    def mask(self, ids):
        return (ids != self.pad)[:, None, None, :]

    def encode(self, src):
        x = self.embed(src)
        for layer in self.encoder:
            x = layer(x, self.mask(src))
        return x

    def forward(self, src, tgt):
        memory, x = self.encode(src), self.embed(tgt)
        for layer in self.decoder:
            x = layer(x, memory, self.mask(tgt) & causal(tgt.shape[1]), self.mask(src))
        return x @ self.E.weight.T

    @torch.no_grad()
    def generate(self, src, start, max_new):
        """Greedy, without an end token. src: (B, n_src), start: (B, 1). Returns (B, 1 + max_new)."""
        memory, mask = self.encode(src), self.mask(src)
        kept = [layer.cross.keys_values(memory) for layer in self.decoder]
        pasts, ids, new = [None] * len(self.decoder), start, start
        for n in range(max_new):
            x = self.embed(new, start=n)
            for i, layer in enumerate(self.decoder):
                x, pasts[i] = layer.step(x, pasts[i], kept[i], mask)
            new = (x[:, -1] @ self.E.weight.T).argmax(dim=-1, keepdim=True)
            ids = torch.cat([ids, new], dim=1)
        return ids


# --- the decoder-only model ------------------------------------------------------------------------------------------


class Block(nn.Module):
    def __init__(self, d, H, d_ff, dropout):
        super().__init__()
        self.attention, self.ffn = Attention(d, H), FeedForward(d, d_ff, nn.GELU(approximate="tanh"))
        self.norm1, self.norm2, self.drop = nn.LayerNorm(d), nn.LayerNorm(d), nn.Dropout(dropout)

    def forward(self, x, mask):
        h = self.norm1(x)
        x = x + self.drop(self.attention(h, h, mask))
        return x + self.drop(self.ffn(self.norm2(x)))

    def step(self, x, past, mask):
        a, longer = self.attention.step(self.norm1(x), past, mask)
        x = x + self.drop(a)
        return x + self.drop(self.ffn(self.norm2(x))), longer


class DecoderOnly(nn.Module):
    """Pre-norm with a final norm, learned positions, the embedding again as output layer."""

    def __init__(self, V, n_max, d, H, d_ff, layers, dropout):
        super().__init__()
        self.E, self.P, self.drop = nn.Embedding(V, d), nn.Embedding(n_max, d), nn.Dropout(dropout)
        self.block = nn.ModuleList(Block(d, H, d_ff, dropout) for _ in range(layers))
        self.norm = nn.LayerNorm(d)

    def embed(self, ids, start=0):
        return self.drop(self.E(ids) + self.P(torch.arange(start, start + ids.shape[1])))

    def forward(self, ids):
        x, mask = self.embed(ids), causal(ids.shape[1])
        for block in self.block:
            x = block(x, mask)
        return self.norm(x) @ self.E.weight.T

    @torch.no_grad()
    def generate(self, prompt, max_new):
        """Greedy, without an end token. prompt: (B, n). Returns (B, n + max_new)."""
        pasts, ids, new, start, mask = [None] * len(self.block), prompt, prompt, 0, causal(prompt.shape[1])
        for _ in range(max_new):
            x = self.embed(new, start)
            for i, block in enumerate(self.block):
                x, pasts[i] = block.step(x, pasts[i], mask)
            start, mask = start + new.shape[1], None  # one token may read all that is kept
            new = (self.norm(x[:, -1]) @ self.E.weight.T).argmax(dim=-1, keepdim=True)
            ids = torch.cat([ids, new], dim=1)
        return ids


# --- parameters of the package ---------------------------------------------------------------------------------------


def copy_parameters(model, views):
    """Give the model all parameters of the package's model, by name; PyTorch keeps matrices transposed."""
    state = model.state_dict()
    given = {torch_name(name): torch.tensor(view.T if is_weight(name) else view) for name, view in views.items()}
    wanted = set(state) - {"positions"}
    if set(given) != wanted:
        raise ValueError(f"the names of the parameters differ: {sorted(set(given) ^ wanted)}")
    model.load_state_dict(state | given)


def is_weight(name):
    """Whether this is the matrix of a linear layer: w1, wq and so on."""
    return name.rsplit(".", 1)[-1].startswith("w")


def torch_name(name):
    """"encoder0.attention.wq" is called "encoder.0.attention.q.weight" here."""
    name = re.sub(r"^([a-z]+)(\d+)\.", r"\1.\2.", name).replace(".self.", ".self_attention.")
    *path, last = name.split(".")
    if last in ("E", "P"):
        return f"{last}.weight"
    if last in ("gamma", "beta"):
        return ".".join([*path, "weight" if last == "gamma" else "bias"])
    layer = f"linear{last[1]}" if last[1].isdigit() else last[1]
    return ".".join([*path, layer, "weight" if last[0] == "w" else "bias"])
