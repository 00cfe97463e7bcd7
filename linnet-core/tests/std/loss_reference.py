"""The formulas of std.nn.loss, std.nn.moe and std.nn.parallel in double precision, a row at a time.

In: arrays (floats as float64).  Out: what the op of the same name should give, unrounded.
"""

from __future__ import annotations

import numpy as np


def log_softmax(x):
    """x - max x - ln sum e^(x - max x) over the last axis; nothing of nothing."""
    if x.shape[-1] == 0:
        return x
    rows = [row - row.max() - np.log(np.sum(np.exp(row - row.max()))) for row in x.reshape(-1, x.shape[-1])]
    return np.array(rows).reshape(x.shape)


def token_log_probs(logits, targets):
    """log_softmax(row)[target] for each row."""
    return np.array([log_softmax(row)[target] for row, target in zip(logits, targets, strict=True)], np.float64)


def cross_entropy(logits, targets, weights):
    """sum of -weight times the token's log probability."""
    return sum((-w * p for w, p in zip(weights, token_log_probs(logits, targets), strict=True)), start=0.0)


def scores(hidden, weight, shards=1):
    """hidden . weight for every word, the same words in each shard."""
    one = np.array([[np.dot(h, w) for w in weight] for h in hidden]).reshape(len(hidden), len(weight))
    return np.concatenate([one] * shards, axis=1)


def entropy(x):
    """-sum p ln p, 0 ln 0 being 0."""
    rows = []
    for row in x:
        log_p = log_softmax(row)
        p = np.exp(log_p)
        rows.append(sum((-a * b for a, b in zip(p, log_p, strict=True) if a != 0), start=0.0))
    return np.array(rows, np.float64)


def linear_experts(x, weight, experts):
    """weight[e] x[r, k] for the expert e of each row and choice; x is [R, K, In] or, shared by the choices, [R, In]."""
    rows, choices = experts.shape
    y = np.zeros((rows, choices, weight.shape[1]))
    for r in range(rows):
        for k in range(choices):
            y[r, k] = weight[experts[r, k]] @ (x[r, k] if x.ndim == 3 else x[r])
    return y


def combine_experts(x, weight, experts, weights):
    """sum_k weights[r, k] weight[e] x[r, k]"""
    each = linear_experts(x, weight, experts)
    y = np.zeros((each.shape[0], each.shape[2]))
    for r in range(each.shape[0]):
        for k in range(each.shape[1]):
            y[r] += weights[r, k] * each[r, k]
    return y
