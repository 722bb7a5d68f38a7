#pragma once

// What a scene asks for at two places that do not go together: it reads well, and no render can do it. `render` and
// `validate` both ask here.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/index_ranges.h"
#include "scene/load.h"
#include "scene/scene.h"

namespace aureole {

inline constexpr IndexRange kAllFrames{0, std::numeric_limits<std::uint32_t>::max()};
inline constexpr IndexRange kNoFrames{0, 0};

/// What a render takes of a scene.
struct SceneUse {
    std::optional<std::uint32_t> camera; ///< none while the scene names none and nobody chose one
    bool bloom = true;                   ///< with the scene's bloom, where it has one
    IndexRange frames = kAllFrames;      ///< of the scene's animation, where it has one
    bool surfaceChosen = false;          ///< by the command line: the file's keys are then for another one
};

/// The use of a scene by a render without options but the overrides that it was loaded with.
SceneUse defaultUse(const Scene& scene, const std::vector<SceneOverride>& overrides);

/// Whether overrides or changes choose the surface of voxels, without saying more of it.
bool choosesSurface(const std::vector<SceneOverride>& overrides, const SettingsChanges& changes = {});

struct SceneConflict {
    std::string pointer; ///< the place to blame
    std::string with;    ///< the place of the other one; "" where there is none
    std::string message;
};

/// Conflicts, one or more, that show only while the scene is put to use; BadInput. The message has a line for each,
/// which names the scene's file.
class ConflictError : public Error {
public:
    ConflictError(const Scene& scene, std::vector<SceneConflict> conflicts);
    const std::vector<SceneConflict>& conflicts() const { return conflicts_; }

private:
    std::vector<SceneConflict> conflicts_;
};

/// Those between the voxels' keys, which are at `place`: cubes alone have other modes and encodings, and the sides of
/// planes are told by attributes.
std::vector<SceneConflict> findOddVoxels(const std::string& place, const VoxelSettings& voxels);

/// All of them; none where the scene can be rendered.
std::vector<SceneConflict> findConflicts(const Scene& scene, const SceneUse& use);

/// What `validate` has to say.
struct Validation {
    std::vector<SceneProblem> problems; ///< in the order of the file
    std::vector<std::string> cameras;   ///< of which a render has to be told one; none where the scene chooses
};

/// Reads a scene and looks for conflicts of a render without options; `findMore` finds those that this module cannot.
Validation checkScene(const std::filesystem::path& file, const std::vector<SceneOverride>& overrides,
                      const std::function<std::vector<SceneConflict>(const Scene&)>& findMore = nullptr);

/// Conflicts as problems of the file, with the lines of their places.
std::vector<SceneProblem> placeConflicts(const std::filesystem::path& file, const std::vector<SceneOverride>& overrides,
                                         const std::vector<SceneConflict>& conflicts);

} // namespace aureole
