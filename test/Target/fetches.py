# What the host asks the device for at one time comes by one call, results right to where the caller wants them.
# RUN: %appyc %s --no-wrapper -o - | FileCheck %s
# CHECK-LABEL: extern "C" int {{.*}}_both(
# CHECK-NOT: double result
# CHECK: return fetch_results(stream, result_out, result_device, result_out_1, result_device_1);
# CHECK-LABEL: extern "C" int {{.*}}_checked(
# CHECK: if (const int status = fetch(stream, &[[TOTAL:[a-z_]+]], [[TOTAL]]_device)) return status;
# CHECK-NEXT: if ([[TOTAL]] > 1.0) return fail(ValueError,
# CHECK: *result_out = [[TOTAL]];
import numpy as np


def both(x: f64[N]):
    return x.sum(), x.max()


def checked(x: f64[N]):
    total = x.sum()
    if total > 1.0:
        raise ValueError("too much")
    return total
