# Names of sizes that are imported for editors mean what they mean without the import; they are no variables.
# RUN: %appyc %s --emit=ir --no-auto | FileCheck %s
# RUN: sed 's/^#wrong//' %s > %t.py && not %appyc %t.py -fsyntax-only 2>&1 | FileCheck --check-prefix=ERROR %s
import appy
from appy import f64
from appy.dims import M, N as columns

K = appy.dim("K")


# CHECK: def f(a: f64[M, columns], b: f64[columns + 1], c: f64[K, M * 2]):
def f(a: f64[M, columns], b: f64[columns + 1], c: f64[K, 2 * M]):
    a[:] = b[1:]


#wrongdef g(a: f64[M]):
# ERROR: [[@LINE+1]]:{{[0-9]+}}: error: `M` names a size in types and has no value here; write for example `a.shape[0]` [undefined-name]
#wrong    for i in range(M):
#wrong        a[i] = 0.0
