#include "import/gltf/posed_nodes.h"

#include <array>
#include <utility>

#include "core/error.h"
#include "import/gltf/accessor.h"
#include "import/gltf/nodes.h"

namespace aureole::gltf {

namespace {

std::vector<double> numbersOf(const JsonValue& list) {
    std::vector<double> numbers(list.size());
    list.numbers(numbers);
    return numbers;
}

glm::dmat4 matrixOf(const double* values) {
    glm::dmat4 matrix;
    for (glm::length_t i = 0; i < 16; ++i) {
        matrix[i / 4][i % 4] = values[i];
    }
    return matrix;
}

} // namespace

glm::dmat4 localTransform(const JsonValue& node, const NodePose* pose) {
    const bool isMoved = pose != nullptr && pose->moves();
    if (const std::optional<JsonValue> matrix = node.find("matrix")) {
        if (isMoved) {
            fail(ExitCode::BadInput,
                 "{}: found a matrix, expected translation, rotation and scale in a node that an animation moves",
                 matrix->place());
        }
        std::array<double, 16> values{};
        matrix->numbers(values);
        return matrixOf(values.data());
    }
    std::array<double, 4> q = {0.0, 0.0, 0.0, 1.0};
    if (const std::optional<JsonValue> rotation = node.find("rotation")) {
        rotation->numbers(q);
    }
    const std::optional<JsonValue> translation = node.find("translation");
    const std::optional<JsonValue> scale = node.find("scale");
    const NodePose none;
    const NodePose& moved = pose != nullptr ? *pose : none;
    return compose(moved.translation.value_or(translation ? translation->vec3() : glm::dvec3(0.0)),
                   moved.rotation.value_or(makeRotation(q[0], q[1], q[2], q[3])),
                   moved.scale.value_or(scale ? scale->vec3() : glm::dvec3(1.0)));
}

PosedNodes::PosedNodes(const Document& document, Pose pose)
    : document_(document)
    , pose_(std::move(pose))
    , parents_(document.count("nodes"), kNone) {
    for (std::uint32_t i = 0; i < parents_.size(); ++i) {
        const std::optional<JsonValue> children = document.element("nodes", i).find("children");
        for (std::size_t c = 0; children && c < children->size(); ++c) {
            parents_[children->at(c).index(parents_.size(), "node")] = i;
        }
    }
}

const NodePose* PosedNodes::find(std::uint32_t node) const {
    const auto found = pose_.find(node);
    return found == pose_.end() ? nullptr : &found->second;
}

glm::dmat4 PosedNodes::worldOf(std::uint32_t node) const {
    glm::dmat4 world(1.0);
    std::size_t steps = 0;
    for (std::uint32_t i = node; i != kNone; i = parents_[i]) {
        const JsonValue json = document_.element("nodes", i);
        if (++steps > parents_.size()) {
            fail(ExitCode::BadInput, "{}: lies below itself, expected a tree of nodes", json.place());
        }
        world = localTransform(json, find(i)) * world;
    }
    return world;
}

std::vector<glm::dmat4> PosedNodes::jointsOf(const JsonValue& skin) const {
    const JsonValue list = skin["joints"];
    std::vector<glm::dmat4> joints;
    joints.reserve(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        joints.push_back(worldOf(list.at(i).index(parents_.size(), "node")));
    }
    if (joints.empty()) {
        fail(ExitCode::BadInput, "{}: found no joint, expected at least one", list.place());
    }
    const std::optional<JsonValue> inverse = skin.find("inverseBindMatrices");
    if (!inverse) {
        return joints;
    }
    const Accessor accessor(document_, *inverse);
    if (accessor.components() != 16 || accessor.count() < joints.size()) {
        fail(ExitCode::BadInput, "{}: found {} elements of {} components, expected a MAT4 for each of {} joints",
             inverse->place(), accessor.count(), accessor.components(), joints.size());
    }
    const std::vector<double> values = accessor.numbers();
    for (std::size_t i = 0; i < joints.size(); ++i) {
        joints[i] = joints[i] * matrixOf(&values[16 * i]);
        if (!isFinite(joints[i])) {
            fail(ExitCode::BadInput, "{}: found a matrix that places joint {} nowhere, expected finite numbers",
                 inverse->place(), i);
        }
    }
    return joints;
}

MeshPose PosedNodes::meshPose(std::uint32_t node, const JsonValue& json, const JsonValue& mesh) const {
    MeshPose made;
    const JsonValue primitives = mesh["primitives"];
    const std::optional<JsonValue> targets = primitives.size() > 0 ? primitives.at(0).find("targets") : std::nullopt;
    if (targets) {
        const NodePose* const pose = find(node);
        const std::optional<JsonValue> own = json.find("weights");
        const std::optional<JsonValue> usual = mesh.find("weights");
        made.weights = pose != nullptr && !pose->weights.empty() ? pose->weights
                       : own                                     ? numbersOf(*own)
                       : usual                                   ? numbersOf(*usual)
                                                                 : std::vector<double>(targets->size());
        if (made.weights.size() != targets->size()) {
            fail(ExitCode::BadInput, "{}: found {} weights, expected one for each of {} morph targets", json.place(),
                 made.weights.size(), targets->size());
        }
    }
    if (const std::optional<JsonValue> skin = json.find("skin")) {
        made.joints = jointsOf(document_.follow(*skin, "skins", "skin"));
    }
    return made;
}

} // namespace aureole::gltf
