"""Dicts in memory: the keys and values stand in lists, in the order in which Python's dict has them. `slots` says where each key is: its
place among them stands at the first slot, from that of its hash on, that is not another key's; -1 where none is."""
import numpy as np


def _table_bits(x):
    """Of equal numbers of one kind the same."""
    if np.issubdtype(np.asarray(x).dtype, np.floating):
        if x != x:
            raise NotImplementedError("whether a NaN is a dict's key follows from which object it is")
        return np.asarray(x + 0.0, dtype=np.float64).view(np.uint64)[()]
    return np.asarray(x).astype(np.uint64)[()]


def _table_hash(key):
    h = np.uint64(0)
    for part in key if isinstance(key, tuple) else (key,):
        h = (h ^ _table_bits(part)) * np.uint64(0x9E3779B97F4A7C15)
        h = h ^ (h >> np.uint64(32))
    return h


def _table_slot(keys, slots, key):
    """The slot of the key, or the one that it would get."""
    last = len(slots) - 1
    at = int(_table_hash(key) & np.uint64(last))
    while slots[at] >= 0 and keys[slots[at]] != key:
        at = (at + 1) & last
    return at


def _table_place(keys, slots, key):
    return slots[_table_slot(keys, slots, key)]


def _table_settle(keys, slots):
    for k in range(len(slots)):
        slots[k] = -1
    for k in range(len(keys)):
        slots[_table_slot(keys, slots, keys[k])] = k


def _table_add(keys, values, slots, at, key, value):
    """A key that is not there."""
    slots[at] = len(keys)
    keys.append(key)
    values.append(value)
    if 2 * len(keys) > len(slots):
        for k in range(len(slots)):
            slots.append(-1)
        _table_settle(keys, slots)


def _table_put(keys, values, slots, key, value):
    at = _table_slot(keys, slots, key)
    if slots[at] >= 0:
        values[slots[at]] = value
    else:
        _table_add(keys, values, slots, at, key, value)


def _table_replace(keys, values, slots, key, value):
    """In a loop over the dict."""
    at = _table_place(keys, slots, key)
    if at < 0:
        raise RuntimeError("dictionary changed size during iteration")
    values[at] = value


def _table_get(keys, values, slots, key, default):
    found = default
    at = _table_place(keys, slots, key)
    if at >= 0:
        found = values[at]
    return found


def _table_pop(keys, values, slots, key, default):
    found = default
    at = _table_place(keys, slots, key)
    if at >= 0:
        found = values[at]
        _table_remove(keys, values, slots, at)
    return found


def _table_place_or_new(keys, values, slots, key, default):
    at = _table_slot(keys, slots, key)
    if slots[at] < 0:
        place = len(keys)
        _table_add(keys, values, slots, at, key, default)
    else:
        place = slots[at]
    return place


def _table_remove(keys, values, slots, at):
    del keys[at]
    del values[at]
    _table_settle(keys, slots)


def _table_count(keys, values, slots, items):
    for x in items:
        values[_table_place_or_new(keys, values, slots, x, 0)] += 1


def _table_total(keys, values, slots):
    return sum(values)


def _table_update(keys, values, slots, more, others):
    for k in range(len(more)):
        _table_put(keys, values, slots, more[k], others[k])
