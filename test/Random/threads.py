"""Random kernels in Numba's notation, each right in whatever order its threads run: a thread stores elements of its own, shares with its
block between barriers, and updates bins indivisibly, by one operator a kernel."""

from __future__ import annotations

NUMPY = {"f64": "float64", "f32": "float32", "i64": "int64", "i32": "int32"}
NUMBA = {"f64": "f8", "f32": "f4", "i64": "i8", "i32": "i4"}
ATOMICS = ("add", "sub", "max", "min", "and_", "or_", "xor")


class Kernels:
    """A function that launches one kernel or two, with the inputs to call it with."""

    def __init__(self, name, rng):
        self.name, self.rng = name, rng
        self.short = rng.choice(("f64", "f64", "f32", "i64", "i32"))
        self.helpers = []

    def one_of(self, *texts):
        return self.rng.choice(texts)

    # --- expressions: each has an operand of the kernel's type, so that its type is the same on all paths

    def value(self, depth=2):
        if depth == 0 or self.rng.random() < 0.2:
            return self.one_of("v", "v", "s", *self.reads)
        a, b = self.value(depth - 1), self.value(depth - 1)
        if self.short[0] == "f":
            return self.one_of(f"({a} + {b})", f"({a} - {b})", f"{a} * 0.5", f"{a} / 4", f"(2 - {a})", f"abs({a})", f"min({a}, {b})",
                               f"max({a}, {b})", f"-{a}", f"({a} + i % 3)", f"({a} if {self.condition()} else {b})")  # fmt: skip
        return self.one_of(f"({a} + {b})", f"({a} - {b})", f"{a} * 3", f"{a} // 3", f"{a} % 7", f"({a} & 15)", f"({a} ^ {b})", f"({a} | 1)",
                           f"abs({a})", f"min({a}, {b})", f"max({a}, {b})", f"({a} >> 1)", f"({a} - i % 3)", f"({a} if {self.condition()} else {b})")  # fmt: skip

    def condition(self):
        v = self.one_of("v", *self.reads)
        return self.one_of(f"{v} > 1", f"{v} <= s", "i % 3 == 1", "i & 1", f"i > 2 and {v} < 0", f"not {v} != 0", f"{v} >= 0 or i % 2 == 0")

    # --- what a thread does by itself

    def alone(self, depth=1):
        statements = [self.assigned, self.assigned, self.branch, self.loop, self.counted, self.stored, self.stored, self.called, self.updated, self.own_memory]
        return self.rng.choice(statements[: 10 if depth else 2])()

    def assigned(self):
        return [f"v {self.one_of('=', '+=', '-=')} {self.value()}"]

    def branch(self):
        lines = [f"if {self.condition()}:", *indented(self.alone(0))]
        return lines + (["else:", *indented(self.alone(0))] if self.rng.random() < 0.5 else [])

    def loop(self):
        lines = [f"for k in range({self.one_of('3', 'i % 4', '1, 4', '4, 0, -2')}):"]
        lines += indented([f"if {self.condition()}:", f"    {self.one_of('continue', 'break')}"]) if self.rng.random() < 0.3 else []
        return lines + indented([f"v += {self.value(1)} * (k + 1)"])

    def counted(self):
        return ["c = i % 5", "while c > 0:", *indented([f"v = {self.value(1)}", "c -= 2"])]

    def stored(self):
        return [f"{self.rng.choice(self.own)} {self.one_of('=', '=', '+=')} {self.value()}"]

    def called(self):
        name = f"{self.name}_h{len(self.helpers)}"
        body = self.one_of("return v + w", "if v > w:\n        return v\n    return w", "for k in range(2):\n        v = v + w\n    return v", "return v - w if v < 1 else w")
        self.helpers.append(f"@cuda.jit(device=True)\ndef {name}(v, w):\n    {body}\n")
        return [f"v = {name}(v, {self.value(1)})"]

    def updated(self):
        if self.operator is None:
            self.operator = self.rng.choice(ATOMICS)
        value = {"and_": "~(1 << i % 7)", "or_": "1 << i % 7"}.get(self.operator) or self.one_of("i % 7", "1", "i", f"int({self.value(1)}) % 8")
        return [f"cuda.atomic.{self.operator}(bins, {self.one_of('i % 4', '0', '(i % 4,)')}, {value})"]

    def own_memory(self):
        self.arrays.add("w = cuda.local.array(4, TYPE)")
        if self.rng.random() < 0.4:  # whole rows, element by element
            return [f"w[:] = {self.value(1)}", self.one_of("w[1:] = v", "w[::2] += 1", "w[:3] = w[:3] + v", "w[:] -= s"), "v = v + w[i % 4] - w[(i + 1) % 4]"]
        return ["for k in range(4):", f"    w[k] = {self.value(1)} + k", "v = v + w[i % 4] - w[(i + 1) % 4]"]

    # --- what the threads of a block do together

    def together(self):
        self.arrays.add(f"tile = cuda.shared.array({self.block}, TYPE)")
        ways = [self.neighbour, self.neighbour, self.counts, self.turns] + [self.folded] * (self.block in (4, 8, 16, 32)) + [self.lanes] * 2 * (self.block == 32)
        return self.rng.choice(ways)()

    def neighbour(self):
        other = self.one_of(f"(t + {self.rng.choice((1, 2))}) % {self.block}", f"{self.block - 1} - t", "0", "t ^ 1" if self.block % 2 == 0 else "0")
        return [f"tile[t] = {self.value(1)}", "cuda.syncthreads()", f"v = v + tile[{other}]", "cuda.syncthreads()"]

    def turns(self):
        """Two names that stand for two memories in turn."""
        self.arrays.add(f"pair = cuda.shared.array((2, {self.block}), TYPE)")
        first = self.one_of("src, dst = pair[0], pair[1]", "src, dst = pair[1], tile", "src, dst = tile, pair[0]")
        change = self.one_of(["src, dst = dst, src"], ["if d != 1:", "    src, dst = dst, src"], ["kept = src", "src = dst", "dst = kept"],
                             ["if s > d:", "    src, dst = dst, src", "else:", "    kept = dst", "    dst = src", "    src = kept"])  # fmt: skip
        steps = [f"dst[t] = src[(t + {self.rng.choice((1, 2))}) % {self.block}] {self.one_of('+', '-')} d", "cuda.syncthreads()", *change]
        steps += [f"if d > {self.one_of('0', '1')}:", "    break"] if self.rng.random() < 0.3 else []
        loop = self.one_of(["for d in range(3):", *indented(steps)], ["d = 0", "while d < 3:", *indented([*steps, "d += 1"])])
        return [first, "src[t] = v", "cuda.syncthreads()", *loop, "v = v + src[t]", "cuda.syncthreads()"]

    def folded(self):
        fold = self.one_of("tile[t] += tile[t + half]", "tile[t] = max(tile[t], tile[t + half])")
        return ["tile[t] = v", "cuda.syncthreads()", f"half = {self.block // 2}", "while half > 0:", "    if t < half:", f"        {fold}",
                "    cuda.syncthreads()", "    half //= 2", "v = v - tile[0]", "cuda.syncthreads()"]  # fmt: skip

    def counts(self):
        return [f"v = v + cuda.syncthreads_{self.one_of('count', 'and', 'or')}({self.condition()})"]

    def lanes(self):
        if self.rng.random() < 0.3:
            half = ["if t < 16:", *indented(["cuda.syncwarp(0xffff)", "v = v + tile[15 - t]"]), "else:", *indented(["cuda.syncwarp(0xffff0000)", "v = v + tile[47 - t]"])]
            return ["tile[t] = v", *half, "cuda.syncthreads()"]
        value = self.one_of("shfl_xor_sync(0xffffffff, v, 5)", "shfl_up_sync(0xffffffff, v, 2)", "shfl_down_sync(0xffffffff, v, 7)", "shfl_sync(0xffffffff, v, 3)")
        return [f"v = v + cuda.{value}"] if self.rng.random() < 0.6 else [f"v = v + cuda.popc(cuda.ballot_sync(0xffffffff, {self.condition()}))"]

    # --- kernels and launches

    def kernel(self):
        """Its text, and its launch."""
        rng, name = self.rng, f"{self.name}_hk{self.count}"
        self.count += 1
        self.operator, self.arrays = None, set()
        form = rng.choice(("early", "inside", "inside", "strided", "square"))
        self.block = rng.choice((1, 3, 4, 7, 8, 16, 32) if form == "inside" else (1, 7, 32, 64))
        self.reads, self.own = ["x[i]", "x[(i + 1) % n]", "x[n - 1 - i]", "y[i]"], ["y[i]", "z[i]", "z[i]"]
        before, inside = ["n = x.shape[0]", "i = cuda.grid(1)"], indented
        launch = f"[(n + {self.block - 1}) // {self.block}, {self.block}]"
        if form == "square":
            self.reads, self.own = ["a[q, p]", "a[q, (p + 1) % a.shape[1]]", "a[a.shape[0] - 1 - q, p]"], ["b[q, p]"]
            before = ["p, q = cuda.grid(2)", "if p >= a.shape[1] or q >= a.shape[0]:", "    return", "i = q * a.shape[1] + p", "v = a[q, p]"]
            inside, launch = list, "[((m + 3) // 4, (n + 2) // 3), (4, 3)]"
        elif form == "early":
            before, inside = [*before, "if i >= n:", "    return", "v = x[i]"], list
        elif form == "strided":
            before = [before[0], "for i in range(cuda.grid(1), n, cuda.gridsize(1)):", "    v = x[i]"]
            launch = f"[{rng.choice((1, 2, 3))}, {self.block}]"
        else:
            self.reads, before = ["s", "v"], [*before, "t = cuda.threadIdx.x", "v = x[i] if i < n else s"]
            before += [line for _ in range(rng.choice((1, 2, 3))) for line in self.together()] + ["if i < n:"]
            self.reads = ["x[i]", "x[(i + 1) % n]", "z[i]"]
        body = [line for _ in range(rng.choice((1, 2, 3, 4))) for line in self.alone()]
        body += [f"{rng.choice(self.own)} = v"]
        lines = [line.replace("TYPE", NUMPY[self.short]) for line in sorted(self.arrays)] + before + inside(body)
        params = ("a", "b", "bins", "s") if form == "square" else ("x", "y", "z", "bins", "s")
        short = NUMBA[self.short]
        types = {"a": f"{short}[:, :]", "b": f"{short}[:, :]", "bins": "i8[:]", "s": short}
        signature = f'("void({", ".join(types.get(p, short + "[:]") for p in params)})")' if rng.random() < 0.4 else ""
        text = f"@cuda.jit{signature}\ndef {name}({', '.join(params)}):\n" + "".join(f"    {line}\n" for line in lines)
        first = self.one_of("x", "x", "x", "x + 1", "cuda.to_device(x)") if params[0] == "x" else "a"
        return text, f"{name}{launch}({', '.join((first, *params[1:]))})"

    def text(self):
        self.count = 0
        kernels, launches = zip(*(self.kernel() for _ in range(self.rng.choice((1, 1, 2)))))
        body = ["n, m = a.shape", *launches]
        if self.rng.random() < 0.3:
            body[1:] = [f"for step in range({self.one_of('2', 'n % 3')}):", *indented(body[1:])]
        if self.rng.random() < 0.3:
            body.append(self.one_of("return y.sum()", "return y + z", "return y, b * 2"))
        short, dtype = self.short, f"np.{NUMPY[self.short]}"
        drawn = [f"(rng.integers(-16, 17, {shape}){' / 4' if short[0] == 'f' else ''}).astype({dtype})" for shape in ("N", "N", "N", "(N, M)", "(N, M)")]
        params = f"x: {short}[N], y: {short}[N], z: {short}[N], a: {short}[N, M], b: {short}[N, M], bins: i64[4], s: {short}"
        head = f"def {self.name}({params}):\n" + "".join(f"    {line}\n" for line in body)
        cases = ", ".join(str((self.rng.choice(sizes), self.rng.choice((1, 2, 5)))) for sizes in ((0, 1), (2, 3, 7, 8), (17, 33, 64, 65)))
        inputs = f"def inputs_{self.name}(size, rng):\n    N, M = ({cases})[size]\n    return {', '.join(drawn)}, rng.integers(-9, 9, 4), {dtype}(3)\n"
        return "\n\n".join([*self.helpers, *kernels, head, inputs])


def indented(lines):
    return ["    " + line for line in lines]
