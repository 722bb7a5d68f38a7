# Makes, at build time, what the test of specialization constants needs of shaders/:
#   constant_names.inc     NAMED(name) for each name that specialization.h defines
#   constants_declared.inc DECLARED("file", "what stands for its id", "constant") for each constant that a shader
#                          declares; of a side of the workgroup, the constant is "local_size"
# cmake -DNAMES=specialization.h -DSHADERS=a;b -DOUT=folder -P MakeConstants.cmake

set(named "")
file(STRINGS ${NAMES} lines REGEX "^#define SPEC_")
foreach(line ${lines})
  string(REGEX REPLACE "^#define (SPEC_[A-Z0-9_]+).*" "\\1" name "${line}")
  string(APPEND named "NAMED(${name})\n")
endforeach()

set(declared "")
foreach(shader ${SHADERS})
  get_filename_component(file ${shader} NAME)
  file(STRINGS ${shader} lines REGEX "(constant_id|local_size_[xyz]_id)")
  foreach(line ${lines})
    if(line MATCHES "^layout\\(constant_id = ([^,)]+)\\) const [a-z0-9]+ ([A-Za-z0-9]+) = ")
      string(APPEND declared "DECLARED(\"${file}\", \"${CMAKE_MATCH_1}\", \"${CMAKE_MATCH_2}\")\n")
    elseif(line MATCHES "^layout\\(local_size_x_id = ([^,)]+)\\) in")
      string(APPEND declared "DECLARED(\"${file}\", \"${CMAKE_MATCH_1}\", \"local_size\")\n")
    elseif(line MATCHES "^layout\\(local_size_x_id = ([^,)]+), local_size_y_id = ([^,)]+)\\) in")
      string(APPEND declared "DECLARED(\"${file}\", \"${CMAKE_MATCH_1}\", \"local_size\")\n"
                             "DECLARED(\"${file}\", \"${CMAKE_MATCH_2}\", \"local_size\")\n")
    else()
      message(FATAL_ERROR "${shader}: found '${line}', expected one declaration of a specialization constant")
    endif()
  endforeach()
endforeach()

file(WRITE ${OUT}/constant_names.inc "${named}")
file(WRITE ${OUT}/constants_declared.inc "${declared}")
