#include "voxel/export_palette.h"

#include <bit>

#include "voxel/export_stream.h"
#include "voxel/level.h"
#include "voxel/level_walk.h"

namespace aureole {

Palette gatherPalette(const Octree& octree) {
    PaletteBuilder builder;
    ExportProgress progress("colours", countVoxels(octree, 0));
    walkOctree(octree, 0,
               {[&](const WalkedBlock& block) {
                    for (std::size_t i = 0; i < block.attributes.size(); ++i) {
                        builder.add(block.attributes[i], block.material(i).emission);
                    }
                    progress.add(static_cast<std::uint64_t>(std::popcount(block.mask)));
                },
                [&](std::uint64_t, std::uint32_t cubeLevels) { progress.add(std::uint64_t{1} << (6U * cubeLevels)); }});
    return builder.finish();
}

} // namespace aureole
