#pragma once

// What the command line asks a render for.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/index_ranges.h"
#include "core/progress.h"
#include "gpu/device.h"
#include "render/path_tracer.h"
#include "scene/load.h"
#include "session/finish_options.h"
#include "session/octree.h"
#include "session/viewer.h"
#include "settings/changes.h"
#include "settings/integrator.h"
#include "settings/parse_text.h"

namespace aureole {

/// The time between two checkpoints, unless --every says otherwise.
inline constexpr double kCheckpointSeconds = 60.0;

/// The options of render as given; what is missing is the scene's.
struct RenderOptions {
    std::string scene;
    std::string output;
    std::vector<SceneOverride> overrides; ///< --set
    SettingsChanges changes;              ///< of the scene's settings, by other options; those of its finish are below
    std::optional<std::uint32_t> level;   ///< of detail, for an octree as the scene
    std::optional<IndexRange> sampleRange;
    std::optional<IndexRange> frames; ///< of the scene's animation
    std::optional<double> seconds;
    std::string checkpoint;                  ///< file to write; empty: that of resume, if any
    std::optional<double> checkpointSeconds; ///< between two checkpoints
    std::string resume;                      ///< checkpoint to go on from; empty: none
    std::optional<Crop> crop;
    std::string camera;
    bool reference = false;      ///< the reference backend instead of the GPU's
    bool skipExisting = false;   ///< leave out frames that have a file
    bool dropCheckpoint = false; ///< once the render is finished
    FinishOptions finish;
    bool noFinish = false;  ///< leave out the scene's finish, but not the steps that options ask for
    bool keepNoisy = false; ///< as a layer of a denoised picture
    bool noBloom = false;
    VoxelMaker voxelMaker = VoxelMaker::Choose;
    bool noCache = false;   ///< neither look for the octree in the cache nor keep it there
    bool shareRanks = true; ///< with the other processes of mpirun
    gpu::DeviceRequest device;
    std::optional<ViewerAddress> viewer;
    std::string statsFile;
    std::string traceFile; ///< of the timeline
    ProgressStyle progress = ProgressStyle::Auto;
    std::string commandLine;

    /// Whether --noise asks for adaptive sampling; the scene may ask for it too.
    bool asksForNoise() const {
        const std::optional<SettingChange> noise = changes.find(fieldOf(kIntegratorFields, "noise"));
        return noise && std::get<double>(noise->value) > 0.0;
    }
};

} // namespace aureole
