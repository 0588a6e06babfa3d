"""Lists in a list of lists that change: `starts` and `lengths` say where each of them lies in `items`, `rooms` how many it has room for.
One that is full goes on at the end of all, with twice the room."""


def _rows_new(starts, lengths, rooms, items):
    starts.append(len(items))
    lengths.append(0)
    rooms.append(0)
    return len(starts) - 1


def _rows_append(starts, lengths, rooms, items, row, x):
    n = lengths[row]
    if n == rooms[row]:
        first = starts[row]
        last = len(items)
        for k in range(max(n, 4)):
            items.append(x)
        if first + n < last:
            for k in range(n):
                items.append(x)
                items[last + k] = items[first + k]
            starts[row] = last
        rooms[row] = n + max(n, 4)
    items[starts[row] + n] = x
    lengths[row] = n + 1


def _rows_pop(starts, lengths, items, row):
    n = lengths[row] - 1
    if n < 0:
        raise IndexError("pop from empty list")
    lengths[row] = n
    return items[starts[row] + n]


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
