#include "same_octrees.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "octree_copy.h"

namespace aureole::test {

namespace {

std::string describe(const shared::VoxelAttributes& attributes) {
    const shared::VoxelSurface s = shared::unpackAttributes(attributes);
    return fmt::format(
        "{:x} {:x} {:x}: normal {} {} {}, geometric {} {} {}, crease {}, double {}, hollow {}, spread {}",
        attributes.albedo, attributes.shading, attributes.sheet, s.normal.x, s.normal.y, s.normal.z,
        s.geometricNormal.x, s.geometricNormal.y, s.geometricNormal.z, s.crease, s.doubleSided, s.hollow, s.spread);
}

bool isStep(std::uint32_t a, std::uint32_t b, unsigned shift, unsigned bits) {
    const std::uint32_t mask = (1U << bits) - 1;
    const auto x = static_cast<int>((a >> shift) & mask);
    const auto y = static_cast<int>((b >> shift) & mask);
    return std::abs(x - y) <= 1;
}

/// The angle between unit vectors, in degrees.
double degreesApart(const glm::vec3& a, const glm::vec3& b) {
    return glm::degrees(std::asin(std::min(1.0F, glm::length(glm::cross(a, b))))) +
           (glm::dot(a, b) < 0.0F ? 90.0 : 0.0);
}

/// What hollow says of an average follows from whether its spread is 0 (`area_sum.h`), so that the two change at once.
bool areHollowAlike(const shared::VoxelAttributes& a, const shared::VoxelAttributes& b) {
    const std::uint32_t x = shared::unpackAttributes(a).hollow;
    const std::uint32_t y = shared::unpackAttributes(b).hollow;
    return x == y || ((a.sheet >> 28U == 0 || b.sheet >> 28U == 0) && std::max(x, y) == 3 && std::min(x, y) == 0);
}

/// By a step of what attributes are packed in, and not in flags.
bool areClose(const shared::VoxelAttributes& a, const shared::VoxelAttributes& b) {
    const shared::VoxelSurface x = shared::unpackAttributes(a);
    const shared::VoxelSurface y = shared::unpackAttributes(b);
    return isStep(a.albedo, b.albedo, 0, 10) && isStep(a.albedo, b.albedo, 10, 10) &&
           isStep(a.albedo, b.albedo, 20, 10) && std::abs(x.metalness - y.metalness) < 1.1F / 15.0F &&
           isStep(a.shading, b.shading, 18, 5) && x.material == y.material && x.crease == y.crease &&
           x.doubleSided == y.doubleSided && areHollowAlike(a, b) && isStep(a.sheet, b.sheet, 28, 4) &&
           degreesApart(x.geometricNormal, y.geometricNormal) < 0.15 && degreesApart(x.normal, y.normal) < 1.5;
}

/// Whether two changes of normals are a step apart at most.
bool isBendStep(std::uint32_t a, std::uint32_t b, unsigned shift) {
    const auto stepsOf = [&](std::uint32_t bits) { // with a sign
        const auto part = static_cast<int>((bits >> shift) & 1023U);
        return part < 512 ? part : part - 1024;
    };
    return std::abs(stepsOf(a) - stepsOf(b)) <= 1;
}

/// Slabs are decided without quotients and roots, but for those that their normals come from.
bool areClose(const shared::SurfaceSlab& a, const shared::SurfaceSlab& b) {
    return shared::slabNormal(a.normal) == shared::slabNormal(b.normal) && a.extent == b.extent &&
           isBendStep(a.bend, b.bend, 0) && isBendStep(a.bend, b.bend, 10) && isBendStep(a.bend, b.bend, 20);
}

std::string describe(const shared::SurfaceSlab& slab) {
    return fmt::format("{:x} {:x} {:x}", slab.normal, slab.extent, slab.bend);
}

/// Whether distances are a step apart at most, and all corners on the same side.
bool areClose(const shared::CornerDistances& a, const shared::CornerDistances& b) {
    for (std::uint32_t corner = 0; corner < 8; ++corner) {
        const auto x = static_cast<int>(shared::fieldCode(a, corner));
        const auto y = static_cast<int>(shared::fieldCode(b, corner));
        constexpr int kFirstOutside = (FIELD_MAX_CODE + 1) / 2;
        if (std::abs(x - y) > 1 || (x < kFirstOutside) != (y < kFirstOutside)) {
            return false;
        }
    }
    return true;
}

std::string describe(const shared::CornerDistances& distances) {
    return fmt::format("{:x} {:x} {:x}", distances.low, distances.middle, distances.high);
}

/// Expects all to be close, and tells of the first that are not.
template <typename T>
void expectClose(const Array<T>& device, const Array<T>& cpu, const std::string& what) {
    ASSERT_EQ(device.size(), cpu.size()) << what;
    std::size_t far = 0;
    for (std::size_t i = 0; i < cpu.size(); ++i) {
        if (!areClose(device[i], cpu[i]) && far++ == 0) {
            ADD_FAILURE() << fmt::format("{}, number {}: {}; {}", what, i, describe(device[i]), describe(cpu[i]));
        }
    }
    EXPECT_EQ(far, 0U) << what;
}

} // namespace

void expectSame(const Octree& device, const Octree& cpu, const std::string& what) {
    ASSERT_EQ(device.encodingKind(), cpu.encodingKind()) << what;
    if (device.encodingKind() == OctreeEncoding::Planes) {
        const auto& planes = std::get<PlanesEncoding>(device.encoding);
        const auto& expected = std::get<PlanesEncoding>(cpu.encoding);
        EXPECT_TRUE(sameBytes(planes.nodes, expected.nodes)) << what;
        expectClose(planes.slabs, expected.slabs, what + ", slabs");
    }
    if (device.encodingKind() == OctreeEncoding::Field) {
        expectClose(std::get<FieldEncoding>(device.encoding).distances, std::get<FieldEncoding>(cpu.encoding).distances,
                    what + ", distances");
    }
    const auto treeOf = [](const Octree& octree) -> const TreeEncoding& {
        static const TreeEncoding none;
        return octree.encodingKind() == OctreeEncoding::Planes  ? none
               : octree.encodingKind() == OctreeEncoding::Field ? std::get<FieldEncoding>(octree.encoding).tree
                                                                : std::get<TreeEncoding>(octree.encoding);
    };
    const TreeEncoding& a = treeOf(device);
    const TreeEncoding& b = treeOf(cpu);
    EXPECT_EQ(device.voxels, cpu.voxels) << what;
    EXPECT_TRUE(sameBytes(a.nodes, b.nodes)) << what;
    EXPECT_TRUE(sameBytes(a.leaves, b.leaves)) << what;
    EXPECT_TRUE(sameBytes(a.surfaces, b.surfaces)) << what;
    EXPECT_TRUE(sameBytes(a.leafOffsets, b.leafOffsets)) << what;
    EXPECT_TRUE(sameBytes(a.leafGroups, b.leafGroups)) << what;
    expectClose(device.attributes, cpu.attributes, what + ", voxels");
    expectClose(device.leafAverages, cpu.leafAverages, what + ", leaves");
    expectClose(device.nodeAverages, cpu.nodeAverages, what + ", nodes");
    EXPECT_TRUE(sameBytes(device.materialRuns, cpu.materialRuns)) << what;
    EXPECT_EQ(device.leafMaterials.size(), cpu.leafMaterials.size()) << what;
    EXPECT_EQ(device.nodeMaterials.size(), cpu.nodeMaterials.size()) << what;
    ASSERT_EQ(device.palette.size(), cpu.palette.size()) << what;
    for (std::size_t i = 0; i < device.palette.size(); ++i) {
        EXPECT_EQ(device.palette[i].material, cpu.palette[i].material) << what;
        EXPECT_LE(glm::length(device.palette[i].emission - cpu.palette[i].emission),
                  0.004F * glm::length(cpu.palette[i].emission))
            << what;
    }
}

} // namespace aureole::test
