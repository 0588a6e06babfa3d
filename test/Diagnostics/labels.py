# What labels and their schedules get wrong.
# RUN: not %appyc %S/Inputs/labels.py --par='nothing' --par='z=threads(0)' --par='y=threads(1).fast()' --par='q=reduce()' -o - 2>&1 | FileCheck %s
# CHECK-DAG: error: --par: `nothing` is no schedule; write `N=threads(128).reduce()`
# CHECK-DAG: error: `threads` needs a positive count: `threads(128)`
# CHECK-DAG: error: unknown word `fast` in a schedule; known are `threads(n)`, `reduce()`, `tpb(n)`, `unroll()`
# CHECK-DAG: error: --par: no statement has the label `q`; labels are
# CHECK-DAG: labels.py:7:5: error: two labels of one loop have different counts: `threads(32)` and `threads(64)` [duplicate-pragma]
# CHECK-DAG: labels.py:10:5: error: a label belongs to a `for`, an assignment or a definition; this one stands above an `if`
# CHECK-DAG: error: `.reduce()` is for a loop whose body is one step of a reduction, `x = x + e`, with `*`, `max` or `min` for others [bad-directive]
# CHECK-DAG: labels.py:17:5: error: a label is a text that stands there: `parpy.label('N')`
# CHECK-DAG: labels.py:19:5: error: a `for` loop already has a pragma of this class
# CHECK-DAG: labels.py:23:5: error: 2 labels for an assignment to 1 slice; write one for each, from left to right
# CHECK-DAG: labels.py:28:5: error: this pragma stands above nothing: no statement follows in its block
# CHECK-DAG: error: no statement{{( of `[a-z_]+`)?}} has the label `rwos`; did you mean `rows`? [bad-directive]
# CHECK-DAG: error: `tpb` needs a multiple of 32 up to 1024: `tpb(128)`
# CHECK-DAG: error: `opts` is read before the program runs; write `opts=parpy.par({'N': parpy.threads(128)})`
# CHECK-DAG: error: the label `a` has two schedules that differ; a function is translated with one

# A loop with an entry is parallel and checked, one without is open like any loop.
# RUN: not %appyc %S/Inputs/carried.py --par='e=threads(32)' -o - 2>&1 | FileCheck --check-prefix=CARRIED %s
# RUN: %appyc %S/Inputs/carried.py -o - | FileCheck --check-prefix=OPEN %s
# CARRIED: carried.py:7:5: error:
# OPEN: void f

# A schedule file says it as well; the command line comes before it.
# RUN: printf '[f.label.e]\nthreads = 32\n' > %t.schedule && not %appyc %S/Inputs/carried.py --schedule=%t.schedule -o - 2>&1 | FileCheck --check-prefix=CARRIED %s
# RUN: printf '[f.label.no]\nthreads = N\nreduce = true\n' > %t.schedule && not %appyc %S/Inputs/carried.py --schedule=%t.schedule -o - 2>&1 | FileCheck --check-prefix=UNKNOWN %s
# RUN: not %appyc %S/Inputs/carried.py --par='g.e=threads(32)' -o - 2>&1 | FileCheck --check-prefix=ELSEWHERE %s
# ELSEWHERE: error: --par: no statement of `g` has the label `e`; write `parpy.label(...)` above a loop [bad-directive]
# RUN: printf '[f.label.e]\nreduce = 3\n[f.label]\n[f.label.e.f]\n' > %t.schedule && not %appyc %S/Inputs/carried.py --schedule=%t.schedule -o - 2>&1 | FileCheck --check-prefix=FORM %s
# UNKNOWN: error: schedule file: no statement of `f` has the label `no`; labels are `e` [bad-directive]
# FORM: :2:1: error: of a label there are `threads = 128`, `tpb = 64`, `reduce = true` and `unroll = true` [bad-schedule]
# FORM: :3:1: error: a part about a label is `[function.label.NAME]` [bad-schedule]
# FORM: :4:1: error: a part about a label is `[function.label.NAME]` [bad-schedule]

# One of several schedules in one library.
# RUN: printf '[f@wide.label.e]\nthreads = 32\n' > %t.schedule && not %appyc %S/Inputs/carried.py --schedule=%t.schedule -o - 2>&1 | FileCheck --check-prefix=CARRIED %s
# RUN: printf '[f@wide]\nthreads = 32\n' > %t.schedule && not %appyc %S/Inputs/carried.py --schedule=%t.schedule -o - 2>&1 | FileCheck --check-prefix=NAMED %s
# RUN: not %appyc %S/Inputs/carried.py --par='f@wide.no=threads(32)' -o - 2>&1 | FileCheck --check-prefix=NOLABEL %s
# NAMED: :1:1: error: one of several schedules says how labels are run: `[function@schedule.label.NAME]` [bad-schedule]
# NOLABEL: error: --par: no statement of `f` has the label `no`; labels are `e` [bad-directive]
