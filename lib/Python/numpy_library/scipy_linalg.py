"""scipy.linalg, where it is NumPy's or close to it."""
import numpy as np


def norm(a, ord=None, axis=None, keepdims=False):
    return np.linalg.norm(a, ord, axis, keepdims)


def inv(a):
    return np.linalg.inv(a)


def det(a):
    return np.linalg.det(a)


def solve(a, b):
    return np.linalg.solve(a, b)


def svdvals(a):
    return np.linalg.svd(a, compute_uv=False)


def svd(a, full_matrices=True, compute_uv=True):
    return np.linalg.svd(a, full_matrices, compute_uv)


def eigvalsh(a):
    return np.linalg.eigvalsh(a)


def eigh(a):
    return np.linalg.eigh(a)


def cholesky(a, lower=False):
    factor = np.linalg.cholesky(a)
    return factor if lower else np.conj(factor.T)


def pinv(a):
    return np.linalg.pinv(a)
