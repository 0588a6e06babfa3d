from numba import vectorize


@vectorize(["f4(f4, f4, f4)"], target="gpu")
def saxpy(a, x, y):
    return a * x + y
