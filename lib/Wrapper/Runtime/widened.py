# Support of the wrappers of functions whose arguments are stretched before the call. See common.py.


def _widened(given, classes):
    """The arrays of `given`, (name, array, dtype, shape) each, with axes of one element as long as those that they meet;
    None where there is nothing to repeat. `classes`: a length or 1; (array, axis, may be repeated or not; None: NumPy
    does not stretch it either) of each axis; which of those that may be repeated are not together of one element, by bits."""
    wanted = [list(shape) for _, _, _, shape in given]
    for number, axes, refused in classes:
        short = [n for n, (k, axis, _) in enumerate(axes) if given[k][3][axis] == 1]
        longer = {number, *(given[k][3][axis] for k, axis, _ in axes)} - {1}
        if not short or len(longer) != 1 or any(axes[n][2] is None for n in short):
            continue
        if not all(axes[n][2] for n in short) or sum(1 << n for n in short) in refused:
            k, axis, _ = axes[short[0]]
            text = f"`{given[k][0]}` has one element on axis {axis}, which meets a longer one"
            raise NotImplementedError(f"{text}: pass an array that repeats it, as np.broadcast_to gives")
        for n in short:
            wanted[axes[n][0]][axes[n][1]] = min(longer)
    if all(tuple(row[3]) == tuple(shape) for row, shape in zip(given, wanted)):
        return None
    return [_repeated(*row, tuple(shape)) for row, shape in zip(given, wanted)]


def _repeated(name, x, dtype, shape, wanted):
    if tuple(shape) == wanted:
        return x
    x = _from_literal(x, name, dtype, False)
    package = _sys.modules.get(type(x).__module__.partition(".")[0])
    if not hasattr(package, "broadcast_to"):
        text = f"`{name}` has one element on an axis that is longer elsewhere"
        raise ValueError(f"{text}: pass an array of shape {wanted} that repeats it")
    return package.broadcast_to(x, wanted)
