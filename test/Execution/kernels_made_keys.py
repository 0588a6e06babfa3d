"""Dicts whose keys are made of texts and the numbers of loops, copies of dicts, members of enumerations."""
from __future__ import annotations

from enum import Enum, auto

import numpy as np

TARGETS = ("cpu",)
SIZES = (1, 2, 7)
LAYERS = 3


class Activation(Enum):
    TANH = auto()
    RELU = auto()
    SIGMOID = "sigmoid"


def activate(z, kind=Activation.TANH):
    if kind == Activation.TANH:
        return np.tanh(z)
    if kind is Activation.RELU:
        return np.maximum(z, 0)
    return 1.0 / (1.0 + np.exp(-z))


def initialised(sizes):
    params = {}
    for l in range(1, len(sizes)):
        params["W" + str(l)] = np.full((sizes[l], sizes[l - 1]), 0.1 * l)
        params["b%d" % l] = np.zeros((sizes[l], 1))
    return params


def network(X: f64[4, N], Y: f64[1, N], rate: float, steps: int):
    params = initialised([4, 5, 3, 1])
    losses = []
    for _ in range(steps):
        cache = {"A0": X}
        for l in range(1, LAYERS + 1):
            Z = params["W" + str(l)] @ cache["A" + str(l - 1)] + params["b{}".format(l)]
            cache[f"A{l}"] = activate(Z) if l < LAYERS else activate(Z, Activation.SIGMOID)
        dZ = cache["A" + str(LAYERS)] - Y
        grads = {}
        for l in reversed(range(1, LAYERS + 1)):
            name = f"dW{l}"
            grads[name] = dZ @ cache["A" + str(l - 1)].T / Y.shape[1]
            grads["db" + str(l)] = dZ.sum(axis=1, keepdims=True) / Y.shape[1]
            if l > 1:
                dZ = (params["W" + str(l)].T @ dZ) * (1 - cache["A" + str(l - 1)] ** 2)
        for l in range(1, LAYERS + 1):
            params["W" + str(l)] -= rate * grads["dW" + str(l)]
            params["b" + str(l)] -= rate * grads["db" + str(l)]
        losses.append(np.mean((cache[f"A{LAYERS}"] - Y) ** 2))
    return params, np.array(losses)


def inputs_network(size, rng):
    return rng.random((4, size)), rng.random((1, size)), 0.1, 3


def layers(X: f64[N, 4], Y: f64[N, 2], steps: int):
    """Dicts of dicts, and keys that are numbers."""
    model = {"layer1": {"W": np.ones((4, 3)), "b": np.zeros(3)}, "layer2": {"W": np.ones((3, 2)), "b": np.zeros(2)}}
    for _ in range(steps):
        outputs = {0: X}
        for i in range(1, 3):
            layer = model["layer" + str(i)]
            outputs[i] = np.tanh(outputs[i - 1] @ layer["W"] + layer["b"])
        for layer in model.values():
            for key in layer:
                layer[key] *= 0.9
        model["layer%d" % 2]["b"] -= 0.1 * (outputs[2] - Y).mean(axis=0)
    return model, outputs[2]


def inputs_layers(size, rng):
    return rng.random((size, 4)), rng.random((size, 2)), 3


def copies(weights: i64[N], values: i64[N], edges: i64[M, 2], n: int):
    """Each step gets a dict of its own; a dict of lists and its copy have the same lists."""
    best = {0: 0}
    for w, v in zip(weights, values):
        new = dict(best)
        for at, value in best.items():
            if at + int(w) <= 9:
                new[at + int(w)] = max(new.get(at + int(w), 0), value + int(v))
        best = new
    graph = {i: [] for i in range(n)}
    same = dict(graph)
    for u, v in edges:
        graph[int(u)].append(int(v))
        same[int(v)].append(int(u))
    counts = dict.fromkeys(range(n), 0)
    for u in edges[:, 0]:
        counts[int(u)] += 1
    scale = dict.fromkeys(("a", "b"), 0.5)
    scale["a"] += n
    return max(best.values()), len(best), [graph[i] for i in range(n)], sum(len(v) for v in same.values()), counts, scale


def inputs_copies(size, rng):
    return rng.integers(1, 5, size), rng.integers(1, 9, size), rng.integers(0, size, (size, 2)), size


def turns(x: float, n: int):
    """A member that changes from step to step; what it is called."""
    kind = Activation.TANH
    seen = []
    for i in range(n):
        if kind == Activation.TANH:
            kind = Activation.RELU
            x += 1
        else:
            kind = Activation.TANH if i < 3 else Activation.SIGMOID
            x *= 2
        seen.append(kind == Activation.SIGMOID)
    return x, kind.name, Activation.RELU.value, len(Activation), seen, [m.name for m in Activation], kind == 1


def inputs_turns(size, rng):
    return 0.5, size


def left_early(x: float, n: int):
    """Keys that a loop gives until it is left, and what its numbers are behind it."""
    d = {}
    for l in reversed(range(3)):
        d[f"W{l}"] = x * l
        if l == n:
            break
    for m in range(1, 4):
        key = "V" + str(m)
        if m == n:
            continue
        d[key] = m * 1.0
    else:
        x += 1
    table = {}
    for i in range(2):
        for j in range(3):
            table["%d_%d" % (i, j)] = i * 10 + j + n
    s = 0
    for j in range(3):
        for i in reversed(range(2)):
            s = s * 3 + table[f"{i}_{j}"]
    return l, m, x, len(d), sum(d.values()), "V2" in d, table, s


def inputs_left_early(size, rng):
    return 0.5, size
