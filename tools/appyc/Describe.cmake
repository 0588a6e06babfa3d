# cmake -DSOURCE=folder -DOUTPUT=file -P Describe.cmake: writes what `git describe` says of the sources, "" without a tag.
# Run by each build; the file keeps its time where nothing has changed. Generated code does not have it: it depends on
# the version alone.
find_package(Git QUIET)
set(described "")
if(Git_FOUND)
  execute_process(COMMAND "${GIT_EXECUTABLE}" describe --tags WORKING_DIRECTORY "${SOURCE}" OUTPUT_VARIABLE described
                  OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed ERROR_QUIET)
  if(failed)
    set(described "")
  endif()
endif()
set(text "#define APPYC_GIT_TAG \"${described}\"\n")
set(before "")
if(EXISTS "${OUTPUT}")
  file(READ "${OUTPUT}" before)
endif()
if(NOT text STREQUAL before)
  file(WRITE "${OUTPUT}" "${text}")
endif()
