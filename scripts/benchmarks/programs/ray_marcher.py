"""Distances of three balls and a floor marched along a ray for each pixel."""
from __future__ import annotations

import math

import numpy as np


def distance(x, y, z):
    nearest = y + 1.0
    for k in range(3):
        cx = 1.5 * (k - 1)
        ball = math.sqrt((x - cx) ** 2 + y ** 2 + (z - 4.0) ** 2) - 0.8
        nearest = min(nearest, ball)
    return nearest


def ray_marcher(height: i64, width: i64):
    image = np.zeros((height, width))
    for i in range(height):
        for j in range(width):
            dx = (j + 0.5) / width * 2 - 1
            dy = 1 - (i + 0.5) / height * 2
            length = math.sqrt(dx * dx + dy * dy + 1.0)
            dx, dy, dz = dx / length, dy / length, 1.0 / length
            t = 0.0
            for step in range(128):
                d = distance(t * dx, t * dy, t * dz)
                if d < 1e-3:
                    image[i, j] = 1.0 - step / 128
                    break
                t += d
                if t > 20.0:
                    break
    return image


def make_inputs(rng, height, width):
    return height, width


SIZES = {"tiny": (9, 13), "small": (480, 640), "large": (2160, 3840)}
ENTRIES = ("ray_marcher",)
UPDATES = {}
