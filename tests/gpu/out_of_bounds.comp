// Reaches one place of memory, within bounds or out of them as the push constants say.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "shared/lang.h"

layout(local_size_x = 1) in;
layout(constant_id = 0) const uint kPoolLength = 8u;

struct Record {
    uint tag;
    float values[4];
};

layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Words {
    uint at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) buffer Records {
    Record at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 16) buffer Vectors {
    uvec4 at[];
};

layout(push_constant, scalar) uniform Push {
    uint64_t words;
    uint64_t result;
    uint access;
    uint index;
    uint table[4];
}
push;

shared uint pool[kPoolLength];

uint reach() {
    uint i = push.index;
    switch (push.access) {
    case 0u:
        return Words(push.words).at[i];
    case 1u:
        Words(push.words).at[i] = 99u;
        return 0u;
    case 2u:
        return atomicAdd(Words(push.words).at[i], 1u);
    case 3u:
        pool[i] = 7u;
        return pool[i];
    case 4u:
        return push.table[i];
    case 5u:
        return uint(Records(push.words).at[1].values[i]);
    case 6u:
        return Vectors(push.words).at[1][i];
    case 7u: {
        uvec4 all = Vectors(push.words + i).at[0];
        return all.x + all.y + all.z + all.w;
    }
    case 8u: {
        uint squares[4] = uint[](0u, 1u, 4u, push.table[0]);
        return squares[i];
    }
    case 9u:
        return Words(push.words + 4ul * i).at[0];
    case 10u:
        Words(push.words).at[0] = Words(push.words).at[i];
        return 0u;
    default: {
        uvec4 vector = uvec4(1u, 2u, 3u, push.table[0]);
        return vector[i];
    }
    }
}

void main() {
    uint result = reach();
    Words(push.result).at[0] = result;
}
