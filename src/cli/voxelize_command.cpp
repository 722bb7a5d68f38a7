#include <algorithm>
#include <cctype>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/describe_octree.h"
#include "cli/render_report.h"
#include "core/file.h"
#include "core/interrupt.h"
#include "core/log.h"
#include "scene/load.h"
#include "voxel/build.h"
#include "voxel/dag.h"
#include "voxel/octree_file.h"

namespace aureole::cli {

namespace {

namespace fs = std::filesystem;

struct VoxelizeCommand {
    std::string input;
    std::string output;
    std::optional<std::uint32_t> resolution;
    std::optional<SurfaceKind> surface;
    std::optional<double> error;
    VoxelizeOptions options;
    bool dag = false;
    ProgressStyle progress = ProgressStyle::Auto;
};

bool hasExtension(const fs::path& path, const char* wanted) {
    std::string extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return extension == wanted;
}

void checkModelOutput(const std::string& output) {
    if (!hasExtension(output, ".avo")) {
        fail(ExitCode::Usage, "{}: found the extension '{}', expected .avo here", output,
             fs::path(output).extension().string());
    }
    checkWritable(output);
}

/// Models alone, without the floor that it gets to be rendered on.
Scene loadForVoxels(const std::string& file) {
    if (hasExtension(file, ".avo")) {
        fail(ExitCode::BadInput, "{}: found an octree, expected a model or a scene to make one of", file);
    }
    if (hasExtension(file, ".json")) {
        Scene scene = loadScene(file, {});
        if (scene.octree) {
            fail(ExitCode::BadInput, "{}: found the octree {}, expected models to make one of", file,
                 scene.octree->file.string());
        }
        return scene;
    }
    return loadScene(file, {{"/instances/floor", "null"}});
}

ExitCode voxelize(const VoxelizeCommand& command) {
    checkModelOutput(command.output);
    setProgressStyle(command.progress);
    const Scene scene = loadForVoxels(command.input);
    VoxelizeOptions options = command.options;
    const std::uint32_t byDefault =
        hasExtension(command.input, ".json") ? scene.voxels.resolution : VoxelizeOptions{}.resolution;
    options.resolution = command.resolution.value_or(byDefault);
    options.surface = command.surface.value_or(scene.voxels.surface);
    options.error = command.error.value_or(scene.voxels.error);
    if (command.error && options.surface != SurfaceKind::Planes) {
        fail(ExitCode::Usage, "--error: found {} with surface '{}', expected surface 'planes'", options.error,
             surfaceKindNames()[static_cast<std::size_t>(options.surface)]);
    }
    if (command.dag && options.surface != SurfaceKind::Cubes) {
        fail(ExitCode::Usage, "--dag: found surface '{}', expected surface 'cubes'",
             surfaceKindNames()[static_cast<std::size_t>(options.surface)]);
    }
    const fs::path folder = fs::path(command.output).parent_path();
    options.spillFolder = folder.empty() ? fs::path(".") : folder;
    // Temporary files vanish with the program, but what is half-written has to be removed.
    catchInterrupts();
    const Stopwatch build;
    Octree octree = voxelizeScene(scene, options);
    const double buildSeconds = build.seconds();
    const std::uint64_t treeBytes = octree.occupancyBytes();
    const Stopwatch merge;
    if (command.dag) {
        octree = toDag(std::move(octree));
    }
    const double mergeSeconds = merge.seconds();
    octree.metadata = {{"aureole", AUREOLE_VERSION},
                       {"source", fs::path(command.input).filename().string()},
                       {"scene_hash", scene.hash}};
    const Stopwatch write;
    writeOctree(command.output, octree);
    const auto voxels = static_cast<double>(octree.voxelCount());
    logInfo("grid     {} x {} x {}, {}", octree.grid.size.x, octree.grid.size.y, octree.grid.size.z,
            coverageNames()[static_cast<std::size_t>(octree.coverage)]);
    logInfo("{:<9}{} in {}, {:.2f} million a second", fmt::format("{}s", unitName(octree)), octree.voxelCount(),
            formatDuration(buildSeconds), voxels / std::max(buildSeconds, 1e-9) * 1e-6);
    if (command.dag) {
        logInfo("merged   {} bytes of occupancy into {} in {}", treeBytes, octree.occupancyBytes(),
                formatDuration(mergeSeconds));
    }
    logInfo("memory   {} bytes, {:.2f} bits a {} of occupancy", octree.bytes(),
            8.0 * static_cast<double>(octree.occupancyBytes()) / std::max(voxels, 1.0), unitName(octree));
    logInfo("written  {} in {}", command.output, formatDuration(write.seconds()));
    return ExitCode::Done;
}

} // namespace

void addVoxelizeCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = app.add_subcommand("voxelize", "Turn a model or a scene into voxels, as a file to render");
    const auto options = std::make_shared<VoxelizeCommand>();
    command->add_option("MESH_OR_SCENE", options->input, "Model (.glb, .obj, .ply, .stl, .vox...) or scene (.json)")
        ->required()
        ->type_name("");
    command->add_option("-o,--output", options->output, "Octree file to write: .avo")->required()->type_name("OUT");
    addValue(*command, "--resolution", "N",
             fmt::format("Voxels along the longest side, {} to {};\nthe scene's own by default, of a model {}",
                         kMinimumResolution, kMaximumResolution, VoxelizeOptions{}.resolution),
             [options](const std::string& text) {
                 options->resolution = parseCount("--resolution", text, kMinimumResolution, kMaximumResolution);
             });
    addValue(*command, "--mode", "NAME",
             "conservative (default): every voxel that the surface touches;\n"
             "thin: fewest without gaps between faces;\n"
             "solid: conservative, and the inside of closed meshes",
             [options](const std::string& text) {
                 const std::vector<std::string>& names = coverageNames();
                 const std::string name = parseChoice("--mode", text, names);
                 const auto found = std::find(names.begin(), names.end(), name);
                 options->options.coverage = static_cast<Coverage>(found - names.begin());
             });
    addValue(*command, "--surface", "NAME",
             "cubes (default of a model): voxels are cubes;\n"
             "planes: each holds a plane fitted to the surface, and one where it fits them\n"
             "stands for many;\n"
             "field: distances to the surface, which make it smooth",
             [options](const std::string& text) { options->surface = parseSurface("--surface", text); });
    addValue(*command, "--error", "VOXELS",
             fmt::format("How far planes may lie from the surface, {} to {}; {} by default", kMinimumSurfaceError,
                         kMaximumSurfaceError, kDefaultSurfaceError),
             [options](const std::string& text) { options->error = parseSurfaceError("--error", text); });
    command->add_flag("--dag", options->dag,
                      "Store equal subtrees once: less than half of the tree's bytes, the more so\n"
                      "the finer, for the same picture. Takes memory beside --memory");
    addValue(*command, "--memory", "SIZE",
             "Memory to work in beside the scene, as in 500M or 4G; what is more goes\n"
             "to temporary files beside the output. Without limit by default",
             [options](const std::string& text) { options->options.memory = parseBytes("--memory", text); });
    addValue(*command, "--progress", "STYLE", "auto (default: a bar on a terminal), bar, json (lines on stderr), none",
             [options](const std::string& text) { options->progress = parseProgress("--progress", text); });
    command->footer("The file holds the same bytes for any number of threads and any --memory. Ctrl-C leaves none.\n\n"
                    "Examples:\n"
                    "  aureole voxelize bunny.obj -o bunny.avo --resolution 2048\n"
                    "  aureole voxelize city.json -o city.avo --resolution 16384 --memory 6G\n"
                    "  aureole info city.avo");
    command->callback([options, &invocation] { invocation.run = [options] { return voxelize(*options); }; });
}

} // namespace aureole::cli
