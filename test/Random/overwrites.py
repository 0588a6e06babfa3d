"""One more kind of pattern (patterns.py): a matrix is set, then stored piece by piece, all of it or nearly all, with reads
between the pieces."""

from __future__ import annotations

ROWS, COLUMNS = (0, 1, 2, 3, 8, 17, 33), (1, 2, 3, 16, 31)


class OverwritePatterns:
    def overwrites(self):
        rng = self.rng
        self.style.exact, self.style.families = False, ("float",)
        short = rng.choice(("f64", "f64", "f32"))
        self.sizes, self.pools = ["N", "M"], {"N": ROWS, "M": COLUMNS}
        arrays = [self.given("a", "N M", short, True), self.given("b", "N", short, True)]
        self.given("x", "N M", short)
        self.given("u", "N M", short)

        def emit():
            name = rng.choice(("a", "a", "c"))
            value = rng.choice(("0.0", "0.0", "0.5"))
            set_all = {"a": "a[:] = {0}", "c": rng.choice(("c = np.full_like(x, {0})", "c = np.zeros_like(x)"))}[name]
            ways = (self.by_parts, self.by_parts, self.by_strides, self.by_triangles, self.by_product, self.by_iterations)
            pieces = rng.choice(ways)(name)
            rng.shuffle(pieces)
            if rng.random() < 0.3 and len(pieces) > 1:
                pieces.pop()
            lines = [set_all.format(value)]
            for piece in pieces:
                lines += self.read_of(name) if rng.random() < 0.2 else []
                lines += piece
            lines += self.read_of(name) + (["a[:] = c"] if name == "c" else [])
            if rng.random() < 0.4:  # a loop around all, or around what follows the first store
                outside = rng.choice((0, 1))
                loop = f"for t in range({rng.choice((0, 1, 3))}):"
                lines = [*lines[:outside], loop, *["    " + line for line in lines[outside:]]]
                lines += ["a[:] = c"] if name == "c" and outside else []
                lines = ["c = np.ones_like(x)", *lines] if name == "c" and not outside else lines
            self.minimum.update(M=1)
            self.emit_block(lines)
            for array in arrays:
                self.wrote(array)

        return emit

    def read_of(self, name):
        what = self.rng.choice(("[:, 0]", "[:, M - 1]", "[::-1, 0]"))
        return [self.rng.choice((f"b += 0.25 * {name}{what}", f"b[:] = {name}{what} - 0.5 * b"))]

    def store_to(self, name, at):
        return [f"{name}[{at}] = {self.rng.choice(('x[{0}]', '0.5 * x[{0}] - u[{0}]', 'u[{0}] + 1.0')).format(at)}"]

    def by_parts(self, name):
        """Rows or columns, up to a border and from it on; now and then the two have a gap or overlap."""
        rng = self.rng
        border = rng.choice(("1", "2", "N // 2", "-1", "M"))
        second = rng.choice((border,) * 6 + ("3",))
        first, second = f":{border}", f"{second}:"
        if rng.random() < 0.5:
            first, second = ":, " + first, ":, " + second
        return [self.store_to(name, first), self.store_to(name, second)]

    def by_strides(self, name):
        step = self.rng.choice((2, 2, 3))
        before = self.rng.choice(("", ":, "))
        return [self.store_to(name, f"{before}{first}::{step}") for first in range(step)]

    def by_triangles(self, name):
        rng = self.rng
        parts = rng.choice(((":i", "i:"), (":i + 1", "i + 1:"), (":i", "i + 1:"), (":i", "i:i + 1", "i + 1:")))
        loops = [["for i in range(N):", *["    " + line for line in self.store_to(name, f"i, {part}")]] for part in parts]
        if rng.random() < 0.5:
            return loops
        return [[loops[0][0], *[line for loop in loops for line in loop[1:]]]]

    def by_product(self, name):
        """Added to what has been set: the whole, or what lies on one side of the diagonal."""
        rng = self.rng
        ends = rng.choice((("N", "M"), ("N", "min(i + 1, M)"), ("N - 1", "M")))
        term = rng.choice(("x[i, k] * u[k, j]", "u[i, k] * x[k, j]")) if rng.random() < 0.5 else "0.125 * x[i, k] * u[k, j]"
        nest = [f"for i in range({ends[0]}):", f"    for j in range({ends[1]}):", "        for k in range(min(N, M)):"]
        return [[*nest, f"            {name}[i, j] += {term}"]]

    def by_iterations(self, name):
        """Rows one by one, each read when it has been stored; now and then one that another iteration stores, or none."""
        rng = self.rng
        low = rng.choice(("0", "0", "0", "1"))
        row = rng.choice(("i",) * 4 + ("i - 1", "N - 1"))
        lines = [*self.store_to(name, "i"), f"b[i] {rng.choice(('=', '+='))} 0.25 * {name}[{row}, {rng.choice(('0', 'M - 1'))}]"]
        if rng.random() < 0.2:
            lines.reverse()
        return [[f"for i in range({low}, N):", *["    " + line for line in lines]]]
