#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace aureole {

/// A contiguous array of fixed length that does not care where its memory comes from: a vector, or a mapping that
/// several arrays may share the ownership of. Move-only, as copies are large and seldom meant.
template <typename T>
class Array {
public:
    Array() = default;
    Array(std::vector<T> values) { // NOLINT(google-explicit-constructor): a vector is an array
        const auto owner = std::make_shared<std::vector<T>>(std::move(values));
        values_ = *owner;
        owner_ = owner;
    }
    /// `owner` keeps the memory of `values` alive. `isFile` says that it is a file's, mapped.
    Array(std::span<T> values, std::shared_ptr<void> owner, bool isFile = false)
        : values_(values)
        , owner_(std::move(owner))
        , isFile_(isFile) {}
    ~Array() = default;
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;
    Array(Array&& other) noexcept
        : values_(std::exchange(other.values_, {}))
        , owner_(std::move(other.owner_))
        , isFile_(std::exchange(other.isFile_, false)) {}
    Array& operator=(Array&& other) noexcept {
        values_ = std::exchange(other.values_, {});
        owner_ = std::move(other.owner_);
        isFile_ = std::exchange(other.isFile_, false);
        return *this;
    }

    /// Whether pages that are dropped from memory come back from a file, with what was changed.
    bool isFile() const { return isFile_; }
    std::size_t size() const { return values_.size(); }
    std::size_t bytes() const { return values_.size_bytes(); }
    bool empty() const { return values_.empty(); }
    const T* data() const { return values_.data(); }
    T* data() { return values_.data(); }
    const T& operator[](std::size_t i) const { return values_[i]; }
    T& operator[](std::size_t i) { return values_[i]; }
    const T* begin() const { return values_.data(); }
    const T* end() const { return values_.data() + values_.size(); }
    T* begin() { return values_.data(); }
    T* end() { return values_.data() + values_.size(); }

private:
    std::span<T> values_;
    std::shared_ptr<void> owner_;
    bool isFile_ = false;
};

} // namespace aureole
