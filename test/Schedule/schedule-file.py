# What a program leaves open is listed as a schedule file, which --schedule reads. Lines are known by their text.
# RUN: %appyc %s --emit=schedule | FileCheck --check-prefix=OPEN %s
# RUN: %appyc %s --emit=schedule --target=cpu | FileCheck --check-prefix=CPU %s
# Appyc's own choices change nothing; chosen ones do, the same way each time.
# RUN: rm -rf %t && mkdir %t && %appyc %s --emit=schedule > %t/own
# RUN: %appyc %s -o - | sed -e 1,3d -e '/hash of/d' -e '/return "[0-9a-f]*";/d' > %t/without.cu && %appyc %s --schedule %t/own -o - | sed -e 1,3d -e '/hash of/d' -e '/return "[0-9a-f]*";/d' | diff %t/without.cu -
# RUN: %appyc %s --schedule=%S/Inputs/chosen.schedule -o - -Werror > %t/chosen.cu
# RUN: FileCheck --check-prefix=TEXT %s < %t/chosen.cu
# RUN: %appyc %s --schedule=%S/Inputs/chosen.schedule --emit=ir | FileCheck --check-prefix=CHOSEN %s
# RUN: %appyc %s --schedule=%S/Inputs/chosen.schedule -o - | diff %t/chosen.cu -
# RUN: %appyc %s --schedule=%S/Inputs/chosen.schedule -o - --target=cpu -Werror | FileCheck --check-prefix=CHOSENCPU %s
# The file is an input: of the dependency file, and not to be overwritten.
# RUN: %appyc %s --schedule=%S/Inputs/chosen.schedule -o %t/a.cu -MD && FileCheck --check-prefix=DEPENDS %s < %t/a.d
# RUN: not %appyc %s --schedule=%t/own -o %t/own 2>&1 | FileCheck --check-prefix=OVERWRITE %s
# Every mistake is named at its place.
# RUN: not %appyc %s --schedule=%S/Inputs/bad.schedule -o - 2>&1 | FileCheck --check-prefix=BAD %s
# RUN: not %appyc %s --schedule=%S/Inputs/stale.schedule -o - 2>&1 | FileCheck --check-prefix=STALE %s
# RUN: not %appyc %s --schedule=%S/Inputs/stale.schedule -o - --diagnostics-format=json 2>&1 | %python -m json.tool > %t/json
# RUN: not %appyc %s --schedule=%t/none -o - 2>&1 | FileCheck --check-prefix=NONE %s
import numpy as np
import appy


def rows(m: f64[M, N]) -> f64[M]:
    s = np.empty(m.shape[0])
    for i in range(m.shape[0]):
        s[i] = np.sum(m[i, :])
    return s


@appy.jit(configs=[{'BM': 64, 'num_warps': 8, 'num_stages': 3}, {'BM': 32, 'num_warps': 4}])
def configured(a: f64[M, N]):
    #pragma parallel for
    for i in range(a.shape[0]):
        #pragma simd
        for j in range(a.shape[1]):
            a[i, j] = 1.0


@appy.jit(tune={'BN': (64, 128)})
def steps(a: f64[N], b: f64[N], T: i64):
    for t in range(T):
        b[1:-1] = a[2:] + a[:-2]
        a[1:-1] = b[2:] + b[:-2]
    #pragma parallel for simd(BN)
    for i in range(a.shape[0]):
        a[i] = 3.0
    #pragma parallel for simd(256)
    for i in range(a.shape[0]):
        b[i] = 4.0


# OPEN:      [configured]
# OPEN-NEXT: BM = 64  # 64, 32
# OPEN-NEXT: num_warps = 8  # 8, 4
# OPEN:      [rows."for i in range(m.shape[0]):"]  # line {{[0-9]+}}
# OPEN-NEXT: workers = "blocks"  # "threads", "warps", "blocks"
# OPEN-NEXT: lanes = 128  # 32, 64, 128, 256, 512, 1024
# OPEN-NEXT: rows = 16384  # 1, 4096, 16384, 65536, 268435456
# OPEN-NEXT: # vectors: true, false; not the same for all that becomes of the line
# OPEN-NEXT: fit = true  # true, false
# OPEN:      [steps]
# OPEN-NEXT: BN = 64  # 64, 128
# OPEN:      [steps."for t in range(T):"]
# OPEN-NEXT: steps = {{[0-9]+}}  # 1, 2, 3, 4, 6, 8, 16, 32, 48, 64
# OPEN-NEXT: graph = true  # true, false
# OPEN-NEXT: overlap = true  # true, false
# OPEN:      [steps."b[1:-1] = a[2:] + a[:-2]"]
# OPEN-NEXT: lanes = 256

# CPU:      [rows."for i in range(m.shape[0]):"]
# CPU-NEXT: share = "static"  # "static", "dynamic", "none"

# TEXT:        appyc {{.*}} --schedule=chosen.schedule
# CHOSEN:      launch rows_s[{{.*}}, (96, 1, 1)](
# CHOSEN:      launch rows_s_1[{{.*}}, (96, 1, 1)](
# CHOSEN:      warp_sum(
# CHOSEN:      launch configured_kernel[{{.*}}, (64, 1, 1)](
# CHOSEN:      for t in range(0, T, 1):  # serial{{$}}
# CHOSEN-NEXT: launch steps_b[{{.*}}, (256, 1, 1), overlaps](
# CHOSEN:      launch steps_a_1[{{.*}}, (192, 1, 1)](

# CHOSENCPU: #pragma omp parallel for schedule(dynamic)

# DEPENDS: a.cu: {{.*}}schedule-file.py {{.*}}chosen.schedule
# OVERWRITE: the output `{{.*}}own` would overwrite the schedule file

# BAD: bad.schedule:1:1: error: this entry stands below no `[function]` [bad-schedule]
# BAD: bad.schedule:2:1: error: a part begins with `[function]`, `[function."text of a line"]` or `[function.label.NAME]` [bad-schedule]
# BAD: bad.schedule:4:9: error: `lanes` is one of 32, 64, 96 … 1024 [bad-schedule]
# BAD: bad.schedule:5:1: error: unknown choice `lane`; did you mean `lanes`? [bad-schedule]
# BAD: bad.schedule:6:1: error: unknown choice `unrolled`; known are `workers`, `lanes`, `steps`, `host`, `graph`, `overlap`, `launch`, `share`, `masks`, `keys`, `vectors`, `fit`, `repeat`, `rows`, `tiles`, `settle` [bad-schedule]
# BAD: bad.schedule:8:1: error: `graph` is given twice [bad-schedule]
# BAD: bad.schedule:9:11: error: `workers` is one of "threads", "warps", "blocks" [bad-schedule]
# BAD: bad.schedule:10:9: error: the quotes are not closed [bad-schedule]
# BAD: bad.schedule:12:1: error: this part stands twice in the file [bad-schedule]
# BAD: bad.schedule:3:1: note: the first one is here
# BAD: bad.schedule:13:1: error: the second line of a text is `[function."text".2]` [bad-schedule]
# BAD: bad.schedule:15:6: error: `BN` is a positive integer [bad-schedule]
# BAD: bad.schedule:16:1: error: an entry has the form `lanes = 128` [bad-schedule]
# BAD: bad.schedule:17:13: error: `num_warps` is an integer from 1 to 32 [bad-schedule]

# STALE: stale.schedule:1:1: error: `steps` has no line `for t in range(T0):` but `for t in range(T):`; run scripts/tune again, or remove this part [stale-schedule]
# STALE: stale.schedule:4:1: error: `steps` has the line `for i in range(a.shape[0]):` 2 times, not 3; run scripts/tune again, or remove this part [stale-schedule]
# STALE: stale.schedule:6:1: error: the program has no function `columns`; run scripts/tune again, or remove this part [stale-schedule]
# STALE: stale.schedule:9:1: warning: `BM` is no constant that `tune` or `configs` of `steps` names [unused-schedule]
# STALE: stale.schedule:11:1: warning: `lanes` is not open at this line; open are `vectors` [unused-schedule]
# STALE: stale.schedule:13:1: warning: `graph` is not open at this line; open are `workers`, `lanes`, `rows`, `vectors`, `fit` [unused-schedule]
# STALE-NOT: share

# NONE: none:1:1: error: cannot read
