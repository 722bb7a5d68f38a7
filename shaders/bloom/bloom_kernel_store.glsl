// How the second pass of the bloom stores a kernel's spectrum; shared/bloom.h has the layouts.

#include "shared/specialization.h"

layout(constant_id = SPEC_BLOOM_STORE_COMPACT) const uint kStoreCompact = 0u;

/// The transformed line becomes one of the kernel's spectrum.
void useKernel() {
    const uint bytes = kRealKernel != 0u ? 4u : 8u;
    uint line = gl_WorkGroupID.x * kLines + lastLine();
    if (line >= push.binCount) {
        return;
    }
    uint64_t kernelLine = push.kernel + uint64_t(bytes) * kLength * (uint64_t(gl_WorkGroupID.y) * push.binCount + line);
    [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
        if (!lastUsed(e)) {
            continue;
        }
        uint place = kStoreCompact != 0u ? lastFrequency(e) : lastSlot(e);
        if (kRealKernel != 0u) {
            Real(kernelLine + 4ul * place).value = push.keep * v[e].x;
        } else {
            Complex(kernelLine + 8ul * place).value = push.keep * v[e];
        }
    }
}
