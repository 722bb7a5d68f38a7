# Build variants of the shaders on top of shaders/fft/fft_workgroup.glsl.

# aureole_fft_shader(MODULE NAME SOURCE file.comp [DEFINES A=1...])
# Adds every variant that a length can ask for (fft::LineShape), and the header "NAME_variants.h" with
# aureole::shaders::NAME(), the fft::ShaderVariants of them all.
function(aureole_fft_shader module name)
  cmake_parse_arguments(ARG "" "SOURCE" "DEFINES" ${ARGN})
  # Exchange, values an invocation, fewest stages.
  set(entries "")
  foreach(kind whole:8:1 whole:16:1 turns:8:3 turns:16:3 turns:24:4)
    string(REPLACE ":" ";" kind ${kind})
    list(GET kind 0 exchange)
    list(GET kind 1 elements)
    list(GET kind 2 fewest)
    string(COMPARE EQUAL ${exchange} whole whole)
    math(EXPR index "${elements} / 8 - 1")
    foreach(stages RANGE ${fewest} 6)
      set(variant ${name}_${exchange}${elements}_${stages})
      aureole_shader(${module} ${variant} SOURCE ${ARG_SOURCE} LIKE ${name}_turns16_6 KEEP_FUNCTIONS
                     DEFINES ${ARG_DEFINES} ELEMENTS=${elements} WHOLE_VALUES=${whole} STAGES=${stages})
      string(APPEND entries "\n    variants.${exchange}[${index}][${stages} - 1] = ${variant}();")
    endforeach()
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/shaders/${module}/${name}_variants.h @ONLY
       CONTENT "// Made by AureoleFftShaders.cmake.
#pragma once
#include \"${module}_shaders.h\"
#include \"fft/specialization.h\"
namespace aureole::shaders {
inline fft::ShaderVariants ${name}() {
    fft::ShaderVariants variants;${entries}
    return variants;
}
}
")
endfunction()
