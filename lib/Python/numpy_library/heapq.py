"""Heaps in lists: the item at k comes no later than those at 2k + 1 and 2k + 2. Where equals stand is as CPython has it."""


def _list_heap_up(heap, first, last):
    """The item at `last` moves towards `first`, past those that come later."""
    x = heap[last]
    at = last
    moves = at > first
    while moves:
        above = (at - 1) // 2
        y = heap[above]
        moves = x < y
        if moves:
            heap[at] = y
            at = above
            moves = at > first
    heap[at] = x


def _list_heap_down(heap, first):
    """The item at `first` goes to the bottom by the way of the earlier ones, and up from there."""
    n = len(heap)
    x = heap[first]
    at = first
    below = 2 * at + 1
    while below < n:
        if below + 1 < n:
            if not heap[below] < heap[below + 1]:
                below = below + 1
        heap[at] = heap[below]
        at = below
        below = 2 * at + 1
    heap[at] = x
    _list_heap_up(heap, first, at)


def heappush(heap, item):
    heap.append(item)
    _list_heap_up(heap, 0, len(heap) - 1)


def heappop(heap):
    last = heap.pop()
    found = last
    if len(heap) > 0:
        found = heap[0]
        heap[0] = last
        _list_heap_down(heap, 0)
    return found


def heapify(x):
    for k in range(len(x) // 2 - 1, -1, -1):
        _list_heap_down(x, k)


def heapreplace(heap, item):
    if len(heap) == 0:
        raise IndexError("list index out of range")
    found = heap[0]
    heap[0] = item
    _list_heap_down(heap, 0)
    return found


def heappushpop(heap, item):
    found = item
    if len(heap) > 0:
        if heap[0] < item:
            found = heap[0]
            heap[0] = item
            _list_heap_down(heap, 0)
    return found


def nlargest(n, iterable, key=None):
    return sorted(iterable, key=key, reverse=True)[:max(n, 0)]


def nsmallest(n, iterable, key=None):
    return sorted(iterable, key=key)[:max(n, 0)]
