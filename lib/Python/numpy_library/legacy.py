"""np.random's own generator: after `np.random.seed(n)` it gives what `Generator(Philox(n))` does. The first parameter is its state."""
from .random import _bit_generator, _generator, _philox_state


def _of(state):
    return _generator(_bit_generator("Philox", state))


def seed(state, seed=None):
    begun = _philox_state(seed)
    if state is None:
        return begun
    state[...] = begun
    return state


def rand(state, *args):
    return _of(state).random(None if len(args) == 0 else args)


def randn(state, *args):
    return _of(state).standard_normal(None if len(args) == 0 else args)


def random_sample(state, size=None):
    return _of(state).random(size)


def ranf(state, *args):
    return _of(state).random(None if len(args) == 0 else args[0])


def sample(state, *args):
    return _of(state).random(None if len(args) == 0 else args[0])


def randint(state, low, high=None, size=None, dtype=int):
    return _of(state).integers(low, high, size, dtype)


def beta(state, a, b, size=None):
    return _of(state).beta(a, b, size)


def binomial(state, n, p, size=None):
    return _of(state).binomial(n, p, size)


def chisquare(state, df, size=None):
    return _of(state).chisquare(df, size)


def choice(state, a, size=None, replace=True, p=None):
    return _of(state).choice(a, size, replace, p)


def exponential(state, scale=1.0, size=None):
    return _of(state).exponential(scale, size)


def f(state, dfnum, dfden, size=None):
    return _of(state).f(dfnum, dfden, size)


def gamma(state, shape, scale=1.0, size=None):
    return _of(state).gamma(shape, scale, size)


def geometric(state, p, size=None):
    return _of(state).geometric(p, size)


def gumbel(state, loc=0.0, scale=1.0, size=None):
    return _of(state).gumbel(loc, scale, size)


def laplace(state, loc=0.0, scale=1.0, size=None):
    return _of(state).laplace(loc, scale, size)


def logistic(state, loc=0.0, scale=1.0, size=None):
    return _of(state).logistic(loc, scale, size)


def lognormal(state, mean=0.0, sigma=1.0, size=None):
    return _of(state).lognormal(mean, sigma, size)


def negative_binomial(state, n, p, size=None):
    return _of(state).negative_binomial(n, p, size)


def normal(state, loc=0.0, scale=1.0, size=None):
    return _of(state).normal(loc, scale, size)


def pareto(state, a, size=None):
    return _of(state).pareto(a, size)


def permutation(state, x):
    return _of(state).permutation(x)


def poisson(state, lam=1.0, size=None):
    return _of(state).poisson(lam, size)


def power(state, a, size=None):
    return _of(state).power(a, size)


def random(state, size=None):
    return _of(state).random(size)


def rayleigh(state, scale=1.0, size=None):
    return _of(state).rayleigh(scale, size)


def shuffle(state, x):
    return _of(state).shuffle(x)


def standard_cauchy(state, size=None):
    return _of(state).standard_cauchy(size)


def standard_exponential(state, size=None):
    return _of(state).standard_exponential(size)


def standard_gamma(state, shape, size=None):
    return _of(state).standard_gamma(shape, size)


def standard_normal(state, size=None):
    return _of(state).standard_normal(size)


def standard_t(state, df, size=None):
    return _of(state).standard_t(df, size)


def triangular(state, left, mode, right, size=None):
    return _of(state).triangular(left, mode, right, size)


def uniform(state, low=0.0, high=1.0, size=None):
    return _of(state).uniform(low, high, size)


def weibull(state, a, size=None):
    return _of(state).weibull(a, size)


def dirichlet(state, alpha, size=None):
    return _of(state).dirichlet(alpha, size)


def hypergeometric(state, ngood, nbad, nsample, size=None):
    return _of(state).hypergeometric(ngood, nbad, nsample, size)


def logseries(state, p, size=None):
    return _of(state).logseries(p, size)


def multinomial(state, n, pvals, size=None):
    return _of(state).multinomial(n, pvals, size)


def noncentral_chisquare(state, df, nonc, size=None):
    return _of(state).noncentral_chisquare(df, nonc, size)


def noncentral_f(state, dfnum, dfden, nonc, size=None):
    return _of(state).noncentral_f(dfnum, dfden, nonc, size)


def vonmises(state, mu, kappa, size=None):
    return _of(state).vonmises(mu, kappa, size)


def zipf(state, a, size=None):
    return _of(state).zipf(a, size)


def wald(state, mean, scale, size=None):
    return _of(state).wald(mean, scale, size)


def multivariate_normal(state, mean, cov, size=None, check_valid="warn", tol=1e-8):
    return _of(state).multivariate_normal(mean, cov, size, check_valid, tol)
