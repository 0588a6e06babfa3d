"""Flow around a cylinder: nine velocities a cell, by np.roll and by loops."""
from __future__ import annotations

import numpy as np

CX = np.array([0, 1, 0, -1, 0, 1, -1, -1, 1])
CY = np.array([0, 0, 1, 0, -1, 1, 1, -1, -1])
OPPOSITE = np.array([0, 3, 4, 1, 2, 7, 8, 5, 6])
WEIGHTS = np.array([4 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 9, 1 / 36, 1 / 36, 1 / 36, 1 / 36])


def by_roll(f: f64[9, H, W], solid: bool[H, W], steps: i64):
    for _ in range(steps):
        for k in range(9):
            f[k] = np.roll(f[k], (CY[k], CX[k]), axis=(0, 1))
        bounced = f[OPPOSITE][:, solid]
        rho = f.sum(axis=0)
        ux = np.tensordot(CX, f, axes=1) / rho
        uy = np.tensordot(CY, f, axes=1) / rho
        for k in range(9):
            cu = 3 * (CX[k] * ux + CY[k] * uy)
            equilibrium = rho * WEIGHTS[k] * (1 + cu + 0.5 * cu ** 2 - 1.5 * (ux ** 2 + uy ** 2))
            f[k] += (equilibrium - f[k]) / 0.6
        f[:, solid] = bounced


def by_loops(f: f64[9, H, W], solid: bool[H, W], steps: i64):
    _, height, width = f.shape
    moved = np.empty_like(f)
    for _ in range(steps):
        for y in range(height):
            for x in range(width):
                for k in range(9):
                    moved[k, y, x] = f[k, (y - CY[k]) % height, (x - CX[k]) % width]
        for y in range(height):
            for x in range(width):
                if solid[y, x]:
                    for k in range(9):
                        f[k, y, x] = moved[OPPOSITE[k], y, x]
                else:
                    rho = ux = uy = 0.0
                    for k in range(9):
                        rho += moved[k, y, x]
                        ux += CX[k] * moved[k, y, x]
                        uy += CY[k] * moved[k, y, x]
                    ux /= rho
                    uy /= rho
                    for k in range(9):
                        cu = 3 * (CX[k] * ux + CY[k] * uy)
                        equilibrium = rho * WEIGHTS[k] * (1 + cu + 0.5 * cu ** 2 - 1.5 * (ux ** 2 + uy ** 2))
                        f[k, y, x] = moved[k, y, x] + (equilibrium - moved[k, y, x]) / 0.6


def make_inputs(rng, height, width, steps):
    f = 1.0 + 0.01 * rng.random((9, height, width))
    f[1] += 0.3
    y, x = np.ogrid[:height, :width]
    return f, (y - height / 2) ** 2 + (x - width / 4) ** 2 < (height / 6) ** 2, steps


SIZES = {"tiny": (12, 17, 2), "small": (128, 512, 50), "large": (1024, 4096, 50)}
ENTRIES = ("by_roll", "by_loops")
UPDATES = {"by_roll": (0,), "by_loops": (0,)}
