# Defines appyc::tree_sitter: the tree-sitter core and its Python grammar, as static libraries.
#
# The sources are two pinned sdists, fetched by pip at configure time and checked by sha256.
# Without a network:
#   -DAPPYC_TREE_SITTER_DIR=DIR   folder that holds them, unpacked or as .tar.gz
# The versions are in requirements.txt beside this file; keep the two in step.

set(APPYC_TREE_SITTER_DIR "" CACHE PATH
    "Folder with tree-sitter-0.24.0 and tree_sitter_python-0.23.6 (folders or .tar.gz); empty: fetch them")

set(_ts_core tree-sitter-0.24.0)
set(_ts_core_sha256 abd95af65ca2f4f7eca356343391ed669e764f37748b5352946f00f7fc78e734)
set(_ts_python tree_sitter_python-0.23.6)
set(_ts_python_sha256 354bfa0a2f9217431764a631516f85173e9711af2c13dbd796a8815acfe505d9)
set(_ts_requirements "${CMAKE_CURRENT_LIST_DIR}/requirements.txt")
set(_ts_work "${CMAKE_BINARY_DIR}/_deps/tree-sitter")

# Downloads both sdists into `folder`. The first way is quick and needs setuptools and wheel beside pip.
function(appyc_fetch_tree_sitter folder)
  find_package(Python3 COMPONENTS Interpreter REQUIRED)
  message(STATUS "tree-sitter: fetching the pinned sources with pip")
  foreach(isolation "--no-build-isolation" "")
    execute_process(
      COMMAND "${Python3_EXECUTABLE}" -m pip download --quiet --retries 1 --no-deps ${isolation}
              --no-binary tree-sitter,tree-sitter-python --require-hashes -d "${folder}"
              -r "${_ts_requirements}"
      RESULT_VARIABLE failed
      OUTPUT_VARIABLE log
      ERROR_VARIABLE log)
    if(failed EQUAL 0)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "pip could not fetch the tree-sitter sources:\n${log}\n"
                      "Fetch them elsewhere and give -DAPPYC_TREE_SITTER_DIR=DIR.")
endfunction()

# Unpacks `archives`/`name`.tar.gz into `destination` once its hash is as pinned.
function(appyc_unpack_tree_sitter archives name sha256 destination)
  set(archive "${archives}/${name}.tar.gz")
  file(SHA256 "${archive}" found)
  if(NOT found STREQUAL sha256)
    message(FATAL_ERROR "${archive}: sha256 is ${found}, expected ${sha256}")
  endif()
  if(NOT EXISTS "${destination}/${name}/LICENSE")
    file(ARCHIVE_EXTRACT INPUT "${archive}" DESTINATION "${destination}")
  endif()
endfunction()

# Sets `folder` to where both source trees lie unpacked.
function(appyc_locate_tree_sitter folder)
  set(unpacked "${_ts_work}/src")
  if(APPYC_TREE_SITTER_DIR AND EXISTS "${APPYC_TREE_SITTER_DIR}/${_ts_core}/LICENSE"
     AND EXISTS "${APPYC_TREE_SITTER_DIR}/${_ts_python}/LICENSE")
    set(unpacked "${APPYC_TREE_SITTER_DIR}")
  else()
    set(archives "${_ts_work}/sdist")
    if(APPYC_TREE_SITTER_DIR)
      set(archives "${APPYC_TREE_SITTER_DIR}")
    endif()
    if(NOT EXISTS "${archives}/${_ts_core}.tar.gz" OR NOT EXISTS "${archives}/${_ts_python}.tar.gz")
      if(APPYC_TREE_SITTER_DIR)
        message(FATAL_ERROR "APPYC_TREE_SITTER_DIR=${APPYC_TREE_SITTER_DIR} lacks "
                            "${_ts_core}[.tar.gz] or ${_ts_python}[.tar.gz]")
      endif()
      appyc_fetch_tree_sitter("${archives}")
    endif()
    appyc_unpack_tree_sitter("${archives}" ${_ts_core} ${_ts_core_sha256} "${unpacked}")
    appyc_unpack_tree_sitter("${archives}" ${_ts_python} ${_ts_python_sha256} "${unpacked}")
  endif()
  set(${folder} "${unpacked}" PARENT_SCOPE)
endfunction()

# Sets `result` to the number that `file` defines as `macro`.
function(appyc_macro_value result file macro)
  file(STRINGS "${file}" line REGEX "^#define ${macro} [0-9]+" LIMIT_COUNT 1)
  string(REGEX MATCH "[0-9]+$" value "${line}")
  set(${result} "${value}" PARENT_SCOPE)
endfunction()

appyc_locate_tree_sitter(_ts_sources)
set(_ts_core_lib "${_ts_sources}/${_ts_core}/tree_sitter/core/lib")
set(_ts_python_src "${_ts_sources}/${_ts_python}/src")

# A grammar that the core cannot load would fail only when appyc runs.
appyc_macro_value(_ts_abi "${_ts_python_src}/parser.c" LANGUAGE_VERSION)
set(_ts_api "${_ts_core_lib}/include/tree_sitter/api.h")
appyc_macro_value(_ts_max "${_ts_api}" TREE_SITTER_LANGUAGE_VERSION)
appyc_macro_value(_ts_min "${_ts_api}" TREE_SITTER_MIN_COMPATIBLE_LANGUAGE_VERSION)
if(_ts_abi LESS _ts_min OR _ts_abi GREATER _ts_max)
  message(FATAL_ERROR "tree-sitter: the grammar's ABI ${_ts_abi} is outside the core's ${_ts_min}..${_ts_max}")
endif()
message(STATUS "tree-sitter: ${_ts_core}, ${_ts_python}, ABI ${_ts_abi}")

# The grammar's sdist lacks four headers that it includes; the core of the same ABI has them.
foreach(_ts_header parser array alloc ts_assert)
  configure_file("${_ts_core_lib}/src/${_ts_header}.h"
                 "${_ts_work}/include/tree_sitter/${_ts_header}.h" COPYONLY)
endforeach()

add_library(appyc_tree_sitter_core STATIC "${_ts_core_lib}/src/lib.c")
target_include_directories(appyc_tree_sitter_core SYSTEM PUBLIC "${_ts_core_lib}/include"
                           PRIVATE "${_ts_core_lib}/src")
target_compile_definitions(appyc_tree_sitter_core PRIVATE _POSIX_C_SOURCE=200112L _DEFAULT_SOURCE)

add_library(appyc_tree_sitter_python STATIC "${_ts_python_src}/parser.c" "${_ts_python_src}/scanner.c")
target_include_directories(appyc_tree_sitter_python PRIVATE "${_ts_work}/include" "${_ts_python_src}")
target_link_libraries(appyc_tree_sitter_python PUBLIC appyc_tree_sitter_core)

foreach(_ts_target appyc_tree_sitter_core appyc_tree_sitter_python)
  set_target_properties(${_ts_target} PROPERTIES C_STANDARD 11 POSITION_INDEPENDENT_CODE ON)
  target_compile_options(${_ts_target} PRIVATE -w) # not our sources
  if(APPYC_FUZZ) # its tables would drown what the fuzzers learn about ours
    target_compile_options(${_ts_target} PRIVATE -fno-sanitize=fuzzer-no-link,undefined)
  endif()
endforeach()
add_library(appyc::tree_sitter ALIAS appyc_tree_sitter_python)
