"""Lists of which each item is known, and that get others: layers and their gradients, states of different shapes."""
from __future__ import annotations

import numpy as np

SIZES = (1, 2, 7)


class Network:
    """As books on neural networks have it: lists of arrays that differ in shape, filled from behind."""

    def __init__(self, sizes):
        self.num_layers = len(sizes)
        self.biases = [np.linspace(-1, 1, y).reshape(y, 1) for y in sizes[1:]]
        self.weights = [np.linspace(-1, 1, x * y).reshape(y, x) for x, y in zip(sizes[:-1], sizes[1:])]

    def gradients(self, x, y):
        by_bias = [np.zeros(b.shape) for b in self.biases]
        by_weight = [np.zeros(w.shape) for w in self.weights]
        activation = x
        activations, sums = [x], []
        for b, w in zip(self.biases, self.weights):
            z = np.dot(w, activation) + b
            sums.append(z)
            activation = 1.0 / (1.0 + np.exp(-z))
            activations.append(activation)
        delta = (activations[-1] - y) * np.exp(-sums[-1]) / (1.0 + np.exp(-sums[-1])) ** 2
        by_bias[-1] = delta
        by_weight[-1] = np.dot(delta, activations[-2].transpose())
        for k in range(2, self.num_layers):
            delta = np.dot(self.weights[-k + 1].transpose(), delta) * np.exp(-sums[-k]) / (1.0 + np.exp(-sums[-k])) ** 2
            by_bias[-k] = delta
            by_weight[-k] = np.dot(delta, activations[-k - 1].transpose())
        return by_bias, by_weight

    def step(self, x, y, eta):
        by_bias, by_weight = self.gradients(x, y)
        for k in range(self.num_layers - 1):
            self.weights[k] = self.weights[k] - eta * by_weight[k]
            self.biases[k] = self.biases[k] - eta * by_bias[k]


def trained(X: f64[3, N], Y: f64[2, N]):
    net = Network([3, 4, 2])
    for i in range(X.shape[1]):
        net.step(X[:, i:i + 1], Y[:, i:i + 1], 0.5)
    return net.weights[0], net.weights[1], net.biases[0]


def inputs_trained(size, rng):
    return rng.random((3, size)), rng.random((2, size))


def replaced(x: f64[N], y: f64[M], n: int):
    """Known places, from behind, in loops of known and of unknown length; None that arrays replace."""
    layers = [np.zeros(3), y, x * 2]
    layers[-1] = y + 1
    layers[0] = x[:1] * 1.0
    layers[1] = layers[0] + layers[-1]
    states = [np.zeros_like(x), np.ones((2, 2))]
    for _ in range(n):
        states[0] = states[0] + x
        for i in range(2):
            states[i] = states[i] * 0.5
    later = [None] * 3
    later[0] = x
    for i in range(1, 3):
        later[i] = np.concatenate([later[i - 1], x]) * i
    return layers[0], layers[1], layers[2], states[0], states[1], later[1], later[2]


def inputs_replaced(size, rng):
    return rng.random(size), rng.random(size + 2), size


def by_class(X: f64[N, 2], y: i64[N]):
    """What is selected by each of what is distinct has no size that the host knows."""
    classes = np.unique(y)
    means = np.zeros((len(classes), X.shape[1]))
    spreads = np.zeros((len(classes), X.shape[1]))
    for idx, c in enumerate(classes):
        chosen = X[y == c]
        means[idx, :] = chosen.mean(axis=0)
        spreads[idx, :] = chosen.var(axis=0)
    return classes, means, spreads


def inputs_by_class(size, rng):
    return rng.random((size, 2)), rng.integers(0, 3, size)


def from_both_ends(a: f64[N]):
    """Indices of two axes, some of which count from the end."""
    return a[[[0, -1], [0, 0]]], np.take(a, [[0, 0, -1], [-1, 0, 0], [0, 0, 0]])


def inputs_from_both_ends(size, rng):
    return (rng.random(size),)
