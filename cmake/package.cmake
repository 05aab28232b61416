# What `make install` and `make deb` put where. A target that is not part of the tree yet is left out.
include(GNUInstallDirs)

if(TARGET pawl)
  install(TARGETS pawl RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
# Not in the PATH: it is for the demo fleet and for tests. (The holder travels inside pawl.)
if(TARGET pawl-demo-agent)
  install(TARGETS pawl-demo-agent RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/pawl)
endif()
# Beside it: only pawl starts it. A machine without libnats has none.
if(TARGET pawl-bus)
  install(TARGETS pawl-bus RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/pawl)
endif()
install(FILES demo/pawl.toml DESTINATION ${CMAKE_INSTALL_DATADIR}/pawl/demo)
install(FILES doc/pawl.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

# Completions, made by the program itself (src/daemon/CMakeLists.txt).
if(TARGET pawl AND NOT CMAKE_CROSSCOMPILING AND NOT PAWL_SANITIZE)
  set(completions ${CMAKE_BINARY_DIR}/completions)
  install(FILES ${completions}/pawl.bash
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME pawl)
  install(FILES ${completions}/_pawl DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
  install(FILES ${completions}/pawl.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME pawl)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The Pawl authors <pawl@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "supervisor for AI coding agents in terminals")
set(CPACK_PACKAGE_DESCRIPTION
"Pawl runs coding agents in terminals of its own, shows their screens, lets people
in, and records every byte. Its daemon can be killed at any moment without an
agent losing anything.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libcurl4")  # loaded when it is needed: dpkg-shlibdeps does not see it
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "tzdata, ca-certificates")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "tmux, asciinema, libnotify-bin")
include(CPack)
