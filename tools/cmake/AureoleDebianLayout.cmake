# Run by CPack on what is to be packaged: what Debian wants other than 'cmake --install' puts it.

set(root ${CPACK_TEMPORARY_DIRECTORY}/usr/share)
set(doc ${root}/doc/aureole)

file(RENAME ${doc}/LICENSE ${doc}/LICENSE.text)
file(READ ${doc}/LICENSE.text licence)
file(REMOVE ${doc}/LICENSE.text)
string(REGEX MATCH "Copyright \\(c\\) ([^\n]*)\n\n(.*)" all "${licence}")
if(NOT all)
  message(FATAL_ERROR "LICENSE: found no line 'Copyright (c) ...' and text after it")
endif()
set(holder "${CMAKE_MATCH_1}")
string(REGEX REPLACE "\n\n" "\n.\n" text "${CMAKE_MATCH_2}")
string(REGEX REPLACE "\n([^\n])" "\n \\1" text "${text}")
file(WRITE ${doc}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: aureole

Files: *
Copyright: ${holder}
License: Expat

License: Expat
 ${text}")

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${doc}/changelog.Debian "aureole (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * See changelog.gz.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
file(RENAME ${doc}/CHANGELOG.md ${doc}/changelog)

file(MAKE_DIRECTORY ${root}/zsh/vendor-completions)
file(RENAME ${root}/zsh/site-functions/_aureole ${root}/zsh/vendor-completions/_aureole)
file(REMOVE_RECURSE ${root}/zsh/site-functions)

file(GLOB packed ${root}/man/man1/*.1 ${doc}/changelog ${doc}/changelog.Debian)
execute_process(COMMAND gzip -9n ${packed} COMMAND_ERROR_IS_FATAL ANY)
