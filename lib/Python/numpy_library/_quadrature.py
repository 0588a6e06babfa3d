"""What `scipy.integrate.quad` does: QUADPACK's adaptive rules of Gauss and Kronrod with Wynn's extrapolation (R. Piessens et al., QUADPACK, 1983).

As there the work goes on over intervals: an interval's `left` and `right` end, its `part` of the integral, `wrong`, how far that may be off; `order`
leads to those of the greatest errors. Numbers of steps that are counted from 1 in the book are so here.
"""
import numpy as np

_EPS = 2.220446049250313e-16
_TINY = 2.2250738585072014e-308
_HUGE = 1.7976931348623157e308

_NODES_21 = np.array([0.995657163025808080735527280689003, 0.973906528517171720077964012084452, 0.930157491355708226001207180059508,
                      0.865063366688984510732096688423493, 0.780817726586416897063717578345042, 0.679409568299024406234327365114874,
                      0.562757134668604683339000099272694, 0.433395394129247190799265943165784, 0.294392862701460198131126603103866,
                      0.14887433898163121088482600112972])
_KRONROD_21 = np.array([0.011694638867371874278064396062192, 0.03255816230796472747881897245939, 0.05475589657435199603138130024458,
                        0.07503967481091995276704314091619, 0.093125454583697605535065465083366, 0.109387158802297641899210590325805,
                        0.123491976262065851077958109585166, 0.134709217311473325928054001771707, 0.142775938577060080797094273138717,
                        0.147739104901338491374841515972068, 0.149445554002916905664936468389821])
_GAUSS_10 = np.array([0.0, 0.066671344308688137593568809893332, 0.0, 0.149451349150580593145863397657697, 0.0, 0.219086362515982043995534934228163, 0.0,
                      0.269266719309996355091226921569469, 0.0, 0.295524224714752870173815619188769, 0.0])
_NODES_15 = np.array([0.991455371120812639206854697526329, 0.949107912342758524526189684047851, 0.864864423359769072789712788640926,
                      0.741531185599394439863864773280788, 0.58608723546769113029414469125837, 0.405845151377397166906606412076961,
                      0.207784955007898467600689403773245])
_KRONROD_15 = np.array([0.022935322010529224963732008058970, 0.063092092629978553290700663189204, 0.104790010322250183839876322541518,
                        0.140653259715525918745189590510238, 0.16900472663926790282658342659855, 0.190350578064785409913256402421014,
                        0.20443294007529889241416199923465, 0.209482141084727828012999174891714])
_GAUSS_7 = np.array([0.0, 0.129484966168869693270611432679082, 0.0, 0.27970539148927666790146777142378, 0.0, 0.38183005050511894495036977548898, 0.0,
                     0.417959183673469387755102040816327])


def _rule(func, args, a, b, end, kind):
    """The integral from a to b by two rules on the same nodes, how far it may be off, the integral of |f|, and that of how far f is from its mean.

    `kind` 0: of `func`; 1, -1: of what is between `end` and infinity, by x = end +- (1 - t) / t; 2: of all numbers.
    """
    nodes = _NODES_21 if kind == 0 else _NODES_15
    kronrod = _KRONROD_21 if kind == 0 else _KRONROD_15
    gauss = _GAUSS_10 if kind == 0 else _GAUSS_7
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
    if size > _TINY / (50.0 * _EPS):
        off = max(_EPS * 50.0 * size, off)
    return by_kronrod * half, off, size, away


def _limit_of(n, table, last_three, times):
    """The limit of the numbers of which `table` keeps what Wynn's algorithm needs, `n` of them, how far it may be off, and the new n."""
    limit = table[n]
    off = _HUGE
    if n >= 3:
        table[n + 2] = table[n]
        new = (n - 1) // 2
        table[n] = _HUGE
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
            small2 = abs(d2) <= max(abs(e2), abs(e1)) * _EPS
            small3 = abs(d3) <= max(abs(e1), abs(e0)) * _EPS
            if small2 and small3:
                limit = e2
                off = abs(d2) + abs(d3)
                converged = True
            else:
                e3 = table[k1]
                table[k1] = e1
                d1 = e1 - e3
                going = not (abs(d1) <= max(abs(e1), abs(e3)) * _EPS or small2 or small3)
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
                off = _HUGE
            else:
                off = abs(limit - last_three[2]) + abs(limit - last_three[1]) + abs(limit - last_three[0])
                last_three[0] = last_three[1]
                last_three[1] = last_three[2]
                last_three[2] = limit
    return limit, max(off, 5.0 * _EPS * abs(limit)), n


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
    if off <= 100.0 * _EPS * size and off > allowed:
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
    off = _HUGE
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
    is_one_sign = magnitude >= (1.0 - 50.0 * _EPS) * size
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
        if max(abs(a1), abs(b2)) <= (1.0 + 100.0 * _EPS) * (abs(b1) + 1000.0 * _TINY):
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
    is_sum = is_done or off == _HUGE
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
