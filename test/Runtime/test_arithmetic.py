"""The support code of generated programs computes what NumPy does, on the values where C++ would not."""

import ctypes
import itertools
import pathlib
import re
import shutil
import subprocess

import numpy as np
import pytest

HERE = pathlib.Path(__file__).resolve().parent
RUNTIME = HERE.parents[1] / "lib" / "Target" / "Runtime"
INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = {"float32": "float", "float64": "double"}
COMPLEX = {"complex64": "c64", "complex128": "c128"}

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no g++")


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    target = tmp_path_factory.mktemp("runtime") / "arithmetic.so"
    subprocess.run(
        ["g++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-ffp-contract=off", "-fsanitize=undefined",
         "-fno-sanitize-recover=undefined", "-fno-sanitize=float-divide-by-zero", "-static-libubsan",
         "-shared", "-fPIC", f"-I{RUNTIME}", HERE / "arithmetic.cpp", "-o", target], check=True)
    return ctypes.CDLL(str(target))


@pytest.mark.parametrize("path", sorted(RUNTIME.glob("*.h")), ids=lambda p: p.name)
def test_compiles_alone(path):
    if path.name == "host_cuda.h":
        pytest.skip("needs nvcc")
    subprocess.run(["g++", "-std=c++17", "-fopenmp", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c++",
                    "-include", path, "/dev/null"], check=True)


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="no nvcc")
@pytest.mark.parametrize("name", ["exports.cuh", "device.cuh", "products.cuh", "groups.cuh", "folds.cuh", "cublas.cuh", "cufft.cuh", "cusolver.cuh"])
def test_compiles_alone_for_cuda(name, tmp_path):
    source = tmp_path / "alone.cu"
    source.write_text(f'#include "{name}"\n')
    subprocess.run(["nvcc", "-std=c++17", "-arch=compute_75", "-Xcompiler=-Wall,-Wextra", f"-I{RUNTIME}", "-c", source,
                    "-o", tmp_path / "alone.o"], check=True)


DECLARED_CHECK = r"""
#include <cublas_v2.h>
#include <cufft.h>
#include <cusolverDn.h>
#include <type_traits>
template <class T> struct Complex;
template <class T> struct Plain { using type = std::conditional_t<std::is_enum_v<T>, int, T>; };
template <> struct Plain<const cuComplex*> { using type = const Complex<float>*; };
template <> struct Plain<cuComplex*> { using type = Complex<float>*; };
template <> struct Plain<const cuDoubleComplex*> { using type = const Complex<double>*; };
template <> struct Plain<cuDoubleComplex*> { using type = Complex<double>*; };
template <class F> struct PlainFunction;
template <class R, class... A> struct PlainFunction<R(A...)> {
  using type = typename Plain<R>::type(typename Plain<A>::type...);
};
template <class F> using plain = typename PlainFunction<F>::type;
static_assert(CUBLAS_STATUS_SUCCESS == 0 && CUBLAS_FILL_MODE_UPPER == 1 && CUDA_R_64F == 1 && CUDA_C_64F == 5 && CUSOLVER_EIG_MODE_VECTOR == 1);
"""


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="no nvcc")
@pytest.mark.parametrize("library,count,pattern", [("cublas", 3 + 3 * 4, r"enum \{ (CUBLAS_.*) \};"), ("cufft", 6 + 2, r"enum \{ (CUFFT_.*) \};"),
                                                   ("cusolverDn", 3 + 2 * 4 + 1, r"enum \{ (CUSOLVER_.*) \};")])
def test_declares_libraries_as_their_headers_do(library, count, pattern, tmp_path):
    text = (RUNTIME / f"{library.removesuffix('Dn')}.cuh").read_text()
    declared = re.findall(rf"^(?:extern \"C\" )?((?:int|const char\*) )({library}[A-Z]\w+)(\([^)]*\));", text, re.MULTILINE)
    assert len(declared) == count
    checks = [f"static_assert(std::is_same_v<plain<decltype({name})>, {result}{arguments}>);"
              for result, name, arguments in declared]
    values = re.search(pattern, text)[1].split(", ")
    checks += [f"static_assert({value.replace('=', '==')});" for value in values]
    source = tmp_path / "declared.cu"
    source.write_text(DECLARED_CHECK + "\n".join(checks) + "\n")
    subprocess.run(["nvcc", "-std=c++17", "-arch=compute_75", "-c", source, "-o", tmp_path / "declared.o"], check=True)


CPU_CHECK = r"""
#include <type_traits>
template <class T> struct Complex;
template <class T> struct Plain { using type = std::conditional_t<std::is_enum_v<T>, int, T>; };
template <> struct Plain<double _Complex*> { using type = Complex<double>*; };
template <> struct Plain<double (*)[2]> { using type = Complex<double>*; };
template <> struct Plain<float (*)[2]> { using type = Complex<float>*; };
template <class F> struct PlainFunction;
template <class R, class... A> struct PlainFunction<R(A...)> {
  using type = typename Plain<R>::type(typename Plain<A>::type...);
};
template <class F> using plain = typename PlainFunction<F>::type;
"""


@pytest.mark.parametrize("name,header,count", [("blas", "cblas.h", 4), ("lapack", "lapacke.h", 9), ("fftw", "fftw3.h", 6)])
def test_declares_cpu_libraries_as_their_headers_do(name, header, count, tmp_path):
    found = subprocess.run(["g++", "-x", "c++", "-E", "-", "-o", "/dev/null"], input=f"#include <{header}>", text=True, capture_output=True)
    if found.returncode:
        pytest.skip(f"{header} is not installed")
    text = (RUNTIME / f"{name}_cpu.h").read_text()
    declared = re.findall(r"^(?:extern \"C\" )?((?:int|void|fftwf?_plan_s\*) )((?:cblas_|LAPACKE_|fftwf?_)\w+)(\([^)]*\));", text, re.MULTILINE)
    assert len(declared) == count
    checks = [f"static_assert(std::is_same_v<plain<decltype({function})>, {result}{arguments}>);"
              for result, function, arguments in declared]
    checks += [f"static_assert({value.replace('=', '==')});"
               for value in re.search(r"enum \{ ([^}]*) \};", text)[1].split(", ")]
    source = tmp_path / "declared.cpp"
    source.write_text(f"#include <{header}>\n" + CPU_CHECK + "\n".join(checks) + "\n")
    subprocess.run(["g++", "-std=c++17", "-fsyntax-only", source], check=True)


def call(library, name, c_type, arguments, result_type):
    out = np.empty(arguments[0].shape, dtype=result_type)
    pointers = [ctypes.c_void_p(a.ctypes.data) for a in (*arguments, out)]
    getattr(library, f"{name}_{c_type}")(*pointers, ctypes.c_int64(out.size))
    return out


def pairs(values):
    both = list(itertools.product(values, repeat=2))
    dtype = values.dtype
    return np.array([a for a, _ in both], dtype=dtype), np.array([b for _, b in both], dtype=dtype)


def integer_values(dtype):
    info = np.iinfo(dtype)
    small = [v for v in (-17, -7, -3, -2, -1, 0, 1, 2, 3, 5, 7, 8, 31, 32, 63, 64, 100) if info.min <= v <= info.max]
    return np.array(sorted({*small, info.min, info.min + 1, info.max - 1, info.max}), dtype=dtype)


def float_values(dtype):
    info = np.finfo(dtype)
    positive = [0.0, info.tiny, 0.1, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 7.25, 1e10, float(info.max), np.inf]
    return np.array([*positive, *(-v for v in positive), np.nan], dtype=dtype)


def complex_values(dtype, special):
    real = [-2.5, -1.0, -0.3, -0.0, 0.0, 0.4, 1.0, 3.0] + ([np.inf, -np.inf, np.nan] if special else [])
    return np.array([complex(a, b) for a in real for b in real], dtype=dtype)


def same(actual, expected):
    """Equal values; NaNs are equal; the sign of a zero counts."""
    np.testing.assert_array_equal(actual, expected)
    if np.issubdtype(actual.dtype, np.floating):
        known = ~np.isnan(expected)
        np.testing.assert_array_equal(np.signbit(actual[known]), np.signbit(expected[known]))


def test_prepared_division(library):
    """To the last bit what the operator gives: special values, and significands next to those of powers of two."""
    rng = np.random.default_rng(0)
    significands = [1 + rng.random(20000), 2 - rng.integers(1, 64, 20000) * 2.0**-52, 1 + rng.integers(0, 64, 20000) * 2.0**-52]
    scales = 2.0 ** rng.integers(-40, 40, 60000), 2.0 ** rng.integers(-350, 350, 60000)
    hard = [rng.permutation(np.concatenate(significands)) * scale for scale in (*scales, *scales)]
    special = pairs(np.array([*float_values("float64"), 5e-324, 1e-300, 1e300, 2.0**-500, 2.0**500, 2.0**501]))
    for a, d in (special, hard[:2], hard[1:3], hard[2:], (-hard[3], hard[0])):
        with np.errstate(all="ignore"):
            same(call(library, "prepared_division", "double", (a, d), np.float64), a / d)


INTEGER_BINARY = {
    "wrap_add": np.add, "wrap_sub": np.subtract, "wrap_mul": np.multiply, "floor_div": np.floor_divide,
    "floor_mod": np.remainder, "shift_left": np.left_shift, "shift_right": np.right_shift,
    "minimum": np.minimum, "maximum": np.maximum, "fmin_of": np.fmin, "fmax_of": np.fmax,
}


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("name", INTEGER_BINARY)
def test_integers(library, name, dtype):
    a, b = pairs(integer_values(dtype))
    with np.errstate(all="ignore"):
        expected = INTEGER_BINARY[name](a, b)
    same(call(library, name, dtype + "_t", (a, b), dtype), expected)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_integer_powers(library, dtype):
    a, b = pairs(integer_values(dtype))
    a, b = a[b >= 0], b[b >= 0]
    same(call(library, "int_power", dtype + "_t", (a, b), dtype), np.power(a, b))


@pytest.mark.parametrize("dtype", INTEGERS)
@pytest.mark.parametrize("name, function", [("wrap_neg", np.negative), ("abs_value", np.absolute),
                                            ("sign_of", np.sign), ("square", np.square)])
def test_integer_functions(library, name, function, dtype):
    a = integer_values(dtype)
    same(call(library, name, dtype + "_t", (a,), dtype), function(a))


FLOAT_BINARY = {
    "float_floor_div": np.floor_divide, "float_floor_mod": np.remainder, "minimum": np.minimum,
    "maximum": np.maximum, "fmin_of": np.fmin, "fmax_of": np.fmax,
}


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", FLOAT_BINARY)
def test_floats(library, name, dtype):
    a, b = pairs(float_values(dtype))
    if name not in ("float_floor_div", "float_floor_mod"):  # which zero is the smaller one NumPy leaves open
        keep = ~((a == 0) & (b == 0))
        a, b = a[keep], b[keep]
    with np.errstate(all="ignore"):
        expected = FLOAT_BINARY[name](a, b)
    same(call(library, name, FLOATS[dtype], (a, b), dtype), expected)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name, function", [("abs_value", np.absolute), ("sign_of", np.sign), ("square", np.square),
                                            ("is_nan", np.isnan), ("is_inf", np.isinf), ("is_finite", np.isfinite)])
def test_float_functions(library, name, function, dtype):
    a = float_values(dtype)
    with np.errstate(all="ignore"):
        expected = function(a)
    same(call(library, name, FLOATS[dtype], (a,), expected.dtype), expected)


POWERS = {
    "cube_of": 3, "fourth_power": 4, "reciprocal_of": -1, "inverse_square": -2, "inverse_cube": -3, "root_power": 0.5,
    "three_halves_power": 1.5, "inverse_root": -0.5, "inverse_three_halves_power": -1.5,
}


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", POWERS)
def test_powers_by_constants(library, name, dtype):
    limits = np.finfo(dtype)
    magnitudes = np.geomspace(limits.smallest_subnormal, limits.max, 4001, dtype=dtype)
    a = np.concatenate([float_values(dtype), magnitudes, -magnitudes]).astype(dtype)
    with np.errstate(all="ignore"):
        expected = np.power(a, np.full(a.shape, POWERS[name], dtype))
    actual = call(library, name, FLOATS[dtype], (a,), dtype)
    np.testing.assert_array_equal(np.signbit(actual)[expected == 0], np.signbit(expected)[expected == 0])
    # Two units in the last place, also of what is below the smallest normal number.
    np.testing.assert_allclose(actual, expected, rtol=2 * limits.eps, atol=2 * limits.smallest_subnormal)


COMPLEX_BINARY = {
    "plus": np.add, "minus": np.subtract, "over": np.true_divide, "less": np.less, "less_equal": np.less_equal,
    "greater": np.greater, "greater_equal": np.greater_equal, "equal": np.equal, "minimum": np.minimum,
    "maximum": np.maximum, "fmin_of": np.fmin, "fmax_of": np.fmax,
}


@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("name", COMPLEX_BINARY)
def test_complex(library, name, dtype):
    a, b = pairs(complex_values(dtype, special=True))
    with np.errstate(all="ignore"):
        expected = COMPLEX_BINARY[name](a, b)
    actual = call(library, name, COMPLEX[dtype], (a, b), expected.dtype)
    if expected.dtype == bool:
        same(actual, expected)
    else:
        np.testing.assert_array_equal(np.isnan(actual), np.isnan(expected))
        tolerance = 4 * np.finfo(dtype).eps if name == "over" else 0
        np.testing.assert_allclose(actual, expected, rtol=tolerance, atol=0)


COMPLEX_FUNCTIONS = {
    "complex_exp": np.exp, "complex_exp2": np.exp2, "complex_expm1": np.expm1, "complex_log": np.log,
    "complex_log2": np.log2, "complex_log10": np.log10, "complex_log1p": np.log1p, "complex_sqrt": np.sqrt,
    "complex_sin": np.sin, "complex_cos": np.cos, "complex_tan": np.tan, "complex_sinh": np.sinh,
    "complex_cosh": np.cosh, "complex_tanh": np.tanh, "complex_asin": np.arcsin, "complex_acos": np.arccos,
    "complex_atan": np.arctan, "complex_asinh": np.arcsinh, "complex_acosh": np.arccosh,
    "complex_atanh": np.arctanh, "complex_sign": np.sign, "complex_abs": np.absolute, "conjugate": np.conjugate,
    "square": np.square, "complex_rint": np.rint,
}


@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("name", COMPLEX_FUNCTIONS)
def test_complex_functions(library, name, dtype):
    a = complex_values(dtype, special=False)
    if name in ("complex_atan", "complex_atanh", "complex_log1p"):  # at the poles only infinity is sure
        a = a[~np.isin(a, [1, -1, 1j, -1j])]
    large = np.array([30 + 2j, -400 + 1j, 200 - 3j, 1e-5 + 1e-6j], dtype=dtype)
    if name not in ("complex_exp2",):
        a = np.concatenate([a, large[[0, 3]] if dtype == "complex64" else large])
    with np.errstate(all="ignore"):
        expected = COMPLEX_FUNCTIONS[name](a)
    actual = call(library, name, COMPLEX[dtype], (a,), expected.dtype)
    np.testing.assert_allclose(actual, expected, rtol=64 * np.finfo(dtype).eps, atol=4 * np.finfo(dtype).eps)


@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("name, function", [("complex_is_nan", np.isnan), ("complex_is_inf", np.isinf),
                                            ("complex_is_finite", np.isfinite), ("complex_sign", np.sign),
                                            ("complex_abs", np.absolute)])
def test_complex_special_values(library, name, function, dtype):
    a = complex_values(dtype, special=True)
    with np.errstate(all="ignore"):
        expected = function(a)
    actual = call(library, name, COMPLEX[dtype], (a,), expected.dtype)
    np.testing.assert_array_equal(np.isnan(actual), np.isnan(expected))
    np.testing.assert_allclose(actual, expected, rtol=4 * np.finfo(dtype).eps)


@pytest.mark.parametrize("dtype", COMPLEX)
@pytest.mark.parametrize("name, function", [("complex_power", np.power), ("times", np.multiply)])
def test_complex_products(library, name, function, dtype):
    a, b = pairs(complex_values(dtype, special=False))
    with np.errstate(all="ignore"):
        expected = function(a, b)
    actual = call(library, name, COMPLEX[dtype], (a, b), expected.dtype)
    np.testing.assert_array_equal(np.isnan(actual), np.isnan(expected))
    np.testing.assert_allclose(actual, expected, rtol=256 * np.finfo(dtype).eps, atol=16 * np.finfo(dtype).eps)


@pytest.mark.parametrize("dtype", COMPLEX)
def test_transforms_are_as_exact_as_can_be(library, dtype):
    """Against NumPy's in long double; the error is that of a few roundings, relative to the row, for any kind of length."""
    rng = np.random.default_rng(1)
    for n in [*range(1, 68), 97, 101, 121, 128, 210, 211, 499, 1001, 1024, 3 ** 7, 2 * 1009, 4096, 10007, 30030, 65536]:
        a = (rng.standard_normal((2, n)) + 1j * rng.standard_normal((2, n))).astype(dtype)
        for sign, exact in ((-1, np.fft.fft(a.astype(np.clongdouble))), (1, np.fft.ifft(a.astype(np.clongdouble), norm="forward"))):
            got = a.copy()
            assert getattr(library, f"transform_{COMPLEX[dtype]}")(*map(ctypes.c_void_p, (got.ctypes.data,)), *map(ctypes.c_int64, (2, n, sign))) == 0
            error = np.linalg.norm(got - exact, axis=1) / np.linalg.norm(exact, axis=1)
            assert error.max() < (1 + np.log2(n)) * np.finfo(dtype).eps, (n, error)
