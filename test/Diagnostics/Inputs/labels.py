import parpy
from parpy import label, threads


def f(x: "f64[N]", y: "f64[1]"):
    label('a')
    label('b')
    for i in range(x.shape[0]):
        x[i] = x[i] * 2.0
    parpy.label('c')
    if y[0] > 0.0:
        y[0] = 0.0
    parpy.label('d')
    for i in range(x.shape[0]):
        y[0] = y[0] + x[i]
        x[i] = 0.0
    label(x)
    label('p')
    #pragma parallel for
    for i in range(x.shape[0]):
        x[i] = x[i] * 2.0
    label('rows')
    label('columns')
    x[:] = 0.0
    label('e')
    for i in range(1, x.shape[0]):
        x[i] = x[i - 1] + 1.0
    label('last')


def call(x, y, options):
    f(x, y, opts=parpy.par({'a': threads(32), 'b': threads(64), 'd': threads(8).reduce(), 'rwos': threads(4), 'p': threads(2)}))
    f(x, y, opts=parpy.par({'e': threads(32).tpb(48)}))
    f(x, y, opts=options)
    f(x, y, opts=parpy.par({'a': threads(33)}))
