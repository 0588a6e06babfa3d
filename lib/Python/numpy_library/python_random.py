"""Python's `random`: CPython's own numbers, bit for bit (Matsumoto and Nishimura, Mersenne twister, 1998). The first parameter of its
functions is the state: 624 words of 32 bits, how many of them are used, and whether `gauss` has kept a number, and what makes it."""
import math

import numpy as np

from ._bits import _fresh_bits


def _twister_begun():
    words = np.zeros(628, np.uint64)
    words[0] = 19650218
    for k in range(1, 624):
        words[k] = ((words[k - 1] ^ (words[k - 1] >> 30)) * 1812433253 + k) & 0xFFFFFFFF
    return words


def _twister_seeded(seed):
    """`init_by_array` of the seed's words of 32 bits."""
    words = _twister_begun()
    count = 1 if seed >> 32 == 0 else 2
    at = 1
    for k in range(624):
        j = k % count
        key = (seed & 0xFFFFFFFF) if j == 0 else seed >> 32
        words[at] = ((words[at] ^ ((words[at - 1] ^ (words[at - 1] >> 30)) * 1664525)) + key + j) & 0xFFFFFFFF
        at += 1
        if at == 624:
            words[0] = words[623]
            at = 1
    for _ in range(623):
        words[at] = ((words[at] ^ ((words[at - 1] ^ (words[at - 1] >> 30)) * 1566083941)) - at) & 0xFFFFFFFF
        at += 1
        if at == 624:
            words[0] = words[623]
            at = 1
    words[0] = 0x80000000
    words[624] = 624
    return words


def seed(state, a=None):
    if a is not None and not np.issubdtype(np.asarray(a).dtype, np.integer):
        raise NotImplementedError("`random.seed` takes a whole number here")
    begun = _twister_seeded(_fresh_bits() if a is None else _magnitude(a))
    if state is None:
        return begun
    state[...] = begun
    return state


def _magnitude(number):
    bits = np.uint64(np.int64(number))
    if number < 0:
        bits = ~bits + 1
    return bits


def _twisted(state):
    for k in range(624):
        y = (state[k] & 0x80000000) | (state[(k + 1) % 624] & 0x7FFFFFFF)
        state[k] = state[(k + 397) % 624] ^ (y >> 1) ^ ((y & 1) * 0x9908B0DF)
    state[624] = 0


def _next_word(state):
    """The next 32 bits."""
    if state[624] >= 624:
        _twisted(state)
    y = state[int(state[624])]
    state[624] += 1
    y = y ^ (y >> 11)
    y = y ^ ((y << 7) & 0x9D2C5680)
    y = y ^ ((y << 15) & 0xEFC60000)
    return y ^ (y >> 18)


def _next_fraction(state):
    """The next 53 bits, as a number below 1."""
    high = _next_word(state) >> 5
    low = _next_word(state) >> 6
    return float(high * 67108864 + low) * (1.0 / 9007199254740992.0)


def random(state):
    return _next_fraction(state)


def _next_bits_of(state, count):
    if count <= 32:
        return _next_word(state) >> (32 - count)
    low = _next_word(state)
    return low | ((_next_word(state) >> (64 - count)) << 32)


def getrandbits(state, k):
    if k < 0:
        raise ValueError("number of bits must be non-negative")
    if k > 63:
        raise NotImplementedError("`random.getrandbits` gives up to 63 bits here")
    bits = 0
    if k > 0:
        bits = int(_next_bits_of(state, np.uint64(k)))
    return bits


def _next_below(state, bound):
    """A number below the bound, which is greater than 0: bits of its length, until they are below it."""
    length = 0
    left = bound
    while left > 0:
        left = left >> 1
        length += 1
    number = bound
    while number >= bound:
        number = int(_next_bits_of(state, np.uint64(length)))
    return number


def _whole_number(number):
    if not np.issubdtype(np.asarray(number).dtype, np.integer):
        raise TypeError("'float' object cannot be interpreted as an integer")
    return int(number)


def randrange(state, start, stop=None, step=1):
    if stop is None:
        if step != 1:
            raise TypeError("Missing a non-None stop argument")
        if _whole_number(start) <= 0:
            raise ValueError("empty range for randrange()")
        return _next_below(state, _whole_number(start))
    first = _whole_number(start)
    width = _whole_number(stop) - first
    by = _whole_number(step)
    if by == 0:
        raise ValueError("zero step for randrange()")
    count = width
    if by != 1:
        count = -(-width // by)
    if count <= 0:
        raise ValueError("empty range in randrange()")
    return first + by * _next_below(state, count)


def randint(state, a, b):
    first = _whole_number(a)
    width = _whole_number(b) - first + 1
    if width <= 0:
        raise ValueError("empty range in randrange()")
    return first + _next_below(state, width)


def uniform(state, a, b):
    return a + (b - a) * _next_fraction(state)


def choice(state, seq):
    if len(seq) == 0:
        raise IndexError("Cannot choose from an empty sequence")
    return seq[_next_below(state, len(seq))]


def shuffle(state, x):
    for k in range(len(x) - 1, 0, -1):
        j = _next_below(state, k + 1)
        kept = x[k]
        x[k] = x[j]
        x[j] = kept


def gauss(state, mu=0.0, sigma=1.0):
    z = 0.0
    if state[625] == 1:
        state[625] = 0
        angle = float(state[626]) * (1.0 / 9007199254740992.0)
        distance = float(state[627]) * (1.0 / 9007199254740992.0)
        z = math.sin(angle * math.tau) * math.sqrt(-2.0 * math.log(1.0 - distance))
    else:
        angle = _next_fraction(state)
        distance = _next_fraction(state)
        z = math.cos(angle * math.tau) * math.sqrt(-2.0 * math.log(1.0 - distance))
        state[625] = 1
        state[626] = np.uint64(angle * 9007199254740992.0)
        state[627] = np.uint64(distance * 9007199254740992.0)
    return mu + z * sigma


def _next_normal(state):
    """Kinderman and Monahan, Computer generation of random variables using the ratio of uniform deviates, 1977."""
    z = 0.0
    found = False
    while not found:
        u = _next_fraction(state)
        v = 1.0 - _next_fraction(state)
        z = 4.0 * math.exp(-0.5) / math.sqrt(2.0) * (u - 0.5) / v
        found = z * z / 4.0 <= -math.log(v)
    return z


def normalvariate(state, mu=0.0, sigma=1.0):
    return mu + _next_normal(state) * sigma


def lognormvariate(state, mu, sigma):
    return math.exp(mu + _next_normal(state) * sigma)


def expovariate(state, lambd=1.0):
    return -math.log(1.0 - _next_fraction(state)) / lambd


def triangular(state, low=0.0, high=1.0, mode=None):
    u = _next_fraction(state)
    if high == low and mode is not None:
        return float(low)
    c = 0.5 if mode is None else (mode - low) / (high - low)
    begin = float(low)
    end = float(high)
    if u > c:
        u = 1.0 - u
        c = 1.0 - c
        begin = float(high)
        end = float(low)
    return begin + (end - begin) * math.sqrt(u * c)


def paretovariate(state, alpha):
    return (1.0 - _next_fraction(state)) ** (-1.0 / alpha)


def weibullvariate(state, alpha, beta):
    return alpha * (-math.log(1.0 - _next_fraction(state))) ** (1.0 / beta)


def _next_gamma(state, alpha, beta):
    """Cheng, The generation of gamma variables with non-integral shape parameter, 1977; Ahrens and Dieter, Computer methods for
    sampling from gamma, beta, Poisson and binomial distributions, 1974."""
    made = 0.0
    found = False
    if alpha > 1.0:
        ainv = math.sqrt(2.0 * alpha - 1.0)
        while not found:
            u = _next_fraction(state)
            if 1e-7 < u and u < 0.9999999:
                v = 1.0 - _next_fraction(state)
                w = math.log(u / (1.0 - u)) / ainv
                made = alpha * math.exp(w)
                z = u * u * v
                r = alpha - math.log(4.0) + (alpha + ainv) * w - made
                found = r + (1.0 + math.log(4.5)) - 4.5 * z >= 0.0 or r >= math.log(z)
    elif alpha == 1.0:
        made = -math.log(1.0 - _next_fraction(state))
    else:
        while not found:
            u = _next_fraction(state)
            b = (math.e + alpha) / math.e
            p = b * u
            made = p ** (1.0 / alpha) if p <= 1.0 else -math.log((b - p) / alpha)
            v = _next_fraction(state)
            found = v <= made ** (alpha - 1.0) if p > 1.0 else v <= math.exp(-made)
    return made * beta


def gammavariate(state, alpha, beta):
    if alpha <= 0.0 or beta <= 0.0:
        raise ValueError("gammavariate: alpha and beta must be > 0.0")
    return _next_gamma(state, float(alpha), beta)


def betavariate(state, alpha, beta):
    if alpha <= 0.0 or beta <= 0.0:
        raise ValueError("gammavariate: alpha and beta must be > 0.0")
    y = _next_gamma(state, float(alpha), 1.0)
    if y != 0.0:
        y = y / (y + _next_gamma(state, float(beta), 1.0))
    return y


def choices(state, population, weights=None, *, cum_weights=None, k=1):
    n = len(population)
    if cum_weights is not None:
        if weights is not None:
            raise TypeError("Cannot specify both weights and cumulative weights")
        sums = np.asarray(cum_weights).astype(np.float64)
    elif weights is not None:
        sums = np.cumsum(np.asarray(weights).astype(np.float64))
    else:
        return [population[int(_next_fraction(state) * (n + 0.0))] for _ in range(k)]
    if len(sums) != n:
        raise ValueError("The number of weights does not match the population")
    total = sums[n - 1]
    if total <= 0.0:
        raise ValueError("Total of weights must be greater than zero")
    return [population[_place_among(sums, _next_fraction(state) * total, n - 1)] for _ in range(k)]


def _place_among(sums, x, most):
    low = 0
    high = most
    while low < high:
        middle = (low + high) // 2
        if x < sums[middle]:
            high = middle
        else:
            low = middle + 1
    return low


def sample(state, population, k, *, counts=None):
    if counts is not None:
        raise NotImplementedError("`counts=` of `random.sample` is not translated")
    n = len(population)
    if k < 0 or k > n:
        raise ValueError("Sample larger than population or is negative")
    small = 21
    if k > 5:
        small += 4 ** int(math.ceil(math.log(k * 3, 4)))
    chosen = np.zeros(k, np.int64)
    if n <= small:
        pool = np.arange(n)
        for i in range(k):
            j = _next_below(state, n - i)
            chosen[i] = pool[j]
            pool[j] = pool[n - i - 1]
    else:
        taken = np.zeros(n, bool)
        for i in range(k):
            j = _next_below(state, n)
            while taken[j]:
                j = _next_below(state, n)
            taken[j] = True
            chosen[i] = j
    return [population[int(chosen[i])] for i in range(k)]
