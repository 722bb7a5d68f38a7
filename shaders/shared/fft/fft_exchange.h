// Where the values of an exchange between two stages stand in workgroup memory.
//
// The boundary after a stage leaves blocks of `stride` values. On the leaving side, that of the stage before it, the
// blocks are the legs of `stride` neighbouring butterflies; on the other side each block holds stride / radix
// butterflies. `blockStride` words lie from block to block.
#ifndef AUREOLE_SHARED_FFT_EXCHANGE_H
#define AUREOLE_SHARED_FFT_EXCHANGE_H

#include "shared/lang.h"

SHARED_BEGIN

/// The word of a butterfly's first leg in its line.
SHARED_INLINE uint fftExchangeBase(bool leaving, uint radix, uint stride, uint blockStride, uint butterfly) {
    uint inner = leaving ? stride : stride / radix; // neighbouring butterflies of a block
    return butterfly % inner + (butterfly / inner) * (leaving ? radix * blockStride : blockStride);
}

/// Words from leg to leg.
SHARED_INLINE uint fftExchangeLegStride(bool leaving, uint radix, uint stride, uint blockStride) {
    return leaving ? blockStride : stride / radix;
}

SHARED_END
#endif
