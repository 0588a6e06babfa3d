//===- catch.hpp - Catch2 version 3 under version 2's header name ------------------------------------------===//
// Debian 12 and Ubuntu 22.04 have version 2, later releases version 3; the tests are written for both.
#pragma once
#include <catch2/catch_all.hpp>

using Catch::Approx;
