# shellcheck shell=bash
# What scripts/setup, scripts/test and scripts/demo share. Sourced, not run. For Debian 12, Ubuntu 22.04 and later.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export failed=() seconds=() noted=0

say() { printf '\n== %s\n' "$*"; }
have() { command -v "$1" >/dev/null; }
has_header() { printf '#if !__has_include(<%s>)\n#error\n#endif\n' "$1" | g++ -x c++ -E - >/dev/null 2>&1; }
has_filecheck() { have FileCheck || compgen -G '/usr/lib/llvm-*/bin/FileCheck' >/dev/null; }

# Prints the packages that this machine lacks; `with_tests` adds what only the tests need.
missing_packages() {
  have g++ || echo g++
  have cmake || echo cmake
  have ninja || echo ninja-build
  have python3 || echo python3
  python3 -c 'import ensurepip, venv' 2>/dev/null || echo python3-venv
  python3 -m pip --version >/dev/null 2>&1 || echo python3-pip
  [ -e /etc/ssl/certs/ca-certificates.crt ] || echo ca-certificates
  has_header fmt/format.h || echo libfmt-dev
  has_header CLI/CLI.hpp || echo libcli11-dev
  has_header mimalloc.h || known_package libmimalloc-dev || true # does without, slower
  has_header isl/cpp.h || echo libisl-dev
  has_header gmp.h || echo libgmp-dev
  has_header catch2/catch.hpp || has_header catch2/catch_all.hpp || echo catch2
  if [ "${1:-}" = with_tests ]; then
    have make || echo make
    has_filecheck || oldest_llvm_tools
  fi
}

# The package's name, if the system's lists know it.
known_package() {
  apt-cache search --names-only "^$1\$" 2>/dev/null | cut -d' ' -f1
}

# The package with FileCheck, if the system's lists know one; else FileCheck comes from PyPI.
oldest_llvm_tools() {
  apt-cache search --names-only '^llvm-[0-9]+-tools$' 2>/dev/null | cut -d' ' -f1 | sort -V | head -n 1
}

# Installs the missing packages, or says how to.
install_packages() {
  local packages
  mapfile -t packages < <(missing_packages "$@")
  if [ ${#packages[@]} -eq 0 ]; then return; fi
  local as_root=''
  if [ "$(id -u)" -ne 0 ]; then as_root='sudo '; fi
  local commands="${as_root}apt-get update
${as_root}apt-get install -y --no-install-recommends ${packages[*]}"
  if [ "$(id -u)" -ne 0 ] || ! have apt-get; then
    printf 'These packages are missing. Install them, then run this script again:\n\n%s\n' "$commands"
    exit 1
  fi
  say "Installing from the system's package manager: ${packages[*]}"
  apt-get update
  mapfile -t packages < <(missing_packages "$@") # the lists are known now
  DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${packages[@]}"
}

# Makes .venv with the pinned packages of test/requirements.txt.
make_venv() {
  local wanted installed
  wanted=$(cksum <test/requirements.txt)
  installed=$(cat .venv/requirements.cksum 2>/dev/null || true)
  if [ "$wanted" != "$installed" ]; then
    say "Installing into .venv from PyPI (test/requirements.txt):"
    grep -v '^#' test/requirements.txt
    [ -x .venv/bin/python ] || python3 -m venv .venv
    .venv/bin/python -m pip install --quiet --disable-pip-version-check -r test/requirements.txt
    echo "$wanted" >.venv/requirements.cksum
  fi
  if [ "${1:-}" = with_tests ] && ! has_filecheck; then
    .venv/bin/python -m pip install --quiet --disable-pip-version-check filecheck==1.0.6
  fi
}

# Builds one of the presets; with APPYC_OPTIMIZE, such as -O1, a release is optimised so far. Several sources are compiled
# as one, unless ccache is there and not disabled: a quarter of the time, as each reads the same headers.
build_appyc() {
  say "Building appyc into build/$1"
  local optimize=${APPYC_OPTIMIZE:+$APPYC_OPTIMIZE -DNDEBUG}
  cmake --preset "$1" -DCMAKE_UNITY_BUILD=ON ${optimize:+"-DCMAKE_CXX_FLAGS_RELEASE=$optimize" "-DCMAKE_C_FLAGS_RELEASE=$optimize"}
  cmake --build --preset "$1"
}

# Everything before the first use of appyc of a preset; with_tests: and of the tests.
set_up() {
  local preset=$1
  shift
  install_packages "$@"
  took "the system's packages"
  make_venv "$@"
  took "Python's packages"
  build_appyc "$preset"
  took "build"
}

# Notes how long it is since the last call.
took() {
  seconds+=("$(printf '%5d s  %s' $((SECONDS - noted)) "$1")")
  noted=$SECONDS
}

# Runs a part of the tests and notes whether it failed.
stage() {
  local name=$1
  shift
  say "$name"
  "$@" || failed+=("$name")
  took "$name"
}
