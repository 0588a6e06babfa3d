"""Lengths of the shortest paths between all pairs of nodes, in place: step k allows paths through node k."""
import numpy as np
import appy


#appyc: def floyd_warshall(path: i32[N, N])
@appy.jit(auto_simd=True)
def floyd_warshall(path):
    """All pairs of one step are independent of each other; the steps are not."""
    M, N = path.shape
    for k in range(N):
        #pragma :M=>parallel,block(2) :N=>parallel
        path[:M, :N] = np.minimum(path[:M, :N], path[:M, k][:, None] + path[k, :N][None, :])


#appyc: def floyd_warshall_plain(path: i32[N, N])
def floyd_warshall_plain(path):
    """Plain NumPy."""
    for k in range(len(path)):
        path[:] = np.minimum(path, np.add.outer(path[:, k], path[k]))


SIZES = (0, 1, 2, 3, 7, 31, 32, 33, 129)


def make_inputs(size, rng):
    """A directed graph: `path` is not symmetric. A few edges are negative, and so are some cycles through one node."""
    path = rng.integers(1, 100, (size, size), dtype=np.int32)
    path[rng.random((size, size)) < 0.4] = 1 << 20
    path[rng.random((size, size)) < 0.02] = -1
    return (path,)


def reference(path):
    """By the recurrence, one pair after the other."""
    nodes = range(len(path))
    for k in nodes:
        path = np.array([[min(path[i, j], path[i, k] + path[k, j]) for j in nodes] for i in nodes])
    return path


if __name__ == "__main__":
    for function in (floyd_warshall, floyd_warshall_plain):
        (path,) = make_inputs(20, np.random.default_rng(0))
        expected = reference(path)
        function(path)
        np.testing.assert_array_equal(path, expected)
    print("floyd_warshall: ok")
