#include "gpu/kept_pipelines.h"

#include <algorithm>
#include <span>

#include "core/hash.h"
#include "core/trace.h"

namespace aureole::gpu {

namespace {

std::uint64_t hashOf(const PipelineOptions& options) {
    Hasher hasher;
    const auto add = [&](std::uint64_t value) { hasher.add(&value, sizeof(value)); };
    for (const std::span<const std::byte> frame : {options.shader.packed, options.shader.like}) {
        add(frame.size());
        hasher.add(frame.data(), frame.size());
    }
    add(options.pushConstantBytes);
    add(options.requiredSubgroupSize);
    add(options.images ? 1 : 0);
    for (const Specialization& constant : options.specialization) {
        add(constant.id);
        add(constant.value);
    }
    return hasher.value();
}

} // namespace

std::shared_ptr<Pipeline::State> KeptPipelines::get(const std::shared_ptr<Context>& context,
                                                    const PipelineOptions& options) {
    const std::uint64_t hash = hashOf(options);
    std::unique_lock locked(mutex_);
    const auto found = std::ranges::find_if(
        entries_, [&](const Entry& entry) { return entry.hash == hash && entry.name == options.name; });
    if (found != entries_.end()) {
        std::rotate(found, found + 1, entries_.end());
        return entries_.back().pipeline;
    }
    locked.unlock(); // others may be made meanwhile
    const TraceSpan span("pipeline");
    auto pipeline = std::make_shared<Pipeline::State>(context, options);
    locked.lock();
    if (capacity_ > 0) {
        if (entries_.size() == capacity_) {
            entries_.erase(entries_.begin());
        }
        entries_.push_back({options.name, hash, pipeline});
    }
    return pipeline;
}

} // namespace aureole::gpu
