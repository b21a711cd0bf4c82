"""Position-wise feed-forward networks: two or three linear layers, applied to each row alone."""

from transformer.activations import (gelu_tanh_backward, gelu_tanh_forward, relu_backward, relu_forward, silu_backward,
                                     silu_forward)
from transformer.arrays import colsum, dot, rows


def ffn_relu_forward(x, params):
    """max(0, x W1 + b1) W2 + b2 (Vaswani et al. 2017, eq. 2).

    x: (..., d). params: w1: (d, d_ff), b1: (d_ff,), w2: (d_ff, d), b2: (d,). Returns y: (..., d) and the cache.
    """
    Z = dot(x, params["w1"]) + params["b1"]  # (..., d_ff)
    R, cache_R = relu_forward(Z)             # (..., d_ff)
    y = dot(R, params["w2"]) + params["b2"]  # (..., d)
    return y, (x, R, cache_R, params)


def ffn_relu_backward(dy, cache):
    """Gradients of the feed-forward network of 2017.

    dy: (..., d). Returns dx: (..., d) and the gradients of the four parameters, under the parameters' names.
    """
    x, R, cache_R, params = cache
    dW2 = rows(R).T @ rows(dy)       # (d_ff, d)
    db2 = colsum(dy)                 # (d,)
    dR = dot(dy, params["w2"].T)     # (..., d_ff)
    dZ = relu_backward(dR, cache_R)  # (..., d_ff)
    dW1 = rows(x).T @ rows(dZ)       # (d, d_ff)
    db1 = colsum(dZ)                 # (d_ff,)
    dx = dot(dZ, params["w1"].T)     # (..., d)
    return dx, {"w1": dW1, "b1": db1, "w2": dW2, "b2": db2}


def ffn_gelu_tanh_forward(x, params):
    """GELU(x W1 + b1) W2 + b2, with the tanh form of GELU (Radford et al. 2019: GPT-2).

    x: (..., d). params: w1: (d, d_ff), b1: (d_ff,), w2: (d_ff, d), b2: (d,). Returns y: (..., d) and the cache.
    """
    Z = dot(x, params["w1"]) + params["b1"]  # (..., d_ff)
    G, cache_G = gelu_tanh_forward(Z)        # (..., d_ff)
    y = dot(G, params["w2"]) + params["b2"]  # (..., d)
    return y, (x, G, cache_G, params)


def ffn_gelu_tanh_backward(dy, cache):
    """Gradients of the feed-forward network with GELU in its tanh form.

    dy: (..., d). Returns dx: (..., d) and the gradients of the four parameters, under the parameters' names.
    """
    x, G, cache_G, params = cache
    dW2 = rows(G).T @ rows(dy)            # (d_ff, d)
    db2 = colsum(dy)                      # (d,)
    dG = dot(dy, params["w2"].T)          # (..., d_ff)
    dZ = gelu_tanh_backward(dG, cache_G)  # (..., d_ff)
    dW1 = rows(x).T @ rows(dZ)            # (d, d_ff)
    db1 = colsum(dZ)                      # (d_ff,)
    dx = dot(dZ, params["w1"].T)          # (..., d)
    return dx, {"w1": dW1, "b1": db1, "w2": dW2, "b2": db2}


def ffn_swiglu_forward(x, params):
    """(SiLU(x W_gate) * x W_up) W_down, without biases (Shazeer 2020, eq. 6: FFN_SwiGLU, there W, V and W2).

    x: (..., d). params: w_gate, w_up: (d, d_ff), w_down: (d_ff, d). Returns y: (..., d) and the cache.
    """
    Z = dot(x, params["w_gate"])        # (..., d_ff)
    gate, cache_gate = silu_forward(Z)  # (..., d_ff)
    up = dot(x, params["w_up"])         # (..., d_ff)
    h = gate * up                       # (..., d_ff)
    y = dot(h, params["w_down"])        # (..., d)
    return y, (x, gate, cache_gate, up, h, params)


def ffn_swiglu_backward(dy, cache):
    """Gradients of the gated feed-forward network; x feeds the gate and the other branch, so both add up in dx.

    dy: (..., d). Returns dx: (..., d) and the gradients of the three parameters, under the parameters' names.
    """
    x, gate, cache_gate, up, h, params = cache
    dW_down = rows(h).T @ rows(dy)         # (d_ff, d)
    dh = dot(dy, params["w_down"].T)       # (..., d_ff)
    dgate = dh * up                        # (..., d_ff)
    dup = dh * gate                        # (..., d_ff)
    dZ = silu_backward(dgate, cache_gate)  # (..., d_ff)
    dW_gate = rows(x).T @ rows(dZ)         # (d, d_ff)
    dW_up = rows(x).T @ rows(dup)          # (d, d_ff)
    dx_gate = dot(dZ, params["w_gate"].T)  # (..., d)
    dx_up = dot(dup, params["w_up"].T)     # (..., d)
    dx = dx_gate + dx_up                   # (..., d)
    return dx, {"w_gate": dW_gate, "w_up": dW_up, "w_down": dW_down}
