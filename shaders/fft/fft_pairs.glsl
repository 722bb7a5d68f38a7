// The bins of lines that are two real ones packed, for fft_real_*.comp. After fft_deal.glsl.
//
// A bin is a frequency k below kLength / 2 with its mirror -k; in bin 0, DC with Nyquist. The stages leave Z(k) and
// Z(-k) in any invocations; here one invocation gets both, through workgroup memory. Either Z(k) stays where the last
// stage has it, in one of the first half of the legs of a butterfly, and Z(-k) takes the place of one of the second
// half: neighbouring invocations then have neighbouring slots. Or, for natural order, both are dealt (fft_deal.glsl).

#define LANE_BINS (ELEMENTS / 2u) // of an invocation
const uint kBins = kLength / 2u;
const uint kLastButterflies = kLength / kLastRadix;
const uint kHalfLegs = kLastRadix / 2u;

/// The elements that hold a bin: k, and -k. Known to the compiler.
uint binElement(uint j) {
    uint element = j / kHalfLegs * kLastRadix + j % kHalfLegs;
    return kDealtWords != 0u ? 2u * j : min(element, ELEMENTS - 1u);
}
uint mirrorElement(uint j) {
    return kDealtWords != 0u ? 2u * j + 1u : min(binElement(j) + kHalfLegs, ELEMENTS - 1u);
}
/// The place of a bin in the half spectrum.
uint binPlace(uint j) {
    if (kDealtWords != 0u) {
        return j * kThreads + dealtThread(kLastLinesFastest);
    }
    return lastSlot(binElement(j));
}
bool binUsed(uint j) {
    if (kDealtWords != 0u) {
        return (j + 1u) * kThreads <= kBins || binPlace(j) < kBins;
    }
    return j / kHalfLegs < ELEMENTS / kLastRadix && lastUsed(binElement(j));
}

/// Where bins are dealt, k stands in the even elements and -k in the odd ones; in bin 0, Nyquist with DC.
bool dealtUsed(uint element) {
    return binUsed(element / 2u);
}
uint dealtFrequency(uint element) {
    uint place = binPlace(element / 2u);
    return element % 2u == 0u ? place : place == 0u ? kBins : kLength - place;
}

/// Mirrors alone: whether the element is one of the second half of the legs, and the word of its value: neighbouring
/// butterflies in neighbouring words.
bool isUpper(uint element) {
    return lastUsed(element) && lastLeg(element) >= kHalfLegs;
}
uint upperWord(uint element) {
    return lastLine() * kBins + (lastLeg(element) - kHalfLegs) * kLastButterflies + lastButterfly(element);
}
/// The word of a bin's mirror. The frequency is low + leg kLastButterflies; from the length it is, as long as low is
/// not zero, kLastButterflies - low and the legs counted from the last one. Neighbours again have neighbouring words.
uint mirrorWord(uint j) {
    uint leg = lastLeg(binElement(j));
    uint low = fftPositionFrequency(earlierRadices(), kLastButterflies, lastButterfly(binElement(j)));
    uint butterfly = fftFrequencyPosition(earlierRadices(), kLastButterflies, low > 0u ? kLastButterflies - low : 0u);
    uint mirrored = low > 0u ? kLastRadix - 1u - leg : leg > 0u ? kLastRadix - leg : kHalfLegs; // that of DC is Nyquist
    return lastLine() * kBins + (mirrored - kHalfLegs) * kLastButterflies + butterfly;
}

void fetchMirrors() {
    [[unroll]] for (uint part = 0u; part < kParts; ++part) {
        barrier();
        [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
            if (isUpper(e)) {
                pool[upperWord(e)] = partOf(v[e], part);
            }
        }
        barrier();
        [[unroll]] for (uint j = 0u; j < LANE_BINS; ++j) {
            if (binUsed(j)) {
                v[mirrorElement(j)] = withPart(v[mirrorElement(j)], part, pool[mirrorWord(j)]);
            }
        }
    }
}

void returnMirrors() {
    [[unroll]] for (uint part = 0u; part < kParts; ++part) {
        barrier();
        [[unroll]] for (uint j = 0u; j < LANE_BINS; ++j) {
            if (binUsed(j)) {
                pool[mirrorWord(j)] = partOf(v[mirrorElement(j)], part);
            }
        }
        barrier();
        [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
            if (isUpper(e)) {
                v[e] = withPart(v[e], part, pool[upperWord(e)]);
            }
        }
    }
}

/// From what the last stage leaves to bins, and back. In uniform control flow.
void slotsToBins() {
    if (kDealtWords != 0u) {
        dealFrequencies();
    } else {
        fetchMirrors();
    }
}
void binsToSlots() {
    if (kDealtWords != 0u) {
        returnFrequencies();
    } else {
        returnMirrors();
    }
}
