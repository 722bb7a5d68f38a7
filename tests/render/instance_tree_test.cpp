#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "render/instance_tree.h"

namespace aureole {
namespace {

std::vector<Bounds> randomBoxes(std::size_t count, double size, std::mt19937& random) {
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    std::vector<Bounds> boxes(count);
    for (Bounds& box : boxes) {
        const glm::dvec3 corner(number(random), number(random), number(random));
        box.add(corner);
        box.add(corner + size * glm::dvec3(number(random), number(random), number(random)));
    }
    return boxes;
}

/// The instances whose boxes a ray visits, in their order. `visits`: of nodes, counted.
std::vector<std::uint32_t> walk(const std::vector<shared::InstanceNode>& nodes, const glm::vec3& origin,
                                const glm::vec3& direction, std::size_t& visits) {
    std::vector<std::uint32_t> found;
    std::uint32_t cursor = 0;
    while (cursor != INSTANCES_DONE) {
        ++visits;
        const shared::InstanceNode& node = nodes.at(cursor);
        const bool meets = shared::meetsBox(node.low, node.high, origin, 1.0F / direction, 1e30F) != 0;
        if (meets && (node.child & INSTANCE_LEAF) == 0) {
            cursor = shared::nearerChild(node.child, shared::octantOf(direction));
            continue;
        }
        if (meets) {
            found.push_back(node.child & ~INSTANCE_LEAF);
        }
        cursor = node.past[shared::octantOf(direction)];
    }
    return found;
}

/// A ray visits each box that it meets exactly once, and no other: all boxes are tried beside.
TEST(InstanceTree, RaysFindTheBoxesThatTheyMeet) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> number(-1.0F, 1.0F);
    for (const std::size_t count : {1U, 2U, 3U, 10U, 257U}) {
        const std::vector<Bounds> boxes = randomBoxes(count, 0.3, random);
        const std::vector<shared::InstanceNode> nodes = makeInstanceTree(boxes);
        for (int ray = 0; ray < 200; ++ray) {
            const glm::vec3 origin(number(random), number(random), number(random));
            const glm::vec3 direction = glm::normalize(glm::vec3(number(random), number(random), number(random)));
            std::size_t visits = 0;
            std::vector<std::uint32_t> found = walk(nodes, origin, direction, visits);
            std::sort(found.begin(), found.end());
            std::vector<std::uint32_t> expected;
            for (std::uint32_t i = 0; i < count; ++i) {
                if (shared::meetsBox(boxes[i].min, boxes[i].max, origin, 1.0F / direction, 1e30F) != 0) {
                    expected.push_back(i);
                }
            }
            EXPECT_TRUE(std::includes(found.begin(), found.end(), expected.begin(), expected.end()));
            EXPECT_EQ(std::set<std::uint32_t>(found.begin(), found.end()).size(), found.size());
            EXPECT_LE(found.size(), expected.size() + 1) << "boxes are hardly larger than what is in them";
            EXPECT_LE(visits, nodes.size()) << "each at most once";
        }
    }
}

/// Of boxes in a row the nearer ones come first, whichever way the ray goes.
TEST(InstanceTree, NearerBoxesComeFirst) {
    std::vector<Bounds> boxes(64);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        boxes[i].add(glm::dvec3(static_cast<double>(i), 0.0, 0.0));
        boxes[i].add(glm::dvec3(static_cast<double>(i) + 0.5, 1.0, 1.0));
    }
    const std::vector<shared::InstanceNode> nodes = makeInstanceTree(boxes);
    for (const float way : {1.0F, -1.0F}) {
        std::size_t visits = 0;
        std::vector<std::uint32_t> found =
            walk(nodes, {way > 0.0F ? -1.0F : 100.0F, 0.5F, 0.5F}, {way, 1e-6F, 1e-6F}, visits);
        EXPECT_EQ(found.size(), boxes.size());
        if (way < 0.0F) {
            std::reverse(found.begin(), found.end());
        }
        EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
    }
}

/// Instances in one place are parted evenly, so that a tree of many is no list.
TEST(InstanceTree, BoxesInOnePlaceAreParted) {
    std::vector<Bounds> boxes(10000);
    for (Bounds& box : boxes) {
        box.add(glm::dvec3(0.0));
        box.add(glm::dvec3(1.0));
    }
    const std::vector<shared::InstanceNode> nodes = makeInstanceTree(boxes);
    EXPECT_EQ(nodes.size(), 2 * boxes.size());
    std::vector<std::size_t> depths(nodes.size());
    for (std::uint32_t i = 0; i < nodes.size(); ++i) { // parents stand before their children
        if (i != 1 && (nodes[i].child & INSTANCE_LEAF) == 0) {
            const std::uint32_t first = nodes[i].child & INSTANCE_CHILD;
            depths[first] = depths[first + 1] = depths[i] + 1;
        }
    }
    EXPECT_LE(*std::max_element(depths.begin(), depths.end()), 15U);
}

} // namespace
} // namespace aureole
