#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace aureole {

/// Leaves numbers unset that a vector only makes room for.
template <typename T>
struct RawAllocator : std::allocator<T> {
    static_assert(std::is_trivially_copyable_v<T>);

    RawAllocator() = default;
    template <typename U>
    explicit RawAllocator(const RawAllocator<U>& /*other*/) {}
    template <typename U>
    struct rebind { // NOLINT(readability-identifier-naming): the standard asks for this name
        using other = RawAllocator<U>;
    };

    void construct(T* place) noexcept { ::new (static_cast<void*>(place)) T; }
    template <typename... Arguments>
    void construct(T* place, Arguments&&... arguments) {
        ::new (static_cast<void*>(place)) T(std::forward<Arguments>(arguments)...);
    }
};

/// A vector for large results that threads fill in: resize leaves its numbers unset, so that those threads, and not the
/// one that makes room, are the first to touch its memory, which takes longer than to compute them.
template <typename T>
using RawVector = std::vector<T, RawAllocator<T>>;

} // namespace aureole
