"""Sum of a vector in blocks of MVL lanes; lanes at or past the end are masked off.

Shows explicit vector code: `appy.vidx(start, length, bound)` is the vector of indices start, start+1, …
below the bound. Under CPython it is a NumPy index array, so this file runs as it is.
"""
import numpy as np
import appy


#appyc: def masked_sum(a: f64[N]) -> f64
@appy.jit
def masked_sum(a):
    """Each worker sums one block and adds the result to the total atomically."""
    N = a.shape[0]
    total = np.zeros(1)
    #pragma parallel for
    for start in range(0, N, appy.MVL):
        lanes = appy.vidx(start, appy.MVL, bound=N)
        #pragma atomic
        total[0] += np.sum(a[lanes])
    return total[0]


#appyc: def positive_sum(a: f64[N]) -> f64
@appy.jit
def positive_sum(a):
    """The same with a second mask, computed from the data."""
    N = a.shape[0]
    total = np.zeros(1)
    #pragma parallel for
    for start in range(0, N, appy.MVL):
        lanes = appy.vidx(start, appy.MVL, bound=N)
        block = a[lanes]
        #pragma atomic
        total[0] += np.sum(np.where(block > 0.0, block, 0.0))
    return total[0]


#appyc: def plain_sum(a: f64[N]) -> f64
def plain_sum(a):
    """Plain NumPy: the blocks, the mask and the final addition are found from this one line."""
    return np.sum(a)


def make_inputs(size, rng):
    return (rng.standard_normal(size),)


if __name__ == "__main__":
    (vector,) = make_inputs(1000, np.random.default_rng(0))
    np.testing.assert_allclose(masked_sum(vector), sum(vector.tolist()))
    np.testing.assert_allclose(plain_sum(vector), sum(vector.tolist()))
    np.testing.assert_allclose(positive_sum(vector), sum(x for x in vector.tolist() if x > 0))
    print("masked_sum: ok")
