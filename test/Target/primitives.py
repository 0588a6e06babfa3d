# appy.map of appy.map is one pass: nothing between is stored. What branches is stored element by element.
# RUN: %appyc %s --target=cuda --emit=stats -o - | FileCheck %s
# RUN: %appyc %s --target=cpu -o - --no-wrapper | FileCheck %s --check-prefix=CPU
import appy


#appyc: def chain(x: f64[N]) -> f64[N]
def chain(x):
    return appy.map(lambda v: v * 0.5, appy.map(lambda v: v + 1.0, x))


# CHECK: chain
# CHECK: kernels: 1
# CPU: (x[i] + 1.0) * 0.5
