# find_package(appyc) gives the command as appyc::appyc, and
#
#   appyc_add_library(NAME kernel.py [TARGET cuda|cpu] [OPTIONS option...])
#
# a shared library NAME of the file's functions, made again when the file changes. In the current binary folder lie then
#   NAME_host.py     the Python module with the same functions, which loads the library beside it and needs no other
#                    file; the target's property APPYC_WRAPPER
#   NAME.h           what C and C++ call; with target_link_libraries(... NAME) it is found
#   NAME.cu or .cpp
# TARGET cuda, the default, needs the language CUDA of the project; CMAKE_CUDA_ARCHITECTURES says for which devices.
# OPTIONS are those of appyc.
cmake_policy(PUSH)
cmake_policy(VERSION 3.18)
if(POLICY CMP0116)
  cmake_policy(SET CMP0116 NEW) # depfiles with absolute paths are right for Ninja too
endif()
get_filename_component(_appyc_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT TARGET appyc::appyc)
  add_executable(appyc::appyc IMPORTED)
  set_target_properties(appyc::appyc PROPERTIES IMPORTED_LOCATION "${_appyc_prefix}/bin/appyc")
endif()

# How the library is compiled, as the generated file's own build line says it.
function(_appyc_compile_cpu name)
  find_package(OpenMP REQUIRED COMPONENTS CXX)
  target_compile_options(${name} PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O3> -fno-math-errno -fno-trapping-math)
  target_compile_features(${name} PRIVATE cxx_std_17)
  target_link_libraries(${name} PRIVATE OpenMP::OpenMP_CXX)
endfunction()
function(_appyc_compile_cuda name options)
  if(NOT CMAKE_CUDA_COMPILER)
    message(FATAL_ERROR "appyc_add_library(${name}): CUDA is no language of this project; write project(... LANGUAGES "
                        "CXX CUDA), or TARGET cpu")
  endif()
  set_target_properties(${name} PROPERTIES CUDA_STANDARD 17 CUDA_STANDARD_REQUIRED ON)
  find_package(CUDAToolkit REQUIRED)
  target_link_options(${name} PRIVATE LINKER:--as-needed)
  foreach(library cublas cufft cusolver) # larger products of matrices, np.fft, np.linalg
    if(TARGET CUDA::${library})
      target_link_libraries(${name} PRIVATE CUDA::${library})
    endif()
  endforeach()
endfunction()

function(appyc_add_library name source)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" TARGET OPTIONS)
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "appyc_add_library(${name}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_TARGET)
    set(arg_TARGET cuda)
  elseif(NOT arg_TARGET MATCHES "^(cuda|cpu)$")
    message(FATAL_ERROR "appyc_add_library(${name}): TARGET is cuda or cpu, not ${arg_TARGET}")
  endif()
  get_filename_component(source "${source}" ABSOLUTE)
  set(stem "${CMAKE_CURRENT_BINARY_DIR}/${name}")
  set(code "${stem}.cu")
  if(arg_TARGET STREQUAL "cpu")
    set(code "${stem}.cpp")
  endif()

  set(depfile)
  if(POLICY CMP0116)
    set(depfile DEPFILE "${stem}.d")
  endif()
  # appyc leaves files alone that stay as they are, so the time of the stamp says when they were last looked at.
  add_custom_command(
    OUTPUT "${stem}.stamp"
    BYPRODUCTS "${code}" "${stem}_host.py" "${stem}.h"
    COMMAND appyc::appyc "${source}" -o "${code}" --target=${arg_TARGET} --header --wrapper=standalone -MD -MT "${stem}.stamp" ${arg_OPTIONS}
    COMMAND "${CMAKE_COMMAND}" -E touch "${stem}.stamp"
    DEPENDS "${source}" appyc::appyc
    ${depfile}
    COMMENT "appyc ${name}"
    VERBATIM)
  add_library(${name} SHARED "${code}" "${stem}.stamp")
  set_source_files_properties("${code}" PROPERTIES GENERATED ON OBJECT_DEPENDS "${stem}.stamp")
  # $<0:>: one folder for all configurations, where the wrapper looks for the library.
  set_target_properties(${name} PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/$<0:>"
    APPYC_WRAPPER "${stem}_host.py")
  target_include_directories(${name} INTERFACE "$<BUILD_INTERFACE:${CMAKE_CURRENT_BINARY_DIR}>")
  if("--fmad=off" IN_LIST arg_OPTIONS)
    target_compile_options(${name} PRIVATE
      $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off> $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false>)
  endif()
  if(arg_TARGET STREQUAL "cpu")
    _appyc_compile_cpu(${name})
  else()
    _appyc_compile_cuda(${name} "${arg_OPTIONS}")
  endif()
endfunction()
cmake_policy(POP)
