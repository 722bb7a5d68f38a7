// How the second pass of the bloom multiplies by a kernel's spectrum of the image's own periods; shared/bloom.h has its
// layout.

/// Where the kernel's spectrum has its value for an element: an address, the rest of which is known to the compiler.
uint64_t kernelAddress(uint64_t line, uint element) {
    const uint bytes = kRealKernel != 0u ? 4u : 8u;
    uint64_t butterfly = line + uint64_t(bytes) * lastButterfly(element);
    return butterfly + uint64_t(bytes * (kLength / kLastRadix)) * lastLeg(element);
}

void multiplyByKernelAt(uint64_t address, uint element) {
    if (kRealKernel != 0u) {
        v[element] *= push.keep * Real(address).value + push.delta;
    } else {
        v[element] = complexMultiply(v[element], push.keep * Complex(address).value + vec2(push.delta, 0.0f));
    }
}

/// Multiplies the transformed line by the kernel's spectrum.
void useKernel() {
    uint line = gl_WorkGroupID.x * kLines + lastLine();
    if (line < push.binCount) {
        uint64_t kernelLine = push.kernel + uint64_t(kRealKernel != 0u ? 4u : 8u) * kLength *
                                                (uint64_t(gl_WorkGroupID.y) * push.binCount + line);
        [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
            if (lastUsed(e)) {
                multiplyByKernelAt(kernelAddress(kernelLine, e), e);
            }
        }
    }
}
