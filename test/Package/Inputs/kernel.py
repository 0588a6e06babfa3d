"""What pyflakes, ruff and pyright accept, and CPython when it evaluates annotations."""
# pyright: reportInvalidTypeForm=false, reportGeneralTypeIssues=false
import appy
from appy import bool, f64, i64
from appy.dims import M, N, rows

K = appy.dim("K")


def scaled(a: f64[M, N], w: f64[N + 1], k: i64) -> f64[M]:
    return (a * w[1:]).sum(axis=1) * k


def count(m: bool[rows, K], open_: f64[:, :]) -> i64:
    total = 0
    for i in appy.prange(m.shape[0]):
        total += m[i, 0]
    return total + open_.shape[0]
