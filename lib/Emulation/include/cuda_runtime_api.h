//===- cuda_runtime_api.h - the runtime's functions ---------------------------------------------------===//
#pragma once
#include "cuda_runtime.h"
