"""One more kind of pattern (patterns.py): steps in which a slice of a matrix is changed, or makes another one, and then all
slices behind it change by what it has become; now and then also others."""

from __future__ import annotations

SLICES, LENGTHS = (0, 1, 2, 3, 7, 13, 16, 17, 20), (1, 2, 3, 31, 130, 300)


class OwnerPatterns:
    def owners(self):
        rng = self.rng
        self.style.exact, self.style.families = False, ("float",)
        short = rng.choice(("f64", "f64", "f32"))
        self.sizes, self.pools = ["N", "M"], {"N": SLICES, "M": LENGTHS}
        rows = rng.random() < 0.4  # slices are rows, not columns
        shape = "N M" if rows else "M N"
        arrays = [self.given("a", shape, short, True, 16), self.given("q", shape, short, True), self.given("s", "N", short, True)]
        if rng.random() < 0.5:
            arrays.append(self.given("r", "N N", short, True))

        def of(name, number, part=":"):
            return f"{name}[{number}, {part}]" if rows else f"{name}[{part}, {number}]"

        def emit():
            low, high = rng.choice((("", "N"),) * 5 + (("1, ", "N"), ("", "N - 1"), ("2, ", "N - 1")))
            owner, made = self.of_the_owner(of)
            first = rng.choice(("k + 1",) * 8 + ("k + 2", "k", "0"))
            work = self.of_the_others(of, made, "r" in self.arrays)
            guard = ["if j != k:"] if first in ("0", "k") and rng.random() < 0.7 else []
            inside = ["    " * (2 + len(guard)) + line for line in work]
            lines = [f"for k in range({low}{high}):", *["    " + line for line in owner],
                     f"    for j in range({first}, N{rng.choice(('',) * 6 + (' - 1',))}):", *["        " + g for g in guard], *inside]
            if rng.random() < 0.15:
                lines = ["for t in range(2):", *["    " + line for line in lines]]
            if rng.random() < 0.3 and "q" in made and low == "":
                lines = [f"c = {rng.choice(('np.zeros_like', 'np.ones_like'))}(a)", *[line.replace("q[", "c[") for line in lines], "q[:] = c"]
            self.minimum.update(M=1)
            self.emit_block(lines)
            for array in arrays:
                self.wrote(array)

        return emit

    def of_the_owner(self, of):
        """What a step begins with, and the slices that others may read of it."""
        rng = self.rng
        own, part = of("a", "k"), rng.choice((":",) * 4 + ("k:", ":k", "1:"))
        lines = rng.choice(([], [f"s[k] = {own} @ {own}"], [f"norm = 1.0 + {own} @ {own}"], [f"s[k] = 0.5 * s[k] + {of('a', 'k', '0')}"]))
        by = "norm" if any("norm" in line for line in lines) else rng.choice(("2.0", "4.0"))
        ways = ([f"{own} /= {by}"], [f"{of('q', 'k', part)} = {of('a', 'k', part)} / {by}"], [f"{of('q', 'k', part)} = {of('a', 'k', part)} / {by}", f"{own} *= 0.5"])
        lines = lines + rng.choice(ways)
        beside = rng.random()
        if beside < 0.05:
            lines.append(f"{of('q', 'k')} += {of('a', 'N - 1')}")
        return lines, [name for name in "aq" if any(line.startswith(name + "[") for line in lines)]

    def of_the_others(self, of, made, has_record):
        rng = self.rng
        name = rng.choice(made)
        step, part = of(name, "k"), rng.choice((":",) * 4 + ("k:", ":k", "::-1"))
        if rng.random() < 0.05:
            step = of(name, rng.choice(("k - 1", "j - 1", "0")))
        own = of("a", "j")
        ways = ([f"{of('a', 'j', part)} -= 0.25 * {of(name, 'k', part)}"],
                [f"along = 0.125 * ({step} @ {own})", f"{own} -= along / (1.0 + M) * {step}"],
                [f"{own} = 0.5 * {own} + 0.25 * {step}[::-1]"],
                [f"{own} += 0.125 * s[k] / (1.0 + abs(s[k])) * {step}"],
                ["for i in range(M):", f"    {of('a', 'j', 'i')} = 0.5 * {of('a', 'j', 'i')} - 0.25 * {of(name, 'k', 'i')}"])
        lines = rng.choice(ways)
        if has_record and rng.random() < 0.7:
            value = "along" if any("along" in line for line in lines) else of("a", "j", "0")
            lines = lines + [f"r[k, j] = {value}"]
        if rng.random() < 0.1:
            lines = lines + [f"s[j] += 0.25 * {of('a', 'j', '0')}"]
        return lines
