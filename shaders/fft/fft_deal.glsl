// Frequencies dealt to the invocations anew, for plans in natural order: the last stage leaves them digits reversed,
// and memory takes runs from neighbouring invocations. Through workgroup memory, and, where a line does not fit, some
// frequencies at a time. After fft_memory.glsl.

#include "shared/specialization.h"

layout(constant_id = SPEC_FFT_DEALT_WORDS) const uint kDealtWords = 0u;

#if WHOLE_VALUES
#define WORD vec2
const uint kParts = 1u;
WORD partOf(vec2 value, uint part) {
    return value;
}
vec2 withPart(vec2 value, uint part, WORD word) {
    return word;
}
#else
#define WORD float
const uint kParts = 2u;
WORD partOf(vec2 value, uint part) {
    return part == 0u ? value.x : value.y;
}
vec2 withPart(vec2 value, uint part, WORD word) {
    return part == 0u ? vec2(word, value.y) : vec2(value.x, word);
}
#endif

const uint kDealtRounds = kDealtWords != 0u ? (kLength + kDealtWords - 1u) / kDealtWords : 0u;

/// To be defined: whether an element is in use where frequencies are dealt, and its frequency.
bool dealtUsed(uint element);
uint dealtFrequency(uint element);

/// Whether a frequency takes part in a round; all do where there is but one.
bool inDealtRound(uint frequency, uint round) {
    return kDealtRounds == 1u || frequency - round * kDealtWords < kDealtWords;
}

/// The word of a frequency that takes part in the round. Rows of as many words as there are banks are turned against
/// each other: the stages deal in frequencies far apart.
uint dealtWord(uint frequency, uint round) {
    const uint banks = WHOLE_VALUES == 1 ? 16u : 32u;
    uint place = frequency - round * kDealtWords;
    uint row = place / banks;
    uint turned = row * banks + (place + row + row / banks) % banks;
    return lastLine() * kDealtWords + ((row + 1u) * banks <= kDealtWords ? turned : place);
}

/// From what the last stage leaves to where frequencies are dealt, or back (`back`). In uniform control flow.
void moveFrequencies(bool back) {
    WORD incoming[ELEMENTS];
    [[unroll]] for (uint part = 0u; part < kParts; ++part) {
        [[unroll]] for (uint round = 0u; round < kDealtRounds; ++round) {
            barrier();
            [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
                uint frequency = back ? dealtFrequency(e) : lastFrequency(e);
                if ((back ? dealtUsed(e) : lastUsed(e)) && inDealtRound(frequency, round)) {
                    pool[dealtWord(frequency, round)] = partOf(v[e], part);
                }
            }
            barrier();
            [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
                uint frequency = back ? lastFrequency(e) : dealtFrequency(e);
                if ((back ? lastUsed(e) : dealtUsed(e)) && inDealtRound(frequency, round)) {
                    incoming[e] = pool[dealtWord(frequency, round)];
                }
            }
        }
        [[unroll]] for (uint e = 0u; e < ELEMENTS; ++e) {
            v[e] = withPart(v[e], part, incoming[e]);
        }
    }
}
void dealFrequencies() {
    moveFrequencies(false);
}
void returnFrequencies() {
    moveFrequencies(true);
}
