// "heightmap" of an asset: a surface by the heights in a picture.

#include "scene/json/json_heightmap.h"

#include <algorithm>

#include "core/error.h"
#include "image/exr/exr.h"
#include "image/heights.h"
#include "image/image_file.h"
#include "image/png/png.h"

namespace aureole {

namespace {

/// A picture whose values are heights as they stand, not colours.
Image readHeights(const std::filesystem::path& path) {
    switch (imageFormat(path)) {
    case ImageFormat::Exr:
        return readExr(path, Links::Refuse);
    case ImageFormat::Png:
        return readPng(path, PngTransfer::Linear, Links::Refuse);
    default:
        fail(ExitCode::BadInput, "{}: found a picture of another format, expected heights as EXR or PNG",
             path.string());
    }
}

void readGrid(const std::filesystem::path& path, double scale, Heightmap& map) {
    const Image image = readHeights(path);
    if (image.width < 2 || image.height < 2) {
        fail(ExitCode::BadInput, "{}: found {} x {} pixels, expected at least 2 x 2 heights", path.string(),
             image.width, image.height);
    }
    map.width = image.width;
    map.depth = image.height;
    map.heights = heightsOf(image, path.string(), "heights");
    for (float& height : map.heights) {
        height = static_cast<float>(scale * height);
    }
}

/// Where the underside is, which nothing may reach.
void readBase(ObjectReader& in, Heightmap& map) {
    double base = 0.0;
    if (!in.number("base", base) || map.heights.empty()) {
        return;
    }
    map.base = base;
    const double lowest = *std::min_element(map.heights.begin(), map.heights.end());
    if (!(base < lowest)) {
        in.problem("base", fmt::format("found {:g} m, expected a base below the lowest height, which is at {:g} m",
                                       base, lowest));
    }
}

} // namespace

std::optional<HeightmapAsset> readHeightmap(const ValueReader& value, SceneDraft& draft) {
    Heightmap map;
    double scale = 1.0;
    const std::size_t before = value.log().problems.size();
    value.readObject([&](ObjectReader& in) {
        if (const auto size = in.find("size")) {
            size->readNumbers(&map.size.x, 2, kPositive);
        }
        in.number("height", scale);
        const auto file = in.require("file");
        const auto path = file ? readAssetPath(*file, draft.folder) : std::nullopt;
        if (path) {
            noteErrors(*file, [&] {
                readGrid(*path, scale, map);
                hashFile(draft, *path);
            });
        }
        readBase(in, map);
    });
    if (value.log().problems.size() != before) {
        return std::nullopt;
    }
    takeMemory(value, heightmapBytes(map.width, map.depth, map.base.has_value()), draft);
    Hasher hasher;
    hasher.add(map.heights.data(), map.heights.size() * sizeof(float));
    return HeightmapAsset{makeHeightmap(map), hasher.hex()};
}

} // namespace aureole
