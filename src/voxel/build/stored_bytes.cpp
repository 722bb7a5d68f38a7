#include "voxel/build/stored_bytes.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/divide_up.h"
#include "core/error.h"

namespace aureole {

namespace {

/// Memory is taken from the budget in steps of this, and written to the file in pieces of this.
constexpr std::uint64_t kStep = std::uint64_t{1} << 20U;
constexpr std::uint64_t kFirstCapacity = 16 * kStep;

/// A new file that has no name in the folder, or lost it at once.
int openNameless(const std::filesystem::path& folder) {
    const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); // NOLINT(*-vararg)
    if (file >= 0) {
        return file;
    }
    std::string name = (folder / "aureole-XXXXXX").string(); // not every file system knows O_TMPFILE
    const int named = ::mkostemp(name.data(), O_CLOEXEC);
    if (named < 0) {
        fail(ExitCode::CannotWrite, "{}: cannot hold a temporary file: {}", folder.string(), std::strerror(errno));
    }
    ::unlink(name.c_str());
    return named;
}

} // namespace

bool MemoryBudget::take(std::uint64_t bytes) {
    if (bytes > left_) {
        return false;
    }
    left_ -= bytes;
    return true;
}

StoredBytes::StoredBytes(StoredBytes&& other) noexcept
    : budget_(other.budget_)
    , memory_(std::exchange(other.memory_, nullptr))
    , capacity_(std::exchange(other.capacity_, 0))
    , charged_(std::exchange(other.charged_, 0))
    , inMemory_(std::exchange(other.inMemory_, 0))
    , size_(std::exchange(other.size_, 0))
    , file_(std::exchange(other.file_, -1)) {}

StoredBytes::~StoredBytes() {
    release();
    if (file_ >= 0) {
        ::close(file_);
    }
}

void StoredBytes::release() {
    if (memory_ != nullptr) {
        ::munmap(memory_, capacity_);
    }
    budget_->giveBack(std::exchange(charged_, 0));
    memory_ = nullptr;
    capacity_ = 0;
    inMemory_ = 0;
}

/// Makes room for `bytes` in memory; false where the budget does not allow it. Room that is not used costs nothing, so
/// it is doubled; growing moves no byte.
bool StoredBytes::reserveMemory(std::uint64_t bytes) {
    if (bytes > charged_) {
        const std::uint64_t more = roundUp(bytes - charged_, kStep);
        if (!budget_->take(more)) {
            return false;
        }
        charged_ += more;
    }
    if (bytes <= capacity_) {
        return true;
    }
    const std::uint64_t capacity = std::max({2 * capacity_, roundUp(bytes, kStep), kFirstCapacity});
    void* const grown = memory_ == nullptr ? ::mmap(nullptr, capacity, PROT_READ | PROT_WRITE,
                                                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                                           : ::mremap(memory_, capacity_, capacity, MREMAP_MAYMOVE); // NOLINT(*-vararg)
    if (grown == MAP_FAILED) {
        fail(ExitCode::OutOfMemory, "out of memory: an array of the octree cannot grow to {} bytes", bytes);
    }
    // Pages of 2 MiB, where the system has them: threads that write new ones wait for each other in its page tables. A
    // small array would take a whole one for a few bytes, and scenes may have thousands of small octrees.
    if (capacity > kFirstCapacity) {
        ::madvise(grown, capacity, MADV_HUGEPAGE);
    }
    memory_ = static_cast<std::byte*>(grown);
    capacity_ = capacity;
    return true;
}

void StoredBytes::writeOut(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(file_, bytes.data(), std::min<std::size_t>(bytes.size(), kStep));
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            fail(ExitCode::CannotWrite, "{}: a temporary file cannot be written: {}", budget_->spillFolder().string(),
                 std::strerror(errno));
        }
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
}

/// Moves everything to a file and keeps one step of memory as its buffer.
void StoredBytes::spill() {
    file_ = openNameless(budget_->spillFolder());
    writeOut({memory_, inMemory_});
    release();
    void* const buffer = ::mmap(nullptr, kStep, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (buffer == MAP_FAILED) {
        fail(ExitCode::OutOfMemory, "out of memory: no buffer for a temporary file");
    }
    memory_ = static_cast<std::byte*>(buffer);
    capacity_ = kStep;
}

void StoredBytes::append(std::span<const std::byte> bytes) {
    if (!spilled() && !reserveMemory(size_ + bytes.size())) {
        spill();
    }
    size_ += bytes.size();
    if (spilled() && inMemory_ + bytes.size() > kStep) {
        writeOut({memory_, std::exchange(inMemory_, 0)});
        if (bytes.size() > kStep) {
            writeOut(bytes);
            return;
        }
    }
    if (!bytes.empty()) {
        std::memcpy(memory_ + inMemory_, bytes.data(), bytes.size());
    }
    inMemory_ += bytes.size();
}

StoredBytes::Mapping StoredBytes::take() {
    Mapping mapping;
    mapping.isFile = spilled();
    std::byte* memory = memory_;
    std::uint64_t length = capacity_;
    if (spilled()) {
        writeOut({memory_, std::exchange(inMemory_, 0)});
        release();
        void* const mapped = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
        if (mapped == MAP_FAILED) {
            fail(ExitCode::OutOfMemory, "out of memory: a temporary file of {} bytes cannot be mapped", size_);
        }
        ::close(std::exchange(file_, -1));
        memory = static_cast<std::byte*>(mapped);
        length = size_;
    }
    mapping.bytes = {memory, size_};
    if (memory != nullptr) {
        mapping.owner = std::shared_ptr<void>(memory, [length](void* owned) { ::munmap(owned, length); });
    }
    memory_ = nullptr; // what stays in memory stays charged
    capacity_ = 0;
    charged_ = 0;
    inMemory_ = 0;
    size_ = 0;
    return mapping;
}

} // namespace aureole
