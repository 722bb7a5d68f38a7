// Cells of the Gray-Scott model in memory, as floats or as halves. Expects kHalves, 0 or 1.
#extension GL_EXT_control_flow_attributes : require

layout(buffer_reference, scalar, buffer_reference_align = 8) buffer FloatCell {
    vec2 value;
};
layout(buffer_reference, scalar, buffer_reference_align = 16) buffer FloatCells {
    vec4 values[2];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer HalfCell {
    uint value;
};
layout(buffer_reference, scalar, buffer_reference_align = 16) buffer HalfCells {
    uvec4 values;
};

vec2 loadCell(uint64_t cells, uint index) {
    if (kHalves != 0u) {
        return unpackHalf2x16(HalfCell(cells + 4ul * index).value);
    }
    return FloatCell(cells + 8ul * index).value;
}
