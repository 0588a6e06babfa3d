# Names and dicts of the file that functions change: what is no number, and dicts that say whether something has been seen before.
# RUN: not %appyc %s -o - 2>&1 | FileCheck %s
seen = {}
by_one = {}
best = None
count = 0


def is_new(n):
    if n in seen:
        return 0
    first = 1
    seen[n] = first
    # CHECK: file-state.py:[[@LINE-1]]:{{[0-9]+}}: error: this dict is the file's, which all calls share
    return first


def times(n, w):
    if n in by_one:
        return by_one[n]
    by_one[n] = n * w
    # CHECK: file-state.py:[[@LINE-1]]:{{[0-9]+}}: error: this dict is the file's, which all calls share
    return by_one[n]


def keep(x):
    # CHECK: file-state.py:[[@LINE+1]]:{{[0-9]+}}: error: `global` is not translated; pass the value as a parameter, or return it
    global best
    best = x


def becomes_text(x: f64):
    global count
    count = "many"
    # CHECK: file-state.py:[[@LINE+1]]:{{[0-9]+}}: error: `count` is a number of the file, which functions bind to something else
    return x


def main(x: f64, n: i64):
    keep(x)
    return is_new(n) + is_new(n) + times(n, 2)
