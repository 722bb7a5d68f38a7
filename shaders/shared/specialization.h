// The ids of all specialization constants. A shader declares a constant as layout(constant_id = SPEC_...), and the host
// gives it a value as {SPEC_..., value} (gpu::Specialization): no side writes a bare number.
//
// Shaders that share a preamble are a family. Within a family an id has one meaning, whichever of the shaders declare
// it; families may use the same ids. tests/shared/specialization_test.cpp holds both rules.
#ifndef AUREOLE_SHARED_SPECIALIZATION_H
#define AUREOLE_SHARED_SPECIALIZATION_H

// Kernels that trace rays through an octree: wave_*, traverse_*, cast_rays.
#define SPEC_TRACE_WORKGROUP_SIZE 0u
#define SPEC_TRACE_STEPS_PER_ROUND 1u  ///< of a ray, before its subgroup looks for lanes that are out of work
#define SPEC_TRACE_REFILL_THRESHOLD 2u ///< lanes of a subgroup out of work at which it fetches work for them
#define SPEC_TRACE_OCTREE_ENCODING 3u  ///< OCTREE_TREE and so on (octree.h)
#define SPEC_TRACE_MATERIAL_MODELS 4u  ///< models that the scene has, a bit for each (material.h)
#define SPEC_TRACE_SAMPLER 5u          ///< SAMPLER_ (rng.h)
#define SPEC_TRACE_SAMPLING 6u         ///< SAMPLING_ (scatter.h)
#define SPEC_TRACE_FILM_LAYERS 7u      ///< LAYERS_FILLED (film_layers.h); 0: the film has no layers that paths fill
#define SPEC_TRACE_ONE_CHUNK 8u        ///< 1: the octree's nodes are one chunk, and its leaf masks too
#define SPEC_TRACE_OCTREE_LEVELS 9u    ///< 0: the octree's view tells
#define SPEC_TRACE_SMOOTH_NORMALS 10u  ///< 1: smooth, so that rays may go through voxels (sheet.h); 2: as params say
#define SPEC_TRACE_LAST_ROUNDS 12u     ///< of a wave, after its last ray was fetched
#define SPEC_TRACE_HAS_REACH 13u       ///< 1: rays end at a given distance
#define SPEC_TRACE_COUNTING 14u        ///< 1: steps and reads are counted
#define SPEC_TRACE_COARSE_START 15u    ///< 1: camera rays start at coarse depths (coarse_depth.h)
#define SPEC_TRACE_MOST_LOOPS 16u      ///< in which a subgroup traces rays; 0: no limit
#define SPEC_TRACE_TURNS_PER_ROUND 17u ///< then a round has so many turns of those steps
#define SPEC_TRACE_SURFACES 18u        ///< 1: rays end at the surfaces within voxels; 0: at voxels
#define SPEC_TRACE_MOTION 19u          ///< MOTION_: what moves while the shutter is open

#define MOTION_INSTANCES 1u
#define MOTION_CAMERA 2u

// Reductions, scans and sorts: scan_*, sort_*, onesweep_*.
#define SPEC_SCAN_WORKGROUP_SIZE 0u
#define SPEC_SCAN_SUBGROUP_SIZE 1u
#define SPEC_SCAN_SUBGROUPS 2u  ///< of a workgroup
#define SPEC_SCAN_NATIVE 3u     ///< 1: the device's subgroup arithmetic; 0: shuffles
#define SPEC_SCAN_ITEMS 4u      ///< consecutive items of an invocation, loaded as one vector
#define SPEC_SCAN_ROWS 5u       ///< vectors of an invocation
#define SPEC_SCAN_REDUCE 6u     ///< 1: a total for each segment; 0: the scan
#define SPEC_SCAN_PATIENCE 7u   ///< polls in vain before an invocation adds up the missing tile itself
#define SPEC_SCAN_LOOPING 8u    ///< 1: workgroups take tile after tile; 0: one tile each
#define SPEC_SORT_POOL_WORDS 9u ///< words of workgroup memory for counters, then for the tile in order
#define SPEC_SORT_PLANES 10u    ///< words of each key that fit the pool together: 1 or 2
#define SPEC_SORT_LOOK_BACK 11u ///< tiles that a look-back reads at a time
#define SPEC_SORT_VALUES 12u    ///< 1: keys have values; 0: keys alone
#define SPEC_SCAN_LOCKSTEP 13u  ///< 1: lanes of a subgroup run in lockstep, and need not meet

// Transforms of lines, and the bloom on top of them: fft_*, bloom_*.
#define SPEC_FFT_WORKGROUP_SIZE 0u
#define SPEC_FFT_LENGTH 1u ///< complex values of a line
#define SPEC_FFT_RADIX0 2u ///< of each stage; 1 behind the last one
#define SPEC_FFT_RADIX1 3u
#define SPEC_FFT_RADIX2 4u
#define SPEC_FFT_RADIX3 5u
#define SPEC_FFT_RADIX4 6u
#define SPEC_FFT_RADIX5 7u
#define SPEC_FFT_THREADS 8u              ///< invocations of a line; even, or neighbours must not exchange lines
#define SPEC_FFT_LINES 9u                ///< of a workgroup
#define SPEC_FFT_FIRST_LINES_FASTEST 10u ///< 1: in the first stage, neighbouring invocations have different lines
#define SPEC_FFT_LATER_LINES_FASTEST 11u ///< 1: so they have in the later stages
#define SPEC_FFT_POOL_WORDS 12u          ///< words of workgroup memory
#define SPEC_FFT_LINE_STRIDE 13u         ///< of lines in workgroup memory
#define SPEC_FFT_BLOCK_STRIDE0 14u       ///< of blocks in workgroup memory, at the boundary after each stage
#define SPEC_FFT_BLOCK_STRIDE1 15u
#define SPEC_FFT_BLOCK_STRIDE2 16u
#define SPEC_FFT_BLOCK_STRIDE3 17u
#define SPEC_FFT_BLOCK_STRIDE4 18u
#define SPEC_FFT_ROUND_BLOCKS0 19u ///< blocks that workgroup memory holds at a time, at each boundary
#define SPEC_FFT_ROUND_BLOCKS1 20u
#define SPEC_FFT_ROUND_BLOCKS2 21u
#define SPEC_FFT_ROUND_BLOCKS3 22u
#define SPEC_FFT_ROUND_BLOCKS4 23u
#define SPEC_FFT_SHUFFLED 24u          ///< bit s: shuffles make the exchange at the boundary after stage s
#define SPEC_FFT_NATURAL_ORDER 25u     ///< 1: frequencies are in natural order; 0: as the last stage leaves them
#define SPEC_FFT_SOURCE_HALF 26u       ///< 1: the source is stored in fp16
#define SPEC_FFT_TARGET_HALF 27u       ///< 1: the target is
#define SPEC_FFT_DEALT_WORDS 28u       ///< words of memory for a line's frequencies; 0: they are not dealt
#define SPEC_BLOOM_PIXELS 29u          ///< along the first axis
#define SPEC_BLOOM_PAIR_STRIDE 30u     ///< pairs of lines from position to position
#define SPEC_BLOOM_CENTRED 31u         ///< 1: a kernel, whose pixel `shift` stands at the origin
#define SPEC_BLOOM_MIRRORED_TO 32u     ///< mirror padding: the farEnd of bloomMirrored; 0: zero padding
#define SPEC_BLOOM_LINES_USED 33u      ///< values of a line of the second axis that are not padding
#define SPEC_BLOOM_REAL_KERNEL 34u     ///< 1: a symmetric kernel, whose spectrum is real
#define SPEC_BLOOM_TAPS 35u            ///< of the interpolation in a compact spectrum
#define SPEC_BLOOM_COMPACT_COLUMNS 36u ///< frequencies of a compact spectrum along the second axis
#define SPEC_BLOOM_COMPACT_ROWS 37u    ///< frequencies of a compact spectrum along the first axis
#define SPEC_BLOOM_ROUND_COLUMNS 38u   ///< of the columns, as first taps, in workgroup memory at a time
#define SPEC_BLOOM_STORE_COMPACT 39u   ///< 1: the kernel's spectrum is stored as a compact one

// The Gray-Scott model: gray_scott*.
#define SPEC_GRAY_SCOTT_LANES_X 0u ///< invocations of a workgroup along x
#define SPEC_GRAY_SCOTT_LANES_Y 1u
#define SPEC_GRAY_SCOTT_HALO 2u    ///< the most steps of a dispatch
#define SPEC_GRAY_SCOTT_HALVES 3u  ///< 1: concentrations are stored in fp16
#define SPEC_GRAY_SCOTT_VARYING 4u ///< 1: the rates differ from cell to cell, and are read from memory
#define SPEC_GRAY_SCOTT_BORDER 5u  ///< GRAY_SCOTT_ (gray_scott.h)
#define SPEC_GRAY_SCOTT_TIMED 6u   ///< 1: the rates differ from step to step too

// Box blurs beside the bloom: box_difference.
#define SPEC_BOXES_TRANSPOSES 0u ///< 1: the target has columns for lines
#define SPEC_BOXES_ADDS 1u       ///< 1: the target is a weighted sum that grows

#endif
