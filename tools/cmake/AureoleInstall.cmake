# What 'cmake --install' puts where. Included where the target aureole_benchmarks is made: that program, which
# knows all commands, writes the manual pages and the completion of shells whenever it is linked, so that they say what
# --help says.

include(GNUInstallDirs)
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(made ${CMAKE_BINARY_DIR}/share)
file(MAKE_DIRECTORY ${made}/completion)
# The date that manual pages must have; SOURCE_DATE_EPOCH sets it.
string(TIMESTAMP date %Y-%m-%d UTC)
# LeakSanitizer cannot run in every container, and has nothing to say here.
set(program ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0 $<TARGET_FILE:aureole_benchmarks>)
add_custom_command(TARGET aureole_benchmarks POST_BUILD
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${made}/man1
  COMMAND ${program} manual ${made}/man1 --date ${date}
  COMMAND ${program} completion bash > ${made}/completion/aureole
  COMMAND ${program} completion zsh > ${made}/completion/_aureole
  COMMAND ${program} completion fish > ${made}/completion/aureole.fish
  COMMENT "Writing the manual pages and the completion of shells" VERBATIM)

install(TARGETS aureole RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# Which users do not start; core/companion.cpp looks for them there.
install(TARGETS aureole_importer aureole_benchmarks RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/aureole)
# Of a component of its own, which neither 'cmake --install' nor the Debian package has unless asked: what has it needs
# Open MPI.
if(TARGET aureole_mpi)
  install(TARGETS aureole_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/aureole COMPONENT mpi EXCLUDE_FROM_ALL)
endif()
install(DIRECTORY ${made}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES ${made}/completion/aureole DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${made}/completion/_aureole DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${made}/completion/aureole.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# The schema stands beside the scenes, which name it, and is found in the folder above as well.
install(DIRECTORY ${CMAKE_SOURCE_DIR}/scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/aureole
        PATTERN gallery EXCLUDE PATTERN hosek EXCLUDE)
file(CREATE_LINK scenes/aureole.schema.json ${made}/aureole.schema.json SYMBOLIC)
install(FILES ${made}/aureole.schema.json ${CMAKE_SOURCE_DIR}/src/session/stats.schema.json
        DESTINATION ${CMAKE_INSTALL_DATADIR}/aureole)
install(PROGRAMS ${CMAKE_SOURCE_DIR}/tools/sky_figures.sh DESTINATION ${CMAKE_INSTALL_DATADIR}/aureole/tools)
install(PROGRAMS ${CMAKE_SOURCE_DIR}/tools/bench/report.py DESTINATION ${CMAKE_INSTALL_DATADIR}/aureole/tools/bench)
install(FILES ${CMAKE_SOURCE_DIR}/tools/bench/plot.py ${CMAKE_SOURCE_DIR}/tools/bench/charts.py
              ${CMAKE_SOURCE_DIR}/tools/bench/report.css ${CMAKE_SOURCE_DIR}/tools/bench/report.js
        DESTINATION ${CMAKE_INSTALL_DATADIR}/aureole/tools/bench)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/tools/slurm DESTINATION ${CMAKE_INSTALL_DATADIR}/aureole/tools
        USE_SOURCE_PERMISSIONS)

# The README comes with its pictures; what it links to is elsewhere than in the source tree.
set(readme ${CMAKE_SOURCE_DIR}/README.md)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${readme})
file(RELATIVE_PATH scenes ${CMAKE_INSTALL_FULL_DOCDIR} ${CMAKE_INSTALL_FULL_DATADIR}/aureole/scenes)
file(READ ${readme} text)
string(REPLACE "](scenes/gallery/" "](pictures/" text "${text}")
string(REPLACE "](tests/bench/" "](pictures/" text "${text}")
string(REPLACE "](scenes/" "](${scenes}/" text "${text}")
string(REPLACE "](tools/slurm/" "](${scenes}/../tools/slurm/" text "${text}")
string(REPLACE "# aureole\n" "# aureole\n
Installed, `scenes/` is [${scenes}](${scenes}); what stands here of `tools/`, `src/` and `tests/`, and how to build, is
about the source tree.\n" text "${text}")
file(CONFIGURE OUTPUT ${made}/README.md CONTENT "${text}" @ONLY)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE ${CMAKE_SOURCE_DIR}/CHANGELOG.md ${made}/README.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
file(GLOB pictures CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/scenes/gallery/* ${CMAKE_SOURCE_DIR}/tests/bench/*.svg)
install(FILES ${pictures} DESTINATION ${CMAKE_INSTALL_DOCDIR}/pictures)
