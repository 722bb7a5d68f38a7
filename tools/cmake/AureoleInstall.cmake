# What 'cmake --install' puts where. Included where the target aureole_benchmarks is made: that program, which
# knows all commands, writes the manual pages and the completion of shells whenever it is linked, so that they say what
# --help says. It is linked again where a text of the pages has changed.

include(GNUInstallDirs)
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(made ${CMAKE_BINARY_DIR}/share)
file(MAKE_DIRECTORY ${made}/completion)
# The date that manual pages must have; SOURCE_DATE_EPOCH sets it.
string(TIMESTAMP date %Y-%m-%d UTC)
# LeakSanitizer cannot run in every container, and has nothing to say here.
set(program ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0 $<TARGET_FILE:aureole_benchmarks>)
set(texts ${CMAKE_SOURCE_DIR}/src/cli/manual/pages)
file(GLOB text_files CONFIGURE_DEPENDS ${texts}/*.md)
set_property(TARGET aureole_benchmarks APPEND PROPERTY LINK_DEPENDS ${text_files})
add_custom_command(TARGET aureole_benchmarks POST_BUILD
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${made}/man1
  COMMAND ${program} manual ${made}/man1 --date ${date} --texts ${texts}
                     --stats-schema ${made}/stats.schema.json
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
        PATTERN hosek EXCLUDE)
file(CREATE_LINK scenes/aureole.schema.json ${made}/aureole.schema.json SYMBOLIC)
install(FILES ${made}/aureole.schema.json ${made}/stats.schema.json
        DESTINATION ${CMAKE_INSTALL_DATADIR}/aureole)
install(PROGRAMS ${CMAKE_SOURCE_DIR}/tools/sky_figures.sh ${CMAKE_SOURCE_DIR}/tools/denoiser.sh
        DESTINATION ${CMAKE_INSTALL_DATADIR}/aureole/tools)
install(PROGRAMS ${CMAKE_SOURCE_DIR}/tools/bench/report.py ${CMAKE_SOURCE_DIR}/tools/bench/suite.sh
        DESTINATION ${CMAKE_INSTALL_DATADIR}/aureole/tools/bench)
install(FILES ${CMAKE_SOURCE_DIR}/tools/bench/plot.py ${CMAKE_SOURCE_DIR}/tools/bench/charts.py
              ${CMAKE_SOURCE_DIR}/tools/bench/report.css ${CMAKE_SOURCE_DIR}/tools/bench/report.js
        DESTINATION ${CMAKE_INSTALL_DATADIR}/aureole/tools/bench)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/tools/slurm DESTINATION ${CMAKE_INSTALL_DATADIR}/aureole/tools
        USE_SOURCE_PERMISSIONS)

# The documents, of which the README is the first. What they link to is elsewhere than in the source tree, and links to
# what is not installed keep their words alone.
file(RELATIVE_PATH share ${CMAKE_INSTALL_FULL_DOCDIR} ${CMAKE_INSTALL_FULL_DATADIR}/aureole)
function(install_document source folder)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${source})
  file(READ ${CMAKE_SOURCE_DIR}/${source} text)
  string(REPLACE "](../../../scenes/" "](../../${share}/scenes/" text "${text}")
  string(REPLACE "](../../scenes/" "](../${share}/scenes/" text "${text}")
  string(REPLACE "](scenes/" "](${share}/scenes/" text "${text}")
  string(REPLACE "](tools/slurm/" "](${share}/tools/slurm/" text "${text}")
  string(REPLACE "](tests/bench/" "](bench/" text "${text}")
  string(REPLACE "](src/cli/manual/pages/" "](manual/" text "${text}")
  string(REGEX REPLACE "\\[([^]]*)\\]\\(((\\.\\./)*(src|tests|tools|shaders)/|CONTRIBUTING)[^)]*\\)" "\\1" text "${text}")
  if(source STREQUAL README.md)
    string(REPLACE "# aureole\n" "# aureole\n
Installed, `scenes/` is [${share}/scenes](${share}/scenes); what stands here of `tools/`, `src/` and `tests/`, and how
to build, is about the source tree.\n" text "${text}")
  endif()
  get_filename_component(name ${source} NAME)
  file(CONFIGURE OUTPUT ${made}/doc/${folder}/${name} CONTENT "${text}" @ONLY)
  install(FILES ${made}/doc/${folder}/${name} DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder})
endfunction()
install_document(README.md .)
install_document(tests/bench/README.md bench)
file(GLOB records CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/bench/record/*.md)
foreach(file ${text_files})
  file(RELATIVE_PATH source ${CMAKE_SOURCE_DIR} ${file})
  install_document(${source} manual)
endforeach()
foreach(file ${records})
  file(RELATIVE_PATH source ${CMAKE_SOURCE_DIR} ${file})
  install_document(${source} bench/record)
endforeach()
file(GLOB pictures CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/bench/*.svg ${CMAKE_SOURCE_DIR}/tests/bench/*.jpg)
install(FILES ${pictures} ${CMAKE_SOURCE_DIR}/tests/bench/results.json ${CMAKE_SOURCE_DIR}/tests/bench/suite_h200.json
        ${CMAKE_SOURCE_DIR}/tests/bench/suite_h100.json ${CMAKE_SOURCE_DIR}/tests/bench/near_h200.json
        ${CMAKE_SOURCE_DIR}/tests/bench/scan_h200.json
        ${CMAKE_SOURCE_DIR}/tests/bench/denoise_h200.json
        DESTINATION ${CMAKE_INSTALL_DOCDIR}/bench)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE ${CMAKE_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
