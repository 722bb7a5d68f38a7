#pragma once

// The figures of a render, and their report for people; report_json.h has them as JSON.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/stopwatch.h"
#include "core/trace.h"
#include "film/film.h"
#include "render/device_team.h"
#include "session/backend.h"

namespace aureole {

/// The stages of a render, in their order.
enum class Stage { Load, Device, Build, Store, Upload, Pipelines, Render, Film, Denoise, Bloom, Finish, Write };

/// What reports call a stage, and what its time is that of.
struct StageInfo {
    const char* name;
    const char* description;
};

/// In the order of the enumeration.
inline constexpr auto kStages = std::to_array<StageInfo>({
    {"load", "Reading the scene and its assets."},
    {"device", "Finding and opening the devices."},
    {"build", "Voxelising, or fetching the octree from the cache; with --backend reference, building the hierarchy."},
    {"store", "What the end of the run waited for the octree to be stored in the cache, beside other stages."},
    {"upload",
     "Copying the octree, materials and textures to the device; of several devices, with pipelines, as each makes "
     "its own meanwhile."},
    {"pipelines",
     "Making the path tracer's pipelines, which compiles its shaders where the cache lacks them, and its memory; "
     "of frames, those of all."},
    {"render", "Tracing paths, checkpoints and the viewer's pictures included."},
    {"film",
     "Fetching the film from the device and dividing its sums; of a film that is bloomed on its device, part of "
     "bloom."},
    {"denoise", "Denoising, transfers included."},
    {"bloom",
     "The bloom, transfers included, and the waiting for its kernel and its pipelines, which are made beside other "
     "stages."},
    {"finish", "The steps after bloom, from palette to grain; of frames, what rendering waited for it."},
    {"write",
     "Encoding and writing pictures; of frames, whose files other threads encode, what rendering waited for them."},
});

constexpr const char* stageName(Stage stage) {
    return kStages.at(static_cast<std::size_t>(stage)).name;
}

/// What each stage took, in seconds.
class StageTimes {
public:
    double of(Stage stage) const { return seconds_.at(static_cast<std::size_t>(stage)); }
    void add(Stage stage, double seconds) { seconds_.at(static_cast<std::size_t>(stage)) += seconds; }
    void set(Stage stage, double seconds) { seconds_.at(static_cast<std::size_t>(stage)) = seconds; }

    /// Returns what `body` returns, and adds what it took to the stage. A body that throws counts as no time.
    template <typename Body>
    auto time(Stage stage, const Body& body) {
        const Stopwatch clock;
        const TraceSpan span(stageName(stage));
        if constexpr (std::is_void_v<decltype(body())>) {
            body();
            add(stage, clock.seconds());
        } else {
            auto result = body();
            add(stage, clock.seconds());
            return result;
        }
    }

private:
    std::array<double, kStages.size()> seconds_{};
};

/// One of the devices that rendered.
struct ReportedDevice {
    std::uint32_t index = 0; ///< of 'aureole devices'
    std::string name;
    std::string uuid;
    std::string driver;
    DeviceUse use;
};

/// The figures of one render, which owns them (job.h). A figure is empty where the backend does not have it, or where
/// the run failed before it was known.
struct RenderReport {
    std::string scene;
    std::string sceneHash;
    std::string output;
    std::string device; ///< of several, all, as "2 x NAME"
    std::string driver;
    std::vector<ReportedDevice> devices; ///< of the GPU backend
    std::string backend;
    BackendFigures made;                ///< what it took to make the scene ready, the last time
    std::optional<std::uint32_t> width; ///< of the image
    std::optional<std::uint32_t> height;
    std::optional<std::uint32_t> seed;
    std::uint64_t samplesPerPixel = 0;          ///< samples in the image; of frames, in the one that has most
    std::optional<std::uint64_t> fewestSamples; ///< of frames, in the one that has fewest
    std::string samples;                        ///< their ranges
    std::optional<std::uint64_t> frames;        ///< pictures written; the figures are those of all of them
    std::optional<std::uint64_t> framesFound;   ///< that have a file from before, with --skip-existing
    bool interrupted = false;
    ExitCode exitCode = ExitCode::Done;
    std::string failure; ///< what ended the run, as told on stderr; empty where it is done or interrupted
    // Of adaptive sampling; samplesPerPixel is then the most that a pixel has.
    std::optional<double> noise; ///< the relative error to reach
    std::optional<double> meanSamples;
    std::optional<std::uint64_t> pixels;
    std::optional<std::uint64_t> pixelsLeft;     ///< pixels that did not reach it
    std::optional<std::uint64_t> resumedSamples; ///< that were there from a run before; rays are those of this run
    std::uint64_t rays = 0;
    std::uint64_t samplesTotal = 0;            ///< of all pixels of the pictures, those of a run before included
    std::uint64_t outputBytes = 0;             ///< of the pictures' files
    std::string denoiser;                      ///< its name; empty: none
    std::optional<double> denoiseMilliseconds; ///< of its filter, preparation and transfers left out
    std::optional<double> bloomMilliseconds;   ///< on the device; with making its planes where it read the film there
    StageTimes stages;
    double totalSeconds = 0.0;

    double raysPerSecond() const;

    // What stages of the render have come to know.

    /// The devices that render; `device` and `driver` follow from them.
    void setDevices(std::vector<ReportedDevice> used);
    /// What it took to make the scene ready, once more where its models change from frame to frame.
    void setBackend(const BackendFigures& figures);
    /// Work on samples, whether or not it came to an end: how long it took, the rays of this picture, and what each
    /// device has done for all pictures of this backend.
    void addWork(double seconds, std::uint64_t raysOfPicture, const std::vector<DeviceUse>& uses);
    /// A picture that is written. With adaptive sampling, to a relative error of `noise` above 0, `pixelsLeftOver` are
    /// the pixels that did not reach it.
    void addPicture(const FilmSums& film, double noiseWanted, std::uint64_t pixelsLeftOver);

private:
    void addNoise(std::uint64_t all, std::uint64_t left, double sampleSum);

    std::vector<DeviceUse> usesBefore_; ///< of each device, by backends before this one
};

/// The report for people, on stderr.
void printReport(const RenderReport& report);

} // namespace aureole
