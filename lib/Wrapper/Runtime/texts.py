# Support of the wrappers of functions that take texts. See common.py.


_other_texts = {}


def _text_number(value, name, known):
    """Which of the texts it is that the function knows; below 0 for others."""
    if not isinstance(value, str):
        raise TypeError(f"`{name}` must be a str, not {_typename(value)}")
    if value not in known and len(value) == 1:
        return -1 - ord(value)
    return known.index(value) if value in known else _other_texts.setdefault(value, -(1 << 21) - len(_other_texts))


def _text(known, number):
    if -(1 << 21) < number < 0:
        return chr(-1 - number)
    return known[number] if number >= 0 else [*_other_texts][-(1 << 21) - number]


def _characters(value, name):
    """A text by its characters, as numbers below 0."""
    if not isinstance(value, str):
        raise TypeError(f"`{name}` must be a str, not {_typename(value)}")
    return -1 - _np.frombuffer(value.encode("utf-32-le", "surrogatepass"), "<u4").astype("int64")


def _spelled(numbers):
    return "".join(chr(-1 - k) for k in numbers.tolist())
