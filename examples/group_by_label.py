"""Group by: how many values carry each label, and their sum. Many workers update one group, so updates are atomic."""
from __future__ import annotations

import numpy as np


def group_by_label(labels: i32[N], values: f64[N], groups: i64) -> tuple[i64[groups], f64[groups]]:
    N = labels.shape[0]
    counts = np.zeros(groups, dtype=np.int64)
    sums = np.zeros(groups)
    #pragma parallel for simd
    for i in range(N):
        label = labels[i]
        #pragma atomic
        counts[label] += 1
        #pragma atomic
        sums[label] += values[i]
    return counts, sums


def largest_by_label(labels: i32[N], values: f64[N], groups: i64) -> f64[groups]:
    """The same with a maximum; a group without values keeps minus infinity."""
    largest = np.full(groups, -np.inf)
    #pragma parallel for simd
    for i in range(labels.shape[0]):
        label = labels[i]
        #pragma atomic
        largest[label] = max(largest[label], values[i])
    return largest


def make_inputs(size, rng):
    groups = 5
    return rng.integers(0, groups, size).astype(np.int32), rng.standard_normal(size), groups


if __name__ == "__main__":
    labels, values, groups = make_inputs(1000, np.random.default_rng(0))
    counts, sums = group_by_label(labels, values, groups)
    np.testing.assert_array_equal(counts, np.bincount(labels, minlength=groups))
    np.testing.assert_allclose(sums, np.bincount(labels, weights=values, minlength=groups))
    largest = largest_by_label(labels, values, groups)
    np.testing.assert_array_equal(largest, [values[labels == g].max() for g in range(groups)])
    print("group_by_label: ok")
