# What is installed: the binary, and what it says of itself: manual page and completions.
include(GNUInstallDirs)

set(made ${CMAKE_BINARY_DIR}/made)
file(MAKE_DIRECTORY ${made})
set(VIV_MADE)
function(viv_made file)
  add_custom_command(OUTPUT ${made}/${file}
    COMMAND ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0 $<TARGET_FILE:viv> help ${ARGN} > ${made}/${file}
    DEPENDS viv VERBATIM)
  set(VIV_MADE ${VIV_MADE} ${made}/${file} PARENT_SCOPE)
endfunction()
viv_made(viv.1 --man)
viv_made(viv.bash --completion bash)
viv_made(_viv --completion zsh)
viv_made(viv.fish --completion fish)
add_custom_target(manual ALL DEPENDS ${VIV_MADE})

install(TARGETS viv RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${made}/viv.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${made}/viv.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME viv)
install(FILES ${made}/_viv DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${made}/viv.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES LICENSE-MIT LICENSE-APACHE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.viv")
install(DIRECTORY stdlib DESTINATION ${CMAKE_INSTALL_DATADIR}/viv FILES_MATCHING PATTERN "*.viv")

# A Debian package: cpack --config build/CPackConfig.cmake
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME viv)
set(CPACK_PACKAGE_VENDOR "The Viv authors")
set(CPACK_PACKAGE_CONTACT "The Viv authors <viv@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "array programs and their derivatives")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_SECTION math)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
include(CPack)
