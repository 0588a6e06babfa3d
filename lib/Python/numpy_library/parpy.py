"""What ParPy has beside NumPy's functions under its own names."""


def convert(e, kind):
    return kind(e)


def inline(call):
    return call
