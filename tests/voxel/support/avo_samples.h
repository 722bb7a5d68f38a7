#pragma once

#include <string>
#include <vector>

#include "voxel/tree/octree.h"

namespace aureole::test {

struct OctreeSample {
    std::string name;
    Octree octree;
};

/// Small octrees that together have every section that octree files may have, for trees and DAGs.
std::vector<OctreeSample> octreeSamples();

} // namespace aureole::test
