# What a[mask] cannot be used for, and what to write instead.
# RUN: not %appyc %s -fsyntax-only 2>&1 | FileCheck %s
import numpy as np


def with_array(a: f64[N], b: f64[N], mask: bool[N]) -> f64:
    return np.sum(a[mask] + b)
# CHECK: :[[#@LINE-1]]:{{.*}} error: a selection by a mask cannot be combined with a whole array; select from that by the same mask


def two_masks(a: f64[N], b: f64[N]) -> f64:
    return np.sum(a[a > 0.0] * b[b > 0.0])
# CHECK: :[[#@LINE-1]]:{{.*}} error: selections by different masks cannot be combined


def part_of_rows(a: f64[M, N], mask: bool[M]) -> f64:
    return np.sum(a[mask, ...])
# CHECK: :[[#@LINE-1]]:{{.*}} error: a boolean mask must have the array's shape, or stand for its only sliced axis


def mask_changes(a: f64[N]) -> f64:
    mask = a > 0.0
    kept = a[mask]
    mask[0] = True
    return np.sum(kept)
# CHECK: :[[#@LINE-2]]:5: error: this changes the mask by which `kept` was selected; compute the mask in another name


def maxima(a: f64[M, N], m: f64[M]):
    #pragma parallel for
    for i in range(a.shape[0]):
        m[i] = np.max(a[i, a[i] > 0.0])
# CHECK: :[[#@LINE-1]]:{{.*}} error: `max` of a selection that may be empty would have to raise inside a parallel loop; write np.max(np.where(mask, a, other))
