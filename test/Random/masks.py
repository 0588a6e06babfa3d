"""Random loops over bins, each of which folds the elements that lie between its two edges."""

from __future__ import annotations

import numpy as np

from expressions import Dim


class MaskStatements:
    def masked_bins(self):
        rng = self.rng
        points = [
            a
            for a in self.arrays.values()
            if len(a.shape) == 1 and a.family in ("int", "float") and a.exact and self.is_plain(a) and a.shape[0] != 1
        ]
        points = [a for a in points if a.dtype != np.uint64]
        if self.loops or not points:
            return
        x = rng.choice(points)
        w = rng.choice([a for a in points if a.shape == x.shape])
        b, i = self.fresh("b"), self.fresh("i")
        bins, low, high = self.edges(x, b)
        if bins is None:
            return
        updates = [update for update in (self.count_update, self.sum_update, self.largest_update) if rng.random() < 0.7]
        folds = [fold for update in updates if (fold := update(w, b, i))]
        if not folds:
            return
        below = rng.choice(("<=", "<", "<"))
        above = rng.choice(("<=", "<=", "<"))
        length = f"{x.name}.shape[0]"
        for name, dtype, _, _ in folds:
            self.emit(f"{name} = np.zeros({bins[1]}, dtype=np.{np.dtype(dtype).name})")
        lines = [f"for {b} in range({bins[0]}):"]
        if rng.random() < 0.4:
            names = self.fresh("low"), self.fresh("high")
            lines += [f"    {names[0]} = {low}", f"    {names[1]} = {high}"]
            low, high = names
        at = f"{x.name}[{i}]"
        masks = (
            f"{low} {above} {at} {below} {high}",
            f"{low} {above} {at} and {at} {below} {high}",
            f"{high} {'>' if below == '<' else '>='} {at} and {low} {above} {at}",
        )
        extra = f" and {w.name}[{i}] > 0" if rng.random() < 0.2 else ""
        lines.append(f"    for {i} in range({rng.choice(('', '', '1, '))}{length}):")
        if rng.random() < 0.6:
            lines.append(f"        if {rng.choice(masks)}{extra}:")
            lines += [f"            {statement}" for _, _, statement, _ in folds]
        elif rng.random() < 0.5:
            lines += [f"        if {low} {above} {at}:", f"            if {at} {below} {high}{extra}:"]
            lines += [f"                {statement}" for _, _, statement, _ in folds]
        else:
            lines.append(f"        inside = {rng.choice(masks)}{extra}")
            lines += [f"        {chosen}" for _, _, _, chosen in folds]
        if rng.random() < 0.4:
            self.emit("#pragma parallel for")
        for line in lines:
            self.emit(line)
        for name, dtype, _, _ in folds:
            self.add_local(name, np.dtype(dtype), (bins[2],), name.startswith("n") or w.exact and dtype == w.dtype)

    def edges(self, x, b):
        """(iterations, length of the results and as Dim), lower and upper edge."""
        rng = self.rng
        form = rng.random()
        others = [
            a
            for a in self.arrays.values()
            if a.dtype == x.dtype and len(a.shape) == 1 and a.exact and self.is_plain(a)
            if isinstance(a.shape[0], Dim) and a.shape[0].size in self.sizes
        ]
        if form < 0.3 and others:
            e = rng.choice(others)
            return (f"{e.name}.shape[0] - 1", f"{e.name}.shape[0]", e.shape[0]), f"{e.name}[{b}]", f"{e.name}[{b} + 1]"
        size = rng.choice(("1", "4", "9", *self.sizes))
        first, width, wide = rng.choice((-3, 0, 1)), rng.choice((1, 1, 2)), rng.choice((1, 1, 1, 2, 0))
        if x.family == "float" and rng.random() < 0.6:
            first, width = first + 0.25, width / 2
        if rng.random() < 0.15:
            width = -width
        low, high = f"{first} + {width} * {b}", f"{first} + {width} * ({b} + {wide})"
        return (size, size, Dim(size)), low, high

    def count_update(self, w, b, i):
        name = self.fresh("n")
        return name, np.int64, f"{name}[{b}] += 1", f"{name}[{b}] += 1 if inside else 0"

    def sum_update(self, w, b, i):
        if w.family == "float" and self.style.exact:
            return None
        name = self.fresh("s")
        dtype = np.int64 if w.family == "int" else w.dtype
        value = f"{w.name}[{i}]"
        zero = f"np.{w.dtype.name}(0)"
        return name, dtype, f"{name}[{b}] += {value}", f"{name}[{b}] += {value} if inside else {zero}"

    def largest_update(self, w, b, i):
        name = self.fresh("m")
        place, value = f"{name}[{b}]", f"{w.name}[{i}]"
        return name, w.dtype, f"{place} = max({place}, {value})", f"{place} = max({place}, {value} if inside else {place})"
