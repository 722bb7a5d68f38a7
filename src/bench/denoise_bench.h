#pragma once

// Measures denoisers on scenes: how far pictures are from converged ones without and with them, and what they take.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bench/bench_commands.h"
#include "bench/bench_report.h"
#include "bench/picture_pair.h"
#include "bench/traverse/traverse_scene.h"
#include "image/image.h"
#include "session/denoise/denoise.h"

namespace aureole::bench {

struct DenoiseBenchOptions {
    BenchOptions common;
    std::vector<std::string> scenes;    ///< files, one at least
    std::uint32_t resolution = 0;       ///< 0: that of each scene
    std::optional<glm::uvec2> size;     ///< of the pictures; none: as fits the device
    std::vector<std::uint32_t> samples; ///< powers of two, ascending; empty: 16, 64 and 256
    std::uint32_t referenceSamples = 0; ///< a power of two, of what errors are told against; 0: as fits the device
    DenoiseQuality quality = DenoiseQuality::High; ///< of Open Image Denoise
    std::uint32_t rays = FilmSettings{}.denoiseRays;
};

class DenoiseBench {
public:
    /// Opens the denoisers that are there.
    DenoiseBench(gpu::Device device, DenoiseBenchOptions options);

    /// Measures, prints, and writes the files asked for. Throws what loadRenderedScene throws.
    void run();

private:
    struct NamedDenoiser {
        std::string name;
        Denoiser denoiser;
    };
    /// A picture of many samples, and its own mean squared error, as far as its two halves tell.
    struct Reference {
        Image image;
        double error = 0.0;
    };
    /// Root mean squared errors of a scene's pictures at each number of samples, by the place of nameOf.
    struct Errors {
        std::string scene;
        std::vector<std::vector<double>> byDenoiser;
    };

    /// The name of a row: of the noisy picture, 0, or of a denoiser.
    std::string nameOf(std::size_t place) const;
    Reference makeReference(const RenderedScene& loaded) const;
    void measure(const std::string& file);
    /// Returns the picture's mean squared error.
    double addRow(const std::string& name, std::uint32_t samples, const Image& image, const Image& noisy,
                  const Reference& reference);
    /// How errors fall, where there are several numbers of samples.
    void addSlopes();
    /// What the denoisers take for the noisy picture that was made last.
    void addTimes();
    void addPictures(const RenderedScene& loaded, std::uint32_t samples, const std::vector<Image>& images);

    gpu::Device device_;
    DenoiseBenchOptions options_;
    BenchReport report_;
    std::vector<NamedDenoiser> denoisers_;
    std::string missing_; ///< why Open Image Denoise is not among them
    std::vector<Errors> errors_;
    Image noisy_;
    std::vector<PicturePair> pictures_;
};

} // namespace aureole::bench
