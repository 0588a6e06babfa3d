"""Functions of `operator` beside those that are one of Python's operators, which are the compiler's own."""


def inv(a, /):
    return ~a


def truth(a, /):
    return bool(a)


def is_(a, b, /):
    return a is b


def is_not(a, b, /):
    return a is not b


def getitem(a, b, /):
    return a[b]


def setitem(a, b, c, /):
    a[b] = c


def contains(a, b, /):
    return b in a


def concat(a, b, /):
    return a + b
