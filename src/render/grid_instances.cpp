#include "render/grid_instances.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "core/error.h"
#include "core/threads/parallel.h"
#include "render/instance_tree.h"
#include "scene/scene_memory.h"
#include "shared/light/light_tree.h"

namespace aureole {

namespace {

/// Below this share of the scene's size an instance is lost in the rounding of points.
constexpr double kLeastShare = 1e-6;
/// As flat as a grid that moves may get along one of its axes, by the scene's size; well above 1 / kMostStretch.
constexpr double kLeastThickness = 1e-10;
/// Instances whose lamps a thread places at once: one without a lamp takes next to no time.
constexpr std::int64_t kInstancesAtOnce = 16;

/// The way from the grid's space, in which its 4^levels voxels fill [1, 2]^3, to the scene's, about its middle.
struct Placing {
    glm::dmat3 sceneFromGrid;
    glm::dvec3 middle;
};

/// The side of the cube of all 4^levels voxels, in metres.
double sideOf(const GridShape& octree) {
    return std::ldexp(octree.grid.voxelSize, 2 * static_cast<int>(octree.levels));
}

Placing placingOf(const GridShape& octree, const glm::dmat4& worldFromGrid, const Space& space) {
    const double side = sideOf(octree);
    const glm::dvec3 middle = octree.grid.origin + 0.5 * side;
    return {glm::dmat3(worldFromGrid) * (side * space.scale),
            space.point(glm::dvec3(worldFromGrid * glm::dvec4(middle, 1.0)))};
}

/// Lengths along a way into a grid are cubed, in floats.
constexpr float kMostStretch = 1e12F;

bool isSound(const glm::mat3& matrix) {
    bool sound = true;
    for (int column = 0; column < 3; ++column) {
        for (int row = 0; row < 3; ++row) {
            sound = sound && std::abs(matrix[column][row]) < kMostStretch; // false of what is no number
        }
    }
    return sound;
}

/// The width of what is in a grid, in the scene's space, where the scene is 1 wide. Without the way to its place, as
/// the rounding of that would be most of a small width.
double widthOf(const GridShape& shape, const glm::dmat4& worldFromGrid, const Space& space) {
    const glm::dvec3 size = transformed(shape.bounds(), glm::dmat4(glm::dmat3(worldFromGrid))).extent() * space.scale;
    return std::max({size.x, size.y, size.z});
}

/// By how much something that moves has to be larger along its axes to be told in numbers of 32 bits: 1 for most.
/// Animations shrink and flatten what they hide, and nobody sees it, as small as it is or that much larger.
glm::dvec3 growthOf(const GridShape& shape, const glm::dmat4& worldFromGrid, const Space& space) {
    const double width = widthOf(shape, worldFromGrid, space);
    const double whole = width > 0.0 && width < kLeastShare ? 1.001 * kLeastShare / width : 1.0;
    glm::dvec3 growth(whole);
    for (int axis = 0; axis < 3; ++axis) {
        const double thickness = whole * sideOf(shape) * space.scale * glm::length(glm::dvec3(worldFromGrid[axis]));
        if (thickness > 0.0 && thickness < kLeastThickness) {
            growth[axis] *= kLeastThickness / thickness;
        }
    }
    return growth;
}

/// Refuses a placement that numbers of 32 bits cannot tell beside the others. `width` is widthOf.
shared::GridInstance makeInstance(const Scene& scene, const GridPlacement& placement, const Placing& placing,
                                  double width, const Space& space, std::optional<double> moment) {
    const glm::dmat3 inverse = glm::inverse(placing.sceneFromGrid);
    const glm::mat3 gridFromScene(inverse);
    const glm::mat3 sceneFromGrid(placing.sceneFromGrid);
    const auto determinant = static_cast<float>(std::abs(glm::determinant(inverse)));
    if (!isSound(gridFromScene) || !isSound(sceneFromGrid) || !std::isnormal(determinant) || !(width >= kLeastShare)) {
        fail(ExitCode::BadInput,
             "{}: instance '{}': found a placement{} that makes it {:g} m wide in a scene of {:g} m, expected at least "
             "a millionth of that, and no direction in which it is flat",
             scene.file.string(), placement.name, moment ? fmt::format(" at frame {:g}", *moment) : "",
             width / space.scale, 1.0 / space.scale);
    }
    shared::GridInstance instance{};
    instance.gridX = gridFromScene[0];
    instance.gridY = gridFromScene[1];
    instance.gridZ = gridFromScene[2];
    instance.sceneX = sceneFromGrid[0];
    instance.sceneY = sceneFromGrid[1];
    instance.sceneZ = sceneFromGrid[2];
    instance.middle = placing.middle;
    instance.determinant = determinant;
    instance.grid = placement.grid;
    return instance;
}

/// The surface of the parallelepiped that a box becomes, over the box's own.
double areaRatio(const shared::EmitterBox& box, const glm::dmat3& sceneFromGrid) {
    const glm::dvec3 first(box.first);
    const glm::dvec3 second(box.second);
    const std::array<glm::dvec3, 3> edges = {first * double{box.halves.x}, second * double{box.halves.y},
                                             glm::cross(first, second) * double{box.halves.z}};
    double own = 0.0;
    double placed = 0.0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        const glm::dvec3& a = edges[i];
        const glm::dvec3& b = edges[(i + 1) % edges.size()];
        own += glm::length(glm::cross(a, b));
        placed += glm::length(glm::cross(sceneFromGrid * a, sceneFromGrid * b));
    }
    return own > 0.0 ? placed / own : 0.0;
}

/// A lamp of an octree with voxels of that size, as it is placed; it only says how often the lamp is chosen.
PlacedLight placeLamp(const shared::EmitterBox& box, const glm::vec3& facing, double voxelSize,
                      const Placing& placing) {
    PlacedLight light;
    const glm::dvec3 middle = placing.sceneFromGrid * (glm::dvec3(box.middle) - 1.5) + placing.middle;
    light.middle = middle;
    const glm::dvec3 first(box.first);
    const glm::dvec3 second(box.second);
    double radius = 0.0;
    for (unsigned corner = 0; corner < 4; ++corner) { // and their opposites
        const glm::dvec3 out = first * double{box.halves.x} +
                               second * (double{box.halves.y} * ((corner & 1U) != 0 ? 1.0 : -1.0)) +
                               glm::cross(first, second) * (double{box.halves.z} * ((corner & 2U) != 0 ? 1.0 : -1.0));
        radius = std::max(radius, glm::length(placing.sceneFromGrid * out));
    }
    light.radius = static_cast<float>(radius);
    const bool looks = facing != glm::vec3(0.0F);
    const glm::dvec3 turned = glm::transpose(glm::inverse(placing.sceneFromGrid)) * glm::dvec3(facing);
    shine(light, double{box.power} * voxelSize * voxelSize * areaRatio(box, placing.sceneFromGrid),
          looks ? glm::vec3(glm::normalize(turned)) : facing);
    return light;
}

double voxelSizeOf(const GridShape& octree) {
    return std::ldexp(1.0, -2 * static_cast<int>(octree.levels));
}

/// Places the lamps of an instance, from its `firstLamp` on.
void placeLamps(const EmitterArrays& emitters, std::uint32_t instance, const GridShape& shape, const Placing& placing,
                GridInstances& made) {
    const std::uint32_t first = made.instances[instance].firstLamp;
    const double voxelSize = voxelSizeOf(shape);
    for (std::uint32_t box = 0; box < emitters.boxes.size(); ++box) {
        PlacedLight& light = made.placed[first + box];
        light = placeLamp(emitters.boxes[box], emitters.facings[box], voxelSize, placing);
        light.leaf = LIGHT_LEAF_BOX | (first + box);
        made.lamps[first + box] = {instance, box};
    }
}

double powerOf(std::span<const PlacedLight> lamps, const Space& space) {
    double power = 0.0;
    for (const PlacedLight& light : lamps) {
        power += (light.cone < kPi ? 2.0 : 4.0) * kPi * light.intensity / (space.scale * space.scale);
    }
    return power;
}

/// What a lamp takes: placed, in the tree of lights while that is made, and copied for the device.
constexpr std::uint64_t kLampBytes =
    2 * sizeof(PlacedLight) + sizeof(shared::GridLamp) + 2 * sizeof(shared::LightNode) + 2 * sizeof(std::uint32_t);

void requireLampMemory(const Scene& scene, std::span<const GridPlacement> placements,
                       std::span<const EmitterArrays> emitters) {
    std::uint64_t lamps = 0;
    for (const GridPlacement& placement : placements) {
        lamps += emitters[placement.grid].boxes.size();
    }
    if (lamps > LIGHT_LEAF_INDEX) {
        fail(ExitCode::BadInput, "{}: found {} lamps in instances, expected at most {}", scene.file.string(), lamps,
             LIGHT_LEAF_INDEX);
    }
    requireSceneMemory(scene, memoryLeftBy(scene), lamps * kLampBytes, "/instances: ");
}

} // namespace

namespace {

/// Where an instance gets while the shutter is open: at the times of its poses, and how far off a straight line between
/// two of them it may be, in the world.
struct Sweep {
    std::vector<glm::dmat4> transforms;
    double aside = 0.0;
    double mostTurn = 0.0; ///< between two poses, in radians
    bool stretches = false;
};

/// On the way between two poses a point of the grid is accelerated by at most angle^2 of its distance from the centre
/// of the turn, and twice the angle of what that changes by, so that it leaves the straight line by at most an eighth.
Sweep sweepOf(const PoseOverTime& moves, const PoseTimes& times, const Bounds& own) {
    const glm::dvec3 corner = glm::max(glm::abs(own.min), glm::abs(own.max));
    Sweep sweep;
    InstancePose last;
    for (std::uint32_t step = 0; step <= times.steps; ++step) {
        const InstancePose pose = moves(times.at(step));
        sweep.transforms.push_back(pose.matrix());
        if (step > 0) {
            const double angle = angleOfTurn(last.turn, pose.turn);
            const double radius = glm::length(corner * glm::max(glm::abs(last.scale), glm::abs(pose.scale)));
            const double change = glm::length(corner * (pose.scale - last.scale));
            sweep.aside = std::max(sweep.aside, angle * (angle * radius + 2.0 * change) / 8.0);
            sweep.mostTurn = std::max(sweep.mostTurn, angle);
            sweep.stretches = sweep.stretches || change > 0.0;
        }
        last = pose;
    }
    return sweep;
}

/// Makes one of all lamps that a lamp is on its way. How often it is chosen goes by its ball and its cone: light is
/// lost where these do not hold it.
void sweepLamp(PlacedLight& light, const Sweep& sweep, std::span<const PlacedLight> places, const Space& space) {
    Bounds middles;
    glm::dvec3 axes(0.0);
    for (const PlacedLight& place : places) {
        middles.add(glm::dvec3(place.middle));
        axes += glm::dvec3(place.axis);
    }
    light.middle = middles.centre();
    double radius = 0.0;
    double apart = 0.0;
    const glm::dvec3 axis = glm::normalize(axes);
    for (const PlacedLight& place : places) {
        radius = std::max(radius, double{glm::distance(light.middle, place.middle)} + double{place.radius});
        apart = std::max(apart, std::acos(std::clamp(glm::dot(axis, glm::dvec3(place.axis)), -1.0, 1.0)));
    }
    light.radius = static_cast<float>(1.00001 * (radius + sweep.aside * space.scale));
    light.axis = axis;
    light.cone += apart + 0.5 * sweep.mostTurn + 1e-4;
    if (!(light.cone < kPi) || sweep.stretches) { // nor where the axes are opposite, and there is none in their midst
        light.axis = places.front().axis;
        light.cone = PlacedLight::kEverywhere;
    }
}

} // namespace

std::vector<GridShape> shapesOf(std::span<const Octree> octrees) {
    std::vector<GridShape> shapes;
    shapes.reserve(octrees.size());
    for (const Octree& octree : octrees) {
        shapes.push_back({octree.grid, octree.levels});
    }
    return shapes;
}

std::vector<GridPlacement> placementsAt(const Scene& scene, std::vector<GridPlacement> placements, const Space& space,
                                        std::span<const GridShape> shapes, std::optional<double> moment) {
    for (GridPlacement& placement : placements) {
        if (placement.motion == kNone) {
            continue;
        }
        glm::dmat4& transform = placement.worldFromGrid;
        transform = transformAt(scene, placement.motion, transform, moment);
        const glm::dvec3 growth = growthOf(shapes[placement.grid], transform, space);
        for (int axis = 0; axis < 3; ++axis) {
            transform[axis] *= growth[axis];
        }
    }
    return placements;
}

PoseOverTime motionOf(const Scene& scene, const GridPlacement& placement, std::optional<double> moment) {
    const InstanceMotion& motion = scene.motions.at(placement.motion);
    return moment ? PoseOverTime([&motion](double at) { return poseAt(motion, at); })
                  : PoseOverTime([&motion](double) { return motion.still; });
}

namespace {

/// Has an instance with its box move while the shutter is open.
void moveInstance(std::size_t instance, const PoseOverTime& goes, const PoseTimes& times, const Space& space,
                  const GridShape& shape, const EmitterArrays& emitters, Bounds& box, GridInstances& made) {
    made.moving[instance] = static_cast<std::uint32_t>(made.poses.size() / (times.steps + 1));
    const PoseOverTime moves = [&](double at) {
        InstancePose pose = goes(at);
        pose.scale *= growthOf(shape, pose.matrix(), space);
        return pose;
    };
    const double side = sideOf(shape);
    addMotionPoses(moves, times, space, glm::dvec3(side * space.scale), shape.grid.origin / side + 0.5, made.poses);
    const Sweep sweep = sweepOf(moves, times, shape.bounds());
    Bounds world;
    for (const glm::dmat4& transform : sweep.transforms) {
        world.add(transformed(shape.bounds(), transform));
    }
    box = {};
    box.add(space.point(world.min - sweep.aside));
    box.add(space.point(world.max + sweep.aside));
    const std::uint32_t first = made.instances[instance].firstLamp;
    const double voxelSize = voxelSizeOf(shape);
    for (std::size_t lamp = 0; lamp < emitters.boxes.size(); ++lamp) {
        std::vector<PlacedLight> places;
        for (const glm::dmat4& transform : sweep.transforms) {
            places.push_back(
                placeLamp(emitters.boxes[lamp], emitters.facings[lamp], voxelSize, placingOf(shape, transform, space)));
        }
        sweepLamp(made.placed[first + lamp], sweep, places, space);
    }
}

} // namespace

GridInstances makeGridInstances(const Scene& scene, std::span<const GridPlacement> placements, const Space& space,
                                std::span<const GridShape> shapes, std::span<const EmitterArrays> emitters,
                                const std::optional<PoseTimes>& times, std::optional<double> moment) {
    const std::size_t count = placements.size();
    if (count > MOST_INSTANCES) {
        fail(ExitCode::BadInput, "{}: found {} instances, expected at most {}", scene.file.string(), count,
             MOST_INSTANCES);
    }
    requireLampMemory(scene, placements, emitters);
    GridInstances made;
    made.instances.reserve(count);
    std::vector<Placing> placings;
    placings.reserve(count);
    std::vector<Bounds> boxes(count);
    std::uint32_t lamps = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const GridPlacement& placement = placements[i];
        const GridShape& shape = shapes[placement.grid];
        placings.push_back(placingOf(shape, placement.worldFromGrid, space));
        const Bounds world = transformed(shape.bounds(), placement.worldFromGrid);
        const double width = widthOf(shape, placement.worldFromGrid, space);
        made.instances.push_back(makeInstance(scene, placement, placings.back(), width, space, moment));
        made.instances.back().firstLamp = lamps;
        lamps += static_cast<std::uint32_t>(emitters[placement.grid].boxes.size());
        boxes[i].add(space.point(world.min));
        boxes[i].add(space.point(world.max));
    }
    made.lamps.resize(lamps);
    made.placed.resize(lamps);
    parallelFor(static_cast<std::int64_t>(count), kInstancesAtOnce, [&](std::int64_t i) {
        const auto instance = static_cast<std::uint32_t>(i);
        const std::uint32_t grid = placements[instance].grid;
        placeLamps(emitters[grid], instance, shapes[grid], placings[instance], made);
    });
    made.power = powerOf(made.placed, space);
    if (times) {
        made.moving.assign(count, NO_INSTANCE);
        for (std::size_t i = 0; i < count; ++i) {
            const GridPlacement& placement = placements[i];
            if (placement.motion != kNone) {
                moveInstance(i, motionOf(scene, placement, moment), *times, space, shapes[placement.grid],
                             emitters[placement.grid], boxes[i], made);
            }
        }
    }
    made.nodes = makeInstanceTree(boxes);
    return made;
}

} // namespace aureole
