#include "core/memory_ahead.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

#include "core/beside.h"
#include "core/trace.h"

namespace aureole {

namespace {

/// While pages are made, the process gets and gives back no other memory: not for longer than some milliseconds.
constexpr std::size_t kAtOnce = std::size_t{1} << 20U;

} // namespace

MemoryAhead::MemoryAhead(std::vector<std::span<std::byte>> memory) {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE)); // NOLINT(google-runtime-int)
    std::vector<std::span<std::byte>> pieces;
    for (const std::span<std::byte> whole : memory) {
        // From the start of its first page, which is there where something stands before.
        const std::size_t before = reinterpret_cast<std::uintptr_t>(whole.data()) % page;
        for (std::span<std::byte> rest(whole.data() - before, whole.size() + before); !rest.empty();) {
            pieces.push_back(rest.first(std::min(kAtOnce, rest.size())));
            rest = rest.subspan(pieces.back().size());
        }
    }
    done_ = std::async(std::launch::async, [this, pieces = std::move(pieces)] {
        const TraceSpan span("memory ahead");
        forEachBeside(pieces.size(), [&](std::size_t i) {
            if (!stopped_ && ::madvise(pieces[i].data(), pieces[i].size(), MADV_POPULATE_WRITE) != 0) {
                stopped_ = true;
            }
        });
    });
}

MemoryAhead::~MemoryAhead() {
    stopped_ = true;
    done_.wait();
}

} // namespace aureole
