# The floors of numbers (base to ad) are optimised as one at link time: an operation on a handful of elements passes through a dozen
# small functions of several files. The evaluator is not: it is faster when its paths for numbers stay small functions. GCC only, and
# in optimised builds without sanitizers; VIV_LTO=OFF links faster.
option(VIV_LTO "optimise the floors of numbers at link time" ON)
if(VIV_LTO AND CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT VIV_SANITIZE)
  include(CheckIPOSupported)
  check_ipo_supported(RESULT VIV_HAVE_LTO LANGUAGES C OUTPUT VIV_LTO_REASON)
  if(VIV_HAVE_LTO)
    set_target_properties(viv_core viv PROPERTIES INTERPROCEDURAL_OPTIMIZATION ON)
    file(GLOB_RECURSE VIV_APART src/syntax/*.c src/eval/*.c src/builtins/*.c src/cli/*.c)
    set_property(SOURCE ${VIV_APART} ${VIV_GRAMMAR_SOURCES} ${VIV_STDLIB_SOURCE} APPEND PROPERTY COMPILE_OPTIONS -fno-lto)
  endif()
endif()
