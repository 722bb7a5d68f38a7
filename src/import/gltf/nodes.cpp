#include "import/gltf/nodes.h"

#include <cmath>

#include "core/error.h"
#include "import/gltf/accessor.h"
#include "import/gltf/posed_nodes.h"

namespace aureole::gltf {

namespace {

struct PendingNode {
    std::uint32_t index = 0;
    glm::dmat4 parent{1.0};
    std::uint32_t mover = kNone; ///< of the parent
    glm::dmat4 moverFromParent{1.0};
};

/// Puts the nodes of a list on the stack so that the first comes off first.
void push(const Document& document, const JsonValue& list, const PendingNode& parent, std::vector<PendingNode>& stack) {
    for (std::size_t i = list.size(); i-- > 0;) {
        stack.push_back(parent);
        stack.back().index = list.at(i).index(document.count("nodes"), "node");
    }
}

void pushRoots(const Document& document, std::vector<PendingNode>& stack) {
    if (document.count("scenes") > 0) {
        const std::uint64_t scene = document.root().unsignedOr("scene", 0);
        if (scene >= document.count("scenes")) {
            document.root()["scene"].index(document.count("scenes"), "scene");
        }
        if (const std::optional<JsonValue> nodes = document.element("scenes", scene).find("nodes")) {
            push(document, *nodes, {}, stack);
        }
        return;
    }
    std::vector<bool> isChild(document.count("nodes"), false);
    for (std::size_t i = 0; i < isChild.size(); ++i) {
        const std::optional<JsonValue> children = document.element("nodes", i).find("children");
        for (std::size_t c = 0; children && c < children->size(); ++c) {
            isChild[children->at(c).index(isChild.size(), "node")] = true;
        }
    }
    for (std::size_t i = isChild.size(); i-- > 0;) {
        if (!isChild[i]) {
            stack.emplace_back().index = static_cast<std::uint32_t>(i);
        }
    }
}

} // namespace

glm::dmat4 compose(const glm::dvec3& translation, const glm::dquat& rotation, const glm::dvec3& scale) {
    glm::dmat4 matrix = glm::mat4_cast(rotation);
    for (glm::length_t i = 0; i < 3; ++i) {
        matrix[i] *= scale[i];
    }
    matrix[3] = glm::dvec4(translation, 1.0);
    return matrix;
}

glm::dquat makeRotation(double x, double y, double z, double w) {
    const glm::dquat rotation(w, x, y, z);
    const double length = glm::length(rotation);
    return length > 0.0 ? rotation / length : glm::dquat(1.0, 0.0, 0.0, 0.0);
}

bool isFinite(const glm::dmat4& matrix) {
    double sum = 0.0;
    for (glm::length_t column = 0; column < 4; ++column) {
        sum += glm::dot(glm::abs(matrix[column]), glm::dvec4(1.0));
    }
    return std::isfinite(sum);
}

void visitNodes(const Document& document, const PosedNodes* poses,
                const std::function<void(const PlacedNode&)>& visit) {
    std::vector<PendingNode> stack;
    pushRoots(document, stack);
    std::vector<bool> visited(document.count("nodes"), false);
    while (!stack.empty()) {
        const PendingNode pending = stack.back();
        stack.pop_back();
        const JsonValue node = document.element("nodes", pending.index);
        if (visited[pending.index]) {
            fail(ExitCode::BadInput, "{}: is reached twice, expected a tree of nodes", node.place());
        }
        visited[pending.index] = true;
        const std::optional<JsonValue> visibility = node.extension("KHR_node_visibility");
        const std::optional<JsonValue> visible = visibility ? visibility->find("visible") : std::nullopt;
        if (visible && !visible->boolean()) {
            continue; // nor is what hangs on it
        }
        const NodePose* const pose = poses != nullptr ? poses->find(pending.index) : nullptr;
        const glm::dmat4 local = localTransform(node, pose);
        PlacedNode placed{node, pending.index, pending.parent * local, pending.mover, pending.moverFromParent * local};
        if (pose != nullptr && pose->moves()) {
            placed.mover = pending.index;
            placed.moverFromNode = glm::dmat4(1.0);
        }
        if (!isFinite(placed.world)) {
            fail(ExitCode::BadInput, "{}: found a node that its transforms place nowhere, expected finite numbers",
                 node.place());
        }
        visit(placed);
        if (const std::optional<JsonValue> children = node.find("children")) {
            push(document, *children, {0, placed.world, placed.mover, placed.moverFromNode}, stack);
        }
    }
}

std::vector<glm::dmat4> instanceTransforms(const Document& document, const PlacedNode& node, const glm::dmat4& world) {
    const std::optional<JsonValue> instancing = node.json.extension("EXT_mesh_gpu_instancing");
    if (!instancing) {
        return {world};
    }
    const JsonValue attributes = (*instancing)["attributes"];
    std::optional<std::size_t> count;
    const auto read = [&](const char* name, std::size_t components) {
        const std::optional<JsonValue> index = attributes.find(name);
        if (!index) {
            return std::vector<glm::vec4>();
        }
        const Accessor accessor(document, *index);
        if (accessor.components() != components || (count && *count != accessor.count())) {
            fail(ExitCode::BadInput, "{}: found {} elements of {} components, expected {} of {}, as its siblings have",
                 index->place(), accessor.count(), accessor.components(), count.value_or(accessor.count()), components);
        }
        count = accessor.count();
        if (components == 4) {
            return accessor.vectors<4>(0, *count);
        }
        std::vector<glm::vec4> values;
        for (const glm::vec3& value : accessor.vectors<3>(0, *count)) {
            values.emplace_back(value, 0.0F);
        }
        return values;
    };
    const std::vector<glm::vec4> translations = read("TRANSLATION", 3);
    const std::vector<glm::vec4> rotations = read("ROTATION", 4);
    const std::vector<glm::vec4> scales = read("SCALE", 3);
    std::vector<glm::dmat4> transforms;
    for (std::size_t i = 0; i < count.value_or(0); ++i) {
        const glm::dvec4 q = rotations.empty() ? glm::dvec4(0.0, 0.0, 0.0, 1.0) : glm::dvec4(rotations[i]);
        transforms.push_back(world * compose(translations.empty() ? glm::dvec3(0.0) : glm::dvec3(translations[i]),
                                             makeRotation(q.x, q.y, q.z, q.w),
                                             scales.empty() ? glm::dvec3(1.0) : glm::dvec3(scales[i])));
        if (!isFinite(transforms.back())) {
            fail(ExitCode::BadInput,
                 "{}: found element {} of an instance's attributes that places it nowhere, expected "
                 "finite numbers",
                 attributes.place(), i);
        }
    }
    return transforms;
}

} // namespace aureole::gltf
