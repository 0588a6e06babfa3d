"""scipy.spatial.distance, of vectors of real numbers."""
import numpy as np


def _vector(u, converts=True):
    a = np.asarray(u)
    if a.ndim != 1:
        raise ValueError("Input vector should be 1-D.")
    if np.issubdtype(a.dtype, np.complexfloating):
        raise NotImplementedError("functions of scipy.spatial.distance are translated for real numbers")
    return a if np.issubdtype(a.dtype, np.inexact) or not converts else a.astype(np.float64)


def _unweighted(w):
    if w is not None:
        raise NotImplementedError("`w=` of functions of scipy.spatial.distance is not translated; multiply the vectors")


def _squares_apart(u, v, w=None):
    _unweighted(w)
    d = _vector(u) - _vector(v)
    return np.sum(d * d)


def sqeuclidean(u, v, w=None):
    return _squares_apart(u, v, w)


def _euclidean_apart(u, v, w=None):
    return np.float64(np.sqrt(_squares_apart(u, v, w)))


def euclidean(u, v, w=None):
    return _euclidean_apart(u, v, w)


def cityblock(u, v, w=None):
    _unweighted(w)
    return np.sum(np.abs(_vector(u, False) - _vector(v, False)))


def chebyshev(u, v, w=None):
    _unweighted(w)
    return np.max(np.abs(_vector(u, False) - _vector(v, False)))


def minkowski(u, v, p=2, w=None):
    _unweighted(w)
    if p <= 0:
        raise ValueError("p must be greater than 0")
    if p == 2:
        return _euclidean_apart(u, v, w)
    return np.sum(np.abs(_vector(u) - _vector(v)) ** p) ** (1.0 / p)


def _cosine_apart(u, v, w=None):
    _unweighted(w)
    a = _vector(u)
    b = _vector(v)
    return np.clip(1.0 - np.sum(a * b) / np.sqrt(np.sum(a * a) * np.sum(b * b)), 0.0, 2.0)


def cosine(u, v, w=None):
    return _cosine_apart(u, v, w)


def correlation(u, v, w=None, centered=True):
    if not centered:
        return _cosine_apart(u, v, w)
    a = _vector(u)
    b = _vector(v)
    return _cosine_apart(a - np.mean(a), b - np.mean(b), w)


def _apart(u, v, metric, p):
    """The distance of two vectors of float64."""
    total = 0.0
    other = 0.0
    third = 0.0
    for k in range(len(u)):
        if metric == "euclidean" or metric == "sqeuclidean":
            total = total + (u[k] - v[k]) * (u[k] - v[k])
        elif metric == "cityblock":
            total = total + abs(u[k] - v[k])
        elif metric == "chebyshev":
            total = max(total, abs(u[k] - v[k]))
        elif metric == "minkowski":
            total = total + abs(u[k] - v[k]) ** p
        elif metric == "canberra":
            size = abs(u[k]) + abs(v[k])
            if size > 0:
                total = total + abs(u[k] - v[k]) / size
        elif metric == "braycurtis":
            total = total + abs(u[k] - v[k])
            other = other + abs(u[k] + v[k])
        elif metric == "hamming":
            total = total + (1.0 if u[k] != v[k] else 0.0)
        else:
            total = total + u[k] * v[k]
            other = other + u[k] * u[k]
            third = third + v[k] * v[k]
    if metric == "euclidean":
        return np.sqrt(total)
    if metric == "minkowski":
        return np.float64(total) ** (1.0 / p)
    if metric == "braycurtis":
        return np.float64(total) / other
    if metric == "hamming":
        return np.float64(total) / len(u)
    if metric == "cosine" or metric == "correlation":
        return 1.0 - np.float64(total) / (np.sqrt(other) * np.sqrt(third))
    return np.float64(total)


def _points(X, metric):
    if metric not in ("euclidean", "sqeuclidean", "cityblock", "chebyshev", "cosine", "correlation", "minkowski", "canberra", "braycurtis", "hamming"):
        raise NotImplementedError("this `metric=` of scipy.spatial.distance is not translated; write the loop")
    a = np.asarray(X)
    if a.ndim != 2:
        raise ValueError("A 2-dimensional array must be passed.")
    if np.issubdtype(a.dtype, np.complexfloating):
        raise NotImplementedError("functions of scipy.spatial.distance are translated for real numbers")
    a = a.astype(np.float64)
    if metric == "correlation":
        a = a - np.mean(a, axis=1, keepdims=True)
    return a


def cdist(XA, XB, metric="euclidean", *, out=None, p=2):
    if out is not None:
        raise NotImplementedError("`out=` of `scipy.spatial.distance.cdist` is not translated; assign the result")
    a = _points(XA, metric)
    b = _points(XB, metric)
    if a.shape[1] != b.shape[1]:
        raise ValueError("XA and XB must have the same number of columns (i.e. feature dimension.)")
    made = np.empty((a.shape[0], b.shape[0]))
    for i in range(a.shape[0]):
        for j in range(b.shape[0]):
            made[i, j] = _apart(a[i], b[j], metric, p)
    return made


def pdist(X, metric="euclidean", *, out=None, p=2):
    if out is not None:
        raise NotImplementedError("`out=` of `scipy.spatial.distance.pdist` is not translated; assign the result")
    a = _points(X, metric)
    m = a.shape[0]
    made = np.empty(m * (m - 1) // 2)
    for i in range(m):
        for j in range(i + 1, m):
            made[m * i - i * (i + 1) // 2 + j - i - 1] = _apart(a[i], a[j], metric, p)
    return made


def squareform(X, force="no", checks=True):
    X = np.asarray(X)
    if force != "no":
        raise NotImplementedError("`force=` of `scipy.spatial.distance.squareform` is not translated")
    if X.ndim == 2:
        m = X.shape[0]
        if X.shape[1] != m:
            raise ValueError("The matrix argument must be square.")
        vector = np.empty(m * (m - 1) // 2, X.dtype)
        for i in range(m):
            for j in range(i + 1, m):
                vector[m * i - i * (i + 1) // 2 + j - i - 1] = X[i, j]
        return vector
    if X.ndim != 1:
        raise ValueError("The first argument must be one or two dimensional array.")
    n = int(np.ceil(np.sqrt(len(X) * 2)))
    if n * (n - 1) != 2 * len(X):
        raise ValueError("Incompatible vector size. It must be a binomial coefficient n choose 2 for some integer n >= 2.")
    if len(X) == 0:
        n = 1
    matrix = np.zeros((n, n), X.dtype)
    for i in range(n):
        for j in range(i + 1, n):
            matrix[i, j] = X[n * i - i * (i + 1) // 2 + j - i - 1]
            matrix[j, i] = X[n * i - i * (i + 1) // 2 + j - i - 1]
    return matrix
