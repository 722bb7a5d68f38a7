#include "scene/json/json_shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace aureole {

namespace {

std::optional<Shape> readBox(const ValueReader& value) {
    glm::dvec3 min{-0.5};
    glm::dvec3 max{0.5};
    const std::size_t before = value.log().problems.size();
    value.readObject([&](ObjectReader& in) {
        in.vector("min", min);
        in.vector("max", max);
        if (!glm::all(glm::lessThan(min, max))) {
            in.problem("found a box whose max is not above its min on every axis");
        }
    });
    return value.log().problems.size() == before ? std::optional(Shape{makeBox(min, max), {}, {}}) : std::nullopt;
}

std::optional<Shape> readSphere(const ValueReader& value) {
    Sphere sphere;
    const std::size_t before = value.log().problems.size();
    value.readObject([&](ObjectReader& in) {
        in.vector("centre", sphere.centre);
        in.number("radius", sphere.radius, kPositive);
        in.integer("subdivisions", sphere.subdivisions, 0, kMaxSphereSubdivisions);
    });
    return value.log().problems.size() == before ? std::optional(Shape{{}, sphere, {}}) : std::nullopt;
}

std::optional<Shape> readQuad(const ValueReader& value) {
    glm::dvec3 corner{-0.5, 0.0, 0.5};
    glm::dvec3 u{1.0, 0.0, 0.0};
    glm::dvec3 v{0.0, 0.0, -1.0};
    const std::size_t before = value.log().problems.size();
    value.readObject([&](ObjectReader& in) {
        in.vector("corner", corner);
        in.vector("u", u);
        in.vector("v", v);
        if (glm::length(glm::cross(u, v)) <= 1e-12 * glm::length(u) * glm::length(v)) {
            in.problem("found the edges u and v parallel or zero, expected them to span a parallelogram");
        }
    });
    return value.log().problems.size() == before ? std::optional(Shape{makeQuad(corner, u, v), {}, {}}) : std::nullopt;
}

bool readPoints(const ValueReader& value, std::vector<glm::vec3>& out) {
    bool good = true;
    const bool isArray = value.readArray([&](const ValueReader& element) {
        glm::dvec3 point{0.0};
        good = good && element.read(point);
        out.emplace_back(point);
    });
    return good && isArray;
}

bool readTriangles(const ValueReader& value, std::size_t vertices, std::vector<glm::uvec3>& out) {
    bool good = true;
    const bool isArray = value.readArray([&](const ValueReader& element) {
        std::array<double, 3> corners{};
        good = good && element.readNumbers(corners.data(), 3, {0.0, static_cast<double>(vertices) - 1.0});
        if (good && std::any_of(corners.begin(), corners.end(), [](double i) { return i != std::floor(i); })) {
            element.expected("three whole numbers");
            good = false;
        }
        out.emplace_back(corners[0], corners[1], corners[2]);
    });
    return good && isArray;
}

/// Notes a problem and gives false unless a per-vertex array is as long as the positions.
bool checkLength(const ValueReader& value, const Mesh& mesh) {
    if (value.json().size() == mesh.positions.size()) {
        return true;
    }
    value.expected(fmt::format("an array of {}, one for each position", mesh.positions.size()));
    return false;
}

void readNormals(const ValueReader& value, Mesh& mesh) {
    if (!readPoints(value, mesh.normals) || !checkLength(value, mesh)) {
        return;
    }
    for (glm::vec3& normal : mesh.normals) {
        const float length = glm::length(normal);
        if (length < 1e-20F) {
            value.log().add(value.pointer(), "found a normal of length 0");
            return;
        }
        normal /= length;
    }
}

void readUvs(const ValueReader& value, Mesh& mesh) {
    bool good = true;
    const bool isArray = value.readArray([&](const ValueReader& element) {
        std::array<double, 2> uv{};
        good = good && element.readNumbers(uv.data(), 2, {});
        mesh.uvs[0].emplace_back(uv[0], uv[1]);
    });
    if (good && isArray) {
        checkLength(value, mesh);
    }
}

std::optional<Shape> readInlineMesh(const ValueReader& value) {
    Mesh mesh;
    const std::size_t before = value.log().problems.size();
    value.readObject([&](ObjectReader& in) {
        const auto positions = in.require("positions");
        if (positions && readPoints(*positions, mesh.positions) && mesh.positions.empty()) {
            positions->expected("at least three positions");
        }
        const auto triangles = in.require("triangles");
        if (triangles && !mesh.positions.empty() && readTriangles(*triangles, mesh.positions.size(), mesh.triangles) &&
            mesh.triangles.empty()) {
            triangles->expected("at least one triangle");
        }
        if (const auto normals = in.find("normals")) {
            readNormals(*normals, mesh);
        }
        if (const auto uvs = in.find("uvs")) {
            readUvs(*uvs, mesh);
        }
    });
    return value.log().problems.size() == before ? std::optional(Shape{std::move(mesh), {}, {}}) : std::nullopt;
}

constexpr std::array<ShapeReader, 4> kShapeReaders = {
    {{"box", readBox}, {"sphere", readSphere}, {"quad", readQuad}, {"mesh", readInlineMesh}}};

} // namespace

std::span<const ShapeReader> shapeReaders() {
    return kShapeReaders;
}

} // namespace aureole
