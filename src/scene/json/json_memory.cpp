// The memory of a scene, added up while it is read.

#include "scene/json/scene_draft.h"
#include "scene/scene_memory.h"

namespace aureole {

void takeMemory(const ValueReader& value, std::uint64_t bytes, SceneDraft& draft) {
    if (bytes > memoryLeft(draft)) {
        value.log().end(value.pointer(), sceneMemoryFault(draft.bytes + bytes));
    }
    draft.bytes += bytes;
}

std::uint64_t memoryLeft(const SceneDraft& draft) {
    const std::uint64_t limit = sceneMemoryLimit();
    return limit == kNoSceneLimit ? limit : limit - draft.bytes;
}

} // namespace aureole
