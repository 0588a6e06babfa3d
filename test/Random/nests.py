"""Two more kinds of patterns (patterns.py): steps of stencils, and triangular matrix products."""

from __future__ import annotations

LINE, PLANE = (255, 256, 257, 300, 385, 520, 641, 700, 1000), (17, 31, 33, 48, 49, 63, 65, 97, 113, 131)
LINE_STEPS, PLANE_STEPS = (0, 1, 2, 3, 31, 63, 64, 65, 66, 97, 128, 129, 130), (0, 1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17)
MATRIX, SHORT_MATRIX = (16, 31, 33, 63, 64, 65, 97), (15, 16, 17, 23, 31)


class NestPatterns:
    # --- steps of stencils over arrays of one shape

    def stencils(self):
        rng = self.rng
        self.rank = rng.choice((1, 1, 2))
        self.sizes = ["N", "M"][: self.rank]
        self.pools = dict.fromkeys(self.sizes, LINE if self.rank == 1 else PLANE)
        whole = rng.random() < 0.25
        self.style.exact, self.style.families = True, ("int", "bool") if whole else ("float", "bool")
        short = rng.choice(("i32", "i64")) if whole else rng.choice(("f64", "f64", "f32"))
        special = None if whole else self.special(0.1)
        fields = [
            self.given(name, " ".join(self.sizes), short, True, values=special)
            for name in "abc"[: rng.choice((2, 2, 2, 3))]
        ]
        steps = LINE_STEPS if self.rank == 1 else PLANE_STEPS
        self.parameters.append(("T", "i64", f"({', '.join(str(rng.choice(steps)) for _ in range(3))})[size]"))
        driven = rng.random() < (0.2 if self.rank == 2 else 0.05)
        if driven:
            self.given("f", "S", short)
            self.sizes.append("S")
            self.pools["S"] = steps

        def emit():
            swaps = rng.random() < 0.15 and not any(a.view_of for a in self.arrays.values())
            header = rng.choice(
                ("for t in range(T):",) * 4
                + ("for t in range(1, T):", "for t in range(T, 0, -1):", "for t in range(0, 2 * T, 2):")
            )
            lines = ["for t in range(S):"] if driven else [header]
            if driven or rng.random() < (0.1 if self.rank == 2 else 0.03):
                lines.append(f"    {self.edge(fields[0], driven)}")
            for line in self.sweeps(fields, swaps, whole):
                lines.append("    " + line)
            if swaps:
                names = [f.name for f in fields]
                lines.append(f"    {', '.join(names)} = {', '.join(names[1:] + names[:1])}")
            self.emit_block(lines)
            for field in fields:
                self.wrote(field)

        return emit

    def edge(self, field, driven):
        for size in self.sizes[: self.rank]:
            self.minimum[size] = max(self.minimum[size], 1)
        value = "f[t]" if driven else "t % 5" if field.family == "int" else "0.25 * t"
        return f"{field.name}[{self.rng.choice(('0', '-1', '0'))}{', :' if self.rank == 2 else ''}] = {value}"

    def sweeps(self, fields, swaps, whole):
        """One to four statements a step; mostly the next reads what the one before wrote."""
        rng = self.rng
        lines = []
        if swaps:
            return self.sweep(fields[-1], fields[:-1], whole)
        for k in range(rng.choice((1, 2, 2, 2, 3, 4))):
            target = fields[(k + 1) % len(fields)]
            others = [f for f in fields if f is not target]
            lines += self.sweep(target, others, whole)
        return lines

    def sweep(self, target, sources, whole):
        rng = self.rng
        margins = [rng.choice(((1, 1), (1, 1), (1, 1), (0, 0), (1, 0), (0, 1), (2, 1), (2, 3))) for _ in range(self.rank)]
        if rng.random() < 0.04:
            sources = [*sources, target]  # reads what it writes, elsewhere
        terms = []
        for _ in range(rng.choice((1, 2, 3, 3, 5))):
            offsets = [rng.randint(-low, high) for low, high in margins]
            if self.rank == 2 and rng.random() < 0.5:
                offsets[rng.randrange(2)] = 0
            terms.append((rng.choice(sources).name, offsets))
        own = (target.name, [0] * self.rank)
        if rng.random() < 0.6:
            by_slices = lambda access: self.shifted(*access, margins)  # noqa: E731
            value = self.stencil(map(by_slices, terms), by_slices(own), whole)
            place = by_slices(own)
            return [f"{place if '[' in place else place + '[:]'} {value}"]
        return self.sweep_in_loops(terms, own, margins, whole)

    def shifted(self, name, offsets, margins):
        parts = []
        for offset, (low, high) in zip(offsets, margins):
            start, stop = low + offset, high - offset
            parts.append(f"{start or ''}:{-stop if stop else ''}")
        return name if all(p == ":" for p in parts) else f"{name}[{', '.join(parts)}]"

    def stencil(self, terms, own, whole):
        """`= e` or `op= e` of the terms; without growth over many steps."""
        rng = self.rng
        terms = list(terms)
        text = terms[0]
        for term in terms[1:]:
            text += f" {rng.choice('++-')} {term}"
        if whole:
            return rng.choice((f"= {text}", f"= ({text}) // 2", f"+= {text}", f"^= {text}", f"= {own} - ({text})"))
        if rng.random() < 0.15 and len(terms) > 1:
            return f"= np.{rng.choice(('maximum', 'minimum'))}({terms[0]}, {terms[1]})"
        part = rng.choice(("0.5", "0.25", "0.125")) if len(terms) > 1 else "0.5"
        return rng.choice((f"= {part} * ({text})", f"= {part} * ({text})", f"= 0.5 * {own} + 0.125 * ({text})", f"-= 0.125 * ({text})"))

    def sweep_in_loops(self, terms, own, margins, whole):
        rng = self.rng
        def element(access):
            name, offsets = access
            parts = [i + (f" + {o}" if o > 0 else f" - {-o}" if o else "") for i, o in zip("ij", offsets)]
            return f"{name}[{', '.join(parts)}]"

        lines, indent = [], ""
        free = all(name != own[0] or not any(offsets) for name, offsets in terms)
        marked = free and rng.random() < 0.4
        for index, size, (low, high) in zip("ij", self.sizes, margins):
            if marked:
                lines.append(f"{indent}#pragma parallel for")
            lines.append(f"{indent}for {index} in range({low}, {size}{f' - {high}' if high else ''}):")
            indent += "    "
        value = self.stencil(map(element, terms), element(own), whole)
        if value.startswith("= ") and rng.random() < 0.3:
            bound = "0.25" if not whole else "3"
            return [*lines, f"{indent}v {value}", f"{indent}if v > {bound}:", f"{indent}    {element(own)} = v", f"{indent}else:", f"{indent}    {element(own)} = {element(terms[0])}"]
        return [*lines, f"{indent}{element(own)} {value}"]

    # --- triangular and whole matrix products

    def triangle(self):
        rng = self.rng
        whole = rng.random() < 0.25
        self.style.exact, self.style.families = whole, ("int", "bool") if whole else ("float",)
        short = rng.choice(("i32", "i64", "u8")) if whole else rng.choice(("f64", "f64", "f64", "f32"))
        form = rng.choice(("syrk", "syr2k", "trmm", "symm", "nest", "nest", "nest", "whole", "whole", "symmetric"))
        self.sizes = ["N", "M"]
        pool = SHORT_MATRIX if form in ("nest", "symm", "trmm") else MATRIX
        self.pools = {"N": pool, "M": pool}
        special = None if whole else self.special(0.2)
        shapes = {
            "syrk": ("N N", "N M", ""),
            "syr2k": ("N N", "N M", "N M"),
            "trmm": ("", "N N", "N M"),
            "symm": ("N M", "N N", "N M"),
            "nest": ("N N", "N N", "N N"),
            "whole": ("N N", "N M", "M N"),
            "symmetric": ("N N", "M N", ""),
        }[form]
        self.scales(short, whole)
        for name, dims in zip("CAB", shapes):
            if dims:
                self.given(name, dims, short, name == "C" or form == "trmm" and name == "B", 8, special if name != "C" else None)
        if not any("M" in s for s in shapes):
            self.sizes.remove("M")

        def emit():
            self.emit_block(getattr(self, f"product_{form}")(whole))
            self.wrote(self.arrays["B" if form == "trmm" else "C"])

        return emit

    def scales(self, short, whole):
        """Factors of the product and of the target: parameters, numbers, or none."""
        rng = self.rng
        self.alpha, self.beta = "", ""
        values = ("0", "1", "2", "3") if whole else ("0.0", "1.0", "0.5", "-1.5", "np.nan", "2.0")
        kind = ("int" if whole else "float") if short != "f64" or rng.random() < 0.5 else "f64"
        for name in ("alpha", "beta"):
            what = rng.random()
            if what < 0.6:
                value = rng.choice(values)
                value = f"np.float64({value})" if kind == "f64" else f"float({value})" if not whole else value
                self.parameters.append((name, kind, value))
                setattr(self, name, f"{name} * ")
            elif what < 0.75:
                setattr(self, name, "2 * " if whole else "0.5 * ")

    def scaled_target(self, place):
        """`C *= beta` in front, or none."""
        return [f"{place} *= {self.beta[:-3]}"] if self.beta else []

    def product_syrk(self, whole):
        rng = self.rng
        lower = rng.random() < 0.6
        part = ":i + 1" if lower else "i:"
        if rng.random() < 0.2:
            part = ":i" if lower else "i + 1:"
        lines = ["for i in range(N):", *("    " + l for l in self.scaled_target(f"C[i, {part}]"))]
        if rng.random() < 0.25:
            return [*lines, f"    C[i, {part}] += {self.alpha}(A[{part}, :] @ A[i, :])"]
        return [*lines, "    for k in range(M):", f"        C[i, {part}] {rng.choice(('+=', '+=', '-='))} {self.alpha}A[i, k] * A[{part}, k]"]

    def product_syr2k(self, whole):
        lines = ["for i in range(N):", *("    " + l for l in self.scaled_target("C[i, :i + 1]"))]
        return [
            *lines,
            "    for k in range(M):",
            f"        C[i, :i + 1] += A[:i + 1, k] * {self.alpha}B[i, k] + B[:i + 1, k] * {self.alpha}A[i, k]",
        ]

    def product_trmm(self, whole):
        rng = self.rng
        part, row = rng.choice((("i + 1:", "A[i + 1:, i]"), ("i + 1:", "A[i, i + 1:]"), (":i", "A[i, :i]")))
        lines = ["for i in range(N):", "    for j in range(M):", f"        B[i, j] += np.dot({row}, B[{part}, j])"]
        if rng.random() < 0.3:
            return [*lines, *("        " + l for l in ([f"B[i, j] *= {self.alpha[:-3]}"] if self.alpha else []))]
        return lines + ([f"B *= {self.alpha[:-3]}"] if self.alpha else [])

    def product_symm(self, whole):
        lines = [*self.scaled_target("C"), f"temp = np.empty(M, dtype=np.{self.arrays['C'].dtype.name})", "for i in range(N):", "    for j in range(M):"]
        return [
            *lines,
            f"        C[:i, j] += {self.alpha}B[i, j] * A[i, :i]",
            "        temp[j] = B[:i, j] @ A[i, :i]",
            f"    C[i, :] += {self.alpha}B[i, :] * A[i, i] + {self.alpha}temp",
        ]

    def product_nest(self, whole):
        """Three loops, each of which may end or start at an outer one."""
        rng = self.rng
        order = list(rng.choice(("ijk", "ijk", "ikj", "jik", "kij", "kji")))
        lines, indent = self.scaled_target("C"), ""
        for at, index in enumerate(order):
            around = rng.choice(order[:at]) if at and rng.random() < 0.6 else None
            span = rng.choice((f"{around}", f"{around} + 1", f"{around}, N", f"{around} + 1, N")) if around else rng.choice(("N", "N", "N", "1, N", "N - 1"))
            lines.append(f"{indent}for {index} in range({span}):")
            indent += "    "
        left, right = rng.choice(("A[i, k]", "A[i, k]", "A[k, i]")), rng.choice(("B[k, j]", "B[k, j]", "B[j, k]", "A[k, j]", "A[j, k]"))
        term = f"{self.alpha}{left} * {right}" if rng.random() < 0.7 else f"{right} * {left}"
        if rng.random() < 0.15:
            term += f" + B[j, k] * {self.alpha}A[i, k]"
        if order[-1] == "k" and rng.random() < 0.4:
            zero, dtype = "0" if whole else "0.0", self.arrays["C"].dtype.name
            head, last = lines[:-1], lines[-1]
            indent = indent[4:]
            total = f"np.{dtype}({zero})" if whole or dtype == "float32" else zero
            return [*head, f"{indent}s = {total}", last, f"{indent}    s += {term}", f"{indent}C[i, j] {rng.choice(('+=', '=', '-='))} s"]
        return [*lines, f"{indent}C[i, j] {rng.choice(('+=', '+=', '-='))} {term}"]

    def product_whole(self, whole):
        rng = self.rng
        product = rng.choice((f"{self.alpha}A @ B", f"{self.alpha}(A @ B)", "A @ B", f"{self.alpha}np.dot(A, B)", f"{self.alpha}(B.T @ A.T).T", f"{self.alpha}A @ A.T"))
        form = rng.choice((f"C[:] = {product} + {self.beta}C", f"C[:] = {product} + {self.beta}C", f"C += {product}", f"C -= {product}", f"C[:] = {self.beta}C - {product}", f"C[:] = {product}", f"C[1:, :-1] = ({product})[1:, :-1] + {self.beta}C[1:, :-1]"))
        return [form]

    def product_symmetric(self, whole):
        """Row and column of the result at once."""
        rng = self.rng
        divisor = "" if whole else " / 4.0"
        pair = ["C[i:, i]", "C[i, i:]"]
        rng.shuffle(pair)
        value = rng.choice((f"A[:, i] @ A[:, i:]{divisor}", f"{self.alpha}(A[:, i] @ A[:, i:])", f"np.dot(A[:, i], A[:, i:]){divisor}"))
        return ["for i in range(N):", f"    {pair[0]} = {pair[1]} = {value}"]
