"""np.einsum and products of arrays of any rank: which axes meet, which are summed, what is stretched, and the types of results."""
from __future__ import annotations

import numpy as np

TARGETS = ("cpu",)
SIZES = (0, 1, 3)


def one_operand(a: f64[:, :], c: i32[:, :, :]):
    return (np.einsum("ij->j", a), np.einsum("ji", a).copy(), np.einsum("ii", a[:, :1] @ a[:1]), np.einsum("ij->", a), np.einsum("...j->j...", c).copy(),
            np.einsum("aab->b", c), np.einsum("aab->ab", c) + 0, np.einsum("i...->...", c), np.einsum("c b a", c).copy(), np.einsum("", a[0, 0] if len(a) else 2.0))


def inputs_one_operand(size, rng):
    return rng.random((size, size + 1)), rng.integers(-9, 9, (size, size, 2)).astype(np.int32)


def two_operands(a: f64[:, :], b: f64[:, :], v: f32[:], n: int):
    return (np.einsum("ij,jk->ik", a, b), np.einsum("ij,jk", a, b), np.einsum("ij,jk->ki", a, b), np.einsum("ij,kj->", a, a), np.einsum("j,jk", v, b),
            np.einsum("ij,ij->i", a, a), np.einsum("i,j", v, v), np.einsum("ij,", a, n), np.einsum("Zj,ja->aZ", a, b), np.einsum("jj,jk->k", b @ a, b),
            np.einsum("...j,...j", a, a), np.einsum("i...,...->i...", a, v), np.einsum("ij,ik->", a, a, dtype=np.complex128))


def inputs_two_operands(size, rng):
    return rng.random((2, size)), rng.random((size, 2)), rng.random(size).astype(np.float32), 3


def types(a: bool[:, :], b: bool[:, :], x: u8[:], y: i32[:, :], z: c64[:]):
    return np.einsum("ij,kj->ik", a, b), np.einsum("i,ij->j", x, y), np.einsum("i,i", x, x), np.einsum("ij,j", a, z), np.einsum("i,i->i", z, x)


def inputs_types(size, rng):
    z = (rng.random(size) + 1j * rng.random(size)).astype(np.complex64)
    return rng.random((2, size)) < 0.5, rng.random((3, size)) < 0.5, rng.integers(0, 200, size).astype(np.uint8), rng.integers(-9, 9, (size, size)).astype(np.int32), z[:size]


def many_operands(a: f64[:, :], b: f64[:, :], c: f64[:, :], v: f64[:]):
    return (np.einsum("ij,jk,kl->il", a, b, c), np.einsum("ij,kl,jk->il", a, c, b, optimize=True), np.einsum("i,ij,j->", v, b, v, optimize="greedy"),
            np.einsum("i,i,i,i->i", v, v, v, v, optimize=True), np.einsum("...,...j,j...", v, b, b, optimize=["einsum_path", (0, 1), (0, 1)]))


def inputs_many_operands(size, rng):
    return rng.random((2, size)), rng.random((size, size)), rng.random((size, 4)), rng.random(size)


def stored(a: f64[:, :], b: f64[:, :], out: f64[:, :], t: f64[:]):
    np.einsum("ij,jk->ik", a, b, out=out)
    t[:] = np.einsum("ik,i->k", out, np.einsum("ik->i", out))
    for i in range(len(a)):
        t[i % len(t)] += np.einsum("j,j->", a[i], a[i])
    np.matmul(a, b, out=out)
    return np.einsum("ij->ij", out, out=np.zeros(out.shape)), np.matmul(a, b, dtype=np.complex128)


def inputs_stored(size, rng):
    return rng.random((4, size)), rng.random((size, 3)), rng.random((4, 3)), rng.random(3)


def stretched(a: f64[:, :, :], b: f64[:, :, :]):
    return np.einsum("aij,ajk->aik", a, b), a @ b


def stretched_before(b: f64[:, :, :], d: f64[:, :, :, :]):
    return np.einsum("...ij,...jk", d, b), d @ b


def stretched_matrix(a: f64[:, :, :], b: f64[:, :, :], c: f64[:, :]):
    return a @ c, c @ b, np.einsum("ij,ik", c, c[:1]), np.vdot(a, a[::-1])


def inputs_stretched(size, rng):
    return rng.random((1, 2, size)), rng.random((size, size, 3))


def inputs_stretched_before(size, rng):
    return rng.random((size, size, 3)), rng.random((2, 1, 3, size))


def inputs_stretched_matrix(size, rng):
    return rng.random((1, 2, size)), rng.random((size, size, 3)), rng.random((size, 2))


def of_sizes_that_differ(a: f64[:, :], b: f64[:, :], c: f64[:, :, :], which: int):
    if which == 0:
        return np.einsum("ij,jk", a, b).sum()
    if which == 1:
        return np.einsum("ii", a)
    if which == 2:
        return (c @ b).sum()
    if which == 3:
        return np.dot(c, c).sum()
    return np.inner(c, a).sum()


sizes_of_sizes_that_differ = range(6)


def inputs_of_sizes_that_differ(size, rng):
    return rng.random((2, 3)), rng.random((4, 2)), rng.random((3, 2, 5)), size


def any_rank(v: f64[:], m: f64[:, :], c: f64[:, :, :], d: i64[:, :, :, :]):
    return (c @ v, v @ c.transpose(0, 2, 1), np.dot(c, m), np.dot(m.T, c.transpose(0, 2, 1)), np.dot(v, c.transpose(0, 2, 1)), c.dot(v), np.inner(c, c), np.inner(v, d),
            np.inner(d, m), np.matmul(c, m), d @ d.transpose(0, 1, 3, 2), np.dot(d, d[0].transpose(0, 2, 1)), (c + c) @ (m - 1), np.vdot(c, c))


def inputs_any_rank(size, rng):
    return rng.random(size), rng.random((size, size)), rng.random((2, 3, size)), rng.integers(-9, 9, (2, 1, 3, size))
