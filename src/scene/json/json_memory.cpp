// The memory of a scene, added up while it is read.

#include "scene/json/scene_draft.h"
#include "scene/scene_memory.h"

namespace aureole {

void takeMemory(const ValueReader& value, std::uint64_t bytes, SceneDraft& draft) {
    const std::uint64_t limit = sceneMemoryLimit();
    if (limit != kNoSceneLimit && bytes > limit - draft.bytes) {
        value.log().end(value.pointer(), sceneMemoryFault(draft.bytes + bytes));
    }
    draft.bytes += bytes;
}

} // namespace aureole
