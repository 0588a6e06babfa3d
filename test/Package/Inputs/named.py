"""Sizes that are names: pyright accepts them as it is."""
import numpy as np
from appy import f64, i64
from appy.dims import M, N


def means(a: f64[M, N], k: i64) -> f64[M]:
    result = np.zeros(a.shape[0])
    for i in range(k):
        result[i] = a[i, :].mean()
    return result
