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
#include <span>
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

/// What a device has done so far, for all views together.
struct DeviceUse {
    std::uint64_t samples = 0; ///< of each pixel; only those that were added to the team's film
    std::uint64_t rays = 0;
    double seconds = 0.0;
    std::string failure; ///< the error that took the device out; empty while it works
};

/// Renders one view of a scene on several devices into one film, on the host.
///
/// Each device has a worker: a thread, a copy of the scene and a path tracer. The worker takes pieces of the samples
/// (SampleQueue) and renders each piece into an empty film. The films of the pieces are added to the team's film in the
/// order of their samples, so that the sums do not depend on which device is faster; a film that is not the next one
/// waits. When a device is lost or runs out of memory, the other devices render its piece. Workers render ahead of what
/// render() was asked for, up to the end that expect() names, until two films for each device wait.
class DeviceTeam {
public:
    /// Uploads the scene to all devices at once. A device that fails is a warning; throws the last one's Error where
    /// all do. `scene` outlives this, the octrees (DeviceScene) and their lamps need not.
    DeviceTeam(const std::vector<gpu::Device>& devices, const Scene& scene, std::span<const Octree> octrees,
               const View& view, const WavefrontOptions& waves = {}, const ComingLamps& lamps = {});
    ~DeviceTeam();
    DeviceTeam(const DeviceTeam&) = delete;
    DeviceTeam& operator=(const DeviceTeam&) = delete;
    DeviceTeam(DeviceTeam&&) = delete;
    DeviceTeam& operator=(DeviceTeam&&) = delete;

    /// Goes on with another view, on an empty film.
    void setView(const View& view);

    /// Samples up to `end` will be asked for, so that devices may work ahead.
    void expect(std::uint32_t end) { expected_ = end; }

    /// Adds the samples from `first`, where those of the last call ended, to the film, and returns the end of the
    /// samples that the film then has. That is `end` or somewhat more, as pieces are added whole, but it is past the
    /// last whole batch before the expected end only where `end` is. It is less than `end` where `onProgress` returns
    /// false; that gets the share of the samples that is done, which is above 1 where some are rendered ahead. Throws
    /// Error (NoDevice), (OutOfMemory) where no device is left; the film then has the pieces that were finished, up to
    /// that last whole batch.
    std::uint32_t render(std::uint32_t first, std::uint32_t end, const std::function<bool(double)>& onProgress);

    /// Ends the work ahead: the devices finish the pieces that they have begun, and begin no more. Adds what they have
    /// rendered to the film up to `end`, which is the end of a batch or of the expected samples; films beyond it wait
    /// for another call. Returns the end of the samples that the film then has. Throws as render.
    std::uint32_t finish(std::uint32_t end);

    FilmSums film() const { return total_->film(); }
    /// As PathTracer::layersOf, by the first device that is left, once the work ahead has ended.
    FilmSums layersOf(std::uint32_t first, std::uint32_t end, const std::function<bool(double)>& onProgress);
    FilmState state() const { return total_->state(); }
    /// Throws Error (BadInput), naming `file`.
    void restore(const FilmState& state, const std::string& file) { total_->restore(state, file); }

    double pipelineSeconds() const { return pipelineSeconds_; } ///< of construction, what making pipelines took
    std::uint64_t rays() const;                                 ///< of this view
    std::vector<DeviceUse> uses() const;

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
        std::size_t worker = 0; ///< index of the worker that rendered it
        FilmState film;
    };
    using Lock = std::unique_lock<std::mutex>;

    void onEach(const std::function<void(Worker&)>& body);
    void start(std::uint32_t first);
    void join();
    void abandon();
    void work(std::size_t index, std::optional<IndexRange> piece);
    std::optional<IndexRange> take(std::size_t index);
    void renderPiece(std::size_t index, IndexRange piece);
    FilmState takeSpare();
    void leave(std::size_t index, std::optional<IndexRange> piece, const Error& error);
    void commit(Lock& lock, std::uint32_t end);
    std::uint32_t wholeEnd() const;
    void throwFailure(Lock& lock);
    double samplesAhead() const;
    std::size_t workersLeft() const;

    std::vector<std::unique_ptr<Worker>> workers_;
    FilmLayout layout_;
    double pipelineSeconds_ = 0.0;

    // Only the thread that calls render() uses these.
    std::optional<FilmTotal> total_; ///< the team's film
    std::uint32_t committed_ = 0;    ///< end of the samples in total_
    std::uint32_t expected_ = 0;     ///< end of the samples that will be asked for

    // The mutex guards these and Worker::use; changed_ wakes the threads that wait for a change of them.
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<SampleQueue> queue_;       ///< is there while the threads run
    std::map<std::uint32_t, Piece> waiting_; ///< films that are not added yet, by the first sample of each
    std::vector<FilmState> spare_;           ///< films that were added, whose memory is used again: new memory is slow
    std::optional<Error> lastFailure_;       ///< of a device
    std::exception_ptr error_;               ///< of another kind, which ends the render

    std::atomic<bool> ends_ = false; ///< the threads are to stop
};

} // namespace aureole
