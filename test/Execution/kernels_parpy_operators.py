"""ParPy 0.1.3's own spelling: what programs call is in `parpy.operators`."""
import numpy as np
import parpy
import parpy.operators
from parpy.operators import exp, float32, inf, int16, label, max

SIZES = (1, 2, 33, 129)


@parpy.jit
def softmax(x: "f32[N, M]", N: "i64", M: "i64", out: "f32[N, M]"):
    parpy.label('N')
    for i in range(N):
        label('M')
        m = max(x[i, :])
        parpy.label('M')
        out[i, :] = exp(x[i, :] - m)
        parpy.label('M')
        s = parpy.operators.sum(out[i, :])
        parpy.label('M')
        out[i, :] = out[i, :] / s


@parpy.jit
def largest(x: "f32[N]", out: "f32[3]", N: "i64"):
    with parpy.operators.gpu:
        out[0] = float32(-inf)
        for i in range(N):
            out[0] = max(out[0], x[i])
        out[1] = int16(x[0] * 99) + parpy.operators.min(x[:])
        out[2] = parpy.operators.prod(x[:]) - parpy.operators.atan2(x[0], x[0])


#appyc: def called(x: f32[N], out: f32[3])
def called(x, out):
    largest(x, out, x.shape[0], seq=True)
    largest(x, out, x.shape[0], opts=parpy.par({}), debug=True)


def inputs_softmax(n, rng):
    return rng.random((n, 9), dtype=np.float32), n, 9, np.zeros((n, 9), np.float32)


def inputs_largest(n, rng):
    return rng.random(n, dtype=np.float32), np.zeros(3, np.float32), n


def inputs_called(n, rng):
    return rng.random(n, dtype=np.float32), np.zeros(3, np.float32)


TRANSLATE_OPTIONS = ("--par=softmax.N=threads(64), softmax.M=threads(128)",)
