#pragma once

// What the primitives in a block contribute to its voxels' surfaces.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "voxel/surface/level_set_surface.h"
#include "voxel/surface/triangle_sampler.h"

namespace aureole {

/// A primitive's voxels in one block.
struct Fragment {
    std::uint64_t mask = 0;
    std::uint32_t primitive = 0;
    std::uint32_t block = 0; ///< code within the brick
};

/// Samples the surfaces in blocks. It keeps what it has worked out of triangles, for the blocks around.
class BlockSampler {
public:
    explicit BlockSampler(const Primitives& primitives);
    ~BlockSampler();
    BlockSampler(const BlockSampler&) = delete;
    BlockSampler& operator=(const BlockSampler&) = delete;

    /// Appends the samples of a block's fragments in the voxels of `among`: for a triangle at the centroid of its part
    /// in a voxel, weighted by that part's area (several where the material is alpha-tested, so that partial cover
    /// counts), for a voxel model's cell one per exposed face, for a level set's cell one where the voxel has its
    /// surface. Points cut away by alpha testing are left out.
    ///
    /// A voxel has one surface: where it would be of glass and of something opaque, as where a glass stands on a table,
    /// it is the latter's alone, lest light go on through the glass into what it stands on.
    ///
    /// `block` is the block's lower corner in voxels; `samples` is empty before. Where `corners` is given, those of
    /// triangles' parts are appended to it; alpha testing takes none away.
    void append(std::span<const Fragment> fragments, const glm::ivec3& block, std::uint64_t among,
                std::vector<SurfaceSample>& samples, std::vector<SurfaceCorner>* corners = nullptr);

private:
    static constexpr std::uint32_t kPreparedTriangles = 128; ///< about 90 KB, which a core's cache has room for

    struct Prepared {
        std::uint32_t primitive = 0;
        std::optional<TriangleSampler> sampler;
    };

    void appendFragment(const Fragment& fragment, const glm::ivec3& block, std::vector<SurfaceSample>& samples,
                        std::vector<SurfaceCorner>* corners);

    const Primitives& primitives_;
    std::vector<Prepared> triangles_; ///< by the low bits of their numbers
    LevelSetSurface levelSets_;
};

} // namespace aureole
