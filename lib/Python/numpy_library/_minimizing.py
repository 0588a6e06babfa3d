"""Minima of functions of several numbers: Nelder and Mead's simplex, and quasi-Newton steps with More and Thuente's search along a line."""
import numpy as np


def _cost(fun, x, args):
    """A number, also of an array of one."""
    value = np.asarray(fun(x.copy(), *args), dtype=np.float64)
    if value.ndim > 1:
        raise NotImplementedError("the function that `scipy.optimize.minimize` takes gives a number")
    return np.float64(value if value.ndim == 0 else value[0])


def _gradient(fun, jac, x, f, low, high, args):
    """Of the caller's, or by differences to the right (to the left where a limit is nearer)."""
    if jac is not None:
        return np.asarray(jac(x.copy(), *args), dtype=np.float64) + 0.0
    g = np.zeros(len(x))
    for i in range(len(x)):
        moved = x.copy()
        step = 1.4901161193847656e-08
        if (x[i] + step) - x[i] == 0.0:
            step = 1.4901161193847656e-08 * (1.0 if x[i] >= 0 else -1.0) * max(1.0, abs(x[i]))
        if x[i] + step > high[i] or x[i] + step < low[i]:
            step = -step
        moved[i] = x[i] + step
        g[i] = (_cost(fun, moved, args) - f) / (moved[i] - x[i])
    return g


def _nelder_mead(fun, x0, args, xatol, fatol, maxiter, maxfev, low, high):
    n = len(x0)
    corners = np.zeros((n + 1, n))
    values = np.zeros(n + 1)
    for k in range(n + 1):
        corners[k] = x0
        if k > 0:
            corners[k, k - 1] = 1.05 * x0[k - 1] if x0[k - 1] != 0 else 0.00025
            if corners[k, k - 1] > high[k - 1]:
                corners[k, k - 1] = 2 * high[k - 1] - corners[k, k - 1]
        corners[k] = np.minimum(np.maximum(corners[k], low), high)
    for k in range(n + 1):
        values[k] = _cost(fun, corners[k], args)
    calls = n + 1
    order = np.argsort(values)
    corners = corners[order]
    values = values[order]
    steps = 1
    going = True
    while going and calls < maxfev and steps < maxiter:
        going = not (np.max(np.abs(corners[1:] - corners[0])) <= xatol and np.max(np.abs(values[0] - values[1:])) <= fatol)
        if going:
            middle = np.sum(corners[:-1], axis=0) / n
            trial = np.minimum(np.maximum(2.0 * middle - corners[n], low), high)
            f_trial = _cost(fun, trial, args)
            calls = calls + 1
            if f_trial < values[0]:
                further = np.minimum(np.maximum(3.0 * middle - 2.0 * corners[n], low), high)
                if calls < maxfev:
                    f_further = _cost(fun, further, args)
                    calls = calls + 1
                    isBetter = f_further < f_trial
                    corners[n] = further if isBetter else trial
                    values[n] = f_further if isBetter else f_trial
            elif f_trial < values[n - 1]:
                corners[n] = trial
                values[n] = f_trial
            elif calls < maxfev:
                isOutside = f_trial < values[n]
                nearer = 1.5 * middle - 0.5 * corners[n] if isOutside else 0.5 * middle + 0.5 * corners[n]
                nearer = np.minimum(np.maximum(nearer, low), high)
                f_nearer = _cost(fun, nearer, args)
                calls = calls + 1
                if (f_nearer <= f_trial) if isOutside else (f_nearer < values[n]):
                    corners[n] = nearer
                    values[n] = f_nearer
                else:
                    for j in range(1, n + 1):
                        if calls < maxfev:
                            corners[j] = np.minimum(np.maximum(corners[0] + 0.5 * (corners[j] - corners[0]), low), high)
                            values[j] = _cost(fun, corners[j], args)
                            calls = calls + 1
            steps = steps + 1
            order = np.argsort(values)
            corners = corners[order]
            values = values[order]
    return corners[0].copy(), np.min(values), calls < maxfev and steps < maxiter, steps, calls


def _next_trial(a, f_a, d_a, b, f_b, d_b, x, f, d, isBracketed, least, most):
    """More and Thuente, Line search algorithms with guaranteed sufficient decrease, 1994: the step to try next, and the interval."""
    sign = d * (1.0 if d_a >= 0 else -1.0)
    theta = 3.0 * (f_a - f) / (x - a) + d_a + d
    scale = max(abs(theta), max(abs(d_a), abs(d)))
    if f > f_a:
        gamma = scale * np.sqrt((theta / scale) ** 2 - (d_a / scale) * (d / scale))
        if x < a:
            gamma = -gamma
        r = ((gamma - d_a) + theta) / (((gamma - d_a) + gamma) + d)
        cubic = a + r * (x - a)
        square = a + ((d_a / ((f_a - f) / (x - a) + d_a)) / 2.0) * (x - a)
        new = cubic if abs(cubic - a) <= abs(square - a) else cubic + (square - cubic) / 2.0
        isBracketed = True
    elif sign < 0.0:
        gamma = scale * np.sqrt((theta / scale) ** 2 - (d_a / scale) * (d / scale))
        if x > a:
            gamma = -gamma
        r = ((gamma - d) + theta) / (((gamma - d) + gamma) + d_a)
        cubic = x + r * (a - x)
        square = x + (d / (d - d_a)) * (a - x)
        new = cubic if abs(cubic - x) > abs(square - x) else square
        isBracketed = True
    elif abs(d) < abs(d_a):
        gamma = scale * np.sqrt(max(0.0, (theta / scale) ** 2 - (d_a / scale) * (d / scale)))
        if x > a:
            gamma = -gamma
        r = ((gamma - d) + theta) / ((gamma + (d_a - d)) + gamma)
        cubic = x + r * (a - x) if r < 0.0 and gamma != 0.0 else most if x > a else least
        square = x + (d / (d - d_a)) * (a - x)
        if isBracketed:
            new = cubic if abs(cubic - x) < abs(square - x) else square
            limit = x + 0.66 * (b - x)
            new = min(limit, new) if x > a else max(limit, new)
        else:
            new = cubic if abs(cubic - x) > abs(square - x) else square
            new = max(least, min(most, new))
    elif isBracketed:
        theta = 3.0 * (f - f_b) / (b - x) + d_b + d
        scale = max(abs(theta), max(abs(d_b), abs(d)))
        gamma = scale * np.sqrt((theta / scale) ** 2 - (d_b / scale) * (d / scale))
        if x > b:
            gamma = -gamma
        r = ((gamma - d) + theta) / (((gamma - d) + gamma) + d_b)
        new = x + r * (b - x)
    else:
        new = most if x > a else least
    if f > f_a:
        return a, f_a, d_a, x, f, d, new, isBracketed
    if sign < 0.0:
        return x, f, d, a, f_a, d_a, new, isBracketed
    return x, f, d, b, f_b, d_b, new, isBracketed


def _search_along(fun, jac, x, direction, f0, slope, first, low, high, args):
    """A step with sufficient decrease and a small slope, by at most 100 trials: the step, the value, the gradient, the calls, whether there is one."""
    a = np.float64(0.0)
    f_a = f0
    d_a = slope
    b = np.float64(0.0)
    f_b = f0
    d_b = slope
    isBracketed = False
    isFirst = True
    enough = 1e-4 * slope
    width = np.float64(1e100)
    before = 2.0 * width
    least = np.float64(0.0)
    t = np.float64(first)
    most = t + 4.0 * t
    gradient = np.zeros(len(x))
    f = f0
    calls = 0
    found = False
    going = True
    trials = 0
    while going and trials < 100:
        f = _cost(fun, x + t * direction, args)
        gradient[:] = _gradient(fun, jac, x + t * direction, f, low, high, args)
        calls = calls + 1
        d = np.sum(gradient * direction)
        trials = trials + 1
        limit = f0 + t * enough
        if isFirst and f <= limit and d >= 0:
            isFirst = False
        if f <= limit and abs(d) <= 0.9 * -slope:
            found = True
            going = False
        elif not np.isfinite(f) or not np.isfinite(d):
            going = False
        elif isBracketed and (t <= least or t >= most or most - least <= 1e-14 * most):
            going = False
        elif (t == 1e100 and f <= limit and d <= enough) or (t == 1e-100 and (f > limit or d >= enough)):
            going = False
        else:
            if isFirst and f <= f_a and f > limit:  # of the function less the line that is enough
                a, f_a, d_a, b, f_b, d_b, t, isBracketed = _next_trial(a, f_a - a * enough, d_a - enough, b, f_b - b * enough, d_b - enough,
                                                                       t, f - t * enough, d - enough, isBracketed, least, most)
                f_a = f_a + a * enough
                d_a = d_a + enough
                f_b = f_b + b * enough
                d_b = d_b + enough
            else:
                a, f_a, d_a, b, f_b, d_b, t, isBracketed = _next_trial(a, f_a, d_a, b, f_b, d_b, t, f, d, isBracketed, least, most)
            if isBracketed:
                if abs(b - a) >= 0.66 * before:
                    t = a + 0.5 * (b - a)
                before = width
                width = abs(b - a)
                least = min(a, b)
                most = max(a, b)
            else:
                least = t + 1.1 * (t - a)
                most = t + 4.0 * (t - a)
            t = min(max(t, 1e-100), 1e100)
            if isBracketed and (t <= least or t >= most or most - least <= 1e-14 * most):
                t = a
    return t, f, gradient, calls, found


def _bfgs(fun, jac, x0, args, gtol, maxiter):
    """Broyden, Fletcher, Goldfarb and Shanno's: the place, the value, the gradient, the inverse Hessian, whether found, steps, calls."""
    n = len(x0)
    low = np.full(n, -np.inf)
    high = np.full(n, np.inf)
    x = x0.copy()
    f = _cost(fun, x, args)
    g = _gradient(fun, jac, x, f, low, high, args)
    inverse = np.eye(n)
    before = f + np.sqrt(np.sum(g * g)) / 2
    calls = 1
    steps = 0
    going = True
    while going and np.max(np.abs(g)) > gtol and steps < maxiter:
        direction = np.zeros(n)
        for i in range(n):
            direction[i] = -np.sum(inverse[i] * g)
        slope = np.sum(g * direction)
        first = min(1.0, 1.01 * 2 * (f - before) / slope) if slope != 0 else 1.0
        t, value, gradient, more, found = _search_along(fun, jac, x, direction, f, slope, 1.0 if first < 0 else first, low, high, args)
        calls = calls + more
        going = found
        if found:
            s = t * direction
            y = gradient - g
            x = x + s
            before = f
            f = value
            g = gradient
            steps = steps + 1
            product = np.sum(y * s)
            rho = 1000.0 if product == 0 else 1.0 / product
            if np.max(np.abs(g)) > gtol:
                hy = np.zeros(n)
                for i in range(n):
                    hy[i] = np.sum(inverse[i] * y)
                factor = rho * (1.0 + rho * np.sum(y * hy))
                for i in range(n):
                    for j in range(n):
                        inverse[i, j] += factor * s[i] * s[j] - rho * (s[i] * hy[j] + hy[i] * s[j])
    return x, f, g, inverse, going and steps < maxiter and not np.isnan(f), steps, calls


def _within(fun, jac, x0, args, low, high, gtol, maxiter):
    """Quasi-Newton steps in the numbers that no limit holds, cut at the limits: the place, the value, the gradient, whether found."""
    n = len(x0)
    x = np.minimum(np.maximum(x0, low), high)
    f = _cost(fun, x, args)
    g = _gradient(fun, jac, x, f, low, high, args)
    inverse = np.eye(n)
    free = np.ones(n, dtype=np.bool_)
    steps = 0
    isFresh = True
    going = True
    while going and steps < maxiter:
        now = ~(((x <= low) & (g > 0)) | ((x >= high) & (g < 0)))
        if np.any(now != free):
            inverse = np.eye(n)
            isFresh = True
        free = now
        going = np.max(np.where(free, np.abs(g), 0.0)) > gtol
        if going:
            direction = np.zeros(n)
            for i in range(n):
                direction[i] = -np.sum(np.where(free, inverse[i] * g, 0.0)) if free[i] else 0.0
            t = np.float64(1.0)
            if isFresh:
                t = min(1.0, 1.0 / np.sqrt(np.sum(direction * direction)))
            found = False
            trial = x.copy()
            value = f
            while not found and t > 1e-18:
                trial = np.minimum(np.maximum(x + t * direction, low), high)
                value = _cost(fun, trial, args)
                found = value < f and value <= f + 1e-4 * np.sum(g * (trial - x))
                if not found:
                    t = t / 2
            if found:
                gradient = _gradient(fun, jac, trial, value, low, high, args)
                s = trial - x
                y = gradient - g
                product = np.sum(y * s)
                if product > 1e-10 * np.sqrt(np.sum(y * y) * np.sum(s * s)):
                    if isFresh:
                        inverse = np.eye(n) * (product / np.sum(y * y))
                    hy = np.zeros(n)
                    for i in range(n):
                        hy[i] = np.sum(inverse[i] * y)
                    factor = (1.0 + np.sum(y * hy) / product) / product
                    for i in range(n):
                        for j in range(n):
                            inverse[i, j] += factor * s[i] * s[j] - (s[i] * hy[j] + hy[i] * s[j]) / product
                    isFresh = False
                x = trial
                f = value
                g = gradient
            elif isFresh:
                going = False
            else:
                inverse = np.eye(n)
                isFresh = True
            steps = steps + 1
    return x, f, g, steps < maxiter and not np.isnan(f)
