"""Records whose fields are what kernels read and write, on all targets."""
from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypedDict

import numpy as np

SIZES = (1, 7)


class Grid(NamedTuple):
    step: float
    u: f64[:, :]


@dataclass
class Fluid:
    density: f64[N]
    speed: f64[N]
    viscosity: float = 0.5


class Options(TypedDict):
    steps: int
    weight: f64[:]


def relaxed(g: Grid, o: Options):
    for t in range(o["steps"]):
        g.u[1:-1, 1:-1] += g.step * (g.u[:-2, 1:-1] - g.u[2:, 1:-1])
        g.u[:, :] *= o["weight"][t]
    return {"mean": g.u.sum() / g.u.size, "rows": g.u.sum(axis=1)}


def forces(fluid: Fluid, x: f64[N]):
    now = {"most": 0.0, "sum": 0.0}
    for i in range(x.shape[0]):
        f = fluid.density[i] * x[i] - fluid.viscosity * fluid.speed[i]
        now["sum"] += f
        if f > now["most"]:
            now["most"] = f
    fluid.speed[:] = fluid.speed + x
    return Fluid(fluid.density * 2.0, x + now["sum"], now["most"])


def inputs_relaxed(size, rng):
    rows = 150 if size == 7 else size  # several tiles a block
    return Grid(0.25, rng.standard_normal((rows, size + 1))), {"steps": 3, "weight": rng.standard_normal(3)}


def inputs_forces(size, rng):
    return Fluid(rng.standard_normal(size), rng.standard_normal(size)), rng.standard_normal(size)
