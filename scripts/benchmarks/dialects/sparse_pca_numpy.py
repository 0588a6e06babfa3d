"""Sparse PCA by random directions: of each sample the k largest entries of V C, and the best sample."""
import numpy as np


#appyc: def sparse_pca(V: f64[P, D], C: f64[D, S], k: int)
def sparse_pca(V, C, k):
    A = V @ (C / np.sqrt(np.sum(C * C, axis=0)))
    order = np.argsort(A, axis=0)
    best = -1.0
    x = np.zeros(V.shape[0])
    for i in range(A.shape[1]):
        chosen = order[-k:, i]
        values = A[chosen, i]
        size = np.linalg.norm(values)
        if size > best:
            best = size
            x[:] = 0.0
            x[chosen] = values / size
    return best, x
