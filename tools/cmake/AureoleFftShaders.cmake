# Build variants of the shaders on top of shaders/fft/fft_workgroup.glsl.

# aureole_fft_shader(MODULE NAME SOURCE file.glsl [DEFINES A=1...])
# Adds every variant that a length can ask for (fft::LineShape), and the header "NAME_variants.h" with
# aureole::shaders::NAME(), the fft::ShaderVariants of them all.
function(aureole_fft_shader module name)
  cmake_parse_arguments(ARG "" "SOURCE" "DEFINES" ${ARGN})
  # Exchange, values an invocation, fewest and most stages, as src/fft/factors.cpp has them.
  set(entries "")
  set(variants "")
  list(JOIN ARG_DEFINES ":" defines)
  foreach(kind whole:8:1:5 whole:16:1:5 turns:8:3:5 turns:16:3:5 turns:24:4:6)
    string(REPLACE ":" ";" kind ${kind})
    list(GET kind 0 exchange)
    list(GET kind 1 elements)
    list(GET kind 2 fewest)
    list(GET kind 3 most)
    string(COMPARE EQUAL ${exchange} whole whole)
    math(EXPR index "${elements} / 8 - 1")
    foreach(stages RANGE ${fewest} ${most})
      set(variant ${name}_${exchange}${elements}_${stages})
      list(APPEND variants ${variant}:${defines}:ELEMENTS=${elements}:WHOLE_VALUES=${whole}:STAGES=${stages})
      string(APPEND entries "\n    variants.${exchange}[${index}][${stages} - 1] = ${variant}();")
    endforeach()
  endforeach()
  aureole_shader_variants(${module} ${name} SOURCE ${ARG_SOURCE} LIKE ${name}_turns16_5 VARIANTS ${variants})
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
