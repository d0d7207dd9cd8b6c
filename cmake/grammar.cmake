# The lexer and the parser, generated into the build folder only.
find_program(RE2C re2c REQUIRED)
find_program(LEMON lemon REQUIRED)
find_file(LEMPAR lempar.c PATHS /usr/share/lemon REQUIRED NO_DEFAULT_PATH)

set(grammar ${CMAKE_CURRENT_SOURCE_DIR}/grammar)
add_custom_command(OUTPUT ${VIV_GENERATED}/viv_grammar.c ${VIV_GENERATED}/viv_grammar.h
  COMMAND ${CMAKE_COMMAND} -E copy ${grammar}/viv.y ${VIV_GENERATED}/viv_grammar.y
  COMMAND ${LEMON} -q -T${LEMPAR} -d${VIV_GENERATED} ${VIV_GENERATED}/viv_grammar.y
  DEPENDS ${grammar}/viv.y ${LEMPAR} VERBATIM)
add_custom_command(OUTPUT ${VIV_GENERATED}/viv_lexer.c
  COMMAND ${RE2C} -W -Werror --input-encoding utf8 --no-generation-date -i
    -o ${VIV_GENERATED}/viv_lexer.c ${grammar}/viv.re
  DEPENDS ${grammar}/viv.re VERBATIM)
set(VIV_GRAMMAR_SOURCES ${VIV_GENERATED}/viv_grammar.c ${VIV_GENERATED}/viv_grammar.h
  ${VIV_GENERATED}/viv_lexer.c)
# lemon's template declares its interface functions nowhere, and fetches the context where no destructor uses it.
set_source_files_properties(${VIV_GENERATED}/viv_grammar.c PROPERTIES COMPILE_OPTIONS
  "-Wno-missing-prototypes;-Wno-unused-variable;-Wno-unused-parameter")
