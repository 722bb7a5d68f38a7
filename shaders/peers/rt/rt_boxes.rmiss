#version 460
#include "peers/rt/rt_boxes.glsl"

layout(location = 0) rayPayloadInEXT RayEnd end;

void main() {
    end = RayEnd(uvec3(0u), -1.0f);
}
