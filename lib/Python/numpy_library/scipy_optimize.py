"""scipy.optimize: zeros and minima of functions of one number, minima of functions of several, and least squares."""
from collections import namedtuple

import numpy as np

from ._fitting import _covariance, _fitted_within, _isSingular, _marquardt
from ._minimizing import _bfgs, _nelder_mead, _within

OptimizeResult_ = namedtuple("OptimizeResult_", "x fun success nit nfev")
OptimizeMinimum_ = namedtuple("OptimizeMinimum_", "x fun success jac hess_inv nit nfev")
OptimizeWithin_ = namedtuple("OptimizeWithin_", "x fun success jac")
OptimizeSquares_ = namedtuple("OptimizeSquares_", "x cost fun jac grad success")


def _plain(full_output, disp):
    if full_output != False or disp != True:
        raise NotImplementedError("`full_output=` and `disp=` of functions of scipy.optimize are not translated")


def _check_limits(a, b, xtol, rtol, maxiter):
    if xtol <= 0:
        raise ValueError("xtol too small (%s <= 0)" % (xtol,))
    if rtol < 8.881784197001252e-16:
        raise ValueError("rtol too small")
    if maxiter < 1:
        raise ValueError("maxiter must be greater than 0")


def bisect(f, a, b, args=(), xtol=2e-12, rtol=8.881784197001252e-16, maxiter=100, full_output=False, disp=True):
    _plain(full_output, disp)
    _check_limits(a, b, xtol, rtol, maxiter)
    left = float(a)
    found = float(b)
    step = found - left
    begin = float(f(left, *args))
    end = float(f(found, *args))
    if begin == 0:
        found = left
    elif end != 0:
        if (begin < 0) == (end < 0):
            raise ValueError("f(a) and f(b) must have different signs")
        going = True
        k = 0
        while going and k < maxiter:
            step = step * 0.5
            found = left + step
            middle = float(f(found, *args))
            if (middle < 0) == (begin < 0):
                left = found
            going = not (middle == 0 or abs(step) < xtol + rtol * abs(found))
            k = k + 1
        if going:
            raise RuntimeError("Failed to converge after %d iterations." % (maxiter,))
    return found


def brentq(f, a, b, args=(), xtol=2e-12, rtol=8.881784197001252e-16, maxiter=100, full_output=False, disp=True):
    _plain(full_output, disp)
    _check_limits(a, b, xtol, rtol, maxiter)
    before = float(a)
    now = float(b)
    f_before = float(f(before, *args))
    f_now = float(f(now, *args))
    if f_before == 0:
        now = before
    elif f_now != 0:
        if (f_before < 0) == (f_now < 0):
            raise ValueError("f(a) and f(b) must have different signs")
        other = 0.0
        f_other = 0.0
        last = 0.0
        step = 0.0
        going = True
        k = 0
        while going and k < maxiter:
            if f_before != 0 and f_now != 0 and (f_before < 0) != (f_now < 0):
                other = before
                f_other = f_before
                step = now - before
                last = step
            if abs(f_other) < abs(f_now):
                before = now
                now = other
                other = before
                f_before = f_now
                f_now = f_other
                f_other = f_before
            delta = (xtol + rtol * abs(now)) / 2
            half = (other - now) / 2
            going = not (f_now == 0 or abs(half) < delta)
            if going:
                trial = np.inf
                if abs(last) > delta and abs(f_now) < abs(f_before):
                    if before == other:
                        trial = -f_now * (now - before) / (f_now - f_before)
                    else:
                        p = (f_before - f_now) / (before - now)
                        q = (f_other - f_now) / (other - now)
                        trial = -f_now * (f_other * q - f_before * p) / (q * p * (f_other - f_before))
                if 2 * abs(trial) < min(abs(last), 3 * abs(half) - delta):
                    last = step
                    step = trial
                else:
                    last = half
                    step = half
                before = now
                f_before = f_now
                now = now + (step if abs(step) > delta else delta if half > 0 else -delta)
                f_now = float(f(now, *args))
            k = k + 1
        if going:
            raise RuntimeError("Failed to converge after %d iterations." % (maxiter,))
    return now


def newton(func, x0, fprime=None, args=(), tol=1.48e-8, maxiter=50, fprime2=None, x1=None, rtol=0.0, full_output=False, disp=True):
    _plain(full_output, disp)
    if np.ndim(x0) > 0 or np.iscomplexobj(x0):
        raise NotImplementedError("`scipy.optimize.newton` is translated of one real number; write a loop over several")
    if fprime2 is not None:
        raise NotImplementedError("`fprime2=` of `scipy.optimize.newton` is not translated")
    if tol <= 0:
        raise ValueError("tol too small (%s <= 0)" % (tol,))
    if maxiter < 1:
        raise ValueError("maxiter must be greater than 0")
    going = True
    k = 0
    now = np.float64(x0)
    found = now
    if fprime is not None:
        while going and k < maxiter:
            value = np.float64(func(now, *args))
            found = now
            going = value != 0
            if going:
                slope = np.float64(fprime(now, *args))
                if slope == 0:
                    raise RuntimeError("Derivative was zero. Failed to converge after %d iterations, value is %s." % (k + 1, now))
                found = now - value / slope
                going = not abs(found - now) <= tol + rtol * abs(now)
                now = found
            k = k + 1
    else:
        before = now
        if x1 is not None:
            if x1 == x0:
                raise ValueError("x1 and x0 must be different")
            now = np.float64(x1)
        else:
            now = now * (1 + 1e-4)
            now = now + (1e-4 if now >= 0 else -1e-4)
        f_before = np.float64(func(before, *args))
        f_now = np.float64(func(now, *args))
        if abs(f_now) < abs(f_before):
            x = before
            before = now
            now = x
            y = f_before
            f_before = f_now
            f_now = y
        while going and k < maxiter:
            if f_now == f_before:
                if now != before:
                    raise RuntimeError("Tolerance of %s reached. Failed to converge after %d iterations, value is %s." % (now - before, k + 1, now))
                found = (now + before) / 2.0
                going = False
            else:
                if abs(f_now) > abs(f_before):
                    found = (-f_before / f_now * now + before) / (1 - f_before / f_now)
                else:
                    found = (-f_now / f_before * before + now) / (1 - f_now / f_before)
                going = not abs(found - now) <= tol + rtol * abs(now)
                if going:
                    before = now
                    f_before = f_now
                    now = found
                    f_now = np.float64(func(now, *args))
            k = k + 1
    if going:
        raise RuntimeError("Failed to converge after %d iterations, value is %s." % (maxiter, found))
    return found


def _parabola(x, w, v, f_x, f_w, f_v):
    """From x to the least value of the parabola through three places: p / q."""
    r = (x - w) * (f_x - f_v)
    q = (x - v) * (f_x - f_w)
    p = (x - v) * q - (x - w) * r
    q = 2.0 * (q - r)
    if q > 0.0:
        p = -p
    return p, abs(q)


def _least_within(f, bounds, args, xatol, maxiter):
    if len(bounds) != 2:
        raise ValueError("bounds must have two elements.")
    a = np.float64(bounds[0])
    b = np.float64(bounds[1])
    if not (np.isfinite(a) and np.isfinite(b)):
        raise ValueError("Optimization bounds must be finite scalars.")
    if a > b:
        raise ValueError("The lower bound exceeds the upper bound.")
    golden = 0.5 * (3.0 - np.sqrt(5.0))
    third = a + golden * (b - a)
    second = third
    best = third
    step = np.float64(0.0)
    last = np.float64(0.0)
    f_best = np.float64(f(best, *args))
    f_second = f_best
    f_third = f_best
    count = 1
    middle = 0.5 * (a + b)
    near = np.sqrt(2.2e-16) * abs(best) + xatol / 3.0
    while abs(best - middle) > 2.0 * near - 0.5 * (b - a) and count < maxiter:
        isGolden = True
        if abs(last) > near:
            p, q = _parabola(best, second, third, f_best, f_second, f_third)
            r = last
            last = step
            if abs(p) < abs(0.5 * q * r) and p > q * (a - best) and p < q * (b - best):
                isGolden = False
                step = p / q
                x = best + step
                if x - a < 2.0 * near or b - x < 2.0 * near:
                    step = near if middle >= best else -near
        if isGolden:
            last = a - best if best >= middle else b - best
            step = golden * last
        x = best + (1.0 if step >= 0 else -1.0) * max(abs(step), near)
        y = np.float64(f(x, *args))
        count = count + 1
        if y <= f_best:
            if x >= best:
                a = best
            else:
                b = best
            third = second
            f_third = f_second
            second = best
            f_second = f_best
            best = x
            f_best = y
        else:
            if x < best:
                a = x
            else:
                b = x
            if y <= f_second or second == best:
                third = second
                f_third = f_second
                second = x
                f_second = y
            elif y <= f_third or third == best or third == second:
                third = x
                f_third = y
        middle = 0.5 * (a + b)
        near = np.sqrt(2.2e-16) * abs(best) + xatol / 3.0
    return OptimizeResult_(best, f_best, count < maxiter, count, count)


def _bracket(f, xa, xb, args):
    """Three places of which the middle one has the least value, downhill from two."""
    a = np.float64(xa)
    b = np.float64(xb)
    f_a = np.float64(f(a, *args))
    f_b = np.float64(f(b, *args))
    if f_a < f_b:
        x = a
        a = b
        b = x
        y = f_a
        f_a = f_b
        f_b = y
    c = b + 1.618034 * (b - a)
    f_c = np.float64(f(c, *args))
    calls = 3
    steps = 0
    going = True
    while going and f_c < f_b:
        first = (b - a) * (f_b - f_c)
        second = (b - c) * (f_b - f_a)
        least = second - first
        w = b - ((b - c) * second - (b - a) * first) / (2.0 * (1e-21 if abs(least) < 1e-21 else least))
        limit = b + 110.0 * (c - b)
        if steps > 1000:
            raise RuntimeError("No valid bracket was found before the iteration limit was reached. Consider trying different initial points or increasing `maxiter`.")
        steps = steps + 1
        asks = True  # whether the value at w is yet to be found
        f_w = np.float64(0.0)
        if (w - c) * (b - w) > 0.0:
            f_w = np.float64(f(w, *args))
            calls = calls + 1
            if f_w < f_c:
                a = b
                f_a = f_b
                b = w
                f_b = f_w
                going = False
            elif f_w > f_b:
                c = w
                f_c = f_w
                going = False
            else:
                w = c + 1.618034 * (c - b)
        elif (w - limit) * (limit - c) >= 0.0:
            w = limit
        elif (w - limit) * (c - w) > 0.0:
            f_w = np.float64(f(w, *args))
            calls = calls + 1
            asks = f_w < f_c
            if asks:
                b = c
                c = w
                w = c + 1.618034 * (c - b)
                f_b = f_c
                f_c = f_w
        else:
            w = c + 1.618034 * (c - b)
        if going:
            if asks:
                f_w = np.float64(f(w, *args))
                calls = calls + 1
            a = b
            b = c
            c = w
            f_a = f_b
            f_b = f_c
            f_c = f_w
    isLeast = (f_b < f_c and f_b <= f_a) or (f_b < f_a and f_b <= f_c)
    isBetween = (a < b and b < c) or (c < b and b < a)
    if not (isLeast and isBetween and np.isfinite(a) and np.isfinite(b) and np.isfinite(c)):
        raise NotImplementedError("`scipy.optimize.minimize_scalar` finds no bracket, of which SciPy's result tells; begin with another one")
    return a, b, c, f_a, f_b, f_c, calls


def _given_bracket(f, bracket, args):
    if bracket is None:
        return _bracket(f, 0.0, 1.0, args)
    if len(bracket) == 2:
        return _bracket(f, bracket[0], bracket[1], args)
    if len(bracket) != 3:
        raise ValueError("Bracketing interval must be length 2 or 3 sequence.")
    a = np.float64(min(bracket[0], bracket[2]))
    b = np.float64(bracket[1])
    c = np.float64(max(bracket[0], bracket[2]))
    f_a = np.float64(f(a, *args))
    f_b = np.float64(f(b, *args))
    f_c = np.float64(f(c, *args))
    if not (a < b and b < c and f_b < f_a and f_b < f_c):
        raise NotImplementedError("a bracket of three places has the least value in the middle")
    return a, b, c, f_a, f_b, f_c, 3


def _least_from(f, bracket, args, tol):
    first, x, end, f_first, f_x, f_end, calls = _given_bracket(f, bracket, args)
    w = x
    v = x
    f_w = f_x
    f_v = f_x
    a = min(first, end)
    b = max(first, end)
    last = np.float64(0.0)
    step = np.float64(0.0)
    steps = 0
    going = True
    while going and steps < 500:
        near = tol * abs(x) + 1.0e-11
        middle = 0.5 * (a + b)
        going = not abs(x - middle) < 2.0 * near - 0.5 * (b - a)
        if going:
            isGolden = True
            if abs(last) > near:
                p, q = _parabola(x, w, v, f_x, f_w, f_v)
                r = last
                last = step
                if p > q * (a - x) and p < q * (b - x) and abs(p) < abs(0.5 * q * r):
                    isGolden = False
                    step = p / q
                    u = x + step
                    if u - a < 2.0 * near or b - u < 2.0 * near:
                        step = near if middle - x >= 0 else -near
            if isGolden:
                last = a - x if x >= middle else b - x
                step = 0.3819660 * last
            if abs(step) < near:
                u = x + near if step >= 0 else x - near
            else:
                u = x + step
            y = np.float64(f(u, *args))
            calls = calls + 1
            if y > f_x:
                if u < x:
                    a = u
                else:
                    b = u
                if y <= f_w or w == x:
                    v = w
                    f_v = f_w
                    w = u
                    f_w = y
                elif y <= f_v or v == x or v == w:
                    v = u
                    f_v = y
            else:
                if u >= x:
                    a = x
                else:
                    b = x
                v = w
                f_v = f_w
                w = x
                f_w = f_x
                x = u
                f_x = y
            steps = steps + 1
    return OptimizeResult_(x, f_x, steps < 500 and not (np.isnan(x) or np.isnan(f_x)), steps, calls)


def minimize_scalar(fun, bracket=None, bounds=None, args=(), method=None, tol=None, options=None):
    if options is not None:
        raise NotImplementedError("`options=` of `scipy.optimize.minimize_scalar` is not translated; `tol=` is")
    kind = ("brent" if bounds is None else "bounded") if method is None else method.lower()
    if kind == "bounded":
        if bounds is None:
            raise ValueError("The `bounds` parameter is mandatory for method `bounded`.")
        return _least_within(fun, bounds, args, 1e-5 if tol is None else tol, 500)
    if kind != "brent":
        raise NotImplementedError('`method=` of `scipy.optimize.minimize_scalar` is "brent" or "bounded" here')
    if bounds is not None:
        raise ValueError("Use of `bounds` is incompatible with 'method=brent'.")
    return _least_from(fun, bracket, args, 1.48e-8 if tol is None else tol)


def _option(options, name, default):
    if options is None:
        return default
    return options[name] if name in options else default


def _no_more_options(options, known):
    if options is not None:
        for name in options:
            if name not in known and name != "disp":
                raise NotImplementedError("of the `options=` of `scipy.optimize.minimize` are translated `maxiter`, and with Nelder-Mead `xatol`, `fatol` and `maxfev`, with BFGS `gtol`")


def _limits(bounds, n):
    """Of pairs, where None is none."""
    low = np.full(n, -np.inf)
    high = np.full(n, np.inf)
    if bounds is not None:
        if len(bounds) != n:
            raise ValueError("The number of bounds is not compatible with the length of `x0`.")
        k = 0
        for least, most in bounds:
            if least is not None:
                low[k] = least
            if most is not None:
                high[k] = most
            k = k + 1
        if np.any(low > high):
            raise ValueError("An upper bound is less than the corresponding lower bound.")
    return low, high


def minimize(fun, x0, args=(), method=None, jac=None, hess=None, hessp=None, bounds=None, constraints=(), tol=None, callback=None, options=None):
    if hess is not None or hessp is not None or len(constraints) > 0 or callback is not None:
        raise NotImplementedError("`scipy.optimize.minimize` is translated without `hess=`, `hessp=`, `constraints=` and `callback=`")
    if jac is not None and isinstance(jac, (bool, str)):
        raise NotImplementedError("`jac=` of `scipy.optimize.minimize` is a function here")
    more = args if isinstance(args, tuple) else (args,)
    begin = np.atleast_1d(np.asarray(x0, dtype=np.float64)) + 0.0
    if begin.ndim != 1:
        raise ValueError("'x0' must only have one dimension.")
    n = len(begin)
    kind = ("bfgs" if bounds is None else "l-bfgs-b") if method is None else method.lower()
    if kind == "nelder-mead":
        _no_more_options(options, ("maxiter", "maxfev", "xatol", "fatol"))
        low, high = _limits(bounds, n)
        near = 1e-4 if tol is None else tol
        isAny = options is None or ("maxiter" not in options and "maxfev" not in options)
        most = n * 200 if isAny else 2 ** 62
        x, f, found, steps, calls = _nelder_mead(fun, begin, more, _option(options, "xatol", near), _option(options, "fatol", near),
                                                 _option(options, "maxiter", most), _option(options, "maxfev", most), low, high)
        return OptimizeResult_(x, f, found, steps, calls)
    if kind == "bfgs":
        if bounds is not None:
            raise NotImplementedError('`bounds=` of `scipy.optimize.minimize` is for `method="L-BFGS-B"` and "Nelder-Mead"')
        _no_more_options(options, ("maxiter", "gtol"))
        x, f, g, inverse, found, steps, calls = _bfgs(fun, jac, begin, more, _option(options, "gtol", 1e-5 if tol is None else tol), _option(options, "maxiter", n * 200))
        return OptimizeMinimum_(x, f, found, g, inverse, steps, calls * (n + 1 if jac is None else 1))
    if kind == "l-bfgs-b" or kind == "slsqp" or kind == "tnc":
        _no_more_options(options, ("maxiter",))
        low, high = _limits(bounds, n)
        x, f, g, found = _within(fun, jac, begin, more, low, high, 1e-6 if tol is None else min(tol, 1e-6), _option(options, "maxiter", 15000))
        return OptimizeWithin_(x, f, found, g)
    raise NotImplementedError('`method=` of `scipy.optimize.minimize` is "Nelder-Mead", "BFGS", "L-BFGS-B", "SLSQP" or "TNC" here')


def _two_limits(bounds, n):
    if not isinstance(bounds, tuple) or len(bounds) != 2:
        raise NotImplementedError("`bounds=` is a tuple of two here, of the lower limits and of the upper ones")
    low = np.zeros(n) + np.asarray(bounds[0], dtype=np.float64)
    high = np.zeros(n) + np.asarray(bounds[1], dtype=np.float64)
    if np.any(low >= high):
        raise ValueError("Each lower bound must be strictly less than each upper bound.")
    return low, high


def least_squares(fun, x0, jac="2-point", bounds=(-np.inf, np.inf), method="trf", ftol=1e-8, xtol=1e-8, gtol=1e-8, x_scale=None, loss="linear", f_scale=1.0, max_nfev=None, args=()):
    if jac != "2-point" or loss != "linear" or x_scale is not None or max_nfev is not None:
        raise NotImplementedError("`scipy.optimize.least_squares` is translated without `jac=`, `loss=`, `x_scale=` and `max_nfev=`")
    begin = np.atleast_1d(np.asarray(x0, dtype=np.float64)) + 0.0
    if begin.ndim != 1:
        raise ValueError("`x0` must have at most 1 dimension.")
    low, high = _two_limits(bounds, len(begin))
    if np.any(begin < low) or np.any(begin > high):
        raise ValueError("Initial guess is outside of provided bounds")
    x, f, jacobian, found = _fitted_within(fun, begin, low, high, args)
    slopes = np.zeros(len(begin))
    for j in range(len(begin)):
        slopes[j] = np.sum(jacobian[:, j] * f)
    return OptimizeSquares_(x, 0.5 * np.sum(f * f), f, jacobian, slopes, found)


def leastsq(func, x0, args=(), Dfun=None, full_output=False, col_deriv=False, ftol=1.49012e-8, xtol=1.49012e-8, gtol=0.0, maxfev=0, epsfcn=None, factor=100, diag=None):
    if Dfun is not None or full_output != False or epsfcn is not None or diag is not None:
        raise NotImplementedError("`scipy.optimize.leastsq` is translated without `Dfun=`, `full_output=`, `epsfcn=` and `diag=`")
    more = args if isinstance(args, tuple) else (args,)
    begin = np.atleast_1d(np.asarray(x0, dtype=np.float64)) + 0.0
    x, f, jacobian, info, calls = _marquardt(func, begin, more, ftol, xtol, gtol, 200 * (len(begin) + 1) if maxfev == 0 else maxfev, factor)
    return x, info


def curve_fit(f, xdata, ydata, p0=None, sigma=None, absolute_sigma=False, check_finite=None, bounds=(-np.inf, np.inf), method=None, jac=None, *, full_output=False, nan_policy=None, maxfev=0):
    if jac is not None or full_output != False or nan_policy is not None or (method is not None and method != "lm" and method != "trf"):
        raise NotImplementedError('`scipy.optimize.curve_fit` is translated without `jac=`, `full_output=` and `nan_policy=`, and with `method="lm"` or "trf"')
    x = np.asarray(xdata, dtype=np.float64)
    y = np.asarray(ydata, dtype=np.float64)
    if y.ndim != 1:
        raise NotImplementedError("`ydata` of `scipy.optimize.curve_fit` is a vector here")
    if len(y) == 0:
        raise ValueError("`ydata` must not be empty!")
    if not np.all(np.isfinite(x)) or not np.all(np.isfinite(y)):
        raise ValueError("array must not contain infs or NaNs")
    n = f.__code__.co_argcount - 1
    low, high = _two_limits(bounds, n)
    isFree = not np.any(np.isfinite(low)) and not np.any(np.isfinite(high))
    begin = np.ones(n)
    if p0 is not None:
        given = np.atleast_1d(np.asarray(p0, dtype=np.float64))
        if len(given) != n:
            raise ValueError("`p0` of `scipy.optimize.curve_fit` has a number for each parameter of the function")
        begin[:] = given
    else:
        for k in range(n):
            if np.isfinite(low[k]):
                begin[k] = 0.5 * (low[k] + high[k]) if np.isfinite(high[k]) else low[k] + 1.0
            elif np.isfinite(high[k]):
                begin[k] = high[k] - 1.0
    weight = np.ones(len(y))
    if sigma is not None:
        given = np.asarray(sigma, dtype=np.float64)
        if given.ndim > 1:
            raise NotImplementedError("`sigma=` of `scipy.optimize.curve_fit` is a vector here")
        weight = weight / given
    residuals = lambda p: weight * (f(x, *[p[k] for k in range(n)]) - y)
    if np.any(begin < low) or np.any(begin > high):
        raise ValueError("`x0` is infeasible.")
    if isFree and (method is None or method == "lm"):
        found, off, jacobian, info, calls = _marquardt(residuals, begin, (), 1.49012e-8, 1.49012e-8, 0.0, 200 * (n + 1) if maxfev == 0 else maxfev, 100)
        isFound = info < 5
    else:
        found, off, jacobian, isFound = _fitted_within(residuals, begin, low, high, ())
    if not isFound:
        raise RuntimeError("Optimal parameters not found: Number of calls to function has reached maxfev = %d." % (200 * (n + 1) if maxfev == 0 else maxfev,))
    covariance = np.full((n, n), np.inf)
    if not _isSingular(jacobian, n):
        if absolute_sigma:
            covariance = _covariance(jacobian, n)
        elif len(y) > n:
            covariance = _covariance(jacobian, n) * (np.sum(off * off) / (len(y) - n))
    return found, covariance
