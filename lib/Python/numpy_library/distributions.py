"""Methods of np.random.Generator that draw from a distribution; the first parameter is its state.

Those that `_of_own_stream` is the source of are not NumPy's numbers, but as distributed: each call takes one number of the
generator's stream, which is the key of a Philox whose counter is the element's place. So each element may draw again as
often as it has to, whoever makes the others."""
import numpy as np

from ._bits import _half_words, _philox_block, _philox_words, _words
from ._common import _is_sequence
from .generator import _below, _elements, _fractions, _in_shape, _integers


def _delivered_numbers(numbers, size):
    return float(numbers[0]) if size is None else _in_shape(numbers, size)


def _delivered_counts(counts, size):
    return int(counts[0]) if size is None else _in_shape(counts, size)


def _check_number(x):
    if _is_sequence(x) or np.ndim(x) != 0:
        raise NotImplementedError("the parameters of distributions are numbers here; for others of each element, scale the results of "
                                  "the standard one, or draw in a loop")
    return x


def _shape_for(size, a, b=0.0):
    """What `size` says; where it says nothing, the shape that parameters have together."""
    if size is not None or (np.ndim(a) == 0 and np.ndim(b) == 0):
        return size
    return np.broadcast_shapes(np.shape(a), np.shape(b))


def _for_each(x, shape):
    """A parameter of each element, in order; a number for all of them."""
    if np.ndim(x) == 0:
        return x
    return np.ravel(np.broadcast_to(np.asarray(x).astype(np.float64), shape))


def _number_at(x, i):
    return np.float64(x) if np.ndim(x) == 0 else x[i]


def _check_above(x):
    """A parameter that is greater than zero."""
    if not _check_number(x) > 0:
        raise ValueError("a parameter of the distribution is <= 0 or NaN")
    return np.float64(x)


def _scales(x, shape):
    """Of each element, or for all."""
    if np.ndim(x) == 0:
        return _check_scale(x)
    scales = _for_each(x, shape)
    if not np.all(scales >= 0):
        raise ValueError("scale < 0")
    return scales


def _check_scale(x):
    if not _check_number(x) >= 0:
        raise ValueError("scale < 0")
    return np.float64(x)


def _own_block(key, place, turn):
    """Four words of an element's own."""
    return _philox_block(key, np.uint64(0x6170707963) + np.uint64(np.int64(turn)), np.uint64(np.int64(place)))


def _of_own_stream(state):
    return _words(state, 1)[0]


def _own_fractions(state, count):
    """Above 0, up to 1."""
    own = np.zeros(5, np.uint64)
    own[0] = _of_own_stream(state)
    own[1] = np.uint64(0x6170707963)
    return ((_philox_words(own, count) >> 11).astype(np.float64) + 1) * (1 / 9007199254740992)


def _fraction(word):
    return (np.float64(word >> 11) + 1) * (1 / 9007199254740992)


def _normal_pair(a, b):
    """Box and Muller, A note on the generation of random normal deviates, 1958."""
    radius = np.sqrt(-2 * np.log(_fraction(a)))
    angle = 2 * np.pi * _fraction(b)
    return radius * np.cos(angle), radius * np.sin(angle)


def _normals(state, count):
    key = _of_own_stream(state)
    made = np.empty(count)
    for block in range((count + 3) // 4):
        a, b, c, d = _own_block(key, block, 0)
        pair = _normal_pair(a, b)
        other = _normal_pair(c, d)
        for k in range(2):
            if 4 * block + k < count:
                made[4 * block + k] = pair[k]
            if 4 * block + 2 + k < count:
                made[4 * block + 2 + k] = other[k]
    return made


def _exponentials(state, count):
    return -np.log(_own_fractions(state, count))


def _float_asked(dtype, out):
    if out is not None:
        raise NotImplementedError("`out=` of distributions is not translated; write `out[...] = `")
    kind = np.zeros(0, dtype).dtype
    if kind != np.float64 and kind != np.float32:
        raise TypeError("Unsupported dtype for the distribution")
    return kind


def _in_kind_asked(numbers, size, kind):
    if kind == np.float32:
        small = numbers.astype(np.float32)
        return float(small[0]) if size is None else _in_shape(small, size)
    return _delivered_numbers(numbers, size)


def standard_normal(self, size=None, dtype=np.float64, out=None):
    kind = _float_asked(dtype, out)
    return _in_kind_asked(_normals(self, _elements(size)), size, kind)


def normal(self, loc=0.0, scale=1.0, size=None):
    shape = _shape_for(size, loc, scale)
    spread = _scales(scale, shape)
    return _delivered_numbers(_for_each(loc, shape) + spread * _normals(self, _elements(shape)), shape)


def lognormal(self, mean=0.0, sigma=1.0, size=None):
    shape = _shape_for(size, mean, sigma)
    spread = _scales(sigma, shape)
    return _delivered_numbers(np.exp(_for_each(mean, shape) + spread * _normals(self, _elements(shape))), shape)


def standard_exponential(self, size=None, dtype=np.float64, method="zig", out=None):
    kind = _float_asked(dtype, out)
    if method != "zig" and method != "inv":
        raise ValueError("method must be 'zig' or 'inv'")
    return _in_kind_asked(_exponentials(self, _elements(size)), size, kind)


def exponential(self, scale=1.0, size=None):
    shape = _shape_for(size, scale)
    return _delivered_numbers(_scales(scale, shape) * _exponentials(self, _elements(shape)), shape)


def rayleigh(self, scale=1.0, size=None):
    shape = _shape_for(size, scale)
    return _delivered_numbers(_scales(scale, shape) * np.sqrt(2 * _exponentials(self, _elements(shape))), shape)


def pareto(self, a, size=None):
    return _delivered_numbers(np.expm1(_exponentials(self, _elements(size)) / _check_above(a)), size)


def power(self, a, size=None):
    return _delivered_numbers(np.power(_own_fractions(self, _elements(size)), 1 / _check_above(a)), size)


def weibull(self, a, size=None):
    shape = _check_scale(a)
    numbers = _exponentials(self, _elements(size))
    return _delivered_numbers(np.where(shape == 0, 0.0, np.power(numbers, 1 / np.where(shape == 0, 1.0, shape))), size)


def standard_cauchy(self, size=None):
    return _delivered_numbers(np.tan(np.pi * (_own_fractions(self, _elements(size)) - 0.5)), size)


# What follows from one number of the stream each, and is NumPy's to the last bit: it draws again where that is 0 (once in
# 2**53 numbers), which is not done here.


def laplace(self, loc=0.0, scale=1.0, size=None):
    shape = _shape_for(size, loc, scale)
    u = _fractions(self, _elements(shape), np.float64)
    spread = _scales(scale, shape)
    middle = _for_each(loc, shape)
    low = middle + spread * np.log(np.where(u >= 0.5, 0.5, u) + np.where(u >= 0.5, 0.5, u))
    high = middle - spread * np.log(2.0 - np.where(u >= 0.5, u, 0.5) - np.where(u >= 0.5, u, 0.5))
    return _delivered_numbers(np.where(u >= 0.5, high, low), shape)


def logistic(self, loc=0.0, scale=1.0, size=None):
    shape = _shape_for(size, loc, scale)
    u = _fractions(self, _elements(shape), np.float64)
    return _delivered_numbers(_for_each(loc, shape) + _scales(scale, shape) * np.log(u / (1.0 - u)), shape)


def gumbel(self, loc=0.0, scale=1.0, size=None):
    shape = _shape_for(size, loc, scale)
    u = 1.0 - _fractions(self, _elements(shape), np.float64)
    return _delivered_numbers(_for_each(loc, shape) - _scales(scale, shape) * np.log(-np.log(u)), shape)


def triangular(self, left, mode, right, size=None):
    first = np.float64(_check_number(left))
    top = np.float64(_check_number(mode))
    last = np.float64(_check_number(right))
    if first > top:
        raise ValueError("left > mode")
    if top > last:
        raise ValueError("mode > right")
    if first == last:
        raise ValueError("left == right")
    u = _fractions(self, _elements(size), np.float64)
    base = last - first
    rising = (top - first) / base
    numbers = np.where(u <= rising, first + np.sqrt(u * ((top - first) * base)), last - np.sqrt((1.0 - u) * ((last - top) * base)))
    return _delivered_numbers(numbers, size)


# Shuffles and choices: NumPy's, too.


def _mask_of(number):
    """All bits up to the highest."""
    mask = number
    for shift in (1, 2, 4, 8, 16):
        mask = mask | (mask >> shift)
    return mask


def _swap(places, i, j):
    kept = places[i]
    places[i] = places[j]
    places[j] = kept


def _shuffle_places(state, places):
    """Fisher and Yates from the end on."""
    steps = max(len(places) - 1, 0)
    draws = _half_words(state, steps)
    at = 0
    for step in range(steps):
        i = len(places) - 1 - step
        mask = _mask_of(np.uint64(np.int64(i)))
        number = np.uint64(0xFFFFFFFF)
        while number > np.uint64(np.int64(i)):  # about half of the draws count
            number = (draws[at] if at < steps else _half_words(state, 1)[0]) & mask
            at = at + 1
        _swap(places, i, int(number))


def _shuffle_chosen(state, places, least):
    """The same down to `least`, of numbers that are made as `integers` makes them."""
    steps = max(len(places) - least, 0)
    draws = _half_words(state, steps)
    at = 0
    for step in range(steps):
        i = len(places) - 1 - step
        number, at = _chosen_below(state, i, draws, at)
        _swap(places, i, number)


def _chosen_below(state, last, draws, at):
    """From 0 to the last, of the draws from `at` on, and where the next one is."""
    bound = np.uint64(np.int64(last)) + np.uint64(1)
    least = (np.uint64(0x100000000) - bound) % bound
    number = np.uint64(0)
    counts = False
    while not counts:
        number, counts = _below(draws[at] if at < len(draws) else _half_words(state, 1)[0], least, bound, False)
        at = at + 1
    return int(number), at


def shuffle(self, x, axis=0):
    if _is_sequence(x):
        raise NotImplementedError("`.shuffle` takes an array")
    if x.size > 0:
        places = np.arange(x.shape[axis])
        _shuffle_places(self, places)
        lines = np.moveaxis(x, axis, 0)
        lines[...] = np.copy(lines)[places]


def permutation(self, x, axis=0):
    if np.ndim(x) == 0:
        count = np.arange(x)
        _shuffle_places(self, count)
        return count
    a = np.asarray(x)
    places = np.arange(a.shape[axis])
    _shuffle_places(self, places)
    return np.take(a, places, axis)


def _distinct(state, count, size, shuffle):
    """As many different places."""
    if count > 10000 and size > count // (50 if shuffle else 20):
        places = np.arange(count)
        _shuffle_chosen(state, places, max(count - size, 1))
        return places[count - size:]
    taken = np.zeros(count, bool)  # Floyd's algorithm: Bentley, Programming pearls: a sample of brilliance, 1987
    places = np.empty(size, np.int64)
    steps = size - 1 if size == count and size > 0 else size  # there is nothing to choose among one
    draws = _half_words(state, steps)
    at = 0
    for step in range(size):
        last = count - size + step
        j = 0
        if last > 0:
            j, at = _chosen_below(state, last, draws, at)
        places[step] = last if taken[j] else j
        taken[places[step]] = True
    if shuffle:
        _shuffle_chosen(state, places, 1)
    return places


def _weighted(state, p, count, pop):
    weights = np.asarray(p).astype(np.float64)
    if weights.ndim != 1:
        raise ValueError("'p' must be 1-dimensional")
    if len(weights) != pop:
        raise ValueError("a and p must have same size")
    if np.any(weights < 0):
        raise ValueError("Probabilities are not non-negative")
    total = np.cumsum(weights)
    if abs(total[-1] - 1.0) > 1.5e-8:
        raise ValueError("Probabilities do not sum to 1")
    return np.searchsorted(total / total[-1], _fractions(state, count, np.float64), "right")


def choice(self, a, size=None, replace=True, p=None, axis=0, shuffle=True):
    pop = a if np.ndim(a) == 0 else np.asarray(a).shape[axis]
    count = _elements(size)
    if pop <= 0 and count > 0:
        raise ValueError("a must be greater than 0 unless no samples are taken")
    if p is not None:
        if not replace:
            raise NotImplementedError("`replace=False` of `.choice` is not translated with `p=`")
        places = _weighted(self, p, count, pop)
    elif replace:
        places = _integers(self, 0, pop - 1, count)
    else:
        if count > pop:
            raise ValueError("Cannot take a larger sample than population when replace is False")
        if pop > 2**32:
            raise NotImplementedError("`.choice` of more than 2**32 is not translated with `replace=False`")
        places = _distinct(self, pop, count, shuffle)
    if np.ndim(a) == 0:
        return places[0] if size is None else _in_shape(places, size)
    chosen = places[0] if size is None else _in_shape(places, size)
    return np.take(np.asarray(a), chosen, axis)


# Gammas and counts: each element draws until a number counts.


def _shapes_of(x, shape):
    """Of each element, or for all: greater than zero."""
    if np.ndim(x) == 0:
        return _check_above(x)
    found = _for_each(x, shape)
    if not np.all(found > 0):
        raise ValueError("a parameter of the distribution is <= 0 or NaN")
    return found


def _log_gammas(state, shape, count):
    """Marsaglia and Tsang, A simple method for generating gamma variables, 2000."""
    key = _of_own_stream(state)
    made = np.empty(count)
    for i in range(count):
        alpha = _number_at(shape, i)
        d = (alpha + 1.0 if alpha < 1 else alpha) - 1 / 3
        c = 1 / np.sqrt(9 * d)
        turn = 0
        found = 0.0
        searching = True
        while searching:
            one, two, three, four = _own_block(key, i, turn)
            x = _normal_pair(one, two)[0]
            v = 1 + c * x
            if v > 0:
                v = v * v * v
                if np.log(_fraction(three)) < 0.5 * x * x + d - d * v + d * np.log(v):
                    found = np.log(d * v)
                    if alpha < 1:
                        found = found + np.log(_fraction(four)) / alpha
                    searching = False
            turn = turn + 1
        made[i] = found
    return made


def standard_gamma(self, shape, size=None, dtype=np.float64, out=None):
    kind = _float_asked(dtype, out)
    wanted = _shape_for(size, shape)
    return _in_kind_asked(np.exp(_log_gammas(self, _shapes_of(shape, wanted), _elements(wanted))), wanted, kind)


def gamma(self, shape, scale=1.0, size=None):
    wanted = _shape_for(size, shape, scale)
    numbers = np.exp(_log_gammas(self, _shapes_of(shape, wanted), _elements(wanted)))
    return _delivered_numbers(_scales(scale, wanted) * numbers, wanted)


def chisquare(self, df, size=None):
    return _delivered_numbers(2 * np.exp(_log_gammas(self, _check_above(df) / 2, _elements(size))), size)


def beta(self, a, b, size=None):
    shape = _shape_for(size, a, b)
    x = _log_gammas(self, _shapes_of(a, shape), _elements(shape))
    y = _log_gammas(self, _shapes_of(b, shape), _elements(shape))
    return _delivered_numbers(1 / (1 + np.exp(y - x)), shape)


def f(self, dfnum, dfden, size=None):
    count = _elements(size)
    top = _check_above(dfnum)
    bottom = _check_above(dfden)
    x = _log_gammas(self, top / 2, count)
    y = _log_gammas(self, bottom / 2, count)
    return _delivered_numbers(np.exp(x - y) * (bottom / top), size)


def standard_t(self, df, size=None):
    count = _elements(size)
    freedom = _check_above(df)
    x = _normals(self, count)
    return _delivered_numbers(x * np.sqrt(freedom / 2) / np.exp(_log_gammas(self, freedom / 2, count) / 2), size)


def _log_factorial(k):
    """Stirling's series, from 10 on."""
    if k < 10:
        total = 0.0
        factor = 2.0
        while factor <= k:
            total = total + np.log(factor)
            factor = factor + 1
        return total
    return (k + 0.5) * np.log(k) - k + 0.918938533204672742 + (1 / 12 - (1 / 360 - 1 / (1260 * k * k)) / (k * k)) / k


def _proposed(key, place, turn):
    """What transformed rejection looks at: where, how high, and how far from the edges."""
    one, two, three, four = _own_block(key, place, turn)
    u = _fraction(one) - 0.5
    return u, _fraction(two), 0.5 - abs(u)


def _poisson(key, place, lam):
    """By inversion; from 10 on, Hoermann, The transformed rejection method for generating Poisson random variables, 1993."""
    k = 0.0
    if lam < 10:
        u = 1.0 - _fraction(_own_block(key, place, 0)[0])
        share = np.exp(-lam)
        total = share
        while u > total and share > 0:
            k = k + 1
            share = share * (lam / k)
            total = total + share
        return k
    b = 0.931 + 2.53 * np.sqrt(lam)
    a = -0.059 + 0.02483 * b
    inverse = 1.1239 + 1.1328 / (b - 3.4)
    ratio = 0.9277 - 3.6224 / (b - 2)
    turn = 0
    searching = True
    while searching:
        u, v, room = _proposed(key, place, turn)
        turn = turn + 1
        if room > 0:
            k = np.floor((2 * a / room + b) * u + lam + 0.43)
            if room >= 0.07 and v <= ratio:
                searching = False
            elif k >= 0 and (room >= 0.013 or v <= room):
                if np.log(v) + np.log(inverse) - np.log(a / (room * room) + b) <= k * np.log(lam) - lam - _log_factorial(k):
                    searching = False
    return k


def poisson(self, lam=1.0, size=None):
    shape = _shape_for(size, lam)
    rates = _for_each(lam, shape)
    if not np.all(rates >= 0):
        raise ValueError("lam < 0 or lam is NaN")
    if np.any(rates > 9.223372006484771e18):
        raise ValueError("lam value too large")
    key = _of_own_stream(self)
    made = np.empty(_elements(shape), np.int64)
    for i in range(len(made)):
        made[i] = np.int64(_poisson(key, i, _number_at(rates, i)))
    return _delivered_counts(made, shape)


def negative_binomial(self, n, p, size=None):
    chance = np.float64(_check_number(p))
    if not (chance > 0 and chance <= 1):
        raise ValueError("p < 0, p > 1 or p is NaN")
    count = _elements(size)
    rates = np.exp(_log_gammas(self, _check_above(n), count)) * ((1 - chance) / chance)
    key = _of_own_stream(self)
    made = np.empty(count, np.int64)
    for i in range(count):
        made[i] = np.int64(_poisson(key, i, rates[i]))
    return _delivered_counts(made, size)


def _binomial(key, place, n, p):
    """Of a chance up to 1/2: by inversion, or Hoermann, The generation of binomial random variates, 1993."""
    k = 0.0
    odds = p / (1 - p)
    if n * p < 10:
        u = 1.0 - _fraction(_own_block(key, place, 0)[0])
        share = np.exp(n * np.log1p(-p))
        while u > share and k < n:
            u = u - share
            k = k + 1
            share = share * ((n - k + 1) / k * odds)
        return k
    spread = np.sqrt(n * p * (1 - p))
    b = 1.15 + 2.53 * spread
    a = -0.0873 + 0.0248 * b + 0.01 * p
    ratio = 0.92 - 4.2 / b
    alpha = (2.83 + 5.1 / b) * spread
    top = np.floor((n + 1) * p)
    most = _log_factorial(top) + _log_factorial(n - top)
    turn = 0
    searching = True
    while searching:
        u, v, room = _proposed(key, place, turn)
        turn = turn + 1
        if room > 0:
            k = np.floor((2 * a / room + b) * u + n * p + 0.5)
            if k >= 0 and k <= n:
                if room >= 0.07 and v <= ratio:
                    searching = False
                else:
                    chance = np.log(v * alpha / (a / (room * room) + b))
                    if chance <= most - _log_factorial(k) - _log_factorial(n - k) + (k - top) * np.log(odds):
                        searching = False
    return k


def binomial(self, n, p, size=None):
    if not np.issubdtype(np.asarray(n).dtype, np.integer):
        raise NotImplementedError("`n` of `.binomial` is an integer")
    shape = _shape_for(size, n, p)
    trials = _for_each(n, shape)
    if np.any(trials < 0):
        raise ValueError("n < 0")
    chances = _for_each(p, shape)
    if not (np.all(chances >= 0) and np.all(chances <= 1)):
        raise ValueError("p < 0, p > 1 or p is NaN")
    key = _of_own_stream(self)
    made = np.empty(_elements(shape), np.int64)
    for i in range(len(made)):
        whole = _number_at(trials, i)
        chance = _number_at(chances, i)
        k = np.int64(_binomial(key, i, whole, np.minimum(chance, 1 - chance)))
        made[i] = k if chance <= 0.5 else np.int64(whole) - k
    return _delivered_counts(made, shape)


def geometric(self, p, size=None):
    chance = np.float64(_check_number(p))
    if not (chance > 0 and chance <= 1):
        raise ValueError("p <= 0, p > 1 or p contains NaNs")
    u = _own_fractions(self, _elements(size))
    counts = np.ceil(np.log(u) / np.log1p(-np.where(chance == 1, 0.5, chance)))
    return _delivered_counts(np.where(chance == 1, 1.0, np.maximum(counts, 1.0)).astype(np.int64), size)
