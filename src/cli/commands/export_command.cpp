#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/commands/describe_octree.h"
#include "cli/options/arguments.h"
#include "core/extension.h"
#include "core/file.h"
#include "core/interrupt.h"
#include "core/log.h"
#include "core/plural.h"
#include "import/octree_header.h"
#include "scene/load.h"
#include "session/report.h"
#include "voxel/export/export.h"
#include "voxel/file/octree_file.h"
#include "voxel/tree/level.h"

namespace aureole::cli {

namespace {

namespace fs = std::filesystem;

struct ExportCommand {
    std::string input;
    std::string output;
    std::string scene; ///< whose cameras and light go with it
    std::uint32_t level = 0;
    ProgressStyle progress = ProgressStyle::Auto;
};

/// Who writes files of an extension.
struct Writer {
    std::string_view extension;
    ExportFigures (*write)(const fs::path&, const Octree&, const Scene* look);
    bool takesLook = false;                                ///< cameras and light of a scene
    std::uint32_t (*finestLevel)(const Octree&) = nullptr; ///< that fits; null: any does
    const char* beside = nullptr;                          ///< the extension of a second file
};

constexpr std::array<Writer, 4> kWriters = {{
    {".vox", exportVox, true, finestVoxLevel},
    {".ply", [](const fs::path& file, const Octree& octree, const Scene*) { return exportPly(file, octree); }},
    {".obj", [](const fs::path& file, const Octree& octree, const Scene*) { return exportObj(file, octree); }, false,
     nullptr, ".mtl"},
    {".vdb", [](const fs::path& file, const Octree& octree, const Scene*) { return exportVdb(file, octree); }},
}};

const Writer& writerOf(const std::string& output) {
    const std::string extension = lowerExtension(output);
    for (const Writer& writer : kWriters) {
        if (extension == writer.extension) {
            return writer;
        }
    }
    fail(ExitCode::Usage, "{}: found the extension '{}', expected .vox, .ply, .obj or .vdb here", output,
         fs::path(output).extension().string());
}

void checkOutputs(const std::string& output, const Writer& writer) {
    checkWritable(output);
    if (writer.beside != nullptr) {
        checkWritable(fs::path(output).replace_extension(writer.beside));
    }
}

/// The octree at the level asked for, if the format can hold it.
Octree loadLevel(const ExportCommand& command, const Writer& writer) {
    Octree octree = loadOctree(command.input);
    const std::uint32_t largest = largestLevel(octree.grid.size);
    if (command.level > largest) {
        fail(ExitCode::Usage, "--level: found {} for {}, expected 0 to {}, where a single voxel is left", command.level,
             command.input, largest);
    }
    const std::uint32_t finest = writer.finestLevel != nullptr ? writer.finestLevel(octree) : 0;
    if (command.level < finest) {
        fail(ExitCode::BadInput,
             "{}: found {} voxels in {} x {} x {} at --level {}, expected at most {} within {} on each side, "
             "MagicaVoxel's world; --level {} fits",
             command.input, countVoxels(octree, command.level), levelGrid(octree.grid, command.level).size.x,
             levelGrid(octree.grid, command.level).size.y, levelGrid(octree.grid, command.level).size.z, command.level,
             kVoxVoxels, 2 * kVoxReach, finest);
    }
    return takeLevel(std::move(octree), command.level);
}

void report(const ExportCommand& command, const Octree& octree, const ExportFigures& figures, double seconds) {
    logInfo("grid     {} x {} x {}, voxels of {:.6g} m", octree.grid.size.x, octree.grid.size.y, octree.grid.size.z,
            octree.grid.voxelSize);
    const std::string what = figures.models > 0 ? countOf(figures.models, "model")
                             : figures.grids > 0
                                 ? countOf(figures.grids, "grid")
                                 : fmt::format("{} faces, {} vertices", figures.faces, figures.vertices);
    logInfo("voxels   {} in {}", countVoxels(octree, 0), what);
    if (figures.colours > 0) {
        logInfo("colours  {}, {}", figures.colours,
                figures.exactColours ? "all there are" : "the nearest for each voxel");
    }
    if (figures.moved) {
        logInfo("moved    to the middle of MagicaVoxel's world, as their own place lies outside it");
    }
    logInfo("written  {} in {}", command.output, formatDuration(seconds));
}

ExitCode exportOctree(const ExportCommand& command) {
    const Writer& writer = writerOf(command.output);
    if (!isOctreeFile(command.input)) {
        fail(ExitCode::BadInput,
             "{}: found the extension '{}', expected an octree (.avo), as 'aureole voxelize' makes it", command.input,
             fs::path(command.input).extension().string());
    }
    if (!command.scene.empty() && !writer.takesLook) {
        fail(ExitCode::Usage, "--scene: found it with {}, expected .vox: the others have neither cameras nor light",
             command.output);
    }
    checkOutputs(command.output, writer);
    setProgressStyle(command.progress);
    catchInterrupts();
    const Stopwatch clock;
    SettingsChanges changes;
    changes.show.picture = true; // a model's exposure is that of its pictures
    const std::optional<Scene> look =
        command.scene.empty() ? std::nullopt : std::optional(loadScene(command.scene, {}, nullptr, changes));
    const Octree octree = loadLevel(command, writer);
    const ExportFigures figures = writer.write(command.output, octree, look ? &*look : nullptr);
    report(command, octree, figures, clock.seconds());
    return ExitCode::Done;
}

} // namespace

void addExportCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = addCommand(app, "export", "Write an octree for other programs: .vox, .ply, .obj or .vdb");
    const auto options = std::make_shared<ExportCommand>();
    require(addFile(*command, "MODEL", "", "Octree (.avo), as 'aureole voxelize' makes it", {"avo"}, options->input));
    require(addOutput(*command, "-o,--output", "OUT",
                      fmt::format(".vox: MagicaVoxel, up to {} voxels a side, in at most 255 colours;\n"
                                  ".ply: the exposed faces, with colours of vertices;\n"
                                  ".obj: the same in at most 255 materials, with an .mtl beside it;\n"
                                  ".vdb: OpenVDB, fields as level sets, others as density, with colours",
                                  2 * kVoxReach),
                      {"vox", "ply", "obj", "vdb"}, options->output));
    addValue(
        *command, "--level", "N",
        "Level of detail: voxels 2^N times as wide, with averaged colours;\n0, the octree's own voxels, by default, of "
        "planes those that they pass through",
        [options](const std::string& text) { options->level = parseCount("--level", text, 0); });
    addFile(*command, "--scene", "SCENE",
            "Of .vox: take cameras, sun, even sky and exposure from this scene or model, that\nof the octree",
            sceneExtensions(), options->scene);
    addProgress(*command, options->progress);
    setFooter(
        *command,
        "A voxel of .vox has no size: it is 1 there. Lights are materials of .vox (emission) and .obj (Ke), and left\n"
        "out of .ply. Albedos are linear; .vox and .ply store them in sRGB, .obj as they are. The faces of .ply and\n"
        ".obj towards +x, +y and +z are drawn in by 1/256 voxel, so that voxelising them on the same grid gives the\n"
        "same voxels; where voxels meet at an edge or a corner alone, faces part by that much. Ctrl-C leaves no file.\n"
        "\n"
        "Examples:\n"
        "  aureole export bunny.avo -o bunny.vox --level 1\n"
        "  aureole export city.avo -o city.vox --scene city.json\n"
        "  aureole export bunny.avo -o bunny.ply\n"
        "  aureole export city.avo -o city.obj --level 4");
    onParsed(*command, [options, &invocation] { invocation.run = [options] { return exportOctree(*options); }; });
}

} // namespace aureole::cli
