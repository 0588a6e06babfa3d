"""Several schedules in one library: what `opts=` of the wrapper chooses."""
import sys

import numpy as np
import pytest

import harness

TEXT = '''
import parpy

TRANSLATE_OPTIONS = ("--par=total.N=threads(1024).reduce(), total@small.N=threads(32).tpb(32).reduce()", "--par=total@order.N=threads(1), other@wide.N=threads(64)")


@parpy.jit
def total(x: "f64[N]", out: "f64[1]", N: "i64"):
    """The sum."""
    out[0] = 0.0
    parpy.label('N')
    for i in range(N):
        out[0] += x[i]


@parpy.jit
def other(x: "f64[N]", N: "i64"):
    parpy.label('N')
    for i in range(N):
        x[i] *= 2.0
'''


@pytest.mark.parametrize("target", [t for t in harness.targets()], ids=lambda t: t.name)
def test_schedules(target, tmp_path):
    path = tmp_path / "schedules.py"
    path.write_text(TEXT)
    folder, error = harness.build(path, target)
    assert not error, error

    def work():
        import parpy
        module = harness.load_wrapper(folder, path)
        x = np.arange(1000.0)
        small = parpy.par({"N": parpy.threads(32).tpb(32).reduce()})
        for opts in (None, "small", "order", small, parpy.par({"N": parpy.threads(1024).reduce()})):
            out = np.zeros(1)
            module.total(x, out, 1000, opts=opts)
            yield out[0]
        for opts in (None, "wide", {}):
            module.other(x, 1000, opts=opts)
        yield x[999]
        for wrong in ("large", parpy.par({"N": parpy.threads(64)}), {}):
            yield harness.call(lambda wrong=wrong: module.total(x, np.zeros(1), 1000, opts=wrong), ())
        yield module.total.__doc__

    with open(tmp_path / "log", "w+") as log:
        items, status = harness.in_child(work, log)
        log.seek(0)
        assert status == 0, log.read()
    assert items[:5] == [499500.0] * 5
    assert items[5] == 999 * 8.0
    assert all(i.raised == "ValueError" and "small" in i.message and "order" in i.message for i in items[6:9])
    assert items[9].startswith("The sum")


if __name__ == "__main__":
    sys.exit(pytest.main([__file__]))
