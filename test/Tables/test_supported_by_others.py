"""The names of NumPy that the documentation of Pythran and of Numba lists as supported: each works, or is refused with a reason."""
from __future__ import annotations

import re
import subprocess

import harness
import pytest

LISTS = {
    "Pythran": """
    abs absolute add all allclose alltrue amax amin angle any append apply_along_axis apply_over_axes arange arccos arccosh arcsin arcsinh arctan
    arctan2 arctanh argmax argmin argsort argwhere around array array2string array_equal array_equiv array_split array_str asanyarray asarray
    asarray_chkfinite ascontiguousarray asfarray asscalar atleast_1d atleast_2d atleast_3d average base_repr binary_repr bincount bitwise_and
    bitwise_not bitwise_or bitwise_xor bool_ broadcast_to byte cbrt ceil clip complex complex128 complex256 complex64 concatenate conj conjugate
    convolve copy copyto copysign correlate cos cosh count_nonzero cov cross cumprod cumproduct cumsum deg2rad degrees delete diag diagflat
    diagonal diff digitize divide dot double dtype e ediff1d empty empty_like equal exp exp2 expand_dims expm1 eye fabs fill_diagonal finfo fix
    flatnonzero flip fliplr flipud float128 float32 float64 float_ floor floor_divide fmax fmin fmod frexp fromfile fromfunction fromiter
    fromstring full full_like greater greater_equal heaviside hstack hypot identity iinfo imag indices inf inner insert int16 int32 int64 int8
    int_ intc interp intersect1d intp invert isclose iscomplex isfinite isinf isnan isneginf isposinf isreal isrealobj isscalar issctype ldexp
    left_shift less less_equal lexsort linspace log log10 log1p log2 logaddexp logaddexp2 logical_and logical_not logical_or logical_xor logspace
    longlong max maximum mean median min minimum mod multiply nan nan_to_num nanargmax nanargmin nanmax nanmin nansum ndarray ndenumerate ndim
    ndindex negative newaxis nextafter nonzero not_equal ones ones_like outer partition pi place power prod product ptp put putmask rad2deg
    radians ravel real reciprocal remainder repeat resize right_shift rint roll rollaxis rot90 round round_ searchsorted select setdiff1d shape
    short sign signbit signedinteger sin sinh size sometrue sort sort_complex spacing split sqrt square stack std subtract sum swapaxes take tan
    tanh tile trace transpose tri tril trim_zeros triu true_divide trunc ubyte uint uint16 uint32 uint64 uint8 uintc uintp ulonglong union1d
    unique unravel_index unsignedinteger unwrap ushort vander var vdot vstack where zeros zeros_like fft.fft fft.fftn fft.hfft fft.ifft fft.ihfft
    fft.irfft fft.rfft linalg.norm linalg.matrix_power random.binomial random.bytes random.chisquare random.choice random.dirichlet
    random.exponential random.f random.gamma random.geometric random.gumbel random.laplace random.logistic random.lognormal random.logseries
    random.multinomial random.multivariate_normal random.negative_binomial random.normal random.pareto random.poisson random.power random.rand
    random.randint random.randn random.random random.random_integers random.random_sample random.ranf random.rayleigh random.sample random.seed
    random.shuffle random.standard_exponential random.standard_gamma random.standard_normal random.uniform random.weibull
""",
    "Numba": """
    linalg.cholesky linalg.cond linalg.det linalg.eig linalg.eigh linalg.eigvals linalg.eigvalsh linalg.inv linalg.lstsq linalg.matrix_power
    linalg.matrix_rank linalg.norm linalg.pinv linalg.qr linalg.slogdet linalg.solve linalg.svd all amax amin angle any append arange argsort
    argwhere around array array_equal array_split asarray asarray_chkfinite ascontiguousarray asfarray asfortranarray atleast_1d atleast_2d
    atleast_3d average bartlett bincount blackman broadcast_arrays broadcast_shapes broadcast_to column_stack concatenate convolve copy corrcoef
    correlate count_nonzero cov cross cross2d cumprod cumsum delete diag digitize diag_indices diag_indices_from diff diagflat dsplit dstack
    ediff1d empty empty_like expand_dims extract eye fill_diagonal finfo flatnonzero flip fliplr flipud frombuffer full full_like geomspace
    hamming hanning histogram hsplit hstack identity iinfo indices interp intersect1d isclose iscomplex iscomplexobj isin isneginf isposinf
    isreal isrealobj isscalar kaiser linspace lexsort logspace mask_indices max mean median meshgrid min nan_to_num nanargmax nanargmin
    nancumprod nancumsum nanmax nanmean nanmedian nanmin nanpercentile nanquantile nanprod nanstd nansum nanvar ndenumerate ndindex nditer
    nonzero ones ones_like outer partition percentile ptp putmask put_along_axis quantile repeat reshape resize roll rot90 round_ row_stack
    searchsorted select setdiff1d setxor1d shape sinc sort split stack std sum swapaxes take take_along_axis transpose trapz tri tril
    tril_indices tril_indices_from trim_zeros triu triu_indices triu_indices_from union1d unique unwrap vander var vdot vsplit vstack where zeros
    zeros_like random.rand random.randint random.randn random.random random.random_sample random.ranf random.sample random.choice
    random.permutation random.shuffle random.seed random.beta random.binomial random.chisquare random.dirichlet random.exponential random.f
    random.gamma random.geometric random.gumbel random.hypergeometric random.laplace random.logistic random.lognormal random.logseries
    random.multinomial random.negative_binomial random.noncentral_chisquare random.normal random.pareto random.poisson random.power
    random.rayleigh random.standard_cauchy random.standard_exponential random.standard_gamma random.standard_normal random.standard_t
    random.triangular random.uniform random.vonmises random.wald random.weibull random.zipf random.default_rng fft.fft
    lib.stride_tricks.sliding_window_view lib.stride_tricks.as_strided add subtract multiply divide logaddexp logaddexp2 true_divide floor_divide
    negative power float_power remainder mod fmod divmod abs absolute fabs rint sign conj exp exp2 log log2 log10 expm1 log1p sqrt square cbrt
    reciprocal gcd lcm sin cos tan arcsin arccos arctan arctan2 hypot sinh cosh tanh arcsinh arccosh arctanh deg2rad rad2deg degrees radians
    bitwise_and bitwise_or bitwise_xor bitwise_not invert left_shift right_shift greater greater_equal less less_equal not_equal equal
    logical_and logical_or logical_xor logical_not maximum minimum fmax fmin isfinite isinf isnan isnat signbit copysign nextafter modf ldexp
    frexp floor ceil trunc spacing polynomial.polynomial.polyval polynomial.polynomial.polyadd polynomial.Polynomial
""",
}
METHODS = {
    "Pythran": """
    ndim shape size strides T astype dtype fill flat flatten item itemsize nbytes sort tofile tolist tostring imag real max min mean sum std var
    all any argmax argmin argsort reshape conj conjugate copy clip cumsum cumprod dot nonzero prod ravel repeat round searchsorted squeeze
    swapaxes take trace transpose tobytes view choose compress diagonal partition ptp put
""",
    "Numba": """
    all any argmax argmin conj conjugate cumprod cumsum max mean min nonzero prod std sum take var argsort astype copy dot flatten item ravel
    repeat reshape sort transpose view dtype flags flat itemsize ctypes nbytes ndim shape size strides T real imag
""",
}
GENERATOR = """
    random bytes integers choice permutation permuted shuffle beta binomial chisquare dirichlet exponential f gamma geometric hypergeometric
    gumbel laplace logistic lognormal logseries multinomial multivariate_normal negative_binomial noncentral_chisquare noncentral_f normal pareto
    poisson power rayleigh standard_cauchy standard_exponential standard_gamma standard_normal standard_t triangular uniform vonmises wald
    weibull zipf
"""
KINDS = "signedinteger", "unsignedinteger"  # for np.issubdtype
WITHOUT_CALL = "cannot be called", "misses its argument", "takes integers or booleans"  # what is there, asked for in a way that does not fit


def said(names, text, folder):
    """{name: what appyc says of its use, None where it says nothing}."""
    program = folder / "names.py"
    head = "from __future__ import annotations\nimport numpy as np\n"
    program.write_text(head + "".join(f"\ndef f{k}(a: f64[N]):\n    y = {text.format(name)}\n    return 1\n" for k, name in enumerate(names)), encoding="utf-8")
    done = subprocess.run([harness.APPYC, "--target=cpu", "-fsyntax-only", program], capture_output=True, text=True)
    errors = {int(line): message for line, message in re.findall(r"^[^:\n]*:(\d+):\d+: error: (.*)$", done.stderr, re.MULTILINE)}
    return {name: errors.get(5 + 4 * k) for k, name in enumerate(names)}


def listed():
    text = subprocess.run([harness.APPYC, "--list-functions"], capture_output=True, text=True, check=True).stdout
    return {line.split()[0] for line in text.splitlines()}


CASES = [*((f"{who}'s functions", names.split(), "np.{}(a)", "") for who, names in LISTS.items()),
         *((f"{who}'s methods", names.split(), "a.{}()", "ndarray.") for who, names in METHODS.items()),
         ("Numba's methods of generators", GENERATOR.split(), "np.random.default_rng(1).{}(3)", "Generator.")]


@pytest.mark.parametrize(("title", "names", "text", "prefix"), CASES, ids=[c[0] for c in CASES])
def test_every_name_works_or_is_refused_with_a_reason(title, names, text, prefix, tmp_path):
    known, answers = listed(), said(names, text, tmp_path)
    works = [n for n in names if n in KINDS or prefix + n in known or answers[n] is None or any(part in answers[n] for part in WITHOUT_CALL)]
    lost = [f"{n}: {answers[n]}" for n in names if n not in works and ("is not a function appyc translates" in answers[n] or "have no method or attribute" in answers[n])]
    assert not lost
    if "functions" in title:
        page = " ".join((harness.ROOT / "docs/annotations.md").read_text(encoding="utf-8").split())
        assert f"{len(names)} names of NumPy that Pythran's documentation lists as supported {len(works)} are" in page or f"of {len(names)} of Numba's {len(works)}" in page, (len(names), len(works))
