#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.h"
#include "film/state.h"
#include "gpu/device.h"
#include "render/device_scene.h"
#include "render/path_tracer.h"
#include "render/sample_queue.h"

namespace aureole {

/// What a device has done so far.
struct DeviceUse {
    std::uint64_t samples = 0; ///< of each pixel, that are in a film; these three are added up over all views
    std::uint64_t rays = 0;
    double seconds = 0.0;
    std::string failure; ///< why it does no more; empty where it does
};

/// Renders one view of a scene on several devices into one film, on the host.
///
/// Each device has a thread, a copy of the scene and a path tracer. It takes pieces of the samples (SampleQueue) and
/// renders each into an empty film, which is added to the whole, in the order of the samples, when it is the next one.
/// A device that fails, lost or out of memory, leaves its piece to the others. Threads work ahead of what render() was
/// asked for, up to the end that they expect; films that wait for their turn are at most two for each device.
class DeviceTeam {
public:
    /// Uploads the scene to all devices at once. A device that fails is a warning; throws the last one's Error where
    /// all do. `scene` outlives this, `octree` need not.
    DeviceTeam(const std::vector<gpu::Device>& devices, const Scene& scene, const Octree& octree, const View& view,
               const PathTracerOptions& options);
    ~DeviceTeam();
    DeviceTeam(const DeviceTeam&) = delete;
    DeviceTeam& operator=(const DeviceTeam&) = delete;
    DeviceTeam(DeviceTeam&&) = delete;
    DeviceTeam& operator=(DeviceTeam&&) = delete;

    /// Goes on with another view, on an empty film.
    void setView(const View& view);

    /// Samples up to `end` will be asked for, so that devices may work ahead.
    void expect(std::uint32_t end) { expected_ = end; }

    /// Adds the samples from `first`, the end of those before, to the film: up to `end` or somewhat more, but never
    /// past the last whole batch before the end that is expected unless `end` is; or fewer where `onProgress`, which
    /// gets the share done (above 1 with what is rendered ahead), returns false. Returns the end. Throws Error
    /// (NoDevice), (OutOfMemory) where no device is left; the film then has what they have finished, up to such a
    /// batch.
    std::uint32_t render(std::uint32_t first, std::uint32_t end, const std::function<bool(double)>& onProgress);

    /// Lets the devices finish what they have begun, which is a piece each at least, and no more, and adds to the film
    /// what they have rendered ahead, up to `end`, where a batch ends or the samples expected do: what is beyond waits
    /// for another call. Returns the end of the samples in the film. Throws as render.
    std::uint32_t finish(std::uint32_t end);

    FilmSums film() const { return total_->film(); }
    FilmState state() const { return total_->state(); }
    /// Throws Error (BadInput), naming `file`.
    void restore(const FilmState& state, const std::string& file) { total_->restore(state, file); }

    double pipelineSeconds() const { return pipelineSeconds_; } ///< of construction, what making pipelines took
    std::uint64_t rays() const;                                 ///< of this view
    std::vector<DeviceUse> uses() const;
    /// "megakernel", "wavefront" or both.
    std::string kernels() const;

private:
    struct Worker {
        explicit Worker(gpu::Device own)
            : device(std::move(own)) {}
        gpu::Device device;
        std::optional<DeviceScene> scene;
        std::optional<PathTracer> tracer;
        std::thread thread;
        std::atomic<std::uint64_t> rays = 0;   ///< of this view
        std::atomic<double> samplesDone = 0.0; ///< of the piece under way
        DeviceUse use;
    };
    struct Piece {
        std::uint32_t end = 0;
        std::size_t worker = 0; ///< whose it is
        FilmState film;
    };
    using Lock = std::unique_lock<std::mutex>;

    void onEach(const std::function<void(Worker&)>& body);
    void start(std::uint32_t first);
    void join();
    void abandon();
    void work(std::size_t index, std::optional<SampleRange> piece);
    std::optional<SampleRange> take(std::size_t index);
    void renderPiece(std::size_t index, SampleRange piece);
    FilmState takeSpare();
    void leave(std::size_t index, std::optional<SampleRange> piece, const Error& error);
    void commit(Lock& lock, std::uint32_t end);
    std::uint32_t wholeEnd() const;
    void throwFailure(Lock& lock);
    double samplesAhead() const;
    std::size_t workersLeft() const;

    std::vector<std::unique_ptr<Worker>> workers_;
    PathTracerOptions options_;
    FilmLayout layout_;
    double pipelineSeconds_ = 0.0;
    std::optional<FilmTotal> total_; ///< the thread's that calls render
    std::uint32_t committed_ = 0;    ///< the end of the samples in it
    std::uint32_t expected_ = 0;
    mutable std::mutex mutex_; ///< of all below, and of the workers' uses
    std::condition_variable changed_;
    std::optional<SampleQueue> queue_;       ///< while the threads run
    std::map<std::uint32_t, Piece> waiting_; ///< by their first samples
    std::vector<FilmState> spare_;     ///< memory of films that are added: to have it anew takes longer than to fill it
    std::optional<Error> lastFailure_; ///< of a device
    std::exception_ptr error_;         ///< any other
    std::atomic<bool> ends_ = false;
};

} // namespace aureole
