#version 460
#include "peers/rt/rt_boxes.glsl"

hitAttributeEXT uvec3 hitVoxel;
layout(location = 0) rayPayloadInEXT RayEnd end;

void main() {
    end = RayEnd(hitVoxel, gl_HitTEXT);
}
