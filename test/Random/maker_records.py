"""Programs of records: dicts, named tuples, dataclasses."""

from __future__ import annotations

import numpy as np
from maker import Maker, indented
from wild_nodes import kind_of

KINDS = ("dict", "dict", "namedtuple", "NamedTuple", "dataclass", "dataclass", "frozen", "TypedDict")
TYPES = {"int": "int", "float": "float", "array": "f64[:]"}


class Records(Maker):
    """Records of numbers and arrays: made, changed, copied, passed to helpers, carried by loops, chosen by branches, returned."""

    def begin(self):
        rng = self.rng
        self.an_extent()
        self.a_number("x", "float", 0.5, 2.0, -1.5, 3.0)
        self.an_array("a", "f64", "N")
        self.classes = {}  # the name of each, or of a dict's keys: its kind and its fields with their types
        self.records = {}  # the class of each record
        self.by_class = {}  # helpers: name, class, result
        for _ in range(rng.choice((1, 1, 2))):
            self.a_class()
        for name in list(self.classes):
            if rng.random() < 0.6:
                self.a_helper_of(name)
        if rng.random() < 0.3:
            self.a_parameter_of(rng.choice(list(self.classes)))

    # --- classes

    def a_class(self):
        rng = self.rng
        kind = rng.choice(KINDS)
        name = f"{self.name}_hC{len(self.classes)}"
        fields = {field: rng.choice(("int", "float", "float", "array") if k else ("int", "float")) for k, field in enumerate(rng.sample("pqrstu", rng.choice((1, 2, 2, 3))))}
        self.classes[name] = kind, fields
        declared = [f"{field}: {'np.ndarray' if of == 'array' and rng.random() < 0.3 else TYPES[of]}" for field, of in fields.items()]
        last = list(fields.values())[-1]
        self.defaults = kind in ("NamedTuple", "dataclass", "frozen") and last != "array" and rng.random() < 0.4
        if self.defaults:
            declared[-1] += " = 2" if last == "int" else " = 2.5"
        numbers = [f for f, of in fields.items() if of != "array"]
        methods = ""
        if kind in ("NamedTuple", "dataclass", "frozen") and rng.random() < 0.6:
            of, other = rng.choice(numbers), rng.choice(numbers)
            methods = rng.choice((f"def m(self, v):\n    return self.{of} * v + self.{other}", f"@property\ndef m(self):\n    return self.{of} + 1"))
            if kind == "dataclass":
                methods = rng.choice((methods, f"def m(self, v):\n    self.{of} += 1\n    return self.{other} + v"))
        body = "\n".join(declared) + ("\n\n" + methods if methods else "")
        if kind == "namedtuple":
            text = f'{name} = namedtuple("{name}", "{" ".join(fields)}")\n\n\n'
        elif kind in ("NamedTuple", "TypedDict"):
            text = f"class {name}({kind}):\n{indented(body)}\n\n"
        elif kind != "dict":
            text = f"@dataclass{'(frozen=True)' if kind == 'frozen' else ''}\nclass {name}:\n{indented(body)}\n\n"
        if kind != "dict":
            self.helpers.append((text, name, ""))
        self.methods = getattr(self, "methods", {}) | ({name: "m" if "@property" in methods else "m(2)"} if methods else {})

    def a_helper_of(self, name):
        kind, fields = self.classes[name]
        field = self.rng.choice([f for f, of in fields.items() if of != "array"])
        get, first = self.field("d", name, field), list(fields)[0]
        ways = [(f"return {get} * v", None), (f"if v > 1:\n    return {get}\nreturn {get} + v", None), (f"t = {get}\nfor i in range(3):\n    t = t + v\nreturn t", None)]
        if kind in ("dict", "dataclass", "TypedDict"):
            ways += [(f"{get} += v", "none"), (f"{get} = {get} * 2 + v\nreturn {get}", None), (f"if v > 1:\n    {get} = v\n    return 1\n{get} += 1\nreturn 2", None), (f"d2 = d\n{self.field('d2', name, field)} -= v\nreturn d", name)]
        if kind in ("namedtuple", "NamedTuple"):
            ways += [(f"return d._replace({field}={get} + v)", name), (f"{first}, *rest = d\nreturn v + len(rest)", None)]
        if kind in ("dataclass", "frozen"):
            ways += [(f"return replace(d, {field}={get} + v)", name)]
        body, result = self.rng.choice(ways)
        helper = self.helper("d, v", body)
        self.by_class[helper] = name, result

    def a_parameter_of(self, name):
        kind, fields = self.classes[name]
        if kind in ("dict", "namedtuple"):
            return
        texts = []
        for extents in self.extents:
            value = {"int": lambda: repr(self.rng.choice((0, 1, 2, 3))), "float": lambda: repr(self.rng.choice((0.5, -1.0, 2.0))), "array": lambda extents=extents: f"np.arange({extents['M']}) * 0.5"}
            given = ", ".join(f"{field}={value[of]()}" for field, of in fields.items())
            texts.append(f"{name}({given})" if kind != "TypedDict" else f"dict({given})")
        self.parameters.append(("r", name, texts))
        self.records["r"] = name

    def field(self, record, name, field):
        return f"{record}.{field}" if self.classes[name][0] not in ("dict", "TypedDict") else f'{record}["{field}"]'

    # --- what is at hand

    def record(self, *kinds):
        names = [n for n, c in self.records.items() if n in self.env and kind_of(self.env[n]) != "array" and (not kinds or self.classes[c][0] in kinds)]
        return self.rng.choice(names) if names else None

    def value(self, of):
        if of == "array":
            return self.one_of("a", "a * 2", "a + x", "a.copy()", "np.zeros(3)", "a[::-1]")
        record = self.record()
        if record and self.rng.random() < 0.5:
            name = self.records[record]
            fields = [f for f, o in self.classes[name][1].items() if o == of]
            if fields:
                return self.one_of("", "2 * ") + self.field(record, name, self.rng.choice(fields))
        return self.number(of)

    def built(self, name):
        kind, fields = self.classes[name]
        values = {f: self.value(of) for f, of in fields.items()}
        if kind == "dict":
            return "{" + ", ".join(f'"{f}": {v}' for f, v in values.items()) + "}"
        by_name = kind == "TypedDict" or self.rng.random() < 0.4
        return f"{name}({', '.join(f'{f}={v}' if by_name else v for f, v in values.items())})"

    def named(self, name, text, new=False):
        same = [n for n, c in self.records.items() if c == name and n in self.env and n != "r"]
        at = self.bind(object(), *(() if new or not same else same))
        self.records[at] = name
        return f"{at} = {text}"

    # --- statements

    def statement(self):
        return self.made() if not self.body and not self.depth else self.weighted({
            self.made: 5 if not self.record() else 1.5, self.stored: 4, self.read: 3, self.copied: 2, self.called: 2.5 if self.by_class else 0.01,
            self.method: 1.5 if self.methods else 0.01, self.loop: 3, self.branch: 2, self.chosen_record: 1, self.over_keys: 1, self.unpacked: 1, self.closure: 0.5, self.assigned: 1,
        })  # fmt: skip

    def made(self):
        name = self.rng.choice(list(self.classes))
        return self.named(name, self.built(name), new=self.rng.random() < 0.8)

    def stored(self):
        record = self.record("dict", "dataclass", "TypedDict")
        if not record:
            return None
        name = self.records[record]
        field = self.rng.choice(list(self.classes[name][1]))
        of = self.classes[name][1][field]
        place = self.field(record, name, field)
        if of == "array":
            return self.one_of(f"{place} {self.one_of('+', '*')}= {self.value('float')}", f"{place}[:] = {self.value('float')}", f"if len({place}):\n    {place}[0] = {self.value('float')}", f"{place}[:1] *= 2")
        return f"{place} {self.one_of('=', '+=', '*=', '-=')} {self.value(of)}"

    def read(self):
        record = self.record()
        if not record:
            return None
        name = self.records[record]
        kind, fields = self.classes[name]
        field = self.rng.choice(list(fields))
        place = self.field(record, name, field)
        if fields[field] == "array":
            return f"{self.bind(1.0)} = {place}{self.one_of('.sum()', '[:2].sum()', '.max(initial=0.0)')}"
        ways = [place, f"{place} + {self.value(fields[field])}"]
        if kind == "dict":
            ways += [f"len({record})", f'"{field}" in {record}', f'{record}.get("{field}", 1)', f'{record}.get("z", {self.number("int")})']
        if kind in ("namedtuple", "NamedTuple"):
            ways += [f"len({record})", f"{record}[0]" if list(fields.values())[0] != "array" else place]
        return f"{self.bind(1.0 if fields[field] == 'float' else 1)} = {self.rng.choice(ways)}"

    def copied(self):
        record = self.record()
        if not record:
            return None
        name = self.records[record]
        kind, fields = self.classes[name]
        changed = self.rng.choice(list(fields))
        new = self.value(fields[changed])
        ways = {
            "dict": [f"dict({record})", f"{record}.copy()", record, f'{{**{record}, "{changed}": {new}}}', f"dict({record}, {changed}={new})"],
            "TypedDict": [record, f"{record}.copy()", f"dict({record})"],
            "namedtuple": [record, f"{record}._replace({changed}={new})", f"{name}(*{record})"],
            "NamedTuple": [record, f"{record}._replace({changed}={new})"],
        }.get(kind, [record, f"replace({record}, {changed}={new})"])
        return self.named(name, self.rng.choice(ways))

    def called(self):
        found = [(h, r) for h, (c, _) in self.by_class.items() for r, rc in self.records.items() if rc == c and r in self.env]
        if not found:
            return None
        helper, record = self.rng.choice(found)
        name, result = self.by_class[helper]
        call = f"{helper}({record}, {self.number('int')})"
        if result == "none":
            return call
        return self.named(result, call) if result else self.one_of(call, f"{self.bind(1.0)} = {call}")

    def method(self):
        found = [r for r, c in self.records.items() if c in self.methods and r in self.env]
        if not found:
            return None
        record = self.rng.choice(found)
        return f"{self.bind(1.0)} = {record}.{self.methods[self.records[record]]}"

    def chosen_record(self):
        name = self.rng.choice(list(self.classes))
        return self.one_of(self.named(name, f"{self.built(name)} if {self.condition()} else {self.built(name)}", True), self.either(name))

    def either(self, name):
        at = self.bind(object())
        self.records[at] = name
        return f"if {self.condition()}:\n    {at} = {self.built(name)}\nelse:\n    {at} = {self.built(name)}"

    def over_keys(self):
        record = self.record("dict", "TypedDict")
        if not record or any(of == "array" for of in self.classes[self.records[record]][1].values()):
            return None
        total = self.bind(1.0)
        loop = self.one_of(f"for w in {record}.values():\n    {total} += w", f"for w in {record}:\n    {total} += {record}[w]", f'for w, y in {record}.items():\n    if w != "{self.rng.choice("pq")}":\n        {total} += y')
        return f"{total} = 0.0\n{loop}"

    def unpacked(self):
        record = self.record("namedtuple", "NamedTuple")
        if not record:
            return None
        fields = self.classes[self.records[record]][1]
        return ", ".join(self.bind({"int": 1, "float": 1.0, "array": np.zeros(2)}[of]) for of in fields.values()) + f"{',' if len(fields) == 1 else ''} = {record}"

    def closure(self):
        record = self.record("dict", "dataclass", "TypedDict")
        if not record or self.depth:
            return None
        name = self.records[record]
        fields = [f for f, of in self.classes[name][1].items() if of != "array"]
        place, g = self.field(record, name, self.rng.choice(fields)), self.fresh()
        return f"def {g}(y):\n    {place} += y\n    return {place} * 2\n{self.bind(1.0)} = {g}({self.number('int')}) + {g}(1)"

    def results(self):
        texts = super().results()
        for record, name in self.records.items():
            if record in self.env and record not in self.inner:
                kind, fields = self.classes[name]
                texts += [self.field(record, name, field) for field in fields]
                texts += [record] if kind == "dict" else []
        return texts
