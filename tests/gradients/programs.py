"""Programs in f64, one a family of calls, at values away from ties and kinks: where every autodiff has to say the same.

In: nothing.  Out: `TEXTS` by family, and the arrays they are run with.
"""

from __future__ import annotations

import numpy as np

X = np.array([[0.3, -1.2, 2.1], [1.7, 0.45, -0.8]])
Y = np.array([[1.1, 0.7, -0.6], [-2.3, 1.9, 0.35]])
W = np.arange(12.0).reshape(4, 3) * 0.37 - 1.9
AT = np.array([[0, 1, 1], [1, 0, 1]])
GIVEN = {"x": X, "y": Y, "w": W, "at": AT}

_HEAD = "pub entry run(x: Tensor[2, 3; f64], y: Tensor[2, 3; f64], w: Tensor[4, 3; f64], at: Tensor[2, 3; i64]) -> f64 {\n"


def _entry(lines: str) -> str:
    return f"{_HEAD}{lines}\n}}"


#: By family of calls; every kind of call with a gradient stands in one of them.
TEXTS = {
    "unary": _entry(
        "let a = abs(x) let z = exp(-x) + log(a) * sqrt(a) + rsqrt(a) * sin(x) + cos(y) * tanh(x)\nreturn sum[i, j] z[i, j] * y[i, j]"
    ),
    "binary": _entry(
        "let z = (x + y) * (x - y) / (y * 2.0) + max(x, y) * min(x * y, y) + x % y + y * broadcast_to(x[0, 1], [2, 3])\n"
        "return sum[i, j] z[i, j] * y[i, j]"
    ),
    "select and convert": _entry(
        "let z = select(x < y, x * y, cast<f64>(cast<f32>(x)) * y + x)\n"
        "return (sum[i, j] z[i, j]) * (if x[0, 0] > 0.0 { y[0, 1] } else { x[1, 1] })"
    ),
    "shapes": _entry(
        "let a = permute(x * y, [1, 0])\n"
        "let b = concat(reshape(a, [2, 3]), x[:, 0::2], w[1:3, 1:2], axis = 1)\n"
        "let part = b[:, 1:4]\nlet square = w[0:3, :]\n"
        "let c[i, j] = a[j, i] * part[i, j] + square[j, j]\n"
        "return sum[i, j] c[i, j] * c[i, j]"
    ),
    "positions": _entry(
        "let a[i, j] = x[at[i, j], j] * w[at[i, 0] + at[i, j], j]\nlet b[i, j] = w[at[i, j], j]\nreturn sum[i, j] a[i, j] * b[i, j]"
    ),
    "reductions": _entry(
        "let p[i] = prod[j] x[i, j]\nlet m[i] = (max[j] x[i, j] * y[i, j]) - (min[j] y[i, j])\n"
        "let s = cumsum(x, axis = 1) * cumsum(y, axis = 0)\n"
        "return (sum[i] p[i] * m[i]) + sum[i, j] s[i, j] * x[i, j]"
    ),
    "contractions": _entry(
        "let a[i, k] = sum[j] x[i, j] * w[k, j]\nlet b[i, j] = sum[k] a[i, k] * w[k, j] * y[i, j]\nlet c[k, j] = sum[i] a[i, k] * y[i, j]\n"
        "let d = sum[k, j] c[k, j] * w[k, j]\nreturn d + sum[i, j] b[i, j] * x[i, j]"
    ),
    "loops": _entry(
        "var z = x\nlet square = w[0:3, :]\n"
        "for i in 0..3 { let p[a, b] = sum[c] z[a, c] * square[c, b] z = tanh(p) * cast<f64>(i + 1) }\n"
        "let (ys, ns) = for i in 1..4 { z = sin(z) + w[i] yield (z * x, y[at[0, i - 1], 0]) }\n"
        "for i in 0..2 { for j in 0..2 { z = cos(z) * w[i + j] } }\n"
        "return (sum[i, j] z[i, j] * y[i, j]) + sum[t, i, j] ys[t, i, j] * ns[t]"
    ),
    "rows of turns": _entry(
        "var z = x[0]\n"
        "let s = for t in 1..3 { z = tanh(z + w[3 - t] * w[t + 1] + w[t]) yield z * w[2] }\n"
        "for t in 0..3 { let v = y[:, t] z = sin(z * v[0] + v[1]) }\n"
        "for t in 0..2 { let r = for u in 0..2 { z = cos(z * w[t]) yield z * s[u] } z = z + r[1] + w[at[0, t]] * s[1 - t] }\n"
        "return sum[j] z[j] * s[0, j] + y[1, j]"
    ),
    "gradient clauses": (
        "pub op gain(x: Tensor[2, 3; f64], w: Tensor[2, 3; f64]) -> Tensor[2, 3; f64] { return x * w }\n"
        "grad(y, dy) { return (dy * 3.0 + y, dy * x * x) }\n"
        + _entry("var z = gain(sin(x), y)\nfor i in 0..2 { z = gain(z, x) * tanh(y) }\nreturn sum[i, j] z[i, j] * y[i, j]")
    ),
}
