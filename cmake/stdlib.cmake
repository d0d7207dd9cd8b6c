# The standard library, embedded: a host tool turns stdlib/*.viv into one C file.
add_executable(embed cmake/embed.c)
target_link_libraries(embed PRIVATE viv_flags)
file(GLOB VIV_STDLIB_FILES CONFIGURE_DEPENDS stdlib/*.viv)
set(VIV_STDLIB_SOURCE ${VIV_GENERATED}/stdlib_files.c)
add_custom_command(OUTPUT ${VIV_STDLIB_SOURCE}
  COMMAND embed ${VIV_STDLIB_SOURCE} ${VIV_STDLIB_FILES}
  DEPENDS embed ${VIV_STDLIB_FILES} VERBATIM)
