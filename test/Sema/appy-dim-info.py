# `dim_info` is checked against the parameters' types; sizes of one name must agree at the call.
# RUN: not %appyc %s -o - 2>&1 | FileCheck %s
import appy


@appy.jit(dim_info={'b': ('M',), 'a': ('M', 'N')})
def sizes(a: f64[N]):
    a[:] = 1.0


# CHECK: :6:{{.*}} error: `dim_info` names `b`, which is no array parameter of `sizes` [bad-directive]
# CHECK: :6:{{.*}} error: `dim_info` gives `a` 2 dimension(s), its type 1 [bad-directive]
