"""Steps that update elements of their neighbours have a loop for each update; what they collect is seen by none of these."""
# RUN: %appyc %s -w --emit=fired | %where pass=distribute-updates | FileCheck --check-prefix=FIRES %s
# RUN: %appyc %s -o - --emit=ir --stop-after=prove-parallel | FileCheck %s

# FIRES: distribute-updates: springs{{$}}


# The element's updates keep their order: that of the step before comes first.
# CHECK-LABEL: def springs
# CHECK: for [[I:i.*]] in range(0, N - 1, 1):  # proven
# CHECK: f[[[I]] + 1] = f[[[I]] + 1] - {{.*}}
# CHECK: for [[J:i.*]] in range(0, N - 1, 1):  # proven
# CHECK: f[[[J]]] = f[[[J]]] + {{.*}}
# CHECK: for {{.*}} in range(0, N - 1, 1):  # proven, sum(energy)
#appyc: def springs(x: f64[N], f: f64[N])
def springs(x, f):
    energy = 0.0
    for i in range(len(x) - 1):
        pull = x[i + 1] - x[i] - 1.0
        f[i] += pull
        f[i + 1] -= pull
        energy += pull * pull
    return energy


# CHECK-LABEL: def running
# CHECK: # serial
#appyc: def running(x: f64[N], f: f64[N])
def running(x, f):
    s = 0.0
    for i in range(len(x)):
        f[i] += s
        s += x[i]
    return s
