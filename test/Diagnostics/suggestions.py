# A near name is suggested only where it is a slip of the hand: another function is no suggestion.
# RUN: not %appyc %s -o - 2>&1 | FileCheck %s
import numpy as np


def others(a: f64[N]):
    b = np.mask_indices(3, np.triu)
    # CHECK: :[[@LINE-1]]:9: error: `np.mask_indices` is not translated: write `np.tril_indices`
    c = np.busday_offset(a)
    # CHECK: :[[@LINE-1]]:9: error: `np.busday_offset` is not a function appyc translates; `appyc --list-functions`
    d = np.argmedian(a)
    # CHECK: :[[@LINE-1]]:9: error: `np.argmedian` is not a function appyc translates; `appyc --list-functions`
    e = np.arnage(3)
    # CHECK: :[[@LINE-1]]:9: error: `np.arnage` is not a function appyc translates; did you mean `np.arange`?
    return b, c, d, e
