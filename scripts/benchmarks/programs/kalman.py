"""A Kalman filter for each of many tracks: positions and speeds in two dimensions from noisy positions."""
from __future__ import annotations

import numpy as np


def kalman(measured: f64[T, B, 2], dt: f64, noise: f64, drift: f64):
    steps, batch, _ = measured.shape
    F = np.eye(4)
    F[0, 2] = F[1, 3] = dt
    H = np.zeros((2, 4))
    H[0, 0] = H[1, 1] = 1.0
    Q, R = drift * np.eye(4), noise * np.eye(2)
    tracks = np.zeros((steps, batch, 4))
    for b in range(batch):
        x = np.zeros(4)
        P = np.eye(4)
        for t in range(steps):
            x = F @ x
            P = F @ P @ F.T + Q
            S = H @ P @ H.T + R
            K = P @ H.T @ np.linalg.inv(S)
            x = x + K @ (measured[t, b] - H @ x)
            P = (np.eye(4) - K @ H) @ P
            tracks[t, b] = x
    return tracks


def make_inputs(rng, steps, batch):
    return np.cumsum(rng.normal(size=(steps, batch, 2)), axis=0), 0.1, 0.5, 0.01


SIZES = {"tiny": (5, 6), "small": (100, 1000), "large": (100, 200_000)}
ENTRIES = ("kalman",)
UPDATES = {}
