# Support of the wrappers of files with ufuncs: calls whose operands lie as those of an earlier one. See common.py.


class _Plan:
    """What a call with `out` on the device hands to the library, but for addresses and the stream: calls with operands of the
    same layouts do nothing else."""

    def __init__(self, c, function, counts, operands):
        self.c, self.function, self.held, self.places = c, function, [], []  # which takes its arguments in one array
        numbers, sizes = list(counts), []
        for k, (steps, (x, view)) in enumerate(operands):
            low, high = _bounds(view)
            address = None
            if isinstance(x, _np.ndarray):  # a number, which gets a place on the device
                memory = _Memory(c, x.itemsize)
                _check(c, c.copy_to_device(memory.address, view.__array_interface__["data"][0], x.itemsize))
                self.held.append(memory)
                address = memory.address
            else:
                self.places.append((k, len(numbers), low, high + view.itemsize))
            numbers += [address, -low // view.itemsize, *steps]
            sizes.append((high - low) // view.itemsize + 1)
        numbers += [*sizes, None, None]
        self.kind = _ctypes.c_uint64 * len(numbers)
        self.numbers = self.kind(*(n or 0 for n in numbers))
        _, self.place, self.low, self.end = self.places.pop()
        self.again = None

    def write_out(self, operands):
        """`again`, which takes such operands as these once more, if they are: code of their own, since most time would go to telling."""
        tests, steps, scope = [], [], {"plan": self, "copy": self.kind.from_buffer_copy, "function": self.function, "array": _CuPy.array, "stream": _CuPy.stream, "error": _error}
        numbers = [f"x{k}" for k in range(len(operands))]
        for name, x in zip(numbers, operands):
            if type(x) in (int, float) and (x > 0 or x < 0):  # zeros of both signs are equal
                tests.append(f"type({name}) is {name}_type and {name} == {name}_value")
                scope.update({f"{name}_type": type(x), f"{name}_value": x})
            elif type(x) is _CuPy.array:
                tests.append(f"type({name}) is array and {name}.dtype is {name}_dtype and {name}.shape == {name}_shape and {name}.strides == {name}_strides")
                scope.update({f"{name}_dtype": x.dtype, f"{name}_shape": x.shape, f"{name}_strides": x.strides})
            else:
                return
        for k, place, low, end in self.places:
            steps.append(f"""
    at = x{k}.data.ptr + {low}
    if at < last and first < at + {end - low}:
        return False
    numbers[{place}] = at""")
        exec(f"""
def again({", ".join(numbers)}):
    if not ({" and ".join(tests)}):
        return False
    numbers = copy(plan.numbers)
    numbers[{self.place}] = first = {numbers[-1]}.data.ptr + {self.low}
    last = first + {self.end - self.low}{"".join(steps)}
    numbers[{len(self.numbers) - 1}] = stream(None) or 0
    status = function(numbers)
    if status:
        raise error(plan.c, status)
    return True
""", scope)
        self.again = scope["again"]

    def run(self, addresses, stream):
        """False where an operand shares memory with `out`."""
        numbers, out = self.kind.from_buffer_copy(self.numbers), addresses[-1]
        numbers[self.place] = first = out + self.low
        last = out + self.end
        for k, place, low, end in self.places:
            address = addresses[k]
            if address + low < last and first < address + end:
                return False
            numbers[place] = address + low
        numbers[-1] = stream or 0
        status = self.function(numbers)
        if status:
            raise _error(self.c, status)
        return True
