#include "import/model_parts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "import/model_outline.h"

namespace aureole {

namespace {

/// What is placed together: meshes with their materials, or a voxel model.
using ThingKind = std::vector<std::tuple<bool, std::uint32_t, std::uint32_t>>;

/// Things at one place, in the order of the instances.
struct PlacedThing {
    std::uint32_t kind = 0;
    glm::dmat4 transform{1.0};
    std::size_t first = 0; ///< of the instances, meshes before voxel models
    std::size_t end = 0;
};

/// How something stands to what it follows.
struct Follower {
    std::uint32_t kind = kNone;
    glm::dmat4 transform{1.0}; ///< in the coordinates of what it follows
};

double largestEntry(const glm::dmat4& matrix) {
    double largest = 0.0;
    for (glm::length_t column = 0; column < 4; ++column) {
        const glm::dvec4 entries = glm::abs(matrix[column]);
        largest = std::max({largest, entries.x, entries.y, entries.z, entries.w});
    }
    return largest;
}

/// Transforms of one place come from numbers of single precision.
bool isSamePlace(const glm::dmat4& a, const glm::dmat4& b) {
    constexpr double kRounding = 1e-5;
    return largestEntry(a - b) <= kRounding * largestEntry(a);
}

/// Whether all directions of a matrix are of some length beside each other.
bool hasVolume(const glm::dmat4& matrix) {
    constexpr double kLeast = 1e-6;
    const glm::dmat3 axes(matrix);
    const double longest = std::max({glm::length(axes[0]), glm::length(axes[1]), glm::length(axes[2])});
    return std::abs(glm::determinant(axes)) > kLeast * longest * longest * longest;
}

class Splitter {
public:
    Splitter(std::span<const Mesh> meshes, std::span<const VoxelModel> voxelModels,
             std::span<const MeshInstance> meshInstances, std::span<const VoxelInstance> voxelInstances)
        : meshes_(meshes)
        , voxelModels_(voxelModels)
        , meshInstances_(meshInstances)
        , voxelInstances_(voxelInstances) {
        placeMeshes();
        placeVoxels();
    }

    ModelParts split() {
        ModelParts parts;
        countKinds();
        joinFollowers();
        std::map<std::uint32_t, std::size_t> partOfKind;
        std::vector<bool> isShared(placed_.size());
        for (std::size_t i = 0; i < placed_.size(); ++i) {
            isShared[i] = counts_[placed_[i].kind] > 1 && !isFollower_[i];
        }
        const std::vector<Bounds> bounds = boundsOfKinds();
        const double least = kLeastShare * longestSide(bounds);
        for (std::size_t i = 0; i < placed_.size(); ++i) {
            const PlacedThing& placed = placed_[i];
            if (isFollower_[i]) {
                continue;
            }
            const std::size_t last = i + lengths_[placed.kind] - 1;
            const double longest = longestOf(transformed(bounds[placed.kind], placed.transform));
            if (!isShared[i] || !hasVolume(placed.transform) || longest == 0.0 || longest < least) {
                keep(placed.first, placed_[last].end, parts);
                continue;
            }
            const auto [part, isNew] = partOfKind.try_emplace(placed.kind, parts.shared.size());
            if (isNew) {
                parts.shared.push_back(partAt(i, last));
            }
            parts.shared[part->second].placements.push_back(placed.transform);
        }
        dropLonely(parts);
        return parts;
    }

private:
    /// Of the longest side of the model: a tenth of what an instance may be in a scene is left for what stands around.
    static constexpr double kLeastShare = 1e-5;

    std::uint32_t numberOf(const ThingKind& kind) {
        return kinds_.try_emplace(kind, static_cast<std::uint32_t>(kinds_.size())).first->second;
    }

    void placeMeshes() {
        for (std::size_t i = 0; i < meshInstances_.size();) {
            ThingKind kind;
            const std::size_t first = i;
            const MeshInstance& start = meshInstances_[first];
            do {
                kind.emplace_back(true, meshInstances_[i].mesh, meshInstances_[i].material);
                ++i;
            } while (i < meshInstances_.size() && meshInstances_[i].mesh == start.mesh + (i - first) &&
                     meshInstances_[i].worldFromMesh == start.worldFromMesh);
            placed_.push_back({numberOf(kind), start.worldFromMesh, first, i});
        }
    }

    void placeVoxels() {
        for (std::size_t i = 0; i < voxelInstances_.size(); ++i) {
            const VoxelInstance& instance = voxelInstances_[i];
            const std::size_t place = meshInstances_.size() + i;
            // Level sets join by their distances, which one octree alone can do.
            const std::uint32_t alone =
                voxelModels_[instance.model].isLevelSet() ? static_cast<std::uint32_t>(i) : kNone;
            placed_.push_back({numberOf({{false, instance.model, alone}}), instance.worldFromModel, place, place + 1});
        }
    }

    void countKinds() {
        counts_.assign(kinds_.size(), 0);
        lengths_.assign(kinds_.size(), 1);
        for (const PlacedThing& placed : placed_) {
            ++counts_[placed.kind];
        }
    }

    /// What the thing at `i` is followed by, where both come equally often.
    Follower followerOf(std::size_t i, std::size_t next) const {
        if (next >= placed_.size() || placed_[next].kind == placed_[i].kind ||
            counts_[placed_[next].kind] != counts_[placed_[i].kind] || !hasVolume(placed_[i].transform)) {
            return {};
        }
        return {placed_[next].kind, glm::inverse(placed_[i].transform) * placed_[next].transform};
    }

    /// Joins what always comes together, so that the first of it stands for all. A kind is followed by others in the
    /// order of the instances, so that one way from the last to the first finds whole rows.
    void joinFollowers() {
        isFollower_.assign(placed_.size(), false);
        std::vector<std::vector<std::size_t>> places(kinds_.size());
        for (std::size_t i = 0; i < placed_.size(); ++i) {
            places[placed_[i].kind].push_back(i);
        }
        for (std::size_t i = placed_.size(); i-- > 0;) {
            const std::uint32_t kind = placed_[i].kind;
            if (places[kind].front() != i || counts_[kind] < 2) {
                continue; // each kind once
            }
            const Follower follower = followerOf(i, i + 1);
            const bool joins =
                follower.kind != kNone && std::all_of(places[kind].begin(), places[kind].end(), [&](std::size_t place) {
                    const Follower other = followerOf(place, place + 1);
                    return other.kind == follower.kind && isSamePlace(follower.transform, other.transform);
                });
            if (joins) {
                lengths_[kind] += lengths_[follower.kind];
                for (const std::size_t place : places[kind]) {
                    isFollower_[place + 1] = true;
                }
            }
        }
    }

    /// The box around what has an area, of each kind with what follows it, where its first is.
    std::vector<Bounds> boundsOfKinds() const {
        std::vector<Bounds> bounds(kinds_.size());
        std::vector<bool> isKnown(kinds_.size());
        for (std::size_t i = 0; i < placed_.size(); ++i) {
            const std::uint32_t kind = placed_[i].kind;
            if (isKnown[kind]) {
                continue;
            }
            isKnown[kind] = true;
            const std::size_t last = i + lengths_[kind] - 1;
            const ModelPart part = hasVolume(placed_[i].transform) ? partAt(i, last) : ModelPart{};
            for (const MeshInstance& instance : part.meshInstances) {
                const Mesh& mesh = meshes_[instance.mesh];
                if (anyTriangleHasArea(mesh, instance.worldFromMesh)) {
                    bounds[kind].add(transformed(boundsOf(mesh), instance.worldFromMesh));
                }
            }
            for (const VoxelInstance& instance : part.voxelInstances) {
                bounds[kind].add(transformed(solidBounds(voxelModels_[instance.model]), instance.worldFromModel));
            }
        }
        return bounds;
    }

    static double longestOf(const Bounds& bounds) {
        const glm::dvec3 extent = bounds.empty() ? glm::dvec3(0.0) : bounds.extent();
        return std::max({extent.x, extent.y, extent.z});
    }

    double longestSide(const std::vector<Bounds>& bounds) const {
        Bounds all;
        for (const PlacedThing& placed : placed_) {
            all.add(transformed(bounds[placed.kind], placed.transform));
        }
        return longestOf(all);
    }

    void keep(std::size_t first, std::size_t end, ModelParts& parts) const {
        for (std::size_t i = first; i < end; ++i) {
            if (i < meshInstances_.size()) {
                parts.meshInstances.push_back(meshInstances_[i]);
            } else {
                parts.voxelInstances.push_back(voxelInstances_[i - meshInstances_.size()]);
            }
        }
    }

    /// Things `first` to `last` in the coordinates of the first.
    ModelPart partAt(std::size_t first, std::size_t last) const {
        ModelPart part;
        const glm::dmat4 partFromModel = glm::inverse(placed_[first].transform);
        for (std::size_t i = placed_[first].first; i < placed_[last].end; ++i) {
            const bool isFirst = i < placed_[first].end; // whose place is the part's, to the bit
            if (i < meshInstances_.size()) {
                MeshInstance instance = meshInstances_[i];
                instance.worldFromMesh = isFirst ? glm::dmat4(1.0) : partFromModel * instance.worldFromMesh;
                part.meshInstances.push_back(instance);
            } else {
                VoxelInstance instance = voxelInstances_[i - meshInstances_.size()];
                instance.worldFromModel = isFirst ? glm::dmat4(1.0) : partFromModel * instance.worldFromModel;
                part.voxelInstances.push_back(instance);
            }
        }
        return part;
    }

    /// Of what is left once, as its other places are no good, there is nothing to share.
    static void dropLonely(ModelParts& parts) {
        for (const ModelPart& part : parts.shared) {
            if (part.placements.size() > 1) {
                continue;
            }
            for (MeshInstance instance : part.meshInstances) {
                instance.worldFromMesh = part.placements.front() * instance.worldFromMesh;
                parts.meshInstances.push_back(instance);
            }
            for (VoxelInstance instance : part.voxelInstances) {
                instance.worldFromModel = part.placements.front() * instance.worldFromModel;
                parts.voxelInstances.push_back(instance);
            }
        }
        std::erase_if(parts.shared, [](const ModelPart& part) { return part.placements.size() == 1; });
    }

    std::span<const Mesh> meshes_;
    std::span<const VoxelModel> voxelModels_;
    std::span<const MeshInstance> meshInstances_;
    std::span<const VoxelInstance> voxelInstances_;
    std::map<ThingKind, std::uint32_t> kinds_;
    std::vector<PlacedThing> placed_;
    std::vector<std::size_t> counts_;  ///< of each kind
    std::vector<std::size_t> lengths_; ///< how many things a kind stands for, with what follows it
    std::vector<bool> isFollower_;
};

} // namespace

ModelParts partsOf(std::span<const Mesh> meshes, std::span<const VoxelModel> voxelModels,
                   std::span<const MeshInstance> meshInstances, std::span<const VoxelInstance> voxelInstances) {
    return Splitter(meshes, voxelModels, meshInstances, voxelInstances).split();
}

bool paysToShare(const ImportedModel& model) {
    if (model.points) {
        return false;
    }
    std::vector<std::uint64_t> meshUses(model.meshes.size());
    std::vector<std::uint64_t> modelUses(model.voxelModels.size());
    for (const MeshInstance& instance : model.meshInstances) {
        ++meshUses[instance.mesh];
    }
    for (const VoxelInstance& instance : model.voxelInstances) {
        ++modelUses[instance.model];
    }
    const auto isRepeated = [](std::uint64_t uses) { return uses > 1; };
    if (std::none_of(meshUses.begin(), meshUses.end(), isRepeated) &&
        std::none_of(modelUses.begin(), modelUses.end(), isRepeated)) {
        return false;
    }
    std::uint64_t once = 0;
    std::uint64_t placed = 0;
    std::size_t parts = 0;
    const auto count = [&](std::uint64_t size, std::uint64_t uses) {
        once += uses > 0 ? size : 0;
        placed += uses * size;
        parts += uses > 1 ? 1 : 0;
    };
    for (std::size_t i = 0; i < meshUses.size(); ++i) {
        count(model.meshes[i].triangles.size(), meshUses[i]);
    }
    for (std::size_t i = 0; i < modelUses.size(); ++i) {
        if (modelUses[i] > 1 && model.voxelModels[i].isLevelSet()) {
            return false;
        }
        count(solidCells(model.voxelModels[i]), modelUses[i]);
    }
    return placed >= kSharedRepeats * once && parts <= kMostSharedParts;
}

} // namespace aureole
