"""Methods of lists. An item is its own equal in Python even where it is NaN, which no number tells: that is refused."""
import numpy as np

from .bisect import _place_in_order


def _list_is_nan(x):
    return x != x


def _list_order(keys, reverse):
    """Which item comes first, second, ...: by the first key, among equals by the next, else as they stood."""
    for key in keys:
        if np.issubdtype(key.dtype, np.floating):
            if np.isnan(key).any():
                raise NotImplementedError("where NaN comes in Python's order follows from how it sorts")
    if reverse:
        turned = tuple(key[::-1] for key in keys)
        return len(keys[0]) - 1 - np.lexsort(turned[::-1])[::-1]
    return np.lexsort(keys[::-1])


def _list_extreme(keys, largest):
    best = 0
    for k in range(1, len(keys)):
        if (keys[k] > keys[best]) if largest else (keys[k] < keys[best]):
            best = k
    return best


def _list_alone(keys, largest):
    """Of equals in a set hashes decide which comes first."""
    if len(keys) > 0:
        best = keys[_list_extreme(keys, largest)]
        count = 0
        for k in range(len(keys)):
            if keys[k] == best:
                count += 1
        if count > 1:
            raise NotImplementedError("which of a set's items with equal keys comes first follows from hashes")


def _list_apart(keys):
    order = sorted(keys)
    for k in range(1, len(order)):
        if order[k] == order[k - 1]:
            raise NotImplementedError("which of a set's items with equal keys comes first follows from hashes")


def _list_once(numbers):
    order = sorted(numbers)
    for k in range(1, len(order)):
        if order[k] == order[k - 1]:
            raise NotImplementedError("a dict stands twice in the list that is returned, which is one in Python and would be two")


def _list_index(items, x):
    if _list_is_nan(x):
        raise NotImplementedError("whether a NaN is in a list follows from which object it is")
    found = -1
    for k in range(len(items)):
        if items[k] == x:
            found = k
            break
    if found < 0:
        raise ValueError("list.index(x): x not in list")
    return found


def _list_index_between(items, x, start, stop=None):
    n = len(items)
    low = max(start + n, 0) if start < 0 else min(start, n)
    high = n if stop is None else min(stop + n if stop < 0 else stop, n)
    return low + _list_index(items[low:max(low, high)], x)


def _list_find(items, x):
    found = -1
    for k in range(len(items)):
        if items[k] == x:
            found = k
            break
    return found


def _list_contains(items, x):
    if _list_is_nan(x):
        raise NotImplementedError("whether a NaN is in a list follows from which object it is")
    found = False
    for k in range(len(items)):
        if items[k] == x:
            found = True
            break
    return found


def _list_count(items, x):
    if _list_is_nan(x):
        raise NotImplementedError("whether a NaN is in a list follows from which object it is")
    count = 0
    for k in range(len(items)):
        if items[k] == x:
            count += 1
    return count


def _list_equal(a, b):
    same = len(a) == len(b)
    if same:
        for k in range(len(a)):
            if _list_is_nan(a[k]) and _list_is_nan(b[k]):
                raise NotImplementedError("whether two NaN are one follows from which objects they are")
            if a[k] != b[k]:
                same = False
                break
    return same


def _list_insert(items, index, x):
    n = len(items)
    at = min(max(index + n if index < 0 else index, 0), n)
    items.append(x)
    for k in range(n, at, -1):
        items[k] = items[k - 1]
    items[at] = x


def _list_pop(items, index):
    n = len(items)
    at = index + n if index < 0 else index
    if n == 0:
        raise IndexError("pop from empty list")
    if at < 0 or at >= n:
        raise IndexError("pop index out of range")
    x = items[at]
    for k in range(at, n - 1):
        items[k] = items[k + 1]
    items.pop()
    return x


def _list_digits(n):
    """Of a whole number, as its text has them."""
    if n < 0:
        raise NotImplementedError("the text of a negative number is taken apart; take that of its `abs`")
    count = 1
    rest = n // 10
    while rest > 0:
        count += 1
        rest //= 10
    found = [0] * count
    for k in range(count):
        found[count - 1 - k] = n % 10
        n //= 10
    return found


def _list_whole(digits):
    """The number that the text says."""
    if len(digits) == 0:
        raise ValueError("invalid literal for int() with base 10: ''")
    whole = 0
    for digit in digits:
        whole = whole * 10 + digit
    return whole


def _list_in_base(n, bits, letter):
    """The characters of `bin(n)` and the like, -1 less their numbers; a digit has so many bits."""
    if n < -9223372036854775807:
        raise NotImplementedError("the least number of its type is not written in another base")
    whole = -n if n < 0 else n
    first = 3 if n < 0 else 2
    count = first + 1
    rest = whole >> bits
    while rest > 0:
        count += 1
        rest >>= bits
    found = [-46] * count
    found[first - 2] = -49
    found[first - 1] = -1 - letter
    for k in range(first, count):
        digit = (whole >> bits * (count - 1 - k)) & ((1 << bits) - 1)
        found[k] = -49 - digit if digit < 10 else -88 - digit
    return found


def _list_is_space(character):
    return character == -33 or -14 <= character <= -10 or -32 <= character <= -29


def _list_spelled_whole(characters):
    """The number that the text says, of which characters are -1 less their numbers."""
    first = 0
    last = len(characters)
    while first < last and _list_is_space(characters[first]):
        first += 1
    while first < last and _list_is_space(characters[last - 1]):
        last -= 1
    sign = 1
    if first < last and (characters[first] == -44 or characters[first] == -46):
        sign = 1 if characters[first] == -44 else -1
        first += 1
    if first == last:
        raise ValueError("invalid literal for int() with base 10")
    whole = 0
    was_digit = False
    for k in range(first, last):
        digit = -49 - characters[k]
        if 0 <= digit <= 9:
            whole = whole * 10 + digit
        elif not (characters[k] == -96 and was_digit and k < last - 1):
            raise ValueError("invalid literal for int() with base 10")
        was_digit = characters[k] != -96
    return sign * whole


def _list_whole_in_base(characters, base):
    if base < 2 or base > 36:
        raise NotImplementedError("int() of a text that the run makes takes a base from 2 to 36 here")
    first = 0
    last = len(characters)
    sign = 1
    if first < last and (characters[first] == -44 or characters[first] == -46):
        sign = 1 if characters[first] == -44 else -1
        first += 1
    if last - first > 2 and characters[first] == -49:  # 0b, 0o and 0x
        letter = characters[first + 1]
        if (base == 2 and (letter == -99 or letter == -67)) or (base == 8 and (letter == -112 or letter == -80)) or (base == 16 and (letter == -121 or letter == -89)):
            first += 2
    if first == last:
        raise ValueError("invalid literal for int()")
    whole = 0
    for k in range(first, last):
        c = -1 - characters[k]
        digit = c - 48 if c < 58 else (c - 55 if c < 91 else c - 87)
        if digit < 0 or digit >= base or 57 < c < 65 or 90 < c < 97:
            raise ValueError("invalid literal for int()")
        whole = whole * base + digit
    return sign * whole


def _list_last(items, most):
    """As many of the last ones, or all."""
    return [items[k] for k in range(max(len(items) - most, 0), len(items))]


def _list_delete_slice(items, first, last):
    n = len(items)
    begin = 0
    if first is not None:
        begin = min(max(first + n if first < 0 else first, 0), n)
    end = n
    if last is not None:
        end = min(max(last + n if last < 0 else last, 0), n)
    count = max(end - begin, 0)
    for k in range(begin, n - count):
        items[k] = items[k + count]
    for _ in range(count):
        items.pop()


def _list_replace_slice(items, first, last, new):
    n = len(items)
    begin = 0
    if first is not None:
        begin = min(max(first + n if first < 0 else first, 0), n)
    end = n
    if last is not None:
        end = max(min(last + n if last < 0 else last, n), begin)
    more = len(new) - (end - begin)
    for _ in range(more):
        items.append(new[0])
    if more > 0:
        for k in range(n - 1, end - 1, -1):
            items[k + more] = items[k]
    else:
        for k in range(end, n):
            items[k + more] = items[k]
    for _ in range(-more):
        items.pop()
    for k in range(len(new)):
        items[begin + k] = new[k]


def _list_delete(items, index):
    n = len(items)
    at = index + n if index < 0 else index
    if at < 0 or at >= n:
        raise IndexError("list assignment index out of range")
    for k in range(at, n - 1):
        items[k] = items[k + 1]
    items.pop()


def _list_remove(items, x):
    if _list_is_nan(x):
        raise NotImplementedError("whether a NaN is in a list follows from which object it is")
    n = len(items)
    at = n
    for k in range(n):
        if items[k] == x:
            at = k
            break
    if at == n:
        raise ValueError("list.remove(x): x not in list")
    for k in range(at, n - 1):
        items[k] = items[k + 1]
    items.pop()


def _list_reverse(items):
    n = len(items)
    for k in range(n // 2):
        x = items[k]
        items[k] = items[n - 1 - k]
        items[n - 1 - k] = x


def _list_rotate(items, steps):
    """Three turns around: all, and each of the two parts that change places."""
    n = len(items)
    first = steps % max(n, 1)
    _list_turn(items, 0, n)
    _list_turn(items, 0, first)
    _list_turn(items, first, n)


def _list_turn(items, low, high):
    for k in range((high - low) // 2):
        x = items[low + k]
        items[low + k] = items[high - 1 - k]
        items[high - 1 - k] = x


def _list_without_nan(items):
    for k in range(len(items)):
        if _list_is_nan(items[k]):
            raise NotImplementedError("whether a NaN is in a set follows from which object it is")


def _list_in_hash_order(items):
    """Whole numbers hash to themselves: those below the number of places that CPython's table has at least stand there in order."""
    places = 8
    while 5 * len(items) >= 3 * (places - 1):
        places *= 2
    for x in items:
        if x < 0 or x >= places or x != x // 1:
            raise NotImplementedError("in which order a set's items come follows from hashes; write `sorted(s)`")


def _list_in_order(items, x):
    """Is it one of those that stand in order?"""
    low = _place_in_order(items, x, 0, len(items), False)
    found = False
    if low < len(items):
        found = items[low] == x
    return found


def _list_add(items, x):
    """Where it belongs, if it is not there."""
    if _list_is_nan(x):
        raise NotImplementedError("whether a NaN is in a set follows from which object it is")
    items.append(x)
    n = len(items) - 1
    low = _place_in_order(items, x, 0, n, False)
    if low < n and items[low] == x:
        items.pop()
    else:
        for k in range(n, low, -1):
            items[k] = items[k - 1]
        items[low] = x


def _list_update(items, others):
    for x in others:
        _list_add(items, x)


def _list_discard(items, x):
    n = len(items)
    at = n
    for k in range(n):
        if items[k] == x:
            at = k
            break
    if at < n:
        for k in range(at, n - 1):
            items[k] = items[k + 1]
        items.pop()


def _list_difference_update(items, others):
    for x in others:
        _list_discard(items, x)


def _list_intersection_update(items, others):
    kept = 0
    for k in range(len(items)):
        x = items[k]
        if _list_in_order(others, x):
            items[kept] = x
            kept += 1
    while len(items) > kept:
        items.pop()


def _list_symmetric_difference_update(items, others):
    for x in others:
        if _list_in_order(items, x):
            _list_discard(items, x)
        else:
            _list_add(items, x)


def _list_take_out(items, x):
    n = len(items)
    _list_discard(items, x)
    if len(items) == n:
        raise KeyError("the set has no such item")


def _list_joined(a, b, first, both, second):
    """Of two that stand in order: what is in the first alone, in both, in the second alone."""
    found = []
    i = 0
    j = 0
    for _ in range(len(a) + len(b)):
        if i < len(a) and (j == len(b) or a[i] < b[j]):
            if first:
                found.append(a[i])
            i += 1
        elif j < len(b) and (i == len(a) or b[j] < a[i]):
            if second:
                found.append(b[j])
            j += 1
        elif i < len(a):
            if both:
                found.append(a[i])
            i += 1
            j += 1
    return found


def _list_shared(a, b):
    """How many are in both, which stand in order."""
    count = 0
    for x in a:
        if _list_in_order(b, x):
            count += 1
    return count
