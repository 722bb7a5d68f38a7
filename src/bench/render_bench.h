#pragma once

// Measures ways of sampling on one scene: how fast they are, and how their error falls with the samples. Or how fast
// many scenes are.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/bench_commands.h"
#include "bench/bench_measure.h"
#include "bench/bench_report.h"
#include "bench/traverse/traverse_scene.h"
#include "film/film.h"
#include "image/image.h"

namespace aureole::bench {

/// "uniform", "cosine", "bsdf" (directions, light found by chance), "lights", "mis", and "sobol" (mis with that
/// sampler).
const std::vector<std::string>& samplingNames();

struct RenderBenchOptions {
    BenchOptions common;
    TraverseSceneOptions scene;
    std::string folder;           ///< of scenes, whose speeds alone are measured, in place of one scene
    std::uint32_t resolution = 0; ///< 0: the scene's
    std::optional<glm::uvec2> size;
    std::uint32_t samples = 0;          ///< the most, a power of two, at least a batch; 0: as fits the device
    std::uint32_t referenceSamples = 0; ///< samples of the picture that errors are told against; 0: as fits the device
    std::vector<std::size_t> strategies = {0, 1, 2, 3, 4, 5};
};

/// The scenes (.json) of a folder, sorted; schemas are none. Throws Error (BadInput) where it has none or is no folder.
std::vector<std::string> scenesIn(const std::string& folder);

/// Tells the speed of all scenes of a folder in one table. Throws what scenesIn and loadTraverseScene throw.
void benchAllScenes(const gpu::Device& device, const RenderBenchOptions& options);

class RenderBench {
public:
    /// Loads the scene. Throws what loadTraverseScene throws.
    RenderBench(gpu::Device device, RenderBenchOptions options);

    /// Measures, prints, and writes the files asked for.
    void run();

private:
    /// What one way of sampling came to at most samples.
    struct Outcome {
        std::string name;
        Spread seconds{};
        double rays = 0.0; ///< of a run
        double error = 0.0;
        FilmSums seen; ///< the film of few samples, for pictures
    };

    std::uint32_t fewSamples() const;
    double pixels() const;
    void makeReference();
    Outcome measure(std::size_t strategy);
    void addOutcomes(const std::vector<Outcome>& outcomes);
    /// The pictures with the most and the least error.
    std::vector<PicturePair> pictures(const std::vector<Outcome>& outcomes) const;

    gpu::Device device_;
    RenderBenchOptions options_;
    TraverseScene scene_;
    BenchReport report_;
    Image reference_;
};

} // namespace aureole::bench
