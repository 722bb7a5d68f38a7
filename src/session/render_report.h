#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/stopwatch.h"
#include "render/device_team.h"

namespace aureole {

/// One of the devices that rendered.
struct ReportedDevice {
    std::uint32_t index = 0; ///< of 'aureole devices'
    std::string name;
    std::string uuid;
    std::string driver;
    DeviceUse use;
};

/// The figures of one render. Those that a backend does not have are empty, and so are those that a run that failed did
/// not come to know.
struct RenderReport {
    std::string scene;
    std::string sceneHash;
    std::string output;
    std::string device; ///< of several, all, as "2 x NAME"
    std::string driver;
    std::vector<ReportedDevice> devices; ///< of the GPU backend
    std::string backend;
    std::optional<std::string> kernels; ///< of the GPU backend
    std::optional<std::uint32_t> width; ///< of the image
    std::optional<std::uint32_t> height;
    std::optional<std::uint32_t> seed;
    std::uint64_t samplesPerPixel = 0;          ///< those in the image; of frames, in the one that has most
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
    std::optional<std::uint64_t> pixelsLeft; ///< those that did not reach it
    std::optional<std::uint64_t> voxels;
    std::optional<std::uint64_t> cells; ///< of planes, each for one voxel or many: the same number
    std::optional<std::uint64_t> octreeBytes;
    std::optional<bool> octreeCached; ///< loaded from the cache instead of built
    std::optional<std::uint64_t> triangles;
    std::optional<std::uint64_t> resumedSamples; ///< that were there from a run before; rays are those of this run
    std::uint64_t rays = 0;
    std::uint64_t samplesTotal = 0;          ///< of all pixels of the pictures, those of a run before included
    std::uint64_t outputBytes = 0;           ///< of the pictures' files
    std::optional<double> bloomMilliseconds; ///< on the device, transfers left out
    double loadSeconds = 0.0;
    double deviceSeconds = 0.0;
    double buildSeconds = 0.0;
    double storeSeconds = 0.0;
    double uploadSeconds = 0.0;
    double pipelineSeconds = 0.0;
    double renderSeconds = 0.0;
    double bloomSeconds = 0.0;
    double finishSeconds = 0.0;
    double writeSeconds = 0.0;
    double totalSeconds = 0.0;

    /// Fills in `device` and `driver` by `devices`: those of one name are counted.
    void nameDevices();
    double raysPerSecond() const;
    /// Counts a picture with so many samples in every pixel, or at most in one.
    void addPicture(std::uint64_t perPixel);
    /// Counts its pixels: all, those that did not reach the error, and the samples that they have together.
    void addNoise(std::uint64_t all, std::uint64_t left, double sampleSum);
};

/// The report for people, on stderr.
void printReport(const RenderReport& report);

/// The report as JSON, as stats.schema.json tells. Throws Error (CannotWrite).
void writeReport(const std::filesystem::path& path, const RenderReport& report);

} // namespace aureole
