#pragma once

#include <cstdint>

#include "gpu/device.h"
#include "render/device_scene.h"
#include "render/wave_traffic.h"

namespace aureole {

/// What kernels of waves are made for (shared/specialization.h): scenes that are alike in it share them.
struct WaveTraits {
    std::uint32_t encoding = 0;       ///< see DeviceScene::encoding
    std::uint32_t levels = 0;         ///< see DeviceScene::levels
    std::uint32_t materialModels = 0; ///< see DeviceScene::materialModels
    std::uint32_t sampler = 0;
    std::uint32_t sampling = 0; ///< of directions
    std::uint32_t layers = 0;   ///< that paths fill, see FilmLayout::filled
    bool layersInPaths = false;
    bool smoothNormals = false;
    bool manyGrids = false;
    bool oneChunk = false;
    std::uint32_t motion = 0; ///< MOTION_ of shared/specialization.h

    bool operator==(const WaveTraits&) const = default;
};

WaveTraits waveTraits(const DeviceScene& scene, const shared::VoxelParams& params);

/// What their queues hold.
WaveQueueUse queueOf(const WaveTraits& traits);

/// Those that a scene of one octree will most likely have once it is voxelised. `isCpu` says whether the device is
/// software.
WaveTraits expectedWaveTraits(const Scene& scene, bool isCpu);

/// How wave_trace cuts the ways of rays into rounds, after which a subgroup fetches others.
struct WaveRounds {
    std::uint32_t last = 6;  ///< after the last ray was fetched; rays that still run go on in the next wave
    std::uint32_t steps = 0; ///< of a ray in a round; 0: as suits the device
};

struct WaveKernels {
    gpu::Pipeline begin;
    gpu::Pipeline trace;
    gpu::Pipeline shade;
    gpu::Pipeline sum;
};

/// All of them at once. Where the device has made the same ones before, they come from its cache. Throws Error.
WaveKernels makeWaveKernels(const gpu::Device& device, const WaveTraits& traits, const WaveRounds& rounds = {});
/// The one that takes the last paths of a pass to their ends, which takes a driver as long as the others together.
/// For scenes of one octree.
gpu::Pipeline makeDrainKernel(const gpu::Device& device, const WaveTraits& traits);

/// Invocations of their workgroups.
std::uint32_t waveWorkgroupSize(const gpu::DeviceInfo& info);

inline bool letsLightThrough(std::uint32_t materialModels) {
    return (materialModels & MODELS_OF_GLASS) != 0;
}

} // namespace aureole
