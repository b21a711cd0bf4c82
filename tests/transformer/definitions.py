"""The definitions that the package is held to, written as loops over single numbers.

Nothing here calls the package. Matrices of all heads side by side are (B, T, d); matrices per head are (B, H, T, d_h)
or (B, H, T, T). The index n counts sequences, h heads, t, i and j positions. Operands of sums are read from lists,
which give single numbers several times faster than arrays do.
"""

import math
from types import SimpleNamespace

import numpy as np

from tests.transformer.once import once
from tests.transformer.samples import attention_sample

TIGHT = {"rtol": 1e-11, "atol": 1e-12, "strict": True}  # for assert_allclose: float64, sums of a few dozen terms


@once
def project(X, W, b):
    """X W with b added to each row: (B, T, d_in) becomes (B, T, d_out)."""
    B, T, d_in = X.shape
    Y = np.zeros((B, T, W.shape[1]))
    x, w = X.tolist(), W.tolist()
    for n, t, c in np.ndindex(Y.shape):
        Y[n, t, c] = sum(x[n][t][k] * w[k][c] for k in range(d_in)) + b[c]
    return Y


@once
def project_back(dY, W):
    """dY W^T: the gradient on the input of a projection, (B, T, d_in)."""
    B, T, d_out = dY.shape
    dX = np.zeros((B, T, W.shape[0]))
    dy, w = dY.tolist(), W.tolist()
    for n, t, k in np.ndindex(dX.shape):
        dX[n, t, k] = sum(dy[n][t][c] * w[k][c] for c in range(d_out))
    return dX


@once
def weight_gradient(X, dY):
    """X^T dY, summed over all rows of all sequences: (d_in, d_out)."""
    B, T, d_in = X.shape
    dW = np.zeros((d_in, dY.shape[2]))
    x, dy = X.tolist(), dY.tolist()
    for k, c in np.ndindex(dW.shape):
        dW[k, c] = sum(x[n][t][k] * dy[n][t][c] for n in range(B) for t in range(T))
    return dW


@once
def bias_gradient(dY):
    """The sum of all rows of all sequences: (d_out,)."""
    B, T, d_out = dY.shape
    return np.array([sum(dY[n, t, c] for n in range(B) for t in range(T)) for c in range(d_out)])


@once
def split(M, H):
    """Head h holds the columns h d_h to (h + 1) d_h - 1: (B, T, d) becomes (B, H, T, d_h)."""
    B, T, d = M.shape
    width = d // H
    Mh = np.zeros((B, H, T, width))
    for n, h, t, i in np.ndindex(Mh.shape):
        Mh[n, h, t, i] = M[n, t, h * width + i]
    return Mh


@once
def merge(Mh):
    """The heads side by side: (B, H, T, d_h) becomes (B, T, d)."""
    B, H, T, width = Mh.shape
    M = np.zeros((B, T, H * width))
    for n, h, t, i in np.ndindex(Mh.shape):
        M[n, t, h * width + i] = Mh[n, h, t, i]
    return M


@once
def row_products(X, Y):
    """X Y^T in each head: entry (i, j) is the dot product of row i of X and row j of Y."""
    B, H, rows, width = X.shape
    Z = np.zeros((B, H, rows, Y.shape[2]))
    x, y = X.tolist(), Y.tolist()
    for n, h, i, j in np.ndindex(Z.shape):
        Z[n, h, i, j] = sum(x[n][h][i][m] * y[n][h][j][m] for m in range(width))
    return Z


@once
def mix_rows(A, Y):
    """A Y in each head: row i is the sum of the rows j of Y, each times A[i, j]."""
    B, H, rows, columns = A.shape
    Z = np.zeros((B, H, rows, Y.shape[3]))
    a, y = A.tolist(), Y.tolist()
    for n, h, i, m in np.ndindex(Z.shape):
        Z[n, h, i, m] = sum(a[n][h][i][j] * y[n][h][j][m] for j in range(columns))
    return Z


@once
def mix_columns(A, Y):
    """A^T Y in each head: row j is the sum of the rows i of Y, each times A[i, j]."""
    B, H, rows, columns = A.shape
    Z = np.zeros((B, H, columns, Y.shape[3]))
    a, y = A.tolist(), Y.tolist()
    for n, h, j, m in np.ndindex(Z.shape):
        Z[n, h, j, m] = sum(a[n][h][i][j] * y[n][h][i][m] for i in range(rows))
    return Z


@once
def causal_softmax(S):
    """Softmax over the first i + 1 scores of row i, and 0 after them."""
    A = np.zeros(S.shape)
    for n, h, i in np.ndindex(S.shape[:3]):
        total = sum(math.exp(S[n, h, i, j]) for j in range(i + 1))
        for j in range(i + 1):
            A[n, h, i, j] = math.exp(S[n, h, i, j]) / total
    return A


@once
def softmax_gradient(A, dA):
    """A_ij (dA_ij - sum over k of A_ik dA_ik)."""
    dS = np.zeros(A.shape)
    for n, h, i, j in np.ndindex(A.shape):
        mean = sum(A[n, h, i, k] * dA[n, h, i, k] for k in range(A.shape[3]))
        dS[n, h, i, j] = A[n, h, i, j] * (dA[n, h, i, j] - mean)
    return dS


@once
def attention_scores(Xn, params, H):
    """The scaled scores before the mask, (B, H, T, T)."""
    Q, K = (project(Xn, params["w" + name], params["b" + name]) for name in "qk")
    return row_products(split(Q, H), split(K, H)) / math.sqrt(Q.shape[2] // H)


@once
def attention(Xn, params, H):
    """Every step of the forward pass, as attributes with the names of the formulas."""
    Q, K, V = (project(Xn, params["w" + name], params["b" + name]) for name in "qkv")
    Qh, Kh, Vh = split(Q, H), split(K, H), split(V, H)
    products = row_products(Qh, Kh)
    S = products / math.sqrt(Qh.shape[3])
    A = causal_softmax(S)
    Oh = mix_rows(A, Vh)
    O = merge(Oh)
    out = project(O, params["wo"], params["bo"])
    return SimpleNamespace(Q=Q, K=K, V=V, Qh=Qh, Kh=Kh, Vh=Vh, products=products, S=S, A=A, Oh=Oh, O=O, out=out)


@once
def attention_gradients(dOut, f, params):
    """The gradients inside the heads, for the forward values ``f`` (what ``attention`` returns)."""
    root = math.sqrt(f.Qh.shape[3])
    dOh = split(project_back(dOut, params["wo"]), f.Qh.shape[1])
    dVh = mix_columns(f.A, dOh)
    dA = row_products(dOh, f.Vh)
    dS = softmax_gradient(f.A, dA)
    dQh = mix_rows(dS, f.Kh) / root
    dKh = mix_columns(dS, f.Qh) / root
    return SimpleNamespace(dOh=dOh, dVh=dVh, dA=dA, dS=dS, dQh=dQh, dKh=dKh)


# Most tests ask for these. Computed while tests are collected, they are there in every process that is forked for one.
_Xn, _params, _H, _, _dOut = attention_sample()
attention_gradients(_dOut, attention(_Xn, _params, _H), _params)
