"""Prices of European options."""
from __future__ import annotations

import numpy as np
from scipy.special import erf


def cdf(x):
    return 0.5 * (1.0 + erf(x / np.sqrt(2.0)))


def black_scholes(price: f64[N], strike: f64[N], years: f64[N], rate: f64, volatility: f64):
    """Calls and puts."""
    root = volatility * np.sqrt(years)
    d1 = (np.log(price / strike) + (rate + 0.5 * volatility ** 2) * years) / root
    d2 = d1 - root
    discounted = strike * np.exp(-rate * years)
    call = price * cdf(d1) - discounted * cdf(d2)
    put = call + discounted - price
    return call, put


def make_inputs(rng, n):
    return rng.uniform(10, 50, n), rng.uniform(10, 50, n), rng.uniform(1, 2, n), 0.02, 0.3


SIZES = {"tiny": (33,), "small": (1_000_000,), "large": (64_000_000,)}
ENTRIES = ("black_scholes",)
UPDATES = {}
