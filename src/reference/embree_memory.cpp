#include "reference/embree_memory.h"

#include "core/error.h"
#include "scene/scene_memory.h"

namespace aureole {

EmbreeMemory::EmbreeMemory(const Scene& scene)
    : scene_(scene)
    , left_(memoryLeftBy(scene)) {
    std::uint64_t vertices = 0;
    for (const MeshInstance& instance : scene.meshInstances) {
        vertices += (scene.meshes[instance.mesh].positions.size() + 1) * sizeof(glm::vec3);
    }
    requireSceneMemory(scene, left_, vertices);
    left_ -= left_ == kNoSceneLimit ? 0 : vertices;
}

void EmbreeMemory::watch(RTCDevice device) {
    if (left_ != kNoSceneLimit) {
        rtcSetDeviceMemoryMonitorFunction(device, count, this);
    }
}

void EmbreeMemory::requireHeld() const {
    if (gaveUp_) {
        fail(ExitCode::BadInput, "{}: {}", scene_.file.string(),
             sceneMemoryFault(sceneMemoryLimit() - left_ + static_cast<std::uint64_t>(taken_.load())));
    }
}

/// Called by any of Embree's threads, with negative bytes for what is released; by false it gives up, out of memory.
bool EmbreeMemory::count(void* self, ssize_t bytes, bool /*afterwards*/) {
    auto* memory = static_cast<EmbreeMemory*>(self);
    const std::int64_t taken = memory->taken_ += bytes;
    if (bytes > 0 && taken > 0 && static_cast<std::uint64_t>(taken) > memory->left_) {
        memory->gaveUp_ = true;
    }
    return bytes <= 0 || !memory->gaveUp_;
}

} // namespace aureole
