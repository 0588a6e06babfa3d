"""One more kind of pattern (patterns.py): columns of a matrix, each gone down by one iteration, which updates it on the
way, and sums of columns of a matrix that has just been made."""

from __future__ import annotations

ROWS, COLUMNS = (1, 2, 3, 4, 5, 7, 8, 9, 31, 64, 65), (0, 1, 2, 33, 129)


class ColumnPatterns:
    def columns(self):
        rng = self.rng
        self.style.exact, self.style.families = False, ("float",)
        short = rng.choice(("f64", "f64", "f32"))
        self.sizes, self.pools = ["N", "M"], {"N": ROWS, "M": COLUMNS}
        arrays = [self.given("a", "N M", short, True, values=self.special(0.1)), self.given("b", "M N", short, True)]
        arrays += [self.given("x", "N", short), self.given("y", "M", short, True)]

        def emit():
            self.emit_block(rng.choice((self.walk, self.walk, self.made_and_summed))())
            for array in arrays:
                self.wrote(array)

        return emit

    def walk(self):
        """Down a column, from one row to another; now and then what is read is not the iteration's own."""
        rng = self.rng
        low, high = rng.choice((0, 0, 1, 2)), rng.choice(("N", "N", "N - 1"))
        other = "a[k - 1, j]" if low else "a[0, j]"
        read = rng.choice(("a[k, j]",) * 8 + (other,))
        body = rng.choice(([], [f"last = 0.5 * last + {read}"], [f"last = max(last, {read})"]))
        body = body + [f"a[k, j] {rng.choice(('=', '+=', '-='))} 0.25 * {rng.choice((read, 'last', 'x[k]'))} + x[k] * {read}"]
        if rng.random() < 0.4:
            body.append(f"b[j, k] = 0.5 * {rng.choice(('a[k, j]', 'b[j, k]'))} - b[j, k]")
        if rng.random() < 0.4:
            body.append("last = last * 0.25 + a[k, j] * x[k]")
        lines = ["for j in range(M):", f"    last = {rng.choice(('0.0', 'y[j]'))}"]
        lines += [f"    for k in range({low}, {high}):"] + ["        " + line for line in body] + ["    y[j] = last"]
        return rng.choice(([], ["#pragma parallel for"])) + lines

    def made_and_summed(self):
        rng = self.rng
        made = rng.choice(("a += np.outer(x, y)", "a[:] = 0.5 * a + x[:, None]", "a *= 0.5", "a -= 0.25 * a * y"))
        total = rng.choice(("x @ a", "np.sum(a, axis=0)", "np.sum(a * a, axis=0) / N", "np.sum(a * x[:, None], axis=0)"))
        return [made, f"y[:] = 0.25 * ({total}) / N" if rng.random() < 0.5 else f"y += ({total}) / N"]
