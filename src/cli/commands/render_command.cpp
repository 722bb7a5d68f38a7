#include <memory>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/commands.h"
#include "cli/options/arguments.h"
#include "cli/options/device_options.h"
#include "cli/options/finish_options.h"
#include "cli/options/setting_options.h"
#include "cli/options/value_hint.h"
#include "core/lines.h"
#include "image/image_file.h"
#include "session/options.h"
#include "session/render.h"
#include "session/report_json.h"

namespace aureole::cli {

namespace {

using Options = std::shared_ptr<RenderOptions>;
using Text = const std::string&;

/// Which samples, of which pictures.
void addSampling(CLI::App& command, const Options& options) {
    CLI::Option* spp = addChange(command, fieldOf(kIntegratorFields, "samplesPerPixel"), options->changes);
    addValue(command, "--time", "TIME",
             "Stop after 90s, 10m or 2h, whatever --spp leaves; without --spp, samples have no\n"
             "limit, or that of adaptive sampling",
             [options](Text text) { options->seconds = parseDuration("--time", text); });
    addFile(command, "--checkpoint", "FILE",
            "Write the film under way to FILE at times, at a signal and at the end, for --resume:\nwhole batches of 8 "
            "samples per pixel, so that fewer leave no FILE",
            {}, options->checkpoint);
    addValue(command, "--every", "TIME", "Time between two checkpoints; 60s by default",
             [options](Text text) { options->checkpointSeconds = parseDuration("--every", text); });
    addFile(command, "--resume", "FILE",
            "Go on from a checkpoint to --spp samples in all, and write the next ones there;\nwhere --checkpoint names "
            "the same FILE, it need not be there yet",
            {}, options->resume);
    addFlag(command, "--drop-checkpoint", options->dropCheckpoint,
            "Remove the checkpoint once the picture is finished; else it is kept");
    exclude(addValue(command, "--samples", "A:B",
                     "Render samples A to B-1 of each pixel as a part for 'aureole merge':\nan EXR, without bloom",
                     [options](Text text) { options->sampleRange = parseRange("--samples", text); }),
            spp);
    addValue(command, "--frames", "A:B",
             "Render frames A to B-1 of the animation of the scene or of a .vox file; in the name of\nOUT, a run of # "
             "stands for the frame's number: out.####.exr. --time is for each\nframe",
             [options](Text text) { options->frames = parseRange("--frames", text); });
    addFlag(command, "--skip-existing", options->skipExisting,
            "With --frames, leave out those that have a file with a whole picture, which in an EXR\nmust be "
            "of the same scene "
            "and settings; without it, they are replaced");
}

void addVoxels(CLI::App& command, const Options& options) {
    addChanges(command, kVoxelFields, options->changes);
    addFlag(command, "--no-cache", options->noCache,
            "Voxelise even where the octree of these models is in the user's cache,\nand keep none there");
    addChoice(
        command, "--voxelizer", "NAME",
        "Who makes voxels. cpu: all cores; gpu: the device, where it can. By default the\ndevice, from 2048 voxels "
        "a side on, where it is no software; colours and normals\nmay differ in their last step",
        {"cpu", "gpu"},
        [options](std::size_t index) { options->voxelMaker = index == 0 ? VoxelMaker::Cpu : VoxelMaker::Device; });
    addValue(
        command, "--level", "N",
        "Level of detail of an octree (.avo): voxels 2^N times as wide, a prefiltered\npreview; in scenes, 'level' of "
        "its instance",
        [options](Text text) { options->level = parseCount("--level", text, 0); });
    addNameChoice(command, "--backend",
                  "gpu: path trace voxels on the device (default);\nreference: the triangles themselves, on the CPU",
                  {"gpu", "reference"}, [options](Text name) { options->reference = name == "reference"; });
}

void addPicture(CLI::App& command, const Options& options) {
    addValue(command, "--size", "WxH", "Size of the picture in pixels",
             [options](Text text) { options->changes.size = parseSize("--size", text); });
    addValue(command, "--crop", "x0,y0,x1,y1", "Render this part of the picture only, without bloom",
             [options](Text text) { options->crop = parseCrop("--crop", text); });
    addChoice(
        command, "--stage", "NAME",
        "What stands around a model: studio, a floor that becomes the backdrop, under softboxes\n(default, unless the "
        "model has lights); outdoor, ground under sky and sun;\nwhite, for cutting out; none, no floor",
        stageNames(), [options](std::size_t index) { options->changes.show.stage = static_cast<ModelStage>(index); });
    CLI::Option* view = addValue(
        command, "--view", "NAME|AZ,EL",
        fmt::format("From where a model is seen: {},\nor degrees from its front to its right and above the horizon "
                    "(29,20);\nby default from its own camera, if it has one",
                    fmt::join(viewNames(), ", ")),
        [options](Text text) { options->changes.show.view = parseView("--view", text); });
    setHint(command, view, {.names = viewNames()});
    addCamera(command, options->camera);
    for (const Field<FilmSettings>& field : kFilmFields) {
        if (field.forDisplay) {
            addChange(command, field, options->changes);
        }
    }
    CLI::Option* aovs =
        addValue(command, "--aov", "LIST",
                 fmt::format("Layers beside the picture, for .exr output: all, or a list with commas of\n{}",
                             fmt::join(aovNames(), ", ")),
                 [options](Text text) {
                     options->changes.aovs = [aovs = parseAovs("--aov", text)](const AovSet&) { return aovs; };
                 });
    std::vector<std::string> layers = aovNames();
    layers.emplace_back("all");
    setHint(command, aovs, {.names = layers, .list = true});
    addChanges(command, kFilmFields, options->changes);
    addFlag(command, "--denoise-keep-noisy", options->keepNoisy,
            "Keep the picture from before denoising as the layer noisy of an .exr");
    addFlag(command, "--no-bloom", options->noBloom, "Leave out the scene's bloom");
    addFinishOptions(command, options->finish);
    addFlag(command, "--no-finish", options->noFinish,
            "Leave out the scene's steps of finishing: those from --palette to --grain");
}

/// What the help says below the options.
constexpr const char* kRenderNotes =
    "Ctrl-C (SIGINT), SIGTERM, a lost terminal (SIGHUP, unless started by nohup) or a limit of processor\n"
    "time (SIGXCPU) ends the render after the samples under way, writes the image and the checkpoint with\n"
    "those it has, and exits with 75; a second Ctrl-C or SIGTERM ends it at once, and so does the first\n"
    "while there are no samples. With --frames, the frame under way is not written. With --checkpoint,\n"
    "SIGUSR1 writes one, and the render goes on.\n\n"
    "Examples:\n"
    "  aureole render scenes/cornell.json -o cornell.png --spp 64\n"
    "  aureole render model.glb -o model.exr --size 1920x1080 --resolution 1024 --time 10m\n"
    "  aureole render turn.json -o turn.###.png --frames 0:48 --skip-existing\n"
    "  aureole render model.glb -o model.png --stage white --view iso\n"
    "  aureole render scene.json -o b.exr --samples 64:128     # a part, see 'aureole merge'\n"
    "  aureole render scene.json -o long.exr --spp 16384 --checkpoint long.ckpt --every 5m\n"
    "  aureole render scene.json -o long.exr --spp 16384 --resume long.ckpt\n"
    "  aureole render scene.json -o truth.exr --backend reference --no-bloom\n"
    "  aureole render scene.json -o layers.exr --aov albedo,normal,direct,indirect,emission\n"
    "  aureole render scene.json -o clean.png --spp 32 --denoise\n"
    "  aureole render scene.json -o film.png --vignette 0.4 --grain 0.1 --distortion -0.1\n"
    "  aureole render scene.json -o even.exr --noise 0.02 --time 10m --transparent\n"
    "  aureole render scene.json -o long.exr --time 10m --display-server 127.0.0.1:14158\n"
    "  aureole render scene.json -o big.exr --spp 65536 --device all   # every GPU of this machine\n"
    "  aureole render scenes/cornell.json -o out.exr --set /materials/white/albedo=0.5 --set /film/filter=box";

} // namespace

void addRenderCommand(CLI::App& app, Invocation& invocation) {
    CLI::App* command = addCommand(app, "render", "Render a scene or a model to an image");
    const auto options = std::make_shared<RenderOptions>();
    options->changes.show.picture = true;
    require(addFile(*command, "SCENE", "", modelHelp(), sceneExtensions(), options->scene));
    require(addFile(*command, "-o,--output", "OUT", "Image to write: linear .exr or tone-mapped .png",
                    imageExtensions(ImageUse::Write), options->output));
    addOverrides(*command, options->overrides);
    addSampling(*command, options);
    addChanges(*command, kIntegratorFields, options->changes);
    addVoxels(*command, options);
    addPicture(*command, options);
    addDevicesOptions(*command, options->device);
    addNameChoice(*command, "--ranks",
                  "auto (default): processes that mpirun or srun --mpi=pmix started share the picture,\nor the frames; "
                  "off: each renders by itself, and needs files of its own",
                  {"auto", "off"}, [options](Text name) { options->shareRanks = name == "auto"; });
    addProgress(*command, options->progress);
    addValue(*command, "--display-server", "HOST:PORT",
             "Show the picture under way in the image viewer tev, which listens at 127.0.0.1:14158",
             [options](Text text) { options->viewer = parseViewerAddress("--display-server", text); });
    addFile(*command, "--stats-json", "FILE",
            wrapped(fmt::format("Write figures: {} (of {}). A run that fails writes them too",
                                fmt::join(reportKeys(), ", "), fmt::join(reportStages(), ", ")),
                    kOptionHelpColumns),
            {"json"}, options->statsFile);
    addFile(*command, "--trace", "FILE",
            "Write a timeline of the run, of threads and devices, in Chrome's trace event format:\nchrome://tracing "
            "and ui.perfetto.dev show it",
            {"json"}, options->traceFile);
    setFooter(*command, kRenderNotes);
    onParsed(*command, [options, &invocation] {
        invocation.run = [options, &invocation] {
            options->commandLine = invocation.commandLine;
            return renderToFile(*options);
        };
    });
}

} // namespace aureole::cli
