# Compiles compute shaders to SPIR-V, validates them, compresses them and embeds them in a library or a test.

find_program(GLSLC glslc REQUIRED)
find_program(SPIRV_VAL spirv-val REQUIRED)
find_program(ZSTD zstd REQUIRED)
set(AUREOLE_GLSLC_OPTIONS --target-env=vulkan1.3 -Werror -I ${CMAKE_SOURCE_DIR}/shaders)
set(AUREOLE_VALIDATE_SHADER ${SPIRV_VAL} --target-env vulkan1.3 --scalar-block-layout)
if(CMAKE_BUILD_TYPE STREQUAL Debug)
  list(APPEND AUREOLE_GLSLC_OPTIONS -g) # names and lines, which the checks of bounds then tell (tests/gpu/bounds)
endif()

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

# aureole_shader_variants(MODULE FAMILY SOURCE file.glsl LIKE name VARIANTS <name:A=1:B=2>... [OPTIMISED names...])
# Adds variants of shaders/SOURCE, which has no #version, to the module: each under its name, with its definitions. All
# go to the driver as they are written (KEEP_FUNCTIONS above) but for those of OPTIMISED, and all resemble LIKE, which is
# one of them. They are made by one call of each tool: glslc takes 0.15 s before it reads its first file.
function(aureole_shader_variants module family)
  cmake_parse_arguments(ARG "" "SOURCE;LIKE" "VARIANTS;OPTIMISED" ${ARGN})
  set(directory ${CMAKE_BINARY_DIR}/shaders/${module})
  file(MAKE_DIRECTORY ${directory})
  set(names "")
  foreach(variant ${ARG_VARIANTS})
    string(REPLACE ":" ";" definitions ${variant})
    list(POP_FRONT definitions name)
    list(APPEND names ${name})
    list(TRANSFORM definitions REPLACE "(.+)=(.+)" "#define \\1 \\2\n")
    list(JOIN definitions "" definitions)
    file(CONFIGURE OUTPUT ${directory}/${name}.comp @ONLY CONTENT "#version 460
@definitions@#include \"@ARG_SOURCE@\"
")
    _aureole_name_shader(aureole_${module} ${module} ${name} ${ARG_LIKE})
  endforeach()
  set(optimised ${ARG_OPTIMISED})
  set(kept ${names})
  list(REMOVE_ITEM kept ${optimised} "")
  set(unlike ${names})
  list(REMOVE_ITEM unlike ${ARG_LIKE})
  foreach(list names optimised kept unlike)
    list(TRANSFORM ${list} APPEND .comp OUTPUT_VARIABLE ${list}_sources)
    list(TRANSFORM ${list} APPEND .comp.spv OUTPUT_VARIABLE ${list}_spirv)
  endforeach()
  list(TRANSFORM names_spirv APPEND .d OUTPUT_VARIABLE dependencies)
  list(TRANSFORM names_spirv PREPEND ${directory}/ OUTPUT_VARIABLE spirv)
  list(TRANSFORM spirv APPEND .zst OUTPUT_VARIABLE packed)
  list(TRANSFORM names_sources PREPEND ${directory}/ OUTPUT_VARIABLE sources)
  set(compile COMMAND ${GLSLC} -O0 ${AUREOLE_GLSLC_OPTIONS} -MD -c ${kept_sources})
  if(optimised)
    list(APPEND compile COMMAND ${GLSLC} -O ${AUREOLE_GLSLC_OPTIONS} -MD -c ${optimised_sources})
  endif()
  set(validate "")
  foreach(file ${names_spirv})
    list(APPEND validate COMMAND ${AUREOLE_VALIDATE_SHADER} ${file})
  endforeach()
  add_custom_command(OUTPUT ${packed} BYPRODUCTS ${spirv}
    ${compile} ${validate}
    COMMAND sed -n "s|^\\([^:]*\\): [^ ]*|${directory}/\\1.zst:|w ${family}.d" ${dependencies}
    COMMAND ${ZSTD} -q -f -19 ${ARG_LIKE}.comp.spv
    COMMAND ${ZSTD} -q -f -19 -D ${ARG_LIKE}.comp.spv ${unlike_spirv}
    COMMAND touch ${packed}
    DEPENDS ${sources} DEPFILE ${directory}/${family}.d WORKING_DIRECTORY ${directory}
    COMMENT "Compiling the shaders ${family}" VERBATIM)
  _aureole_embed_packed(aureole_${module} ${directory}/${family}.S "${names}" "${packed}")
endfunction()

function(_aureole_embed_shader target header name source defines options like)
  set(directory ${CMAKE_BINARY_DIR}/shaders/${header})
  file(MAKE_DIRECTORY ${directory})
  set(spirv ${directory}/${name}.spv)
  list(TRANSFORM defines PREPEND -D)
  add_custom_command(OUTPUT ${spirv}
    COMMAND ${GLSLC} ${options} ${AUREOLE_GLSLC_OPTIONS} ${defines} -MD -MF ${spirv}.d -MT ${spirv} -o ${spirv} ${source}
    COMMAND ${AUREOLE_VALIDATE_SHADER} ${spirv}
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
  _aureole_embed_packed(${target} ${directory}/${name}.S ${name} ${packed})
  _aureole_name_shader(${target} ${header} ${name} "${like}")
endfunction()

# Embeds packed shaders of those names in the target.
function(_aureole_embed_packed target assembly names packed)
  set(text "    .section .rodata\n")
  foreach(name file IN ZIP_LISTS names packed)
    string(APPEND text "    .global aureole_shader_${name}_begin, aureole_shader_${name}_end
aureole_shader_${name}_begin:
    .incbin \"${file}\"
aureole_shader_${name}_end:
")
  endforeach()
  file(CONFIGURE OUTPUT ${assembly} @ONLY CONTENT "@text@    .section .note.GNU-stack, \"\", @progbits\n")
  set_source_files_properties(${assembly} PROPERTIES OBJECT_DEPENDS "${packed}")
  target_sources(${target} PRIVATE ${assembly})
endfunction()

# Lets the target's header of shaders, which lies in the folder `header` of them, have a function of that name.
function(_aureole_name_shader target header name like)
  set(directory ${CMAKE_BINARY_DIR}/shaders/${header})
  get_target_property(names ${target} AUREOLE_SHADERS)
  if(NOT names)
    target_include_directories(${target} PRIVATE ${directory})
    # Once, when all names are known, so that configuring again does not touch the header.
    cmake_language(EVAL CODE "cmake_language(DEFER CALL _aureole_write_shader_header
      [[${target}]] [[${directory}/${header}_shaders.h]])")
  endif()
  set_property(TARGET ${target} APPEND PROPERTY AUREOLE_SHADERS ${name})
  if(like AND NOT like STREQUAL name)
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
