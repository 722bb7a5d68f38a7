#pragma once

#include <atomic>
#include <cstdint>

#include <embree3/rtcore.h>

#include "scene/scene.h"

namespace aureole {

/// Holds a hierarchy to what its scene leaves of the memory that a scene may take (scene/scene_memory.h): counts what
/// Embree allocates, and has it give up once that is too much.
class EmbreeMemory {
public:
    /// Takes off what the vertices of all instances take, which Embree does not share. Throws Error (BadInput) where
    /// that is too much already. The scene outlives this, and this the device that it watches.
    explicit EmbreeMemory(const Scene& scene);
    EmbreeMemory(const EmbreeMemory&) = delete;
    EmbreeMemory& operator=(const EmbreeMemory&) = delete;

    void watch(RTCDevice device);
    /// Throws Error (BadInput) where Embree gave up.
    void requireHeld() const;

private:
    static bool count(void* self, ssize_t bytes, bool afterwards);

    const Scene& scene_;
    std::uint64_t left_;
    std::atomic<std::int64_t> taken_{0};
    std::atomic<bool> gaveUp_{false};
};

} // namespace aureole
