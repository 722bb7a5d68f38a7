# Makes, at build time, what the layout test needs of shaders/shared:
#   probe.comp          a shader with an array of each struct listed in shared_structs.inc, which the compiler lays out
#   shared_headers.h    includes every header
#   shared_declared.inc DECLARED(name, alignment of its array, "file") for each struct that must be listed
# cmake -DSTRUCTS=... -DHEADERS=a;b -DOUT=folder -P MakeProbe.cmake

file(STRINGS ${STRUCTS} lines REGEX "^STRUCT\\(")
set(buffers "")
set(copies "")
foreach(line ${lines})
  string(REGEX REPLACE "^STRUCT\\(([A-Za-z0-9_]+).*" "\\1" name "${line}")
  string(APPEND buffers "layout(buffer_reference, scalar, buffer_reference_align = 8) "
                        "buffer ${name}Probe { ${name} at[]; };\n")
  string(APPEND copies "    ${name}Probe(push.address).at[1] = ${name}Probe(push.address).at[0];\n")
endforeach()

set(includes "")
set(declared "")
foreach(header ${HEADERS})
  get_filename_component(file ${header} NAME)
  string(REGEX REPLACE ".*/shaders/" "" included ${header})
  string(APPEND includes "#include \"${included}\"\n")
  file(STRINGS ${header} lines REGEX "^(SHARED_ARRAY\\(|struct [A-Za-z0-9_]+Push )")
  foreach(line ${lines})
    # lang.h declares the arrays of the languages' own types.
    if(line MATCHES "^SHARED_ARRAY\\(([A-Za-z0-9_]+), ([0-9]+)\\)" AND NOT file STREQUAL "lang.h")
      string(APPEND declared "DECLARED(${CMAKE_MATCH_1}, ${CMAKE_MATCH_2}, \"${file}\")\n")
    elseif(line MATCHES "^struct ([A-Za-z0-9_]+Push)")
      string(APPEND declared "DECLARED(${CMAKE_MATCH_1}, 4, \"${file}\")\n")
    endif()
  endforeach()
endforeach()

file(WRITE ${OUT}/probe.comp "#version 460
#extension GL_GOOGLE_include_directive : require
uint traversalStack[16];
#define TRAVERSAL_STACK(state, level) traversalStack[level]
#define TRAVERSAL_REACH(entry) reachableCells(entry)
#define WAVE_HAS_GRIDS true
#define WAVE_HAS_GLASS true
#define WAVE_HAS_PANES true
#define WAVE_HAS_LAYERS true
#define WAVE_HAS_GRID_MEDIA true
${includes}
layout(local_size_x = 1) in;
layout(push_constant, scalar) uniform Push { uint64_t address; } push;
${buffers}
void main() {
${copies}}
")
file(WRITE ${OUT}/shared_headers.h "#pragma once\n${includes}")
file(WRITE ${OUT}/shared_declared.inc "${declared}")
