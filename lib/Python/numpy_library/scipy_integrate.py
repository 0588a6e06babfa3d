"""scipy.integrate of samples, of functions of one number, and of systems of ordinary differential equations."""
from collections import namedtuple

import numpy as np

from ._common import _axis
from ._quadrature import _adaptive

OdeResult_ = namedtuple("OdeResult_", "t y success status nfev")


def trapezoid(y, x=None, dx=1.0, axis=-1):
    return np.trapezoid(y, x, dx, axis)


def cumulative_trapezoid(y, x=None, dx=1.0, axis=-1, initial=None):
    y = np.asarray(y)
    at = _axis(axis, y.ndim)
    moved = np.moveaxis(y, at, -1)
    if moved.shape[-1] == 0:
        raise ValueError("At least one point is required along `axis`.")
    d = dx
    if x is not None:
        x = np.asarray(x)
        if x.ndim != 1 and x.ndim != y.ndim:
            raise ValueError("If given, shape of x must be 1-D or the same as y.")
        d = np.diff(x) if x.ndim == 1 else np.diff(np.moveaxis(x, at, -1))
        if d.shape[-1] != moved.shape[-1] - 1:
            raise ValueError("If given, length of x along axis must be the same as y.")
    sums = np.cumsum(d * (moved[..., 1:] + moved[..., :-1]) / 2.0, axis=-1)
    if initial is not None:
        if initial != 0:
            raise ValueError("`initial` must be `None` or `0`.")
        sums = np.concatenate((np.zeros(sums.shape[:-1] + (1,), sums.dtype), sums), axis=-1)
    return np.moveaxis(sums, -1, at)


def _over(a, b):
    """a / b, and 0 where b is."""
    return np.where(b == 0, 0.0, a / np.where(b == 0, 1.0, b))


def _last_interval(y, first, second):
    """Of a parabola through the last three points, at these distances (Cartwright, Simpson's rule cumulative integration, 2017)."""
    alpha = _over(2 * second ** 2 + 3 * first * second, 6 * (second + first))
    beta = _over(second ** 2 + 3.0 * first * second, 6 * first)
    eta = _over(1 * second ** 3, 6 * first * (first + second))
    return alpha * y[..., -1] + beta * y[..., -2] - eta * y[..., -3]


def _plus(total, last):
    """The type of an array stays, and that of a number is what it is for float64."""
    return total + (np.asarray(last).astype(total.dtype) if total.ndim > 0 else np.float64(last))


def simpson(y, x=None, *, dx=1.0, axis=-1):
    y = np.asarray(y)
    at = _axis(axis, y.ndim)
    moved = np.moveaxis(y, at, -1)
    n = moved.shape[-1]
    begin = 2 * np.arange((n - 1) // 2)
    if x is not None:
        x = np.asarray(x)
        if x.ndim != 1 and x.ndim != y.ndim:
            raise ValueError("If given, shape of x must be 1-D or the same as y.")
        if x.ndim != 1:
            x = np.moveaxis(x, at, -1)
        if x.shape[-1] != n:
            raise ValueError("If given, length of x along axis must be the same as y.")
        h = np.float64(np.diff(x))
        h0 = h[..., begin]
        h1 = h[..., begin + 1]
        sum = h0 + h1
        ratio = _over(h0, h1)
        total = np.sum(sum / 6.0 * (moved[..., begin] * (2.0 - _over(1.0, ratio)) + moved[..., begin + 1] * (sum * _over(sum, h0 * h1))
                                    + moved[..., begin + 2] * (2.0 - ratio)), axis=-1)
        if n == 2:
            total = _plus(total, 0.5 * h[..., -1] * (moved[..., -1] + moved[..., -2]))
        elif n % 2 == 0:
            total = _plus(total, _last_interval(moved, h[..., -2], h[..., -1]))
        return total
    total = np.sum(moved[..., begin] + 4.0 * moved[..., begin + 1] + moved[..., begin + 2], axis=-1) * (dx / 3.0)
    if n == 2:
        total = _plus(total, 0.5 * dx * (moved[..., -1] + moved[..., -2]))
    elif n % 2 == 0:
        total = _plus(total, _last_interval(moved, np.float64(dx), np.float64(dx)))
    return total


def _root_mean_square(x):
    """The root of the mean of squares."""
    return np.sqrt(np.sum(x * x)) / len(x) ** 0.5


def _slope(fun, t, y, args):
    return np.asarray(fun(t, y, *args), dtype=np.float64)


def _stages(fun, t, y, k1, h, args):
    """Dormand and Prince's step of fifth order, and the slopes of which it is made."""
    k2 = _slope(fun, t + 1 / 5 * h, y + k1 * (1 / 5) * h, args)
    k3 = _slope(fun, t + 3 / 10 * h, y + (k1 * (3 / 40) + k2 * (9 / 40)) * h, args)
    k4 = _slope(fun, t + 4 / 5 * h, y + (k1 * (44 / 45) + k2 * (-56 / 15) + k3 * (32 / 9)) * h, args)
    k5 = _slope(fun, t + 8 / 9 * h, y + (k1 * (19372 / 6561) + k2 * (-25360 / 2187) + k3 * (64448 / 6561) + k4 * (-212 / 729)) * h, args)
    k6 = _slope(fun, t + h, y + (k1 * (9017 / 3168) + k2 * (-355 / 33) + k3 * (46732 / 5247) + k4 * (49 / 176) + k5 * (-5103 / 18656)) * h, args)
    new = y + h * (k1 * (35 / 384) + k3 * (500 / 1113) + k4 * (125 / 192) + k5 * (-2187 / 6784) + k6 * (11 / 84))
    return new, k3, k4, k5, k6, _slope(fun, t + h, new, args)


def _between_steps(x, h, y, k1, k3, k4, k5, k6, k7):
    """The solution within the step, by its polynomial of fourth order."""
    x2 = x * x
    x3 = x2 * x
    x4 = x3 * x
    total = k1 * (x - 8048581381 / 2820520608 * x2 + 8663915743 / 2820520608 * x3 - 12715105075 / 11282082432 * x4)
    total = total + k3 * (131558114200 / 32700410799 * x2 - 68118460800 / 10900136933 * x3 + 87487479700 / 32700410799 * x4)
    total = total + k4 * (-1754552775 / 470086768 * x2 + 14199869525 / 1410260304 * x3 - 10690763975 / 1880347072 * x4)
    total = total + k5 * (127303824393 / 49829197408 * x2 - 318862633887 / 49829197408 * x3 + 701980252875 / 199316789632 * x4)
    total = total + k6 * (-282668133 / 205662961 * x2 + 2019193451 / 616988883 * x3 - 1453857185 / 822651844 * x4)
    total = total + k7 * (40617522 / 29380423 * x2 - 110615467 / 29380423 * x3 + 69997945 / 29380423 * x4)
    return h * total + y


def _first_step(fun, t0, y, k1, span, direction, max_step, rtol, atol, args):
    scale = atol + np.abs(y) * rtol
    d0 = _root_mean_square(y / scale)
    d1 = _root_mean_square(k1 / scale)
    h0 = min(1e-6 if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1, span)
    d2 = _root_mean_square((_slope(fun, t0 + h0 * direction, y + h0 * direction * k1, args) - k1) / scale) / h0
    h1 = max(1e-6, h0 * 1e-3) if d1 <= 1e-15 and d2 <= 1e-15 else (0.01 / max(d1, d2)) ** (1 / 5)
    return min(100 * h0, h1, span, max_step)


def solve_ivp(fun, t_span, y0, method="RK45", t_eval=None, dense_output=False, events=None, vectorized=False, args=None, *, rtol=1e-3, atol=1e-6, max_step=np.inf, first_step=None):
    if method != "RK45" or dense_output != False or events is not None or vectorized != False:
        raise NotImplementedError('`scipy.integrate.solve_ivp` is translated with `method="RK45"`, without `events=` and `dense_output=`')
    begin = float(t_span[0])
    end = float(t_span[1])
    more = () if args is None else args
    y = np.asarray(y0, dtype=np.float64) + 0.0
    if y.ndim != 1:
        raise ValueError("`y0` must be 1-dimensional.")
    if not np.all(np.isfinite(y)):
        raise ValueError("All components of the initial state `y0` must be finite.")
    n = len(y)
    if n == 0 or begin == end:
        raise NotImplementedError("`scipy.integrate.solve_ivp` of nothing, or over no time, is not translated")
    if max_step <= 0:
        raise ValueError("`max_step` must be positive.")
    direction = 1.0 if end > begin else -1.0
    span = abs(end - begin)
    relative = max(rtol, 100 * 2.220446049250313e-16)
    k1 = _slope(fun, begin, y, more)
    calls = 1
    if first_step is None:
        size = np.float64(_first_step(fun, begin, y, k1, span, direction, max_step, relative, atol, more))
        calls = 2
    else:
        if first_step <= 0:
            raise ValueError("`first_step` must be positive.")
        if first_step > span:
            raise ValueError("`first_step` exceeds bounds.")
        size = np.float64(first_step)
    if t_eval is not None:
        asked = np.asarray(t_eval)
        if asked.ndim != 1:
            raise ValueError("`t_eval` must be 1-dimensional.")
        if len(asked) == 0:
            raise NotImplementedError("`t_eval=` of `scipy.integrate.solve_ivp` has a time at least")
        if np.any(asked < min(begin, end)) or np.any(asked > max(begin, end)):
            raise ValueError("Values in `t_eval` are not within `t_span`.")
        if np.any(np.diff(asked) * direction <= 0):
            raise ValueError("Values in `t_eval` are not properly sorted.")
        values = np.zeros((n, len(asked)))
        found = 0
    else:
        times = [begin]
        states = [y]
    t = np.float64(begin)
    rejected = False
    going = True
    while going:
        least = 10 * abs(np.nextafter(t, direction * np.inf) - t)
        if not rejected:
            size = max_step if size > max_step else least if size < least else size
        if size < least:
            raise NotImplementedError("steps of `scipy.integrate.solve_ivp` become too small, of which SciPy's result tells")
        t_new = t + size * direction
        if direction * (t_new - end) > 0:
            t_new = np.float64(end)
        h = t_new - t
        size = abs(h)
        new, k3, k4, k5, k6, k7 = _stages(fun, t, y, k1, h, more)
        calls = calls + 6
        scale = atol + np.maximum(np.abs(y), np.abs(new)) * relative
        wrong = (k1 * (-71 / 57600) + k3 * (71 / 16695) + k4 * (-71 / 1920) + k5 * (17253 / 339200) + k6 * (-22 / 525) + k7 * (1 / 40)) * h
        error = _root_mean_square(wrong / scale)
        if error < 1:
            factor = 10.0 if error == 0 else min(10.0, 0.9 * error ** (-1 / 5))
            size = size * (min(1.0, factor) if rejected else factor)
            rejected = False
            if t_eval is not None:
                while found < len(asked) and direction * (asked[found] - t_new) <= 0:
                    values[:, found] = _between_steps((asked[found] - t) / h, h, y, k1, k3, k4, k5, k6, k7)
                    found = found + 1
            else:
                times.append(float(t_new))
                states.append(new)
            t = t_new
            y = new
            k1 = k7
            going = direction * (t - end) < 0
        else:
            size = size * max(0.2, 0.9 * error ** (-1 / 5))
            rejected = True
    if t_eval is not None:
        return OdeResult_(asked + 0, values, True, 0, calls)
    return OdeResult_(np.array(times), np.array(states).T.copy(), True, 0, calls)


def quad(func, a, b, args=(), full_output=0, epsabs=1.49e-8, epsrel=1.49e-8, limit=50, points=None, weight=None, wvar=None, wopts=None, maxp1=50, limlst=50, complex_func=False):
    if full_output != 0 or points is not None or weight is not None or wvar is not None or wopts is not None or complex_func != False:
        raise NotImplementedError("`scipy.integrate.quad` is translated without `full_output=`, `points=`, `weight=` and `complex_func=`")
    if limit < 1 or (epsabs <= 0 and epsrel < max(50 * 2.220446049250313e-16, 5e-29)):
        raise NotImplementedError("`scipy.integrate.quad` with a `limit=` under 1, or errors that no number keeps, is not translated")
    more = args if isinstance(args, tuple) else (args,)
    begin = float(min(a, b))
    end = float(max(a, b))
    if begin == end:
        return 0.0, 0.0
    if begin == -np.inf and end == np.inf:
        total, off = _adaptive(func, more, 0.0, 1.0, 0.0, 2, epsabs, epsrel, limit)
    elif end == np.inf:
        total, off = _adaptive(func, more, 0.0, 1.0, begin, 1, epsabs, epsrel, limit)
    elif begin == -np.inf:
        total, off = _adaptive(func, more, 0.0, 1.0, end, -1, epsabs, epsrel, limit)
    else:
        total, off = _adaptive(func, more, begin, end, 0.0, 0, epsabs, epsrel, limit)
    return (-total if b < a else total), off


def odeint(func, y0, t, args=(), Dfun=None, col_deriv=0, full_output=0, ml=None, mu=None, rtol=None, atol=None, tcrit=None, h0=0.0, hmax=0.0, hmin=0.0, ixpr=0, mxstep=0, mxhnil=0, mxordn=12, mxords=5, printmessg=0, tfirst=False):
    if Dfun is not None or full_output != 0 or tcrit is not None:
        raise NotImplementedError("`scipy.integrate.odeint` is translated without `Dfun=`, `full_output=` and `tcrit=`")
    more = args if isinstance(args, tuple) else (args,)
    times = np.asarray(t, dtype=np.float64)
    if times.ndim != 1:
        raise ValueError("The output times must be an array.")
    y = np.atleast_1d(np.asarray(y0, dtype=np.float64)) + 0.0
    if y.ndim != 1:
        raise ValueError("Initial condition y0 must be one-dimensional.")
    fun = func if tfirst else lambda now, state, *others: func(state, now, *others)
    relative = max(1e-2 * (1.49012e-8 if rtol is None else rtol), 1e-13)
    absolute = 1e-2 * (1.49012e-8 if atol is None else atol)
    made = np.zeros((len(times), len(y)))
    if len(times) > 0:
        made[0] = y
    size = np.float64(0.0)
    steps = 0
    for i in range(1, len(times)):
        now = times[i - 1]
        end = times[i]
        direction = 1.0 if end > now else -1.0
        while now != end:
            k1 = np.atleast_1d(_slope(fun, now, y, more))
            if size == 0:
                size = np.float64(_first_step(fun, now, y, k1, abs(end - now), direction, np.inf, relative, absolute, more))
            isLast = size >= abs(end - now)
            h = end - now if isLast else size * direction
            if abs(h) <= 10 * abs(np.nextafter(now, end) - now) and not isLast or steps >= 10000000:
                raise RuntimeError("the steps of `scipy.integrate.odeint` become too small: it is done by explicit steps here, which stiff equations do without; call it in the caller")
            new, k3, k4, k5, k6, k7 = _stages(fun, now, y, k1, h, more)
            wrong = (k1 * (-71 / 57600) + k3 * (71 / 16695) + k4 * (-71 / 1920) + k5 * (17253 / 339200) + k6 * (-22 / 525) + k7 * (1 / 40)) * h
            error = _root_mean_square(wrong / (absolute + np.maximum(np.abs(y), np.abs(new)) * relative))
            steps = steps + 1
            factor = 10.0 if error == 0 else min(10.0, max(0.2, 0.9 * error ** (-1 / 5)))
            if error < 1:
                y = new
                now = end if isLast else now + h
                size = max(size, abs(h) * factor) if isLast else abs(h) * factor
            else:
                size = abs(h) * (factor if factor < 1 else 0.2)
        made[i] = y
    return made
