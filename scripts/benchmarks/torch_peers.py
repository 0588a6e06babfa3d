"""The kernels in PyTorch, eager, as its users write them. They return and update as the kernels do."""
import torch


def azimint_naive(data, radius, bins):
    largest = radius.max()
    means = torch.empty(bins, dtype=data.dtype, device=data.device)
    for b in range(bins):
        inside = (largest * b / bins <= radius) & (radius < largest * (b + 1) / bins)
        means[b] = data[inside].mean()
    return means


def cholesky(A):
    lower = torch.tril(A)
    A.copy_(torch.linalg.cholesky(lower + torch.tril(A, -1).T) + torch.triu(A, 1))


def covariance(data):
    data -= data.mean(dim=0)
    return data.T @ data / (data.shape[0] - 1.0)


def fdtd_2d(ex, ey, hz, pulse):
    for t in range(pulse.shape[0]):
        ey[0] = pulse[t]
        ey[1:] -= 0.5 * (hz[1:] - hz[:-1])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])


def floyd_warshall(path):
    for k in range(path.shape[0]):
        torch.minimum(path, path[:, k, None] + path[None, k], out=path)


def gemm(alpha, beta, C, A, B):
    torch.addmm(C, A, B, beta=beta, alpha=alpha, out=C)


def gemver(alpha, beta, A, u1, v1, u2, v2, w, x, y, z):
    A.addr_(u1, v1).addr_(u2, v2)
    x += beta * (y @ A) + z
    w += alpha * (A @ x)


def gesummv(alpha, beta, A, B, x):
    return alpha * (A @ x) + beta * (B @ x)


def go_fast(a):
    return a + torch.tanh(torch.diagonal(a)).sum()


def gramschmidt(A):
    n = A.shape[1]
    Q, R = torch.zeros_like(A), torch.zeros((n, n), dtype=A.dtype, device=A.device)
    for k in range(n):
        R[k, k] = torch.linalg.vector_norm(A[:, k])
        Q[:, k] = A[:, k] / R[k, k]
        R[k, k + 1:] = Q[:, k] @ A[:, k + 1:]
        A[:, k + 1:] -= torch.outer(Q[:, k], R[k, k + 1:])
    return Q, R


def hdiff(field, result, coefficient):
    lap = 4.0 * field[1:-1, 1:-1] - (field[2:, 1:-1] + field[:-2, 1:-1] + field[1:-1, 2:] + field[1:-1, :-2])
    step = lap[1:, 1:-1] - lap[:-1, 1:-1]
    i = torch.where(step * (field[2:-1, 2:-2] - field[1:-2, 2:-2]) > 0.0, 0.0, step)
    step = lap[1:-1, 1:] - lap[1:-1, :-1]
    j = torch.where(step * (field[2:-2, 2:-1] - field[2:-2, 1:-2]) > 0.0, 0.0, step)
    result[:] = field[2:-2, 2:-2] - coefficient * (i[1:] - i[:-1] + j[:, 1:] - j[:, :-1])


def inner_sum(f):
    middle = 2.0 * f[1:-1, 1:-1, 1:-1]
    return (f[2:, 1:-1, 1:-1] - middle + f[:-2, 1:-1, 1:-1] + f[1:-1, 2:, 1:-1] - middle + f[1:-1, :-2, 1:-1]
            + f[1:-1, 1:-1, 2:] - middle + f[1:-1, 1:-1, :-2])


def heat_3d(steps, A, B):
    for _ in range(steps):
        B[1:-1, 1:-1, 1:-1] = A[1:-1, 1:-1, 1:-1] + 0.125 * inner_sum(A)
        A[1:-1, 1:-1, 1:-1] = B[1:-1, 1:-1, 1:-1] + 0.125 * inner_sum(B)


def jacobi_1d(steps, A, B):
    for _ in range(steps):
        B[1:-1] = 0.33333 * (A[:-2] + A[1:-1] + A[2:])
        A[1:-1] = 0.33333 * (B[:-2] + B[1:-1] + B[2:])


def jacobi_2d(steps, A, B):
    for _ in range(steps):
        B[1:-1, 1:-1] = 0.2 * (A[1:-1, 1:-1] + A[1:-1, :-2] + A[1:-1, 2:] + A[2:, 1:-1] + A[:-2, 1:-1])
        A[1:-1, 1:-1] = 0.2 * (B[1:-1, 1:-1] + B[1:-1, :-2] + B[1:-1, 2:] + B[2:, 1:-1] + B[:-2, 1:-1])


def softmax(x, y):
    torch.softmax(x, dim=1, out=y)


def spmv(row_start, columns, values, x):
    matrix = torch.sparse_csr_tensor(row_start.int(), columns.int(), values, (row_start.shape[0] - 1, x.shape[0]))
    return matrix @ x


def symm(alpha, beta, C, A, B):
    C.mul_(beta).add_((torch.tril(A) + torch.tril(A, -1).T) @ B, alpha=alpha)


def syr2k(alpha, beta, C, A, B):
    C.copy_(torch.tril(alpha * (A @ B.T + B @ A.T) + beta * C) + torch.triu(C, 1))


def syrk(alpha, beta, C, A):
    C.copy_(torch.tril(alpha * (A @ A.T) + beta * C) + torch.triu(C, 1))


def trisolv(L, x, b):
    x.copy_(torch.linalg.solve_triangular(L, b[:, None], upper=False)[:, 0])


def trmm(alpha, A, B):
    B.copy_(alpha * (torch.tril(A, -1).T @ B + B))
