# A scalar of a kernel that is another one, which does not change behind it, goes by that one's name.
# RUN: %appyc %s --stop-after=drop-copies --emit=ir -o - | FileCheck %s
# RUN: %appyc %s --stop-after=drop-copies --disable-pass=drop-copies --emit=ir -o - | FileCheck --check-prefix=OFF %s
def scaled(x: f64[N]) -> f64[N]:
    largest = x.max()
    return x / largest
# CHECK-LABEL: def scaled
# CHECK: x[{{.*}}] / largest
# CHECK-NOT: largest{{.*}}: f64 = largest
# OFF: largest{{.*}}: f64 = largest


def stepped(a: f64[N], b: f64[N]):
    for i in range(a.shape[0]):
        old = 0.0
        new = a[i]
        for k in range(3):
            older = old
            old = new
            new = old + older
        b[i] = new
# CHECK-LABEL: def stepped
# CHECK: older{{.*}} = old
