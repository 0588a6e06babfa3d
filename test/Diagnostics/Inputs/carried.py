import parpy


@parpy.jit
def f(x: "f64[N]"):
    parpy.label('e')
    for i in range(1, x.shape[0]):
        x[i] = x[i - 1] * 0.5 + 1.0
