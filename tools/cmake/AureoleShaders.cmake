# Compiles compute shaders to SPIR-V, validates them, compresses them and embeds them in a library or a test.

find_program(GLSLC glslc REQUIRED)
find_program(SPIRV_VAL spirv-val REQUIRED)
find_program(ZSTD zstd REQUIRED)

# aureole_shader(MODULE NAME SOURCE file.comp [DEFINES A=1...] [LIKE other] [KEEP_FUNCTIONS] [INCLUDE folder])
# Adds shaders/SOURCE to the module under NAME. C++ reaches it through the generated header
# "MODULE_shaders.h" as aureole::shaders::NAME(), a gpu::Shader.
# LIKE names a shader of the module that this one resembles, such as another variant of the same source: its words are
# then the dictionary that this one is compressed with, a tenth of the bytes. It may name the shader itself, which is
# then compressed alone, and so is whatever others are LIKE.
# KEEP_FUNCTIONS leaves optimising to the driver, for shaders that branch on specialization constants in many places:
# glslc would inline every branch of every call before the constants are known (a megabyte, a minute).
# INCLUDE is a folder beside shaders/ that the shader includes from.
function(aureole_shader module name)
  cmake_parse_arguments(ARG "KEEP_FUNCTIONS" "SOURCE;LIKE;INCLUDE" "DEFINES" ${ARGN})
  set(options -O)
  if(ARG_KEEP_FUNCTIONS)
    set(options -O0)
  endif()
  if(ARG_INCLUDE)
    list(APPEND options -I ${ARG_INCLUDE})
  endif()
  _aureole_embed_shader(aureole_${module} ${module} ${name} ${CMAKE_SOURCE_DIR}/shaders/${ARG_SOURCE} "${ARG_DEFINES}"
                        "${options}" "${ARG_LIKE}")
endfunction()

# aureole_test_shader(TEST NAME SOURCE file.comp [DEFINES A=1...] [NAMED])
# Embeds a shader in the test of that name, declared before. SOURCE lies beside the CMakeLists.txt or is absolute; the
# header is "test_TEST_shaders.h". The names of a test's shaders differ from those of the modules it links. NAMED keeps all
# names and types in the SPIR-V, those of what is not used too.
function(aureole_test_shader test name)
  cmake_parse_arguments(ARG "NAMED" "SOURCE" "DEFINES" ${ARGN})
  cmake_path(ABSOLUTE_PATH ARG_SOURCE BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
  set(options -O)
  if(ARG_NAMED)
    set(options -O0 -g)
  endif()
  _aureole_embed_shader(test_${test} test_${test} ${name} ${ARG_SOURCE} "${ARG_DEFINES}" "${options}" "")
endfunction()

function(_aureole_embed_shader target header name source defines options like)
  set(directory ${CMAKE_BINARY_DIR}/shaders/${header})
  file(MAKE_DIRECTORY ${directory})
  set(spirv ${directory}/${name}.spv)
  list(TRANSFORM defines PREPEND -D)
  if(CMAKE_BUILD_TYPE STREQUAL Debug)
    list(APPEND options -g) # names and lines, which the checks of bounds then tell (tests/gpu/bounds)
  endif()
  add_custom_command(OUTPUT ${spirv}
    COMMAND ${GLSLC} ${options} --target-env=vulkan1.3 -Werror -I ${CMAKE_SOURCE_DIR}/shaders ${defines}
            -MD -MF ${spirv}.d -MT ${spirv} -o ${spirv} ${source}
    COMMAND ${SPIRV_VAL} --target-env vulkan1.3 --scalar-block-layout ${spirv}
    DEPENDS ${source} DEPFILE ${spirv}.d VERBATIM)

  # The frame ends with a checksum of the words, which zstd writes unless told otherwise.
  set(packed ${spirv}.zst)
  set(like_spirv "")
  set(dictionary "")
  if(like AND NOT like STREQUAL name)
    set(like_spirv ${directory}/${like}.spv)
    set(dictionary -D ${like_spirv})
  endif()
  # zstd gives what it writes the time of the SPIR-V, by which a change of the dictionary alone would not be seen.
  add_custom_command(OUTPUT ${packed}
    COMMAND ${ZSTD} -q -f -19 ${dictionary} ${spirv} -o ${packed}
    COMMAND touch ${packed}
    DEPENDS ${spirv} ${like_spirv} VERBATIM)

  set(assembly ${directory}/${name}.S)
  file(CONFIGURE OUTPUT ${assembly} @ONLY CONTENT [[
    .section .rodata
    .global aureole_shader_@name@_begin, aureole_shader_@name@_end
aureole_shader_@name@_begin:
    .incbin "@packed@"
aureole_shader_@name@_end:
    .section .note.GNU-stack, "", @progbits
]])
  set_source_files_properties(${assembly} PROPERTIES OBJECT_DEPENDS ${packed})
  target_sources(${target} PRIVATE ${assembly})

  get_target_property(names ${target} AUREOLE_SHADERS)
  if(NOT names)
    target_include_directories(${target} PRIVATE ${directory})
    # Once, when all names are known, so that configuring again does not touch the header.
    cmake_language(EVAL CODE "cmake_language(DEFER CALL _aureole_write_shader_header
      [[${target}]] [[${directory}/${header}_shaders.h]])")
  endif()
  set_property(TARGET ${target} APPEND PROPERTY AUREOLE_SHADERS ${name})
  if(dictionary)
    set_property(TARGET ${target} PROPERTY AUREOLE_SHADER_LIKE_${name} ${like})
  endif()
endfunction()

function(_aureole_write_shader_header target path)
  get_target_property(names ${target} AUREOLE_SHADERS)
  set(declarations "")
  set(functions "")
  foreach(shader ${names})
    string(APPEND declarations "extern const std::byte aureole_shader_${shader}_begin[];
extern const std::byte aureole_shader_${shader}_end[];
")
    set(frames "{aureole_shader_${shader}_begin, aureole_shader_${shader}_end}")
    get_target_property(like ${target} AUREOLE_SHADER_LIKE_${shader})
    if(like)
      string(APPEND frames ", {aureole_shader_${like}_begin, aureole_shader_${like}_end}")
    endif()
    string(APPEND functions "inline gpu::Shader ${shader}() {
    return {${frames}};
}
")
  endforeach()
  file(CONFIGURE OUTPUT ${path} @ONLY CONTENT "// Made by AureoleShaders.cmake.
#pragma once
#include <cstddef>
#include \"gpu/shader.h\"
extern \"C\" {
${declarations}}
namespace aureole::shaders {
${functions}}
")
endfunction()
