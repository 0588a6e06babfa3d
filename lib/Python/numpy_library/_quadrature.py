"""What `scipy.integrate.quad` does: QUADPACK's adaptive rules of Gauss and Kronrod with Wynn's extrapolation (R. Piessens et al., QUADPACK, 1983).

As there the work goes on over intervals: an interval's `left` and `right` end, its `part` of the integral, `wrong`, how far that may be off; `order`
leads to those of the greatest errors. Numbers of steps that are counted from 1 in the book are so here.
"""
import numpy as np


def _nodes(kind):
    if kind == 0:
        return np.array([
            0.9956571630258081, 0.9739065285171717, 0.9301574913557082, 0.8650633666889845, 0.7808177265864169, 0.6794095682990244,
            0.5627571346686047, 0.4333953941292472, 0.2943928627014602, 0.14887433898163122])
    return np.array([
        0.9914553711208126, 0.9491079123427585, 0.8648644233597691, 0.7415311855993945, 0.5860872354676911, 0.4058451513773972,
        0.20778495500789848])


def _kronrod(kind):
    if kind == 0:
        return np.array([
            0.011694638867371874, 0.032558162307964725, 0.054755896574351995, 0.07503967481091996, 0.0931254545836976, 0.10938715880229764,
            0.12349197626206584, 0.13470921731147334, 0.14277593857706009, 0.14773910490133849, 0.1494455540029169])
    return np.array([
        0.022935322010529224, 0.06309209262997856, 0.10479001032225019, 0.14065325971552592, 0.1690047266392679, 0.19035057806478542,
        0.20443294007529889, 0.20948214108472782])


def _gauss(kind):
    if kind == 0:
        return np.array([
            0.0, 0.06667134430868814, 0.0, 0.1494513491505806, 0.0, 0.21908636251598204, 0.0, 0.26926671930999635, 0.0, 0.29552422471475287,
            0.0])
    return np.array([
        0.0, 0.1294849661688697, 0.0, 0.27970539148927664, 0.0, 0.3818300505051189, 0.0, 0.4179591836734694])


def _rule(func, args, a, b, end, kind):
    """The integral from a to b by two rules on the same nodes, how far it may be off, the integral of |f|, and that of how far f is from its mean.

    `kind` 0: of `func`; 1, -1: of what is between `end` and infinity, by x = end +- (1 - t) / t; 2: of all numbers.
    """
    nodes = _nodes(kind)
    kronrod = _kronrod(kind)
    gauss = _gauss(kind)
    pairs = len(nodes)
    centre = 0.5 * (a + b)
    half = 0.5 * (b - a)
    values = np.zeros(2 * pairs + 1)
    for k in range(2 * pairs + 1):
        t = centre
        if k < pairs:
            t = centre - half * nodes[k]
        elif k > pairs:
            t = centre + half * nodes[2 * pairs - k]
        if kind == 0:
            values[k] = func(t, *args)
        else:
            x = end + (-1.0 if kind == -1 else 1.0) * (1.0 - t) / t
            value = np.float64(func(x, *args))
            if kind == 2:
                value = value + func(-x, *args)
            values[k] = value / t / t
    middle = values[pairs]
    by_kronrod = kronrod[pairs] * middle
    by_gauss = gauss[pairs] * middle
    size = abs(by_kronrod)
    for k in range(pairs):
        both = values[k] + values[2 * pairs - k]
        by_kronrod += kronrod[k] * both
        by_gauss += gauss[k] * both
        size += kronrod[k] * (abs(values[k]) + abs(values[2 * pairs - k]))
    mean = by_kronrod * 0.5
    away = kronrod[pairs] * abs(middle - mean)
    for k in range(pairs):
        away += kronrod[k] * (abs(values[k] - mean) + abs(values[2 * pairs - k] - mean))
    size = size * abs(half)
    away = away * abs(half)
    off = abs((by_kronrod - by_gauss) * half)
    if away != 0.0 and off != 0.0:
        off = away * min(1.0, (200.0 * off / away) ** 1.5)
    if size > 2.2250738585072014e-308 / (50.0 * 2.220446049250313e-16):
        off = max(2.220446049250313e-16 * 50.0 * size, off)
    return by_kronrod * half, off, size, away


def _limit_of(n, table, last_three, times):
    """The limit of the numbers of which `table` keeps what Wynn's algorithm needs, `n` of them, how far it may be off, and the new n."""
    limit = table[n]
    off = 1.7976931348623157e308
    if n >= 3:
        table[n + 2] = table[n]
        new = (n - 1) // 2
        table[n] = 1.7976931348623157e308
        before = n
        k1 = n
        converged = False
        i = 1
        while i <= new and not converged:
            e0 = table[k1 - 2]
            e1 = table[k1 - 1]
            e2 = table[k1 + 2]
            d2 = e2 - e1
            d3 = e1 - e0
            small2 = abs(d2) <= max(abs(e2), abs(e1)) * 2.220446049250313e-16
            small3 = abs(d3) <= max(abs(e1), abs(e0)) * 2.220446049250313e-16
            if small2 and small3:
                limit = e2
                off = abs(d2) + abs(d3)
                converged = True
            else:
                e3 = table[k1]
                table[k1] = e1
                d1 = e1 - e3
                going = not (abs(d1) <= max(abs(e1), abs(e3)) * 2.220446049250313e-16 or small2 or small3)
                if going:
                    slope = 1.0 / d1 + 1.0 / d2 - 1.0 / d3
                    going = abs(slope * e1) > 1e-4
                    if going:
                        guess = e1 + 1.0 / slope
                        table[k1] = guess
                        k1 -= 2
                        error = abs(d2) + abs(guess - e2) + abs(d3)
                        if error <= off:
                            off = error
                            limit = guess
                if not going:
                    n = i + i - 1
                    i = new
            i += 1
        if not converged:
            if n == 50:
                n = 49
            at = 1 if before % 2 == 1 else 2
            for _ in range(new + 1):
                table[at] = table[at + 2]
                at += 2
            if before != n:
                for k in range(n):
                    table[1 + k] = table[before - n + 1 + k]
            if times < 4:
                last_three[times - 1] = limit
                off = 1.7976931348623157e308
            else:
                off = abs(limit - last_three[2]) + abs(limit - last_three[1]) + abs(limit - last_three[0])
                last_three[0] = last_three[1]
                last_three[1] = last_three[2]
                last_three[2] = limit
    return limit, max(off, 5.0 * 2.220446049250313e-16 * abs(limit)), n


def _put_in_order(limit, last, at, wrong, order, rank):
    """After the interval `at` has been halved, the other half of which is `last`: `order` by falling errors; the new `rank`."""
    if last <= 2:
        order[1] = 1
        order[2] = 2
        return rank
    greatest = wrong[at]
    while rank > 1 and greatest > wrong[order[rank - 1]]:
        order[rank] = order[rank - 1]
        rank -= 1
    upto = last
    if last > limit // 2 + 2:
        upto = limit + 3 - last
    least = wrong[last]
    bound = upto - 1
    i = rank + 1
    while i <= bound and greatest < wrong[order[i]]:
        order[i - 1] = order[i]
        i += 1
    if i > bound:
        order[bound] = at
        order[upto] = last
    else:
        order[i - 1] = at
        k = bound
        while k >= i and least >= wrong[order[k]]:
            order[k + 1] = order[k]
            k -= 1
        order[k + 1] = last
    return rank


def _adaptive(func, args, a, b, end, kind, epsabs, epsrel, limit):
    total, off, size, away = _rule(func, args, a, b, end, kind)
    magnitude = abs(total)
    allowed = max(epsabs, epsrel * magnitude)
    failure = 0
    if off <= 100.0 * 2.220446049250313e-16 * size and off > allowed:
        failure = 2
    if limit == 1:
        failure = 1
    if failure != 0 or (off <= allowed and off != away) or off == 0.0:
        return total, off
    left = np.zeros(limit + 1)
    right = np.zeros(limit + 1)
    part = np.zeros(limit + 1)
    wrong = np.zeros(limit + 1)
    order = np.zeros(limit + 2, np.int64)
    table = np.zeros(53)
    last_three = np.zeros(3)
    left[1] = a
    right[1] = b
    part[1] = total
    wrong[1] = off
    order[1] = 1
    table[1] = total
    greatest = off
    at = 1
    area = total
    errors = off
    off = 1.7976931348623157e308
    rank = 1
    times = 0
    numbers = 2
    idle = 0
    extrapolates = False
    gives_up = False
    bad = 0
    bad_inside = 0
    worse = 0
    is_hard = False
    is_one_sign = magnitude >= (1.0 - 50.0 * 2.220446049250313e-16) * size
    small = 0.0
    large = 0.0
    test = 0.0
    correction = 0.0
    is_done = False
    last = 1
    going = True
    while going and last < limit:
        last += 1
        a1 = left[at]
        b1 = 0.5 * (left[at] + right[at])
        b2 = right[at]
        before = greatest
        area1, error1, _, away1 = _rule(func, args, a1, b1, end, kind)
        area2, error2, _, away2 = _rule(func, args, b1, b2, end, kind)
        both = area1 + area2
        error = error1 + error2
        errors = errors + error - greatest
        area = area + both - part[at]
        if away1 != error1 and away2 != error2:
            if abs(part[at] - both) <= 1e-5 * abs(both) and error >= 0.99 * greatest:
                if extrapolates:
                    bad_inside += 1
                else:
                    bad += 1
            if last > 10 and error > greatest:
                worse += 1
        allowed = max(epsabs, epsrel * abs(area))
        if bad + bad_inside >= 10 or worse >= 20:
            failure = 2
        if bad_inside >= 5:
            is_hard = True
        if last == limit:
            failure = 1
        if max(abs(a1), abs(b2)) <= (1.0 + 100.0 * 2.220446049250313e-16) * (abs(b1) + 1000.0 * 2.2250738585072014e-308):
            failure = 4
        first = at
        second = last
        if error2 > error1:
            first = last
            second = at
        left[first] = a1
        right[first] = b1
        part[first] = area1
        wrong[first] = error1
        left[second] = b1
        right[second] = b2
        part[second] = area2
        wrong[second] = error2
        rank = _put_in_order(limit, last, at, wrong, order, rank)
        at = order[rank]
        greatest = wrong[at]
        if errors <= allowed:
            is_done = True
            going = False
        elif failure != 0:
            going = False
        elif last == 2:
            small = 0.375 if kind != 0 else abs(b - a) * 0.375
            large = errors
            test = allowed
            table[2] = area
        elif not gives_up:
            large = large - before
            if abs(b1 - a1) > small:
                large = large + error
            seeks = extrapolates
            if not extrapolates and abs(right[at] - left[at]) <= small:
                extrapolates = True
                rank = 2
                seeks = True
            if seeks:
                if not is_hard and large > test:
                    upto = last
                    if last > 2 + limit // 2:
                        upto = limit + 3 - last
                    k = rank
                    while k <= upto and seeks:
                        at = order[rank]
                        greatest = wrong[at]
                        if abs(right[at] - left[at]) > small:
                            seeks = False
                        else:
                            rank += 1
                        k += 1
                if seeks:
                    numbers += 1
                    table[numbers] = area
                    times += 1
                    guess, guess_off, numbers = _limit_of(numbers, table, last_three, times)
                    idle += 1
                    if idle > 5 and off < 1e-3 * errors:
                        failure = 5
                    if guess_off < off:
                        idle = 0
                        off = guess_off
                        total = guess
                        correction = large
                        test = max(epsabs, epsrel * abs(guess))
                        if off <= test:
                            going = False
                    if going:
                        if numbers == 1:
                            gives_up = True
                        if failure == 5:
                            going = False
                        else:
                            at = order[1]
                            greatest = wrong[at]
                            rank = 1
                            extrapolates = False
                            small = small * 0.5
                            large = errors
    is_sum = is_done or off == 1.7976931348623157e308
    if not is_sum and (failure != 0 or is_hard):
        if is_hard:
            off = off + correction
        if total != 0.0 and area != 0.0:
            is_sum = off / abs(total) > errors / abs(area)
        else:
            is_sum = off > errors
    if is_sum:
        total = 0.0
        for k in range(last):
            total = total + part[1 + k]
        off = errors
    return total, off
