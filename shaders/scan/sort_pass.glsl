// What the steps of a pass of the portable radix sort share.
#include "scan/sort_tile.glsl"

layout(push_constant, scalar) uniform Push {
    SortPush push;
};

uint digitOf(uint64_t key) {
    return uint(key >> push.shift) & push.mask;
}
