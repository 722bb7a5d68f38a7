#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "settings/voxels.h"
#include "voxel/build/brick.h"

namespace aureole {

struct VoxelizeOptions;

/// Makes the voxels of bricks in place of voxelizeBrick, many at a time, as a device does (voxelizer/device_bricks.h).
class BrickMaker {
public:
    BrickMaker() = default;
    virtual ~BrickMaker() = default;
    BrickMaker(const BrickMaker&) = delete;
    BrickMaker& operator=(const BrickMaker&) = delete;
    BrickMaker(BrickMaker&&) = delete;
    BrickMaker& operator=(BrickMaker&&) = delete;

    /// Who it is, in octrees that it has made: makers of one name make the same bytes.
    virtual std::string name() const = 0;
    /// Why it cannot voxelise a scene; empty where it can.
    virtual std::string whyNot(const Scene& scene, const VoxelizeOptions& options) const = 0;
    /// Begins, beside other work, what takes long and is the same for all scenes of a surface. begin() goes on with it.
    virtual void prepare(SurfaceKind surface) = 0;
    /// Makes ready for a scene's bricks; both stay until end(). `branches`: where it makes the branch of a brick, the
    /// brick needs no blocks. Throws Error: OutOfMemory where there is too little to begin with.
    virtual void begin(const Primitives& primitives, const BrickList& bricks, const VoxelizeOptions& options,
                       bool branches) = 0;
    /// The voxels of one or more bricks from number `first` on, as voxelizeBrick or voxelizeBrickPlanes would make
    /// them, but for the last bits of attributes; of fields perhaps with the distances that findDistances would give
    /// them, but for a step. Attributes that are numbered, and these distances, stay until the call after the next one,
    /// or until end().
    virtual std::vector<BrickVoxels> make(std::size_t first) = 0;
    /// Ends what is still under way, where a run was cut short, and lets go of what begin() took.
    virtual void end() = 0;
};

} // namespace aureole
