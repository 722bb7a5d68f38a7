// Rates that change from step to step. Expects kTimed, 0 or 1, the push constants and gray_scott_memory.glsl.

/// What a step keeps of a cell, but for rates that vary over the plane. `step` counts from the start of all.
vec2 keepAt(uint step) {
    return kTimed != 0u ? push.keep - FloatCell(push.times + 8ul * min(step, push.lastTime)).value : push.keep;
}
