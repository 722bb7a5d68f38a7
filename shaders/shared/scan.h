// Names and push constants of the scan and sort shaders.
#ifndef AUREOLE_SHARED_SCAN_H
#define AUREOLE_SHARED_SCAN_H

#include "shared/lang.h"

// Types of the items; the order of scan::Type.
#define SCAN_U32 0
#define SCAN_I32 1
#define SCAN_F32 2
#define SCAN_U64 3

// Operations; the order of scan::Operation.
#define SCAN_ADD 0
#define SCAN_MULTIPLY 1
#define SCAN_MIN 2
#define SCAN_MAX 3
#define SCAN_AND 4
#define SCAN_OR 5
#define SCAN_XOR 6

/// Rows of a tile that the shaders hold in registers at most.
#define SCAN_MOST_ROWS 8

/// Digits of a pass of the radix sort: 8 bits.
#define SORT_DIGITS 256
/// Passes over 64-bit keys.
#define SORT_MOST_PASSES 8

/// Tiles that an invocation of a onesweep pass looks at a time at most.
#define SORT_MOST_LOOK_BACK 8

// A status word of scan_look_back: half of an item's word, the state of the value, and the number of the execution.
#define SCAN_STATE_SHIFT 16
#define SCAN_EPOCH_SHIFT 18
#define SCAN_MOST_EPOCHS ((1u << (32 - SCAN_EPOCH_SHIFT)) - 1u)

// Words of OnesweepPush::work.
#define SORT_COUNTS 0 /* of each pass's digits among all keys; 0 before and after an execution */
#define SORT_BEGINS (SORT_MOST_PASSES * SORT_DIGITS)      /* where each digit begins in a pass's target */
#define SORT_TICKETS (2 * SORT_MOST_PASSES * SORT_DIGITS) /* the next tile of each pass */
#define SORT_ROUTES (SORT_TICKETS + SORT_MOST_PASSES)     /* of each pass, as below */
#define SORT_WORK_WORDS (SORT_ROUTES + SORT_MOST_PASSES)

// A pass's route: 0 where it is left out, else these bits.
#define SORT_ROUTE_RUNS 1u
#define SORT_ROUTE_SOURCE 1 /* shift of two bits: where the keys come from */
#define SORT_ROUTE_TARGET 3 /* shift of two bits: where they go */
#define SORT_ROUTE_TABLE 5  /* shift of one bit: the table of status words */
#define SORT_INPUT 0u
#define SORT_OUTPUT 1u
#define SORT_SCRATCH 2u

SHARED_BEGIN

/// One dispatch of a scan or reduction. Addresses point at items, 0 where there are none.
struct ScanPush {
    uint64_t source;
    uint64_t target;     ///< scans: may be the source
    uint64_t totals;     ///< scan_chunks: what precedes each chunk; scan_reduce: where the chunks' totals meet
    uint64_t status;     ///< scan_look_back: the tiles' status words, twice as many as tiles need
    uint64_t counter;    ///< scan_look_back: the next ticket; scan_reduce: chunks done. 0 before and after the dispatch
    uint64_t count;      ///< items
    uint64_t chunkItems; ///< items of a chunk, the last one's aside
    uint chunks;         ///< chunks, tiles or segments there are
    uint exclusive;      ///< 1: exclusive scan, 0: inclusive
    uint epoch;          ///< scan_look_back: the number of this execution, so that old status words are void; from 1 on
};

/// One pass of the radix sort.
struct SortPush {
    uint64_t sourceKeys;
    uint64_t sourceValues;
    uint64_t targetKeys;
    uint64_t targetValues;
    uint64_t counts; ///< of digit d in tile t: at d * tiles + t. Turned into offsets between the dispatches of a pass
    uint count;
    uint tiles;
    uint shift; ///< the digit's lowest bit in the key
    uint mask;  ///< the digit's bits, shifted down
};

/// One dispatch of a onesweep radix sort.
struct OnesweepPush {
    uint64_t inputKeys;
    uint64_t inputValues;
    uint64_t outputKeys;
    uint64_t outputValues;
    uint64_t scratchKeys;
    uint64_t scratchValues;
    uint64_t work;   ///< SORT_WORK_WORDS words
    uint64_t status; ///< two tables of a status word for each digit of each tile
    uint count;
    uint tiles;
    uint pass;
    uint passes;
    uint beginBit;
    uint endBit;
    uint digitBits; ///< of a pass, the last one's aside
    uint inPlace;   ///< 1: the input is the output
};

SHARED_END
#endif
