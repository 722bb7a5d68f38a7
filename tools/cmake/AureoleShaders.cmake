# Compiles compute shaders to SPIR-V, validates them and embeds them in a library or a test.

find_program(GLSLC glslc REQUIRED)
find_program(SPIRV_VAL spirv-val REQUIRED)

# aureole_shader(MODULE NAME SOURCE file.comp [DEFINES A=1...] [KEEP_FUNCTIONS])
# Adds shaders/SOURCE to the module under NAME. C++ reaches it through the generated header
# "MODULE_shaders.h" as aureole::shaders::NAME(), a span of SPIR-V words.
# KEEP_FUNCTIONS leaves optimising to the driver, for shaders that branch on specialization constants in many places:
# glslc would inline every branch of every call before the constants are known (a megabyte, a minute).
function(aureole_shader module name)
  cmake_parse_arguments(ARG "KEEP_FUNCTIONS" "SOURCE" "DEFINES" ${ARGN})
  set(options -O)
  if(ARG_KEEP_FUNCTIONS)
    set(options -O0)
  endif()
  _aureole_embed_shader(aureole_${module} ${module} ${name} ${CMAKE_SOURCE_DIR}/shaders/${ARG_SOURCE} "${ARG_DEFINES}"
                        "${options}")
endfunction()

# aureole_test_shader(TEST NAME SOURCE file.comp [DEFINES A=1...] [NAMED])
# The same for the test of that name, declared before. SOURCE lies beside the CMakeLists.txt or is absolute; the header
# is "test_TEST_shaders.h". The names of a test's shaders differ from those of the modules it links. NAMED keeps all
# names and types in the SPIR-V, those of what is not used too.
function(aureole_test_shader test name)
  cmake_parse_arguments(ARG "NAMED" "SOURCE" "DEFINES" ${ARGN})
  cmake_path(ABSOLUTE_PATH ARG_SOURCE BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  set(options -O)
  if(ARG_NAMED)
    set(options -O0 -g)
  endif()
  _aureole_embed_shader(test_${test} test_${test} ${name} ${ARG_SOURCE} "${ARG_DEFINES}" "${options}")
endfunction()

function(_aureole_embed_shader target header name source defines options)
  set(directory ${CMAKE_BINARY_DIR}/shaders/${header})
  file(MAKE_DIRECTORY ${directory})
  set(spirv ${directory}/${name}.spv)
  list(TRANSFORM defines PREPEND -D)
  if(CMAKE_BUILD_TYPE STREQUAL Debug)
    list(APPEND options -g) # names and lines, which the checks of bounds then tell (src/gpu/bounds)
  endif()
  add_custom_command(OUTPUT ${spirv}
    COMMAND ${GLSLC} ${options} --target-env=vulkan1.3 -Werror -I ${CMAKE_SOURCE_DIR}/shaders ${defines}
            -MD -MF ${spirv}.d -MT ${spirv} -o ${spirv} ${source}
    COMMAND ${SPIRV_VAL} --target-env vulkan1.3 --scalar-block-layout ${spirv}
    DEPENDS ${source} DEPFILE ${spirv}.d VERBATIM)

  set(assembly ${directory}/${name}.S)
  file(CONFIGURE OUTPUT ${assembly} @ONLY CONTENT [[
    .section .rodata
    .global aureole_shader_@name@_begin, aureole_shader_@name@_end
    .balign 4
aureole_shader_@name@_begin:
    .incbin "@spirv@"
aureole_shader_@name@_end:
    .section .note.GNU-stack, "", @progbits
]])
  set_source_files_properties(${assembly} PROPERTIES OBJECT_DEPENDS ${spirv})
  target_sources(${target} PRIVATE ${assembly})

  get_target_property(names ${target} AUREOLE_SHADERS)
  if(NOT names)
    target_include_directories(${target} PRIVATE ${directory})
    # Once, when all names are known, so that configuring again does not touch the header.
    cmake_language(EVAL CODE "cmake_language(DEFER CALL _aureole_write_shader_header
      [[${target}]] [[${directory}/${header}_shaders.h]])")
  endif()
  set_property(TARGET ${target} APPEND PROPERTY AUREOLE_SHADERS ${name})
endfunction()

function(_aureole_write_shader_header target path)
  get_target_property(names ${target} AUREOLE_SHADERS)
  set(declarations "")
  foreach(shader ${names})
    string(APPEND declarations "
extern \"C\" const std::uint32_t aureole_shader_${shader}_begin[];
extern \"C\" const std::uint32_t aureole_shader_${shader}_end[];
namespace aureole::shaders {
inline std::span<const std::uint32_t> ${shader}() {
    return {aureole_shader_${shader}_begin, aureole_shader_${shader}_end};
}
}
")
  endforeach()
  file(CONFIGURE OUTPUT ${path} @ONLY CONTENT "// Made by AureoleShaders.cmake.
#pragma once
#include <cstdint>
#include <span>
${declarations}")
endfunction()
