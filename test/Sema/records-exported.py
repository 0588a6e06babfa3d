# Annotated with classes, functions are exported, those too that the file calls, as far as they translate by themselves.
# RUN: %appyc %s --target=cpu -o - | FileCheck %s
from dataclasses import dataclass


@dataclass
class State:
    t: float


# CHECK: exported_helper(double s_t, double dt,
def helper(s: State, dt: float) -> None:
    s.t += dt


# CHECK: exported_commented(double s_t, double dt,
#appyc: def commented(s: State, dt: float)
def commented(s, dt):
    return s.t + dt


# CHECK: exported_run(double t,
def run(t: float) -> dict:
    s = State(t)
    helper(s, 1.0)
    commented(s, 2.0)
    return {"t": s.t}
