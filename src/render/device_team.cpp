#include "render/device_team.h"

#include <algorithm>
#include <chrono>

#include <fmt/ranges.h>

#include "core/log.h"
#include "core/stopwatch.h"

namespace aureole {

namespace {

/// How often render() calls onProgress while it waits for a film.
constexpr std::chrono::milliseconds kProgressPeriod(50);
/// How many finished films for each device may wait before workers take no more pieces.
constexpr std::size_t kFilmsWaiting = 2;

/// Whether others can go on without the device that threw this.
bool isOfDevice(const Error& error) {
    return error.code() == ExitCode::NoDevice || error.code() == ExitCode::OutOfMemory;
}

} // namespace

DeviceTeam::DeviceTeam(const std::vector<gpu::Device>& devices, const Scene& scene, std::span<const Octree> octrees,
                       const View& view, const WavefrontOptions& waves, const ComingLamps& lamps)
    : layout_(makeFilmLayout(scene, sceneSpace(scene, octrees)))
    , total_(std::in_place, view.cropSize, layout_) {
    for (const gpu::Device& device : devices) {
        workers_.push_back(std::make_unique<Worker>(device));
    }
    onEach([&](Worker& worker) { worker.scene.emplace(worker.device, scene, octrees, lamps); });
    const Stopwatch making;
    onEach([&](Worker& worker) {
        worker.tracer.emplace(worker.device, worker.scene->moveTo(worker.device, view), view, waves);
    });
    pipelineSeconds_ = making.seconds();
}

DeviceTeam::~DeviceTeam() {
    abandon();
}

void DeviceTeam::setView(const View& view) {
    abandon();
    total_.emplace(view.cropSize, layout_);
    onEach([&](Worker& worker) {
        worker.scene->moveTo(worker.device, view);
        worker.tracer->setView(view);
    });
}

/// Calls body for all workers that are left, each on a thread of its own.
void DeviceTeam::onEach(const std::function<void(Worker&)>& body) {
    for (std::size_t i = 0; i < workers_.size(); ++i) {
        if (!workers_[i]->use.failure.empty()) {
            continue;
        }
        workers_[i]->thread = std::thread([this, i, &body] {
            try {
                body(*workers_[i]);
            } catch (const Error& error) {
                leave(i, std::nullopt, error);
            } catch (...) {
                const Lock lock(mutex_);
                error_ = std::current_exception();
            }
        });
    }
    join();
    Lock lock(mutex_);
    throwFailure(lock);
}

/// Ends the work and throws, where no device is left or an error ends the render; else returns.
void DeviceTeam::throwFailure(Lock& lock) {
    if (!error_ && workersLeft() > 0) {
        return;
    }
    ends_ = true;
    changed_.notify_all();
    commit(lock, wholeEnd());
    lock.unlock();
    join();
    if (error_) {
        std::rethrow_exception(error_);
    }
    throw Error(*lastFailure_);
}

void DeviceTeam::start(std::uint32_t first) {
    queue_.emplace(IndexRange(first, expected_), PathTracer::kBatchSize, workers_.size());
    waiting_.clear();
    committed_ = first;
    std::vector<std::pair<std::size_t, std::optional<IndexRange>>> left;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
        if (workers_[i]->use.failure.empty()) {
            // Taken here and not in the thread, so that each worker renders a piece even if finish() comes at once.
            left.emplace_back(i, queue_->take(i));
        } else {
            queue_->abandon(i, std::nullopt);
        }
    }
    // Started last, because the threads use the queue too.
    for (const auto& [i, piece] : left) {
        workers_[i]->thread = std::thread([this, i = i, piece = piece] { work(i, piece); });
    }
}

void DeviceTeam::join() {
    for (const auto& worker : workers_) {
        if (worker->thread.joinable()) {
            worker->thread.join();
        }
    }
}

/// Stops the threads, also in the middle of a piece, and drops all films that are not added yet.
void DeviceTeam::abandon() {
    {
        const Lock lock(mutex_);
        ends_ = true;
        changed_.notify_all();
    }
    join();
    ends_ = false;
    queue_.reset();
    waiting_.clear();
    for (const auto& worker : workers_) {
        worker->use.rays += worker->rays.exchange(0);
    }
}

std::uint32_t DeviceTeam::render(std::uint32_t first, std::uint32_t end,
                                 const std::function<bool(double)>& onProgress) {
    if (!queue_) {
        expected_ = std::max(expected_, end);
        start(first);
    }
    Lock lock(mutex_);
    while (true) {
        commit(lock, end);
        if (committed_ >= end) {
            return committed_;
        }
        throwFailure(lock);
        changed_.wait_for(lock, kProgressPeriod,
                          [&] { return waiting_.contains(committed_) || error_ || workersLeft() == 0; });
        const double share = (committed_ - first + samplesAhead()) / (end - first);
        lock.unlock();
        const bool goesOn = onProgress(share);
        lock.lock();
        if (!goesOn) {
            return committed_;
        }
    }
}

std::uint32_t DeviceTeam::finish(std::uint32_t end) {
    Lock lock(mutex_);
    if (queue_) {
        queue_->stop();
        changed_.notify_all();
        while (!queue_->isDone()) {
            throwFailure(lock);
            changed_.wait(lock);
        }
    }
    commit(lock, end);
    spare_.clear();
    lock.unlock();
    join();
    queue_.reset();
    return committed_;
}

FilmSums DeviceTeam::layersOf(std::uint32_t first, std::uint32_t end, const std::function<bool(double)>& onProgress) {
    finish(committed_);
    const auto left =
        std::find_if(workers_.begin(), workers_.end(), [](const auto& worker) { return worker->use.failure.empty(); });
    if (left == workers_.end()) {
        throw Error(*lastFailure_);
    }
    return (*left)->tracer->layersOf(first, end, onProgress);
}

/// The end of the last whole batch of the expected samples.
std::uint32_t DeviceTeam::wholeEnd() const {
    return expected_ / PathTracer::kBatchSize * PathTracer::kBatchSize;
}

/// Adds waiting films to the total while the next one is there, until the total reaches `end`.
void DeviceTeam::commit(Lock& lock, std::uint32_t end) {
    for (auto next = waiting_.find(committed_); next != waiting_.end() && committed_ < end;
         next = waiting_.find(committed_)) {
        Piece piece = std::move(next->second);
        waiting_.erase(next);
        changed_.notify_all();
        lock.unlock();
        total_->add(piece.film);
        lock.lock();
        spare_.push_back(std::move(piece.film));
        workers_[piece.worker]->use.samples += piece.end - committed_;
        committed_ = piece.end;
    }
}

double DeviceTeam::samplesAhead() const {
    double samples = 0.0;
    for (const auto& [first, piece] : waiting_) {
        samples += piece.end - first;
    }
    for (const auto& worker : workers_) {
        samples += worker->samplesDone;
    }
    return samples;
}

std::size_t DeviceTeam::workersLeft() const {
    return static_cast<std::size_t>(std::count_if(workers_.begin(), workers_.end(),
                                                  [](const auto& worker) { return worker->use.failure.empty(); }));
}

/// What a worker's thread does: renders `piece`, if there is one, and then pieces of the queue until none are left.
void DeviceTeam::work(std::size_t index, std::optional<IndexRange> piece) {
    try {
        while (piece || (piece = take(index))) {
            renderPiece(index, *piece);
            piece.reset();
        }
    } catch (const Error& error) {
        leave(index, piece, error);
    } catch (...) {
        const Lock lock(mutex_);
        error_ = std::current_exception();
        changed_.notify_all();
    }
}

/// The next piece for a worker; none once all are rendered or the work ends. Waits while too many films wait, and, when
/// all pieces are handed out, until they are rendered: a device that fails gives its piece back.
std::optional<IndexRange> DeviceTeam::take(std::size_t index) {
    Lock lock(mutex_);
    while (!ends_ && !error_) {
        if (queue_->hasReturned() || waiting_.size() < kFilmsWaiting * workers_.size()) {
            if (const std::optional<IndexRange> piece = queue_->take(index)) {
                return piece;
            }
        }
        if (queue_->isDone()) {
            break;
        }
        changed_.wait(lock);
    }
    return std::nullopt;
}

FilmState DeviceTeam::takeSpare() {
    const Lock lock(mutex_);
    if (spare_.empty()) {
        return {};
    }
    FilmState spare = std::move(spare_.back());
    spare_.pop_back();
    return spare;
}

void DeviceTeam::renderPiece(std::size_t index, IndexRange piece) {
    Worker& worker = *workers_[index];
    const Stopwatch clock;
    const auto [first, end] = piece;
    worker.tracer->clear();
    const double clearing = clock.seconds();
    worker.tracer->render(first, end, [&, samples = end - first](double share) {
        worker.samplesDone = share * samples;
        worker.rays = worker.tracer->stats().rays;
        return !ends_;
    });
    worker.rays = worker.tracer->stats().rays;
    if (ends_) {
        return;
    }
    const Stopwatch fetch;
    Piece done{end, index, worker.tracer->state(takeSpare())};
    const double fetching = fetch.seconds();
    const double seconds = clock.seconds();

    const Lock lock(mutex_);
    worker.samplesDone = 0.0;
    worker.use.seconds += seconds;
    queue_->finish(index, piece, seconds - clearing - fetching, clearing + fetching);
    waiting_.emplace(first, std::move(done));
    changed_.notify_all();
}

/// Notes why a worker stops. A failure of its device takes it out of the team; any other error ends the render.
void DeviceTeam::leave(std::size_t index, std::optional<IndexRange> piece, const Error& error) {
    const Lock lock(mutex_);
    Worker& worker = *workers_[index];
    worker.samplesDone = 0.0;
    if (!isOfDevice(error)) {
        error_ = std::make_exception_ptr(error);
    } else {
        worker.use.failure = error.what();
        lastFailure_ = error;
        if (queue_) {
            queue_->abandon(index, piece);
        }
        if (workersLeft() > 0) {
            logWarning("device {} is out: {}; the other devices do its samples", worker.device.info().index,
                       error.what());
        }
    }
    changed_.notify_all();
}

std::uint64_t DeviceTeam::rays() const {
    std::uint64_t rays = 0;
    for (const auto& worker : workers_) {
        rays += worker->rays;
    }
    return rays;
}

std::vector<DeviceUse> DeviceTeam::uses() const {
    const Lock lock(mutex_);
    std::vector<DeviceUse> uses;
    for (const auto& worker : workers_) {
        uses.push_back(worker->use);
        uses.back().rays += worker->rays;
    }
    return uses;
}

} // namespace aureole
