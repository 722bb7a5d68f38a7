# Headers that most files of a kind include are parsed once for all of them: half a second to one second less a file.
# Long ones that fewer need, of JSON and CLI11, are left out: loading them costs the others what they save.
#
# The compiler finds the precompiled form beside the text, in a folder of the include path, where -include looks for
# both. The form's own path, which CMake would name, breaks clang-tidy: clang takes GCC's form for its own there.
# No file may rely on it: the preset asan sets CMAKE_DISABLE_PRECOMPILE_HEADERS, which builds without.

set(common <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <map> <memory> <optional> <span> <string>
    <utility> <vector> <fmt/format.h> <glm/glm.hpp>)

# aureole_precompiled(NAME HEADERS <a>... [LIBRARIES libs...] [OPTIONS options...])
# The libraries and options are those of the targets that use it, as far as they define macros or change code.
function(aureole_precompiled name)
  cmake_parse_arguments(ARG "" "" "HEADERS;LIBRARIES;OPTIONS" ${ARGN})
  set(target aureole_precompiled_${name})
  set(empty ${CMAKE_BINARY_DIR}/precompiled/${name}.cpp)
  file(CONFIGURE OUTPUT ${empty} CONTENT "")
  add_library(${target} OBJECT ${empty})
  target_link_libraries(${target} PRIVATE aureole_options fmt::fmt OpenMP::OpenMP_CXX ${ARG_LIBRARIES})
  target_compile_options(${target} PRIVATE ${ARG_OPTIONS})
  target_precompile_headers(${target} PRIVATE ${ARG_HEADERS})
  # Ninja waits with a target's objects for custom targets that it depends on, and not for other objects.
  add_custom_target(${target}_made DEPENDS ${CMAKE_BINARY_DIR}/CMakeFiles/${target}.dir/cmake_pch.hxx.gch)
endfunction()

# aureole_use_precompiled(TARGET NAME)
# To be called where the target is made.
function(aureole_use_precompiled target name)
  if(CMAKE_DISABLE_PRECOMPILE_HEADERS OR NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    return()
  endif()
  set(folder ${CMAKE_BINARY_DIR}/CMakeFiles/aureole_precompiled_${name}.dir)
  set(options "-I${folder} -include cmake_pch.hxx -Winvalid-pch")
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:SHELL:${options}>")
  add_dependencies(${target} aureole_precompiled_${name}_made)
endfunction()

aureole_precompiled(library HEADERS ${common})
aureole_precompiled(quick HEADERS ${common} OPTIONS ${AUREOLE_QUICK_COMPILE})
if(AUREOLE_TESTS)
  set(common_of_tests <gtest/gtest.h> <random> ${common})
  aureole_precompiled(test HEADERS ${common_of_tests} LIBRARIES GTest::gtest OPTIONS ${AUREOLE_QUICKEST_COMPILE})
  aureole_precompiled(computing_test HEADERS ${common_of_tests} LIBRARIES GTest::gtest OPTIONS ${AUREOLE_QUICK_COMPILE})
endif()
