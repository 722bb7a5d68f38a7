# One static library per folder of src, and one test binary per folder of tests.
#
# A module's headers are reached as "module/file.h" through an include folder that holds that module alone, so that
# including a module that is not linked fails the build.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(aureole_options INTERFACE)
target_compile_options(aureole_options INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror
  # The traversal must give the same bits on the CPU and the GPU, so nothing is fused behind our back.
  -ffp-contract=off
  # GCC looks for garbage once it has so many KiB. Its default of 128 MiB costs files of this size a tenth of their time.
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=524288>)
if(AUREOLE_SANITIZE)
  # GCC 12 takes std::regex under the sanitizers for reading what is not set (GCC bug 105562).
  target_compile_options(aureole_options INTERFACE -Wno-maybe-uninitialized)
  # -O2 and whole debug information take the compiler two and a half times as long.
  target_compile_options(aureole_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined
    -fno-omit-frame-pointer -O1 -g1)
  target_link_options(aureole_options INTERFACE -fsanitize=address,undefined)
endif()
if(AUREOLE_SANITIZE_THREADS)
  # Clang, because its OpenMP runtime tells the sanitizer what its barriers and locks order (by libarcher.so).
  target_compile_options(aureole_options INTERFACE -Wno-sign-conversion)
  target_compile_options(aureole_options INTERFACE -fsanitize=thread -fno-omit-frame-pointer -O1 -gline-tables-only)
  target_link_options(aureole_options INTERFACE -fsanitize=thread)
endif()
if(AUREOLE_FUZZ)
  # Clang's -Wconversion has -Wsign-conversion in it, GCC's has not.
  target_compile_options(aureole_options INTERFACE -Wno-sign-conversion)
  target_compile_options(aureole_options INTERFACE -fsanitize=fuzzer-no-link,address,undefined
    -fno-sanitize-recover=undefined -fno-omit-frame-pointer -O1 -gline-tables-only)
  target_compile_definitions(aureole_options INTERFACE _GLIBCXX_ASSERTIONS)
  target_link_options(aureole_options INTERFACE -fsanitize=address,undefined)
endif()

# For code that compiles for longer than it runs: a third of the compiler's time less.
set(AUREOLE_QUICK_COMPILE $<$<CONFIG:Release>:-O1>)
# For tests, where nothing else counts: another third less.
set(AUREOLE_QUICKEST_COMPILE $<$<CONFIG:Release>:-O0>)

# Sets `result` to the .cpp files beside the CMakeLists.txt (and below, where `recurse` is true) except those named. The
# build looks for new files by itself, so that a file is added to the project by being written.
function(_aureole_sources result recurse except)
  if(recurse)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  else()
    file(GLOB found CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  endif()
  list(TRANSFORM except PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
  list(REMOVE_ITEM found ${except})
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# aureole_module(NAME [PUBLIC libs...] [PRIVATE libs...] [EXCEPT a.cpp...] [QUICK_COMPILE])
# The library of all sources in the folder src/NAME and below it, except those named. PUBLIC libraries are those that
# the module's headers include.
function(aureole_module name)
  cmake_parse_arguments(ARG "QUICK_COMPILE" "" "PUBLIC;PRIVATE;EXCEPT" ${ARGN})
  _aureole_sources(sources TRUE "${ARG_EXCEPT}")
  set(include_root ${CMAKE_BINARY_DIR}/modules/${name})
  file(MAKE_DIRECTORY ${include_root})
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/src/${name} ${include_root}/${name} SYMBOLIC)
  add_library(aureole_${name} STATIC ${sources})
  target_include_directories(aureole_${name} PUBLIC ${include_root})
  target_link_libraries(aureole_${name} PUBLIC ${ARG_PUBLIC} PRIVATE aureole_options ${ARG_PRIVATE})
  if(ARG_QUICK_COMPILE)
    target_compile_options(aureole_${name} PRIVATE ${AUREOLE_QUICK_COMPILE})
    aureole_use_precompiled(aureole_${name} quick)
  else()
    aureole_use_precompiled(aureole_${name} library)
  endif()
endfunction()

# Of tests that use a device. A thread that waits must not keep the other tests from a core, and what Mesa compiled for
# one program is not compiled again for the next.
set(AUREOLE_TEST_ENVIRONMENT OMP_WAIT_POLICY=passive MESA_SHADER_CACHE_DIR=${CMAKE_BINARY_DIR}/tests)

# aureole_test(NAME LIBRARIES libs... [SOURCES a.cpp...] [EXCEPT a.cpp...] [TIMEOUT seconds] [COST seconds] [COMPUTES]
#              [SWEEPS filters...])
# The program of all sources in the folder, except those named, of those in the folder support below it, which has what
# its tests share, and of SOURCES from elsewhere. What several folders need is in tests/support (the library
# aureole_test_support). The cost is what the tests take about, where that is long.
# Tests run side by side, the dearest first, so that none is left alone at the end. Tests that take long to compute what
# they compare with are optimised a little (COMPUTES); others run as fast without, and compile in two thirds of the time.
# Sweeps take long for what they see beside the other tests: those that the filters name are the test NAME_sweeps, of
# the label "sweep", which tools/test.sh leaves to --full.
function(aureole_test name)
  cmake_parse_arguments(ARG "COMPUTES" "TIMEOUT;COST" "SOURCES;LIBRARIES;EXCEPT;SWEEPS" ${ARGN})
  _aureole_sources(sources FALSE "${ARG_EXCEPT}")
  file(GLOB shared CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/support/*.cpp)
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 600)
  endif()
  if(NOT ARG_COST)
    set(ARG_COST 20)
  endif()
  add_executable(test_${name} ${sources} ${shared} ${ARG_SOURCES})
  target_link_libraries(test_${name} PRIVATE aureole_options ${ARG_LIBRARIES} GTest::gtest_main)
  target_include_directories(test_${name} PRIVATE
    ${CMAKE_SOURCE_DIR}/tests ${CMAKE_CURRENT_SOURCE_DIR}/support ${CMAKE_SOURCE_DIR}/tests/support)
  if(ARG_COMPUTES)
    target_compile_options(test_${name} PRIVATE ${AUREOLE_QUICK_COMPILE})
    aureole_use_precompiled(test_${name} computing_test)
  else()
    target_compile_options(test_${name} PRIVATE ${AUREOLE_QUICKEST_COMPILE})
    aureole_use_precompiled(test_${name} test)
  endif()
  set(tests ${name})
  if(ARG_SWEEPS)
    list(JOIN ARG_SWEEPS ":" sweeps)
    add_test(NAME ${name} COMMAND test_${name} --gtest_filter=-${sweeps})
    add_test(NAME ${name}_sweeps COMMAND test_${name} --gtest_filter=${sweeps})
    set_tests_properties(${name}_sweeps PROPERTIES LABELS sweep FAIL_REGULAR_EXPRESSION "Running 0 tests")
    list(APPEND tests ${name}_sweeps)
  else()
    add_test(NAME ${name} COMMAND test_${name})
  endif()
  set_tests_properties(${tests} PROPERTIES
    TIMEOUT ${ARG_TIMEOUT} COST ${ARG_COST} ENVIRONMENT "${AUREOLE_TEST_ENVIRONMENT}")
endfunction()

# aureole_isolated_test(NAME FILTER filter)
# Runs those tests of test_NAME a second time, with models and pictures read by workers. The test has
# tests/support/isolation.cpp among its sources.
function(aureole_isolated_test name)
  cmake_parse_arguments(ARG "" "FILTER" "" ${ARGN})
  target_compile_definitions(test_${name} PRIVATE AUREOLE_WORKER="$<TARGET_FILE:aureole_importer>")
  add_dependencies(test_${name} aureole_importer)
  add_test(NAME ${name}_isolated COMMAND test_${name} --gtest_filter=${ARG_FILTER})
  set_tests_properties(${name}_isolated PROPERTIES
    TIMEOUT 600 ENVIRONMENT "${AUREOLE_TEST_ENVIRONMENT};AUREOLE_TEST_ISOLATION=1")
endfunction()
