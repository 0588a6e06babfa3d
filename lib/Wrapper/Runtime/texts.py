# Support of the wrappers of functions that take texts. See common.py.


_other_texts = {}


def _text_number(value, name, known):
    """Which of the texts it is that the function knows; below 0 for others."""
    if not isinstance(value, str):
        raise TypeError(f"`{name}` must be a str, not {_typename(value)}")
    return known.index(value) if value in known else _other_texts.setdefault(value, -1 - len(_other_texts))


def _text(known, number):
    return known[number] if number >= 0 else [*_other_texts][-1 - number]
