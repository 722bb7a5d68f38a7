#pragma once

// Pipelines that a device keeps to hand out again. Internal to the module.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "gpu/pipeline.h"

namespace aureole::gpu {

/// The pipelines asked for last. Drivers without a cache of their own that is worth the name (lavapipe) compile the
/// same code for each picture of a sequence and for each test, which takes longer than running it.
class KeptPipelines {
public:
    explicit KeptPipelines(std::size_t capacity)
        : capacity_(capacity) {}

    /// The pipeline of these options: the one handed out before, or a new one. Threads may call it at the same time.
    std::shared_ptr<Pipeline::State> get(const std::shared_ptr<Context>& context, const PipelineOptions& options);

    /// Lets go of all.
    void clear() { entries_.clear(); }

private:
    struct Entry {
        std::string name;
        std::uint64_t hash = 0; ///< of everything in the options
        std::shared_ptr<Pipeline::State> pipeline;
    };

    std::size_t capacity_;
    std::mutex mutex_;           ///< of the next
    std::vector<Entry> entries_; ///< the one used last stands last
};

} // namespace aureole::gpu
