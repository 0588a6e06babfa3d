"""The emulation itself: clean kernels give right results in every order, each planted defect is reported."""
import ctypes
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PRODUCT = ROOT / "lib/Emulation"
sys.path.insert(0, str(PRODUCT))
os.environ.setdefault("APPYC_EMULATION_FOLDER", str(ROOT / "build/emulation"))
from rewrite_launches import rewrite  # noqa: E402

pytestmark = pytest.mark.xdist_group("emulation")


def build(name, folder, check):
    library = folder / f"lib{name}{'_check' if check else ''}.so"
    command = [sys.executable, PRODUCT / "build.py", HERE / f"kernels/{name}.cu", "-o", library]
    subprocess.run(command + (["--check"] if check else []), check=True)
    return library


@pytest.fixture(scope="module")
def libraries(tmp_path_factory):
    folder = tmp_path_factory.mktemp("emulation")
    return {(name, check): build(name, folder, check) for name in ("clean", "defects") for check in (False, True)}


def pointer(array):
    return ctypes.c_void_p(array.ctypes.data)


# --- clean kernels, in a process of their own: an error would end it


def clean_checks(library):
    """Calls every entry of clean.cu and compares with NumPy."""
    rng = np.random.default_rng(0)
    a = rng.random(1000)
    sums = np.zeros(8)
    size = ctypes.c_int64
    assert library.block_sum(pointer(a), size(1000), pointer(sums)) == 0
    np.testing.assert_allclose(sums, [a[i:i + 128].sum() for i in range(0, 1000, 128)])
    for _ in range(2):  # the counter of finished blocks is back at zero
        total = np.zeros(1)
        assert library.total_sum(pointer(a), size(1000), pointer(total)) == 0
        np.testing.assert_allclose(total[0], a.sum())

    f, k = np.arange(64, dtype=np.float32), np.arange(64) * 10**12
    assert library.reverse_warps(pointer(f), pointer(k)) == 0
    backwards = np.concatenate((np.arange(31, -1, -1), np.arange(63, 31, -1)))
    np.testing.assert_array_equal(f, backwards)
    np.testing.assert_array_equal(k, backwards * 10**12)

    left, right, result = rng.random((16, 8)), rng.random((8, 8)), np.zeros((16, 8))
    assert library.multiply_tile(pointer(left), pointer(right), pointer(result)) == 0
    np.testing.assert_allclose(result, left @ right + 0.5)

    k = rng.integers(0, 4, 48, dtype=np.int32)
    wide, results = k * np.int64(2**32), np.zeros((4, 48), dtype=np.int32)
    assert library.rank_in_warps(pointer(k), pointer(wide), pointer(results)) == 0
    for first, end in ((0, 32), (32, 48)):
        for lane in range(first, end):
            assert results[0, lane] == results[2, lane] == np.count_nonzero(k[first:lane] == k[lane])
            assert results[1, lane] == results[3, lane] == np.count_nonzero(k[first:end] == k[lane])

    b = rng.random(100)
    expected = b[::-1].copy()
    assert library.reverse_block(pointer(b), size(100)) == 0
    np.testing.assert_array_equal(b, expected)

    labels = rng.integers(0, 4, 1000).astype(np.int32)
    outputs = [np.zeros(4, dtype) for dtype in (np.int32, np.uint64, np.float64, np.float32)]
    outputs.append(np.zeros(1, np.int32))
    assert library.count_all(pointer(labels), size(1000), *map(pointer, outputs)) == 0
    counts = np.bincount(labels, minlength=4)
    for output, factor in zip(outputs, (1, 1, 0.5, 0.25)):
        np.testing.assert_array_equal(output, counts * factor)
    assert outputs[4][0] == 999

    for steps, entry, argument in ((7, library.cooperative_steps, 7), (6, library.graph_steps, 3)):
        u = rng.random(500)
        v = u.copy()
        for _ in range(steps):
            v[1:-1] = 0.5 * (v[:-2] + v[2:])
        assert entry(pointer(u), size(500), argument) == 0
        np.testing.assert_allclose(u, v)

    c = rng.random(64)
    expected = 2.0 * c[::-1]
    assert library.own_grid_barrier(pointer(c)) == 0
    np.testing.assert_array_equal(c, expected)

    for blocks in (1, 2, 4):
        ring = rng.random(32 * 8)
        expected = averaged(ring.reshape(-1, 32 * blocks), 5)
        assert library.cluster_steps(pointer(ring), size(ring.size), 5, blocks) == 0
        np.testing.assert_allclose(ring, expected.ravel())
    assert library.cluster_steps(pointer(ring), size(ring.size), 5, 3) == 912  # cudaErrorInvalidClusterSize

    for blocks in (1, 4, 16):
        ring = rng.random(1000)
        expected = averaged(ring, 3)
        assert library.memory_steps(pointer(ring), size(ring.size), 3, blocks) == 0
        np.testing.assert_array_equal(ring, expected)
    os.environ["APPYC_EMULATION_PTX"] = "75"
    assert library.memory_steps(pointer(ring), size(ring.size), 3, 4) == 912
    del os.environ["APPYC_EMULATION_PTX"]

    for code in ("90", "75"):
        for recorded in (False, True):
            os.environ["APPYC_EMULATION_PTX"] = code
            ring = rng.random(200)
            expected = averaged(ring, 6)
            assert library.overlapping_steps(pointer(ring), size(ring.size), 3, recorded) == 0
            np.testing.assert_array_equal(ring, expected)
    del os.environ["APPYC_EMULATION_PTX"]

    u = rng.random(70)
    v = u.copy()
    for _ in range(2):
        v[1:-1] = 0.5 * (v[:-2] + v[2:])
    assert library.graph_with_memory(pointer(u), size(70)) == 0
    np.testing.assert_allclose(u, v)
    errors = np.zeros(3, np.int32)
    library.refused_captures(pointer(errors))
    assert errors.tolist() == [900, 900, 901]  # cudaErrorStreamCaptureUnsupported, …Invalidated

    bytes_ = np.zeros(90, np.uint8)
    assert library.fill_bytes(pointer(bytes_), size(90)) == 0
    np.testing.assert_array_equal(bytes_, np.arange(90))

    d = rng.random(32)
    expected = np.roll(d, -1)[::-1].copy()
    assert library.rotate_warp(pointer(d)) == 0
    np.testing.assert_array_equal(d, expected)
    rows, sums = np.array([0, 1, 3, 2, 5, 0, 1, 4], np.int32), np.zeros(32, np.int32)
    groups = [sum(16 * g + 6 + 4 * row for row in range(n)) for g, n in enumerate(rows)]
    assert library.sum_in_groups(pointer(rows), pointer(sums)) == 0
    np.testing.assert_array_equal(sums, np.repeat([groups[g] + groups[g ^ 1] for g in range(8)], 4))
    assert library.too_many_threads(pointer(d)) == 9  # cudaErrorInvalidConfiguration
    if hasattr(library, "emulationCheckLeaks"):
        library.emulationCheckLeaks()


def averaged(rings, steps):
    """Each row a ring, whose elements become the mean of their neighbours."""
    for _ in range(steps):
        rings = 0.5 * (np.roll(rings, 1, axis=-1) + np.roll(rings, -1, axis=-1))
    return rings


@pytest.mark.parametrize("order, blocks", [("", "0"), ("reverse", "0"), ("1", "1"), ("2", "2")])
@pytest.mark.parametrize("check", [False, True], ids=["fast", "check"])
def test_clean_kernels(libraries, check, order, blocks):
    environment = {**os.environ, "APPYC_EMULATION_ORDER": order, "APPYC_EMULATION_BLOCKS": blocks}
    program = f"import ctypes, test_emulation as t; t.clean_checks(ctypes.CDLL({str(libraries['clean', check])!r}))"
    done = subprocess.run([sys.executable, "-c", program], cwd=HERE, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


# --- defects

DEFECTS = {
    "missing_barrier": "shared memory that nobody has written",
    "in_place_stencil": "data race: read after write",
    "in_place_stencil_blocks": "data race: read after another block's write",
    "unguarded_sum": "data race: read after write",
    "overlapping_blocks": "data race: write after another block's write",
    "blocks_share_a_sum": "data race: read after another block's write",
    "ticket_without_fence": "data race: read after another block's write",
    "skipped_barrier": "barrier divergence",
    "two_barriers": "barrier divergence",
    "exit_before_barrier": "barrier divergence",
    "past_the_end": "out of bounds: write of 8 bytes",
    "past_shared": "of dynamic shared memory",
    "host_pointer": "which is not device memory",
    "host_reads_device": "the host reads device memory",
    "shuffle_after_exit": "a lane exits while its warp waits for it",
    "warp_synchronous": "shared memory that nobody has written",
    "shuffle_is_no_barrier": "data race: read after write",
    "uninitialised": "shared memory that nobody has written",
    "half_written": "global memory that nobody has written",
    "copy_of_nothing": "a copy of 8 bytes reads memory that nobody has written",
    "just_past_the_end": "out of bounds: write of 4 bytes, 0 bytes past the end of an allocation of 4",
    "before_the_start": "out of bounds: write of 4 bytes",
    "past_a_static_array": "out of bounds: index 8",
    "workspace_overrun": "out of bounds: read of 8 bytes, 0 bytes past the end of an array of 256",
    "workspace_kept": "global memory that nobody has written",
    "skipped_grid_barrier": "barrier divergence: ",
    "two_grid_barriers": "barrier divergence: grid.sync",
    "missing_grid_barrier": "data race: ",
    "cluster_start": "shared memory of a block that may not have started",
    "cluster_end": "shared memory of a block that may have exited",
    "cluster_race": "data race: ",
    "skipped_cluster_barrier": "barrier divergence: ",
    "waits_without_arriving": "barrier divergence: waits for the cluster without having arrived",
    "arrives_twice": "barrier divergence: arrives twice",
    "memory_of_another_block": "data race: ",
    "only_the_block_waits": "data race: ",
    "clusters_share_an_element": "data race: write after another block's write",
    "reads_before_waiting": "read of device memory before the wait for the previous kernel",
    "ends_without_waiting": "a thread ends without having waited for the previous kernel",
    "sort_past_the_end": "an array given to cub::DeviceRadixSort runs past its allocation",
    "sort_of_host_memory": "an array given to cub::DeviceRadixSort is not in device memory",
    "sort_of_nothing": "a copy of 512 bytes reads memory that nobody has written",
    "copy_past_the_end": "runs past the end of a device allocation",
}


def run_defect(library, name):
    program = f"""
import ctypes, numpy as np
host = np.zeros(200)
status = ctypes.CDLL({str(library)!r}).run(b"{name}", ctypes.c_void_p(host.ctypes.data))
print(status, int(np.isnan(host).sum()))
"""
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)


@pytest.mark.parametrize("defect", DEFECTS)
def test_defect_is_reported(libraries, defect):
    done = run_defect(libraries["defects", True], defect)
    assert done.returncode == 86
    assert DEFECTS[defect] in done.stderr


def test_threads_that_do_not_wait_are_reported_without_checks_too(libraries):
    done = run_defect(libraries["defects", False], "ends_without_waiting")
    assert done.returncode == 86
    assert "[kernel ends_without_waiting, block (0,0,0), thread (7,0,0)" in done.stderr


def test_code_that_cannot_wait_is_not_launched_early(libraries, monkeypatch):
    monkeypatch.setenv("APPYC_EMULATION_PTX", "75")
    done = run_defect(libraries["defects", False], "ends_without_waiting")
    assert done.returncode == 86
    assert "its code is too old to wait" in done.stderr


def test_reports_name_kernel_thread_and_line(libraries):
    text = run_defect(libraries["defects", True], "in_place_stencil").stderr
    line = (HERE / "kernels/defects.cu").read_text().splitlines().index("  if (i > 0) a[i] = a[i - 1] + 1;") + 1
    assert text.count(f"defects.cu:{line}") == 2
    assert "[kernel in_place_stencil, block (0,0,0), thread (" in text


REPLAYS = """
// Transforms `data` by a graph, after more plans than are kept. What has no plan is not captured.
extern "C" int replays_a_plan(Complex<double> *data, int64_t length) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  Complex<double> *a, *other;
  cudaMalloc((void **)&a, length * sizeof(*a));
  cudaMalloc((void **)&other, 64 * sizeof(*other));
  cudaMemset(a, 0, length * sizeof(*a));
  cudaMemset(other, 0, 64 * sizeof(*other));
  cudaStreamCreate(&stream);
  int status = transform_rows(a, int64_t(1), length, -1, stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  if (transform_rows(other, int64_t(1), int64_t(64), 1, stream) != RuntimeError) return -1;
  if (status == Ok) status = transform_rows(a, int64_t(1), length, -1, stream);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&executable, graph, 0);
  for (int64_t n = 2; n < 60 && status == Ok; ++n) status = transform_rows(other, int64_t(1), n, 1, stream);
  cudaMemcpy(a, data, length * sizeof(*a), cudaMemcpyHostToDevice);
  if (status == Ok) cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  cudaMemcpy(data, a, length * sizeof(*a), cudaMemcpyDeviceToHost);
  cudaGraphExecDestroy(executable);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaFree(a);
  cudaFree(other);
  plans().release();
  return status != Ok ? status : cudaGetLastError();
}
"""


def test_support_code_of_a_header(tmp_path):
    """Launches in the header are rewritten, too; two files with one header are one process's."""
    (tmp_path / "k.py").write_text("import numpy as np\n\ndef f(a: f64[N]):\n    return np.sort(a)\n")
    (tmp_path / "m.py").write_text("import numpy as np\n\ndef f(a: f64[N, N], b: f64[N]):\n    return np.cumsum(b), np.linalg.eigvalsh(a)\n")
    for stem in "km":
        subprocess.run([os.environ.get("APPYC", ROOT / "build/release/tools/appyc/appyc"), f"{stem}.py", "--target=emulate",
                        "--support=support.cuh"], cwd=tmp_path, check=True)
        subprocess.run([sys.executable, PRODUCT / "build.py", f"{stem}.cu", "--check"], cwd=tmp_path, check=True)
    program = """
import numpy as np, k_host, m_host
a = np.random.default_rng(0).random((40, 40))
np.testing.assert_array_equal(k_host.f(a[0]), np.sort(a[0]))
sums, values = m_host.f(a + a.T, a[0])
np.testing.assert_allclose(sums, np.cumsum(a[0]))
np.testing.assert_allclose(values, np.linalg.eigvalsh(a + a.T), rtol=1e-9, atol=1e-9)
assert k_host._error is m_host._error
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_plans_that_graphs_use_are_kept(tmp_path):
    """And no longer than until they are released."""
    (tmp_path / "k.py").write_text("import numpy as np\n\ndef f(z: c128[N]):\n    return np.fft.fft(z)\n")
    subprocess.run([os.environ.get("APPYC", ROOT / "build/release/tools/appyc/appyc"), "k.py", "-o", "k.cu"], cwd=tmp_path, check=True)
    with open(tmp_path / "k.cu", "a") as file:
        file.write(REPLAYS)
    subprocess.run([sys.executable, PRODUCT / "build.py", "k.cu", "--check"], cwd=tmp_path, check=True)
    program = f"""
import ctypes, numpy as np
library = ctypes.CDLL({str(tmp_path / "libk.so")!r})
a = np.arange(15) * (1 - 2j)
want = np.fft.fft(a)
assert library.replays_a_plan(ctypes.c_void_p(a.ctypes.data), ctypes.c_int64(15)) == 0
np.testing.assert_allclose(a, want, rtol=1e-12)
library.emulationCheckLeaks()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_leaks_name_the_line(libraries):
    program = f"""
import ctypes, numpy as np
library = ctypes.CDLL({str(libraries["defects", True])!r})
memory = np.zeros(200)
library.run(b"", ctypes.c_void_p(memory.ctypes.data))
library.emulationCheckLeaks()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 86
    assert "leak: 2 allocations of 804 bytes together" in done.stderr
    lines = (HERE / "kernels/defects.cu").read_text().splitlines()
    places = [lines.index(f"  cudaMalloc((void **)&{name});") + 1 for name in ("a, 100 * sizeof(double)", "ticket, sizeof(unsigned)")]
    assert any(f"defects.cu:{place}" in done.stderr for place in places)


def test_lines_of_the_python_file(tmp_path):
    """A report names the line of the kernel from which the support code was called, by way of the line map."""
    lines = (HERE / "kernels/defects.cu").read_text().splitlines()
    inside, outside = (next(i for i, line in enumerate(lines, 1) if line.startswith(f"{start}(")) for start in
                       ("__device__ void copy_into", "__global__ void copy_array"))
    (tmp_path / "defects.lines").write_text(f"{outside} 7\n")
    library = tmp_path / "libdefects.so"
    subprocess.run([sys.executable, PRODUCT / "build.py", HERE / "kernels/defects.cu", "-o", library, "--check", "--lines",
                    tmp_path / "defects.lines"], check=True)
    assert f"defects.cu:{inside} (?:7) [kernel copy_array" in run_defect(library, "workspace_overrun").stderr


@pytest.mark.parametrize("call", ["wrong_copy_kind", "sort_in_too_little_memory"])
def test_wrong_calls_are_errors(libraries, call):
    assert run_defect(libraries["defects", True], call).stdout.startswith("1 ")


# --- the rewriter


def test_rewrites_launches():
    assert rewrite("k<<<1, 2>>>(a);") == '(::emulation::Launch(1, 2)("k", "") * k)(a);'
    assert rewrite("ns::k<int, A<2>> <<<g(1, 2), b, 0, s>>>(a)").startswith(
        '(::emulation::Launch(g(1, 2), b, 0, s)("ns::k<int, A<2>>", "") * ns::k<int, A<2>> )(a)')
    assert rewrite("k<<<a >> 1, b>>>()") == '(::emulation::Launch(a >> 1, b)("k", "") * k)()'


def test_finds_kernels_that_stride():
    kernel = "template <class T>\n__global__ void k(T* a, int n) {\n  if (n) { a[0] = gridDim.x; }\n}\nvoid f() { %s; }"
    assert '("k<int>", "x")' in rewrite(kernel % "k<int><<<1, 2>>>(a)")
    assert '("ns::k<int>", "x")' in rewrite(kernel % "ns::k<int><<<1, 2>>>(a)")
    assert '("other", "")' in rewrite(kernel % "other<<<1, 2>>>(a)")


def test_finds_launches_by_function_templates():
    kernel = "template <class T>\n__global__ void k(T* a, int n) {\n  if (n) { a[0] = gridDim.x; }\n}\nvoid f() { %s; }"
    assert '::emulation::LaunchInside("k<A<2>>", "x"), launch_it<k<A<2>>>(g, a)' in rewrite(kernel % "launch_it<k<A<2>>>(g, a)")
    assert '::emulation::LaunchInside("j", ""), launch_it<j>(g)' in rewrite(kernel % "launch_it<j>(g)")
    assert rewrite("void launch_it(int n);") == "void launch_it(int n);"


def test_leaves_comments_and_strings_alone():
    for text in ("// k<<<1, 2>>>(a)\n", '"k<<<1, 2>>>(a)"', "/* k<<<1,\n 2>>>(a) */", 'R"(k<<<1, 2>>>(a))"'):
        assert rewrite(text) == text


def test_marks_the_arrays_of_a_workspace():
    """The pattern is that of the support code."""
    text = (ROOT / "lib/Target/Runtime/host_cuda.h").read_text()
    assert rewrite(text).count("return ::emulation::part(reinterpret_cast<T*>(part), count);") == 1


def test_keeps_lines():
    text = "a;\nk<<<1,\n   2>>>(\n  x);\nextern __shared__\n  double t[];\nb;\n"
    assert rewrite(text).count("\n") == text.count("\n")
    assert rewrite(text).splitlines()[-1] == "b;"


@pytest.mark.skipif(not shutil.which("nvcc"), reason="nvcc is not installed")
@pytest.mark.parametrize("name", ["clean", "defects"])
def test_nvcc_accepts_the_same_text(name, tmp_path):
    command = ["nvcc", "-std=c++17", "-arch=sm_90", "-cubin", HERE / f"kernels/{name}.cu", "-o", tmp_path / "out.cubin"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
