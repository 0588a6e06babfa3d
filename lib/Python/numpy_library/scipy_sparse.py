"""scipy.sparse: matrices in compressed rows, of which products and parts are taken. A matrix is a named tuple of its arrays; its methods
are the functions that begin with the tuple's name."""
from collections import namedtuple

import numpy as np

csr_matrix_ = namedtuple("csr_matrix_", "data indices indptr shape")


def _csr_of(arg1, shape, dtype):
    if isinstance(arg1, tuple):
        if len(arg1) != 3:
            raise NotImplementedError("pass `(data, indices, indptr)`; np.lexsort((col, row)) and np.bincount make these of rows and columns")
        data, indices, indptr = arg1
        if shape is None:
            shape = (len(indptr) - 1, int(np.max(indices)) + 1)
        if len(indptr) != shape[0] + 1:
            raise ValueError("index pointer size (%d) should be (%d)" % (len(indptr), shape[0] + 1))
    else:
        whole = np.asarray(arg1)
        if whole.ndim != 2:
            raise NotImplementedError("of an array of two dimensions, or of `(data, indices, indptr)`")
        rows, columns = np.nonzero(whole)
        data = whole[rows, columns]
        indices = columns.astype(np.int32)
        indptr = np.zeros(whole.shape[0] + 1, dtype=np.int32)
        indptr[1:] = np.cumsum(np.sum(whole != 0, axis=1))
        shape = whole.shape
    if dtype is not None:
        data = data.astype(dtype)
    return csr_matrix_(data, indices, indptr, shape)


def csr_matrix(arg1, shape=None, dtype=None):
    return _csr_of(arg1, shape, dtype)


def csr_array(arg1, shape=None, dtype=None):
    return _csr_of(arg1, shape, dtype)


def _csr_matrix___matmul__(self, other):
    x = np.asarray(other)
    if x.ndim != 1 and x.ndim != 2:
        raise NotImplementedError("with arrays of one or two dimensions")
    if x.shape[0] != self.shape[1]:
        raise ValueError("dimension mismatch")
    rows = self.shape[0]
    kind = np.result_type(self.data, x)
    data, indices, indptr = self.data, self.indices, self.indptr
    if x.ndim == 1:
        y = np.zeros(rows, dtype=kind)
        for i in range(rows):
            for k in range(indptr[i], indptr[i + 1]):
                y[i] += data[k] * x[indices[k]]
    else:
        y = np.zeros((rows, x.shape[1]), dtype=kind)
        for i in range(rows):
            for k in range(indptr[i], indptr[i + 1]):
                for j in range(x.shape[1]):
                    y[i, j] += data[k] * x[indices[k], j]
    return y


def _csr_matrix_dot(self, other):
    return _csr_matrix___matmul__(self, other)


def _csr_matrix_toarray(self):
    whole = np.zeros(self.shape, dtype=self.data.dtype)
    for i in range(self.shape[0]):
        for k in range(self.indptr[i], self.indptr[i + 1]):
            whole[i, self.indices[k]] += self.data[k]
    return whole


def _csr_matrix_diagonal(self):
    return np.diag(_csr_matrix_toarray(self)).copy()


def _csr_matrix_getnnz(self):
    return int(self.indptr[-1])


csr_matrix_.__matmul__ = _csr_matrix___matmul__  # as they are called under CPython
csr_matrix_.dot = _csr_matrix_dot
csr_matrix_.toarray = _csr_matrix_toarray
csr_matrix_.diagonal = _csr_matrix_diagonal
csr_matrix_.nnz = property(_csr_matrix_getnnz)
