# libedit, for the interactive session. Linked statically where the archives are there: four more shared libraries would
# cost every `viv run` about as much as all the rest of its start.
set(VIV_EDIT_LIBRARIES)
foreach(archive edit tinfo bsd md)
  find_library(EDIT_ARCHIVE_${archive} lib${archive}.a)
  list(APPEND VIV_EDIT_LIBRARIES ${EDIT_ARCHIVE_${archive}})
endforeach()

include(CheckCSourceCompiles)
set(CMAKE_REQUIRED_LIBRARIES ${VIV_EDIT_LIBRARIES})
check_c_source_compiles("#include <stdio.h>
#include <histedit.h>
int main(void) { return el_init(\"viv\", stdin, stdout, stderr) && history_init(); }" VIV_STATIC_LIBEDIT)
unset(CMAKE_REQUIRED_LIBRARIES)

if(NOT VIV_STATIC_LIBEDIT)
  message(STATUS "libedit is linked dynamically")
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(EDIT REQUIRED IMPORTED_TARGET libedit)
  set(VIV_EDIT_LIBRARIES PkgConfig::EDIT)
endif()
