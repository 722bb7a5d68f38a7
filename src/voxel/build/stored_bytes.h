#pragma once

// Arrays that are written once, from front to back, and may outgrow memory.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <memory>
#include <span>

#include "voxel/tree/array.h"

namespace aureole {

/// How much memory the arrays of a build may take together, and the folder that takes what is more.
class MemoryBudget {
public:
    /// A budget without limit: nothing is ever written to disk.
    MemoryBudget() = default;
    MemoryBudget(std::uint64_t bytes, std::filesystem::path spillFolder)
        : left_(bytes)
        , folder_(std::move(spillFolder)) {}

    /// Takes bytes from what is left; false where there are fewer.
    bool take(std::uint64_t bytes);
    void giveBack(std::uint64_t bytes) { left_ += bytes; }
    const std::filesystem::path& spillFolder() const { return folder_; }

private:
    std::uint64_t left_ = ~std::uint64_t{0};
    std::filesystem::path folder_;
};

/// Bytes in the order they were appended. They stand in memory as long as the budget has room for them, else in a
/// temporary file without a name, which the system removes however the program ends. Not for several threads at once.
class StoredBytes {
public:
    /// `budget` outlives this.
    explicit StoredBytes(MemoryBudget& budget)
        : budget_(&budget) {}
    ~StoredBytes();
    StoredBytes(const StoredBytes&) = delete;
    StoredBytes& operator=(const StoredBytes&) = delete;
    StoredBytes(StoredBytes&& other) noexcept;
    StoredBytes& operator=(StoredBytes&&) = delete;

    /// Throws Error: OutOfMemory, or CannotWrite for the temporary file.
    void append(std::span<const std::byte> bytes);
    /// Appends bytes that the caller writes where this points, before it appends others; null, and nothing is appended,
    /// where there is no memory for them. Throws Error: OutOfMemory.
    std::byte* make(std::uint64_t bytes) { return reserve(bytes) ? extend(bytes) : nullptr; }
    /// Appends as make() does if there is room at hand; null if there is none.
    std::byte* extend(std::uint64_t bytes) {
        if (file_ >= 0 || size_ + bytes > std::min(charged_, capacity_)) {
            return nullptr;
        }
        std::byte* const place = memory_ + size_;
        size_ += bytes;
        inMemory_ += bytes;
        return place;
    }
    /// Makes room for so many bytes more, so that they do not move what make() returns; false where there is no memory
    /// for them. Throws Error: OutOfMemory.
    bool reserve(std::uint64_t bytes) { return !spilled() && reserveMemory(size_ + bytes); }
    std::uint64_t size() const { return size_; }
    bool spilled() const { return file_ >= 0; }

    /// Memory that holds all bytes: what was in memory stays where it is, a file is mapped. This is empty afterwards.
    struct Mapping {
        std::span<std::byte> bytes;
        std::shared_ptr<void> owner;
        bool isFile = false; ///< pages that are dropped from memory come back from the file, with what was changed
    };
    Mapping take();

private:
    bool reserveMemory(std::uint64_t bytes);
    void spill();
    void writeOut(std::span<const std::byte> bytes);
    void release();

    MemoryBudget* budget_;
    std::byte* memory_ = nullptr;
    std::uint64_t capacity_ = 0;
    std::uint64_t charged_ = 0; ///< to the budget
    std::uint64_t inMemory_ = 0;
    std::uint64_t size_ = 0;
    int file_ = -1;
};

/// StoredBytes of values of one type.
template <typename T>
class StoredArray {
public:
    explicit StoredArray(MemoryBudget& budget)
        : bytes_(budget) {}

    void append(std::span<const T> values) { bytes_.append(std::as_bytes(values)); }
    void append(const T& value) {
        if (std::byte* const place = bytes_.extend(sizeof(T))) {
            std::memcpy(place, &value, sizeof(T));
        } else {
            append(std::span<const T>(&value, 1));
        }
    }
    /// Appends so many values that the caller writes before it appends others; null, and nothing is appended, where
    /// there is no memory for them.
    T* make(std::uint64_t count) { return reinterpret_cast<T*>(bytes_.make(count * sizeof(T))); }
    /// Makes room for so many values more; false where there is no memory for them.
    bool reserve(std::uint64_t count) { return bytes_.reserve(count * sizeof(T)); }
    std::uint64_t size() const { return bytes_.size() / sizeof(T); }

    Array<T> take() {
        StoredBytes::Mapping mapping = bytes_.take();
        return Array<T>({reinterpret_cast<T*>(mapping.bytes.data()), mapping.bytes.size() / sizeof(T)},
                        std::move(mapping.owner), mapping.isFile);
    }

private:
    StoredBytes bytes_;
};

} // namespace aureole
