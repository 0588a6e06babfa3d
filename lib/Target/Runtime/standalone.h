//===- standalone.h - what lets the files of this folder compile by themselves -------------------------===//
#pragma once
#include <cmath>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <new>
#include <pthread.h>
#include <type_traits>
#define APPY_EXPORT(name) appyc_##name
#ifdef __CUDACC__
#define APPY_DEVICE __host__ __device__ inline
#else
#define APPY_DEVICE inline
#endif
