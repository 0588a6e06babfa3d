# What people spell in another way takes the form that passes look for.
# RUN: %appyc %kernels_spellings.py -w --emit=fired | %where pass=split-updates,split-ranges,folds-first,interchange-loops,fold-by-key,block-recurrences,block-panels,owner-computes,group-masks,push-conditions | FileCheck %s
# RUN: %appyc %kernels_steps.py -w --emit=fired | %where pass=drop-round-trips,privatize-arrays,buffer-loops,block-wavefronts,tile-time | FileCheck --check-prefix=STEPS %s
# RUN: %appyc %kernels_spellings.py -o - --no-wrapper --remarks 2>&1 >/dev/null | FileCheck --check-prefix=WHY %s
# RUN: %appyc %kernels_steps.py --stop-after=buffer-loops --emit=ir --remarks --diagnostics-file=%t.remarks | FileCheck --check-prefix=IR %s
# RUN: FileCheck --check-prefix=ROWS %s < %t.remarks
# CHECK: split-updates: pairs{{$}}
# CHECK-NEXT: split-ranges: cholesky doolittle gauss_seidel{{$}}
# CHECK-NEXT: folds-first: gauss_seidel{{$}}
# CHECK-NEXT: interchange-loops: by_rows cholesky classical left_to_right{{$}}
# CHECK-NEXT: fold-by-key: deposited rows_by_key{{$}}
# CHECK-NEXT: block-recurrences: gauss_seidel many_sides{{$}}
# CHECK-NEXT: block-panels: cholesky doolittle many_sides{{$}}
# CHECK-NEXT: owner-computes: by_rows classical left_to_right{{$}}
# CHECK-NEXT: group-masks: means_by_mask means_of_masked{{$}}
# CHECK-NEXT: push-conditions: returned_early until_small{{$}}
# STEPS: drop-round-trips: inside_of_zeros three_levels{{$}}
# STEPS-NEXT: privatize-arrays: scratch_rows{{$}}
# STEPS-NEXT: buffer-loops: both_ways knapsack tree{{$}}
# STEPS-NEXT: block-wavefronts: sweeps_in_place{{$}}
# STEPS-NEXT: tile-time: bit_by_bit from_the_end inside_of_zeros reacting rolled three_levels three_names tree{{$}}

# WHY: remark: the last iteration of loop `j`, which takes another branch, runs by itself [time-loop]
# WHY: remark: the first iteration of loop `k`, which takes another branch, runs by itself [time-loop]
# WHY: remark: what iterations of loop `i` fold over elements that later ones store is folded before the loop, for all of them at once [parallelised]
# WHY: remark: pairs of `i` and `j` that update an element of each are gone through twice, so that either time no two iterations share one [parallelised]

# Where the sign of a number decides, the loop stays beside the two that it becomes.
# IR-LABEL: def knapsack(
# IR: w_1: i64 = w[
# IR: if w_1 < 0:
# IR-NEXT: sequential for c in range(59, w_1 - 1, -1):
# IR: if 0 <= w_1:
# IR-NEXT: for c in range(w_1, 60, 1):  # proven
# IR-NEXT: next[c] = max(best[c], best[c - w_1] + v[
# IR-NEXT: for c_1 in range(w_1, 60, 1):  # proven
# IR-NEXT: best[c_1] = next[c_1]
# ROWS: remark: loop `c` only reads elements of `best` that it has yet to write: all are computed first, in any order, then stored [buffered]
