#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.h"
#include "cli/commands/describe_octree.h"
#include "cli/options/arguments.h"
#include "cli/options/device_options.h"
#include "cli/options/setting_options.h"
#include "core/extension.h"
#include "core/file.h"
#include "core/interrupt.h"
#include "core/log.h"
#include "scene/grid_scene.h"
#include "scene/load.h"
#include "scene/scene_conflicts.h"
#include "session/report.h"
#include "session/scene_options.h"
#include "session/textures.h"
#include "settings/fields.h"
#include "voxel/build/build.h"
#include "voxel/file/octree_file.h"
#include "voxel/tree/dag.h"
#include "voxelizer/device_bricks.h"

namespace aureole::cli {

namespace {

namespace fs = std::filesystem;

constexpr const Field<VoxelSettings>& kResolution = fieldOf(kVoxelFields, "resolution");

struct VoxelizeCommand {
    std::string input;
    std::string output;
    std::vector<SceneOverride> overrides;
    std::optional<std::uint32_t> resolution;
    std::optional<SurfaceKind> surface;
    std::optional<double> error;
    std::optional<Coverage> mode;
    VoxelizeOptions options;
    bool dag = false;
    bool onDevice = false;
    gpu::DeviceRequest device;
    ProgressStyle progress = ProgressStyle::Auto;
};

void checkModelOutput(const std::string& output) {
    if (!isOctreeFile(output)) {
        fail(ExitCode::Usage, "{}: found the extension '{}', expected .avo here", output,
             fs::path(output).extension().string());
    }
    checkWritable(output);
}

/// Octrees hold surfaces: fog is no part of them.
void tellOfVolumes(const std::string& file, const Scene& scene) {
    if (scene.volumes.empty()) {
        return;
    }
    if (scene.meshInstances.empty() && scene.voxelInstances.empty()) {
        fail(ExitCode::BadInput, "{}: found volumes alone, expected surfaces to make an octree of", file);
    }
    logWarning("{}: octrees hold surfaces: the volumes are left out", file);
}

/// Models alone, without the floor that it gets to be rendered on.
Scene loadForVoxels(const std::string& file, const std::vector<SceneOverride>& overrides) {
    if (isOctreeFile(file)) {
        fail(ExitCode::BadInput, "{}: found an octree, expected a model or a scene to make one of", file);
    }
    if (lowerExtension(file) == ".json") {
        Scene scene = loadScene(file, overrides);
        if (const auto octree = anyOctreeFile(scene)) {
            fail(ExitCode::BadInput, "{}: found the octree {}, expected models to make one of", file, octree->string());
        }
        return withTextures(std::move(scene), nullptr);
    }
    SettingsChanges changes;
    changes.show.stage = ModelStage::None;
    return loadScene(file, overrides, nullptr, changes);
}

/// What the command and, where it is silent, the scene ask for. Refuses options that do not go together.
VoxelizeOptions optionsOf(const VoxelizeCommand& command, const Scene& scene) {
    VoxelizeOptions options = command.options;
    const bool given = lowerExtension(command.input) == ".json" ||
                       std::any_of(command.overrides.begin(), command.overrides.end(),
                                   [](const SceneOverride& set) { return set.first == pointerOf(kResolution); });
    const std::uint32_t byDefault = given ? scene.voxels.resolution : VoxelizeOptions{}.resolution;
    options.resolution = command.resolution.value_or(byDefault);
    options.surface = command.surface.value_or(scene.voxels.surface);
    options.coverage = command.mode.value_or(scene.voxels.mode);
    options.error = command.error.value_or(scene.voxels.error);
    options.attributes = scene.voxels.attributes;
    checkSurfaceOptions(options.surface, command.error, command.dag);
    VoxelSettings asked = scene.voxels; // what the scene says of them, with the surface that they are to have
    asked.surface = options.surface;
    asked.mode = command.mode ? Coverage::Conservative : asked.mode;
    asked.encoding = command.dag ? TreeKind::Tree : asked.encoding;
    asked.attributes = VoxelContent::All; // told by voxelisation
    if (const std::vector<SceneConflict> found = findOddVoxels("/voxels", asked); !found.empty()) {
        fail(ExitCode::BadInput, "{}: {}: {}", scene.file.string(), found.front().pointer, found.front().message);
    }
    options.spillFolder = folderOf(command.output);
    return options;
}

/// How long each step took, and what merging saved.
struct Figures {
    double buildSeconds = 0.0;
    double mergeSeconds = 0.0;
    double writeSeconds = 0.0;
    std::uint64_t treeBytes = 0; ///< of occupancy, before equal subtrees were merged
};

void report(const VoxelizeCommand& command, const Octree& octree, const Figures& figures) {
    const auto voxels = static_cast<double>(octree.voxelCount());
    logInfo("grid     {} x {} x {}, {}", octree.grid.size.x, octree.grid.size.y, octree.grid.size.z,
            coverageNames()[static_cast<std::size_t>(octree.coverage)]);
    logInfo("{:<9}{} in {}, {:.2f} million a second", fmt::format("{}s", unitName(octree)), octree.voxelCount(),
            formatDuration(figures.buildSeconds), voxels / std::max(figures.buildSeconds, 1e-9) * 1e-6);
    if (command.dag) {
        logInfo("merged   {} bytes of occupancy into {} in {}", figures.treeBytes, octree.occupancyBytes(),
                formatDuration(figures.mergeSeconds));
    }
    logInfo("memory   {} bytes, {:.2f} bits a {} of occupancy", octree.bytes(),
            8.0 * static_cast<double>(octree.occupancyBytes()) / std::max(voxels, 1.0), unitName(octree));
    logInfo("written  {} in {}", command.output, formatDuration(figures.writeSeconds));
}

ExitCode voxelize(const VoxelizeCommand& given) {
    checkModelOutput(given.output);
    setProgressStyle(given.progress);
    VoxelizeCommand command = given;
    if (command.resolution == kCountWord) { // which is chosen while the scene is read
        command.overrides.emplace_back(pointerOf(kResolution), "\"view\"");
        command.resolution.reset();
    }
    const Scene scene = loadForVoxels(command.input, command.overrides);
    tellOfVolumes(command.input, scene);
    logResolutions(scene);
    VoxelizeOptions options = optionsOf(command, scene);
    command.dag = command.dag || scene.voxels.encoding == TreeKind::Dag;
    std::optional<gpu::Device> device;
    std::optional<voxelizer::DeviceBricks> maker;
    if (!command.onDevice && (!command.device.selector.empty() || command.device.allowCpu)) {
        fail(ExitCode::Usage, "--device, --allow-cpu: found without --voxelizer gpu, expected both or none");
    }
    if (command.onDevice) {
        device = gpu::Device::open(command.device);
        options.maker = &maker.emplace(*device);
    }
    // Temporary files vanish with the program, but what is half-written has to be removed.
    catchInterrupts();
    Figures figures;
    const Stopwatch build;
    Octree octree = voxelizeScene(scene, options);
    figures.buildSeconds = build.seconds();
    figures.treeBytes = octree.occupancyBytes();
    if (command.dag) {
        const Stopwatch merge;
        octree = toDag(std::move(octree));
        figures.mergeSeconds = merge.seconds();
    }
    octree.metadata = {{"aureole", AUREOLE_VERSION},
                       {"source", fs::path(command.input).filename().string()},
                       {"scene_hash", scene.hash}};
    const Stopwatch write;
    writeOctree(command.output, octree);
    figures.writeSeconds = write.seconds();
    report(command, octree, figures);
    if (maker && maker->figures().batches > 0) {
        logInfo("device   {:.1f} ms, of which {:.1f} tell what is solid", maker->figures().milliseconds,
                maker->figures().occupancyMilliseconds);
    }
    return ExitCode::Done;
}

} // namespace

namespace {

/// Which voxels there are, and what each holds.
void addVoxelOptions(CLI::App& command, const std::shared_ptr<VoxelizeCommand>& options) {
    addSetting(command, kResolution,
               fmt::format("Voxels along the longest side, {} to {}, or view: as the cameras\n"
                           "need; the scene's own by default, of a model {}",
                           kMinimumResolution, kMaximumResolution, VoxelizeOptions{}.resolution),
               [options](const SettingValue& value) { options->resolution = std::get<std::uint32_t>(value); });
    addChoice(command, "--mode", "NAME",
              "conservative (default of a model): every voxel that the surface touches;\n"
              "thin: fewest without gaps between faces;\n"
              "solid: conservative, and the inside of closed meshes",
              coverageNames(), [options](std::size_t index) { options->mode = static_cast<Coverage>(index); });
    addSetting(command, fieldOf(kVoxelFields, "surface"),
               "cubes (default of a model): voxels are cubes;\n"
               "planes: each holds a plane fitted to the surface, and one where it fits them\n"
               "stands for many;\n"
               "field: distances to the surface, which make it smooth",
               [options](const SettingValue& value) {
                   options->surface = static_cast<SurfaceKind>(std::get<std::uint32_t>(value));
               });
    addSetting(command, fieldOf(kVoxelFields, "error"),
               fmt::format("How far planes may lie from the surface, {} to {}; {} by default", kMinimumSurfaceError,
                           kMaximumSurfaceError, kDefaultSurfaceError),
               [options](const SettingValue& value) { options->error = std::get<double>(value); });
}

} // namespace

void addVoxelizeCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = addCommand(app, "voxelize", "Turn a model or a scene into voxels, as a file to render");
    const auto options = std::make_shared<VoxelizeCommand>();
    require(addFile(*command, "MESH_OR_SCENE", "", modelHelp(), sceneExtensions(), options->input));
    require(addOutput(*command, "-o,--output", "OUT", "Octree file to write: .avo", {"avo"}, options->output));
    addOverrides(*command, options->overrides);
    addVoxelOptions(*command, options);
    addFlag(*command, "--dag", options->dag,
            "Store equal subtrees once, for the same picture: less than half of the tree's\n"
            "bytes from about 1024 voxels a side, the finer the less. Takes memory beside\n"
            "--memory");
    addValue(*command, "--memory", "SIZE",
             "Memory to work in beside the scene, as in 500M or 4G; what is more goes\n"
             "to temporary files beside the output. Without limit by default",
             [options](const std::string& text) { options->options.memory = parseBytes("--memory", text); });
    addChoice(*command, "--voxelizer", "NAME",
              "cpu (default): all cores;\n"
              "gpu: the device, which makes voxels of models without textures, and\n"
              "leaves the rest to the CPU; colours and normals may differ in their last step",
              {"cpu", "gpu"}, [options](std::size_t index) { options->onDevice = index == 1; });
    addDeviceOptions(*command, options->device);
    addProgress(*command, options->progress);
    setFooter(
        *command,
        "By the CPU, the file holds the same bytes for any number of threads and any --memory.\nCtrl-C leaves none.\n\n"
        "Examples:\n"
        "  aureole voxelize bunny.obj -o bunny.avo --resolution 2048\n"
        "  aureole voxelize city.json -o city.avo --resolution 16384 --memory 6G\n"
        "  aureole voxelize bunny.obj -o bunny.avo --resolution 4096 --voxelizer gpu\n"
        "  aureole voxelize scene.json -o bare.avo --set /instances/floor=null\n"
        "  aureole info city.avo");
    onParsed(*command, [options, &invocation] { invocation.run = [options] { return voxelize(*options); }; });
}

} // namespace aureole::cli
