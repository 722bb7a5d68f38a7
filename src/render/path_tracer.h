#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "film/state.h"
#include "film/tiles.h"
#include "gpu/device.h"
#include "render/adaptive_decision.h"
#include "render/device_scene.h"
#include "render/wavefront.h"

namespace aureole {

/// Renders one view of a scene on the device into a film there.
///
/// A sample depends on the seed, its pixel and its absolute index alone, and a pixel's samples are added in order in
/// batches that start at multiples of kBatchSize: on one device and driver the same ranges give the same bytes.
class PathTracer {
public:
    static constexpr std::uint32_t kBatchSize = 8;

    /// Throws Error (OutOfMemory). `scene` outlives this.
    PathTracer(gpu::Device device, const DeviceScene& scene, const View& view, const WavefrontOptions& options = {});

    /// Goes on with another view of the same scene, on an empty film and with figures that start anew. Buffers and
    /// pipelines stay where the view has as many pixels. Throws Error (OutOfMemory); then this is only good to be
    /// destroyed.
    void setView(const View& view);

    /// Empties the film.
    void clear();

    /// Adds the samples [first, end) to the film. `onProgress` gets the share done, from 0 to 1; where it returns
    /// false, the pass under way is finished and the rest left out. Returns the end of the samples that the film now
    /// holds. Throws Error (NoDevice) where the device is lost, (Internal) where paths went missing.
    std::uint32_t render(std::uint32_t first, std::uint32_t end, const std::function<bool(double)>& onProgress);

    /// Downloads the film, with the layers that its scene asks for.
    FilmSums film() const;

    /// The film of other samples, [first, end), or fewer, of paths that end where the look of what they see is known:
    /// of its layers albedo, normal, position, depth and emission hold, nothing else does. The tracer's own film and
    /// figures stay. Throws as render does; then there is no whole film any more.
    FilmSums layersOf(std::uint32_t first, std::uint32_t end, const std::function<bool(double)>& onProgress);

    /// Whether a picture of the film is the means of R, G, B and nothing else, of as many samples in each pixel.
    bool hasMeansAlone() const;
    /// Such a film as far as it is known without its sums.
    FilmSums filmWithoutSums() const;
    /// Records the drawing of such a picture: a plane of floats each for R, G and B, one after the other from the
    /// address `means` on, and 1 as the word at `unusual` where one is not finite, or beyond `most`.
    void drawMeans(gpu::CommandEncoder& commands, std::uint64_t means, std::uint64_t unusual, float most) const;

    /// The film as it is on the device, in the memory of another, and back. Restored, it goes on as one that has
    /// rendered so far; samples whose end is a multiple of kBatchSize go on to the bytes of an unbroken run. Throws
    /// Error (BadInput), naming `file`, where the state is of another size.
    FilmState state(FilmState state = {}) const;
    void restore(const FilmState& state, const std::string& file);

    /// Adaptive sampling: pixels that are done get no more samples (AdaptiveTiles). Until then all pixels have as many.
    void retire(double noise);
    /// Pixels that get samples.
    std::uint64_t activePixels() const { return film_.tiles.activePixels(); }

    /// What the film holds, also where render threw.
    const IndexRanges& samples() const { return film_.samples; }
    /// Whether the film holds whole samples: not where render threw while it added some.
    bool isWhole() const { return film_.isWhole && layout_.layers.alone == 0; }

    const PathTracerStats& stats() const { return stats_; }

private:
    /// What a pass adds to, and what is known of it.
    struct Film {
        gpu::Buffer sums;
        gpu::Buffer layers; ///< their sums over all samples
        AdaptiveTiles tiles{glm::uvec2(0)};
        bool adaptive = false;
        IndexRanges samples;
        bool isWhole = false;
    };

    /// Gives samples to all tiles.
    void takeAllTiles();
    /// Puts the parameters of other octrees than the first behind its own.
    void uploadOtherParams();
    /// Makes all that the view's size asks for.
    void create();
    /// Gives passes as many batches as `items` hold and as there are, one at least.
    void sizePasses(std::uint32_t items);
    void createPasses();
    void renderPass(std::uint32_t first, std::uint32_t end, std::uint32_t batches,
                    const std::function<void(double)>& onShare);
    gpu::Submission addToFilm(std::uint32_t batches);
    void takeActiveTiles();
    /// An empty one, but for its memory, which is as it comes. Throws as createPixels.
    Film createFilm() const;
    /// Memory for all pixels. Throws Error (OutOfMemory), also where the device has no buffer so large.
    gpu::Buffer createPixels(std::uint64_t bytesOfPixel, const char* name) const;
    /// Says whether paths end where the look of what they see is known.
    void setLayersAlone(bool alone);
    /// How many batches a pass may have, by memory and time.
    std::uint32_t batchesInTime() const;

    gpu::Device device_;
    const DeviceScene* scene_;
    WavefrontOptions options_;
    View view_;
    shared::VoxelParams params_{};
    std::vector<shared::VoxelParams> otherParams_; ///< of the scene's other octrees
    FilmLayout layout_;
    Film film_;
    std::uint32_t itemsPerBatch_ = 0;
    std::uint32_t batchesPerPass_ = 1; ///< that memory allows
    double secondsPerBatch_ = 0.0;     ///< of the pass before; 0: there was none
    std::uint32_t itemCapacity_ = 0;   ///< of the buffers with results
    std::optional<Wavefront> passes_;
    gpu::Pipeline filmPipeline_;
    gpu::Pipeline meansPipeline_;
    gpu::Buffer paramsBuffer_;
    gpu::Buffer results_;
    gpu::Buffer layerParams_;                  ///< which layers paths note
    gpu::Buffer layerResults_;                 ///< their sums over an item's samples
    gpu::Buffer activeTiles_;                  ///< once adaptive
    std::optional<AdaptiveDecision> decision_; ///< once adaptive
    PathTracerStats stats_;
    mutable FilmState downloaded_; ///< by film(), which is fastest where memory has been touched before
};

} // namespace aureole
