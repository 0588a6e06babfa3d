"""Least squares: Levenberg's and Marquardt's steps as MINPACK takes them (More, The Levenberg-Marquardt algorithm, 1978), and such steps within limits."""
import numpy as np


def _residuals(fun, x, args):
    return np.atleast_1d(np.asarray(fun(x.copy(), *args), dtype=np.float64))


def _length(x):
    return np.sqrt(np.sum(x * x))


def _triangle_of(a, b):
    """The triangle R of a = QR, which stays in its first rows, and the first numbers of Q'b."""
    m = a.shape[0]
    n = a.shape[1]
    r = a.copy()
    c = b.copy()
    for k in range(n):
        if k < m:
            length = np.sqrt(np.sum(r[k:, k] ** 2))
            if length != 0:
                if r[k, k] > 0:
                    length = -length
                v = r[k:, k].copy()
                v[0] = v[0] - length
                square = np.sum(v * v)
                if square > 0:
                    for j in range(k, n):
                        dot = 2.0 * np.sum(v * r[k:, j]) / square
                        r[k:, j] -= dot * v
                    dot = 2.0 * np.sum(v * c[k:]) / square
                    c[k:] -= dot * v
    return r, c


def _back(r, c, n):
    """The solution of R p = c, with zeros where R has them on its diagonal."""
    p = np.zeros(n)
    for k in range(n):
        i = n - 1 - k
        p[i] = (c[i] - np.sum(r[i, i + 1:n] * p[i + 1:])) / r[i, i] if r[i, i] != 0 else 0.0
    return p


def _forward(r, c, n):
    """The solution of R'p = c."""
    p = np.zeros(n)
    for i in range(n):
        p[i] = (c[i] - np.sum(r[:i, i] * p[:i])) / r[i, i] if r[i, i] != 0 else 0.0
    return p


def _damped(r, c, scale, par, n):
    """The step of R'R + par D'D, and the triangle of that."""
    a = np.zeros((2 * n, n))
    b = np.zeros(2 * n)
    for i in range(n):
        for j in range(i, n):
            a[i, j] = r[i, j]
        b[i] = c[i]
        a[n + i, i] = np.sqrt(par) * scale[i]
    s, d = _triangle_of(a, b)
    return _back(s, d, n), s


def _step_within(r, c, scale, delta, par, n):
    """A step of about the length delta, and its damping."""
    p = _back(r, c, n)
    length = _length(scale * p)
    off = length - delta
    if off <= 0.1 * delta:
        par = np.float64(0.0)
    else:
        least = np.float64(0.0)
        isRegular = True
        for i in range(n):
            isRegular = isRegular and r[i, i] != 0
        if isRegular:
            w = _forward(r, scale * (scale * p / length), n)
            least = off / delta / np.sum(w * w)
        g = np.zeros(n)
        for j in range(n):
            g[j] = np.sum(r[:j + 1, j] * c[:j + 1]) / scale[j]
        slope = _length(g)
        most = slope / delta
        if most == 0:
            most = 2.2250738585072014e-308 / min(delta, 0.1)
        par = min(max(par, least), most)
        if par == 0:
            par = slope / length
        going = True
        k = 0
        while going:
            k = k + 1
            if par == 0:
                par = max(2.2250738585072014e-308, 0.001 * most)
            p, s = _damped(r, c, scale, par, n)
            length = _length(scale * p)
            before = off
            off = length - delta
            going = not (abs(off) <= 0.1 * delta or (least == 0 and off <= before and before < 0) or k == 10)
            if going:
                w = _forward(s, scale * (scale * p / length), n)
                more = off / delta / np.sum(w * w)
                if off > 0:
                    least = max(least, par)
                elif off < 0:
                    most = min(most, par)
                par = max(least, par + more)
    return p, par


def _marquardt(fun, x0, args, ftol, xtol, gtol, maxfev, factor):
    """The place, the residuals, their derivatives as last found, and what ended it, as MINPACK numbers that."""
    n = len(x0)
    x = x0.copy()
    f = _residuals(fun, x, args)
    m = len(f)
    if m < n:
        raise TypeError("Improper input: func input vector length N=%d must not exceed func output vector length M=%d" % (n, m))
    calls = 1
    size = _length(f)
    scale = np.ones(n)
    jacobian = np.zeros((m, n))
    par = np.float64(0.0)
    delta = np.float64(factor)
    x_size = np.float64(0.0)
    isFirst = True
    info = 0
    while info == 0:
        for j in range(n):
            step = 1.4901161193847656e-08 * abs(x[j])
            if step == 0:
                step = np.float64(1.4901161193847656e-08)
            moved = x.copy()
            moved[j] = x[j] + step
            jacobian[:, j] = (_residuals(fun, moved, args) - f) / step
        calls = calls + n
        lengths = np.zeros(n)
        for j in range(n):
            lengths[j] = _length(jacobian[:, j])
        if isFirst:
            scale = np.where(lengths == 0, 1.0, lengths)
            x_size = _length(scale * x)
            delta = np.float64(factor) * x_size if x_size != 0 else np.float64(factor)
        r, c = _triangle_of(jacobian, f)
        slope = np.float64(0.0)
        if size != 0:
            for j in range(n):
                if lengths[j] != 0:
                    slope = max(slope, abs(np.sum(r[:j + 1, j] * c[:j + 1]) / size) / lengths[j])
        if slope <= gtol:
            info = 4
        scale = np.maximum(scale, lengths)
        trying = info == 0
        while trying:
            p, par = _step_within(r, c, scale, delta, par, n)
            length = _length(scale * p)
            if isFirst:
                delta = min(delta, length)
            new = x - p
            f_new = _residuals(fun, new, args)
            calls = calls + 1
            size_new = _length(f_new)
            gained = 1.0 - (size_new / size) ** 2 if 0.1 * size_new < size else np.float64(-1.0)
            along = np.zeros(n)
            for i in range(n):
                along[i] = np.sum(r[i, i:] * p[i:])
            first = _length(along) / size
            second = np.sqrt(par) * length / size
            expected = first ** 2 + second ** 2 / 0.5
            slant = -(first ** 2 + second ** 2)
            ratio = gained / expected if expected != 0 else np.float64(0.0)
            if ratio <= 0.25:
                part = np.float64(0.5) if gained >= 0 else 0.5 * slant / (slant + 0.5 * gained)
                if 0.1 * size_new >= size or part < 0.1:
                    part = np.float64(0.1)
                delta = part * min(delta, length / 0.1)
                par = par / part
            elif par == 0 or ratio >= 0.75:
                delta = length / 0.5
                par = 0.5 * par
            if ratio >= 1e-4:
                x = new
                f = f_new
                size = size_new
                x_size = _length(scale * x)
                isFirst = False
            isFlat = abs(gained) <= ftol and expected <= ftol and 0.5 * ratio <= 1
            isShort = delta <= xtol * x_size
            if isFlat or isShort:
                info = 3 if isFlat and isShort else 1 if isFlat else 2
            elif calls >= maxfev:
                info = 5
            elif abs(gained) <= 2.220446049250313e-16 and expected <= 2.220446049250313e-16 and 0.5 * ratio <= 1:
                info = 6
            elif delta <= 2.220446049250313e-16 * x_size:
                info = 7
            elif slope <= 2.220446049250313e-16:
                info = 8
            elif np.isnan(size_new):
                info = 5
            trying = info == 0 and ratio < 1e-4
    return x, f, jacobian, info, calls


def _slopes(fun, x, x0, f, low, high, args):
    """Derivatives by differences to both sides, to one where a limit is near."""
    n = len(x)
    jacobian = np.zeros((len(f), n))
    for j in range(n):
        step = 6.055454452393343e-06 * max(abs(x[j]), 1e-3 * (abs(x0[j]) if x0[j] != 0 else 1.0))
        right = x.copy()
        right[j] = x[j] + step
        left = x.copy()
        left[j] = x[j] - step
        if right[j] > high[j]:
            jacobian[:, j] = (f - _residuals(fun, left, args)) / (x[j] - left[j])
        elif left[j] < low[j]:
            jacobian[:, j] = (_residuals(fun, right, args) - f) / (right[j] - x[j])
        else:
            jacobian[:, j] = (_residuals(fun, right, args) - _residuals(fun, left, args)) / (right[j] - left[j])
    return jacobian


def _fitted_within(fun, x0, low, high, args):
    """Marquardt's steps in the numbers that no limit holds, cut at the limits, until nothing gets better."""
    n = len(x0)
    x = np.minimum(np.maximum(x0, low), high)
    f = _residuals(fun, x, args)
    cost = np.sum(f * f)
    if not np.isfinite(cost):
        raise ValueError("Residuals are not finite in the initial point.")
    jacobian = _slopes(fun, x, x0, f, low, high, args)
    damping = np.float64(1e-3)
    steps = 0
    going = True
    while going and steps < 1000 * n:
        g = np.zeros(n)
        for j in range(n):
            g[j] = np.sum(jacobian[:, j] * f)
        a = jacobian.copy()
        scale = np.ones(n)
        for j in range(n):
            if (x[j] <= low[j] and g[j] > 0) or (x[j] >= high[j] and g[j] < 0):
                a[:, j] = 0.0
            else:
                length = _length(a[:, j])
                if length > 0:
                    scale[j] = length
        r, c = _triangle_of(np.concatenate((a, np.zeros((n, n)))), np.concatenate((f, np.zeros(n))))
        found = False
        new = x.copy()
        f_new = f.copy()
        cost_new = cost
        while not found and damping < 1e15:
            p, s = _damped(r, c, scale, damping, n)
            new = np.minimum(np.maximum(x - p, low), high)
            f_new = _residuals(fun, new, args)
            cost_new = np.sum(f_new * f_new)
            found = cost_new < cost
            damping = damping / 8 if found else damping * 4
        going = found and not (cost - cost_new <= 1e-15 * cost and np.max(np.abs(new - x)) <= 1e-10 * np.max(np.abs(x)))
        if found:
            x = new
            f = f_new
            cost = cost_new
            damping = max(damping, 1e-15)
            jacobian = _slopes(fun, x, x0, f, low, high, args)
        steps = steps + 1
    return x, f, jacobian, steps < 1000 * n


def _covariance(jacobian, n):
    """The inverse of J'J."""
    r, c = _triangle_of(jacobian, np.zeros(jacobian.shape[0]))
    made = np.zeros((n, n))
    for k in range(n):
        unit = np.zeros(n)
        unit[k] = 1.0
        made[:, k] = _back(r, _forward(r, unit, n), n)
    return made


def _isSingular(jacobian, n):
    r, c = _triangle_of(jacobian, np.zeros(jacobian.shape[0]))
    most = np.float64(0.0)
    least = np.float64(np.inf)
    for k in range(n):
        most = max(most, abs(r[k, k]))
        least = min(least, abs(r[k, k]))
    return not least > 2.220446049250313e-16 * most
