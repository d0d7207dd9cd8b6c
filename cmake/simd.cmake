# src/array/simd/*.c are compiled once per instruction set, each time under names of its own (array/simd/simd.h), but for
# simd.c, which chooses among them at the start.
find_path(SLEEF_INCLUDE sleef.h)
find_library(SLEEF_LIBRARY sleef)
set(VIV_SIMD_LIBRARIES)
if(SLEEF_INCLUDE AND SLEEF_LIBRARY)
  set(VIV_SIMD_LIBRARIES ${SLEEF_LIBRARY})
  target_compile_definitions(viv_flags INTERFACE VIV_HAVE_SLEEF)
else()
  message(STATUS "SLEEF not found: elementary functions come from the C library")
endif()

file(GLOB VIV_SIMD_SOURCES CONFIGURE_DEPENDS src/array/simd/*.c)
list(FILTER VIV_SIMD_SOURCES EXCLUDE REGEX "/simd\\.c$")
set(VIV_SIMD_OBJECTS)

# -fno-trapping-math: nothing asks for the floating-point exceptions, and without them branches become selections.
# The floats of these loops are the same at every optimisation level, so -O3 even in a debug build: the tests compare
# millions of elements.
function(viv_simd_objects suffix)
  if(NOT VIV_SIMD_SOURCES)
    return()
  endif()
  add_library(viv_simd${suffix} OBJECT ${VIV_SIMD_SOURCES})
  target_link_libraries(viv_simd${suffix} PRIVATE viv_flags)
  target_compile_definitions(viv_simd${suffix} PRIVATE SIMD_SUFFIX=${suffix})
  target_compile_options(viv_simd${suffix} PRIVATE -O3 -fno-trapping-math ${ARGN})
  set(VIV_SIMD_OBJECTS ${VIV_SIMD_OBJECTS} $<TARGET_OBJECTS:viv_simd${suffix}> PARENT_SCOPE)
endfunction()

viv_simd_objects(_scalar)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  viv_simd_objects(_avx2 -mavx2 -mfma)
  viv_simd_objects(_avx512 -mavx2 -mfma -mavx512f -mavx512dq -mavx512vl -mprefer-vector-width=512)
endif()
