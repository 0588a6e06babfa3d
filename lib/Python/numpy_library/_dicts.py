"""Dicts whose keys are known, asked for one that is computed."""


def _dict_item(keys, values, key):
    """`key` is one of them."""
    found = values[0]
    for k in range(1, len(keys)):
        if key == keys[k]:
            found = values[k]
    return found


def _dict_get(keys, values, key, default):
    found = default
    for k in range(len(keys)):
        if key == keys[k]:
            found = values[k]
    return found
