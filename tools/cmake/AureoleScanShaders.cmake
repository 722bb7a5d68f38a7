# Build variants of the shaders on top of shaders/scan/subgroup_scan.glsl.

# aureole_scan_shader(MODULE NAME [OPTIMISED operation...])
# Adds shaders/scan/NAME.glsl for every operation of every type, and the header "NAME_variants.h" with
# aureole::shaders::NAME(type, operation), empty for operations that the type does not have. The driver gets them as they
# are written, since glslc takes a second for one, but for those of OPTIMISED.
function(aureole_scan_shader module name)
  cmake_parse_arguments(ARG "" "" "OPTIMISED" ${ARGN})
  # As numbered in shaders/shared/scan.h; only integers have bitwise operations, u64 is added only.
  set(type_0 u32)
  set(type_1 i32)
  set(type_2 f32)
  set(type_3 u64)
  set(operations_0 add multiply min max and or xor)
  set(operations_1 add multiply min max and or xor)
  set(operations_2 add multiply min max)
  set(operations_3 add)
  set(entries "")
  set(variants "")
  set(optimised "")
  foreach(type 0 1 2 3)
    set(operation 0)
    foreach(operation_name ${operations_${type}})
      set(variant ${name}_${type_${type}}_${operation_name})
      list(APPEND variants ${variant}:SCAN_TYPE=${type}:SCAN_OPERATION=${operation})
      if(operation_name IN_LIST ARG_OPTIMISED)
        list(APPEND optimised ${variant})
      endif()
      string(APPEND entries "\n    case ${type} * 8 + ${operation}: return ${variant}();")
      math(EXPR operation "${operation} + 1")
    endforeach()
  endforeach()
  aureole_shader_variants(${module} ${name} SOURCE scan/${name}.glsl LIKE ${name}_u32_add VARIANTS ${variants}
                          OPTIMISED ${optimised})
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/shaders/${module}/${name}_variants.h @ONLY
       CONTENT "// Made by AureoleScanShaders.cmake.
#pragma once
#include \"${module}_shaders.h\"
namespace aureole::shaders {
inline gpu::Shader ${name}(std::uint32_t type, std::uint32_t operation) {
    switch (type * 8 + operation) {${entries}
    default: return {};
    }
}
}
")
endfunction()
