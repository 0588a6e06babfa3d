"""Lists in a list of lists that change: `starts` and `lengths` say where each of them lies in `items`, `rooms` how many it has room for.
One that is full goes on at the end of all, with twice the room."""
import numpy as np


def _rows_new(starts, lengths, rooms, items):
    starts.append(len(items))
    lengths.append(0)
    rooms.append(0)
    return len(starts) - 1


def _rows_starts(lengths):
    """Of lists that stand one behind the other."""
    return np.cumsum(lengths) - lengths


def _rows_append(starts, lengths, rooms, items, row, x):
    n = lengths[row]
    if n == rooms[row]:
        first = starts[row]
        last = len(items)
        if first + n < last:
            for k in range(n):
                items.append(items[first + k])
            starts[row] = last
        for k in range(max(n, 4)):
            items.append(x)
        rooms[row] = n + max(n, 4)
    items[starts[row] + n] = x
    lengths[row] = n + 1


def _rows_pop(starts, lengths, items, row):
    n = lengths[row] - 1
    if n < 0:
        raise IndexError("pop from empty list")
    lengths[row] = n
    return items[starts[row] + n]


def _rows_take(numbers, starts, lengths, rooms, items):
    """The last list, a copy, whose place the next one gets."""
    numbers.pop()
    start = starts.pop()
    n = lengths.pop()
    rooms.pop()
    found = [items[start + k] for k in range(n)]
    while len(items) > start:
        items.pop()
    return found


def _rows_clear(starts, lengths, items, row):
    lengths[row] = 0


def _rows_fresh(numbers, starts, lengths, rooms, items, at):
    """The list that has been put there; -1 stands for one that is new."""
    if numbers[at] < 0:
        numbers[at] = _rows_new(starts, lengths, rooms, items)
    return numbers[at]


def _rows_or_new(numbers, starts, lengths, rooms, items, at):
    """The list that is there, or an empty one where none is."""
    found = 0
    if at >= 0:
        found = numbers[at]
    else:
        found = _rows_new(starts, lengths, rooms, items)
    return found


def _list_rows_lengths(numbers, lengths):
    return [lengths[k] for k in numbers]


def _list_rows_items(numbers, starts, lengths, items):
    found = []
    for row in numbers:
        for k in range(lengths[row]):
            found.append(items[starts[row] + k])
    return found


def _list_rows_before(starts, lengths, items, a, b):
    """Does list `a` come before list `b`?"""
    before = lengths[a] < lengths[b]
    for k in range(min(lengths[a], lengths[b])):
        x = items[starts[a] + k]
        y = items[starts[b] + k]
        if x != y:
            before = x < y
            break
    return before


def _list_rows_order(numbers, starts, lengths, items, reverse):
    """Which comes first, second, ...; of equals the first."""
    order = [k for k in range(len(numbers))]
    for k in range(1, len(order)):
        place = order[k]
        at = k
        while at > 0:
            a = numbers[order[at - 1]]
            b = numbers[place]
            if reverse:
                if not _list_rows_before(starts, lengths, items, a, b):
                    break
            elif not _list_rows_before(starts, lengths, items, b, a):
                break
            order[at] = order[at - 1]
            at -= 1
        order[at] = place
    return order


def _list_rows_equal(numbers, starts, lengths, items, others, other_starts, other_lengths, other_items):
    same = len(numbers) == len(others)
    if same:
        for k in range(len(numbers)):
            a = numbers[k]
            b = others[k]
            if lengths[a] != other_lengths[b]:
                same = False
                break
            for j in range(lengths[a]):
                if items[starts[a] + j] != other_items[other_starts[b] + j]:
                    same = False
                    break
    return same
