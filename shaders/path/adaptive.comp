#version 460
#include "shared/lang.h"

// A step of deciding which tiles of the film get more samples.

layout(local_size_x = 64) in;
#include "gpu/dispatch.glsl"

uint traversalStack[7];
#define TRAVERSAL_STACK(state, level) traversalStack[level]
#define TRAVERSAL_REACH(entry) reachableCells(entry)
#include "shared/path/adaptive.h"

layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer PixelTarget {
    PixelEstimate at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer TileTarget {
    TileEstimate at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer SumTarget {
    float at[];
};
layout(buffer_reference, scalar, buffer_reference_align = 4) writeonly buffer WordTarget {
    uint at[];
};

layout(push_constant, scalar) uniform Push {
    AdaptivePush push;
};

// What is stored goes through a parameter, as wave_kernel.glsl tells why.
void storePixel(uint i, PixelEstimate estimate) {
    PixelTarget(push.pixels).at[i] = estimate;
}
void storeTile(uint i, TileEstimate estimate) {
    TileTarget(push.tiles).at[i] = estimate;
}
void storeSum(uint i, float sum) {
    SumTarget(push.sums).at[i] = sum;
}
void storeWord(uint i, uint word) {
    WordTarget(push.doneAt).at[i] = word;
}

void main() {
    uint i = invocationIndex();
    uint items = push.step == ADAPTIVE_SUM ? (push.count + ADAPTIVE_SUM_ITEMS - 1u) / ADAPTIVE_SUM_ITEMS : push.count;
    if (i >= items) {
        return;
    }
    if (push.step == ADAPTIVE_PIXELS) {
        storePixel(i, adaptivePixel(push, i));
    } else if (push.step == ADAPTIVE_LIGHT) {
        storeSum(i, adaptiveLight(push, i));
    } else if (push.step == ADAPTIVE_SUM) {
        storeSum(i, adaptiveSum(push, i));
    } else if (push.step == ADAPTIVE_TILES) {
        storeTile(i, adaptiveTile(push, i));
    } else {
        storeWord(i, adaptiveDecide(push, i));
    }
}
