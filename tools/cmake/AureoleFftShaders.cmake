# Build variants of the shaders on top of shaders/fft_workgroup.glsl.

# aureole_fft_shader(MODULE NAME SOURCE file.comp [DEFINES A=1...])
# Adds every variant that a length can ask for (fft::LineShape), and the header "NAME_variants.h" with
# aureole::shaders::NAME(), the fft::ShaderVariants of them all.
function(aureole_fft_shader module name)
  cmake_parse_arguments(ARG "" "SOURCE" "DEFINES" ${ARGN})
  set(exchanges whole8 turns8 whole16 turns16 turns24)
  set(whole8 ELEMENTS=8 WHOLE_VALUES=1)
  set(turns8 ELEMENTS=8 WHOLE_VALUES=0)
  set(whole8_stages 1 2 3 4 5 6)
  set(turns8_stages 3 4 5 6)
  set(whole16 ELEMENTS=16 WHOLE_VALUES=1)
  set(turns16 ELEMENTS=16 WHOLE_VALUES=0)
  set(turns24 ELEMENTS=24 WHOLE_VALUES=0)
  set(whole16_stages 1 2 3 4 5 6)
  set(turns16_stages 3 4 5 6)
  set(turns24_stages 4 5 6)
  set(entries "")
  foreach(exchange ${exchanges})
    foreach(stages ${${exchange}_stages})
      set(variant ${name}_${exchange}_${stages})
      aureole_shader(${module} ${variant} SOURCE ${ARG_SOURCE} DEFINES ${ARG_DEFINES} ${${exchange}} STAGES=${stages}
                     KEEP_FUNCTIONS)
      string(APPEND entries "\n    variants.${exchange}[${stages} - 1] = ${variant}();")
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
