# Compiles compute shaders to SPIR-V, validates them and embeds them in a module's library.

find_program(GLSLC glslc REQUIRED)
find_program(SPIRV_VAL spirv-val REQUIRED)

# aureole_shader(MODULE NAME SOURCE file.comp [DEFINES A=1...] [KEEP_FUNCTIONS])
# Adds shaders/SOURCE to the module under NAME. C++ reaches it through the generated header
# "MODULE_shaders.h" as aureole::shaders::NAME(), a span of SPIR-V words.
# KEEP_FUNCTIONS leaves optimising to the driver, for shaders that branch on specialization constants in many places:
# glslc would inline every branch of every call before the constants are known.
function(aureole_shader module name)
  cmake_parse_arguments(ARG "KEEP_FUNCTIONS" "SOURCE" "DEFINES" ${ARGN})
  set(optimise -O)
  if(ARG_KEEP_FUNCTIONS)
    set(optimise -O0)
  endif()
  set(directory ${CMAKE_BINARY_DIR}/shaders/${module})
  file(MAKE_DIRECTORY ${directory})
  set(spirv ${directory}/${name}.spv)
  list(TRANSFORM ARG_DEFINES PREPEND -D)
  add_custom_command(OUTPUT ${spirv}
    COMMAND ${GLSLC} ${optimise} --target-env=vulkan1.3 -Werror -I ${CMAKE_SOURCE_DIR}/shaders ${ARG_DEFINES}
            -MD -MF ${spirv}.d -MT ${spirv} -o ${spirv} ${CMAKE_SOURCE_DIR}/shaders/${ARG_SOURCE}
    COMMAND ${SPIRV_VAL} --target-env vulkan1.3 --scalar-block-layout ${spirv}
    DEPENDS ${CMAKE_SOURCE_DIR}/shaders/${ARG_SOURCE} DEPFILE ${spirv}.d VERBATIM)

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
  target_sources(aureole_${module} PRIVATE ${assembly})
  target_include_directories(aureole_${module} PRIVATE ${directory})

  set_property(TARGET aureole_${module} APPEND PROPERTY AUREOLE_SHADERS ${name})
  get_target_property(names aureole_${module} AUREOLE_SHADERS)
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
  file(CONFIGURE OUTPUT ${directory}/${module}_shaders.h @ONLY CONTENT "// Made by AureoleShaders.cmake.
#pragma once
#include <cstdint>
#include <span>
${declarations}")
endfunction()
