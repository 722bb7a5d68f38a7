#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace aureole {

/// One plane of an image: width x height floats, row by row, the top row first.
struct Channel {
    std::string name; ///< as in EXR files: "R", "albedo.G", "depth.Z"
    std::vector<float> values;
};

/// An attribute of an EXR file that is no text, as it stands there, such as a camera matrix or a time code.
struct TypedAttribute {
    std::string type;
    std::vector<std::byte> value;
};

/// A floating-point image of any number of named channels, each a plane of its own. Colours are linear Rec. 709.
struct Image {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::vector<Channel> channels;
    /// Text attributes, by name; "aureole.*" are ours (version, scene hash, seed, sample range...).
    std::map<std::string, std::string> attributes;
    /// What other programs noted otherwise; carried along, never looked at.
    std::map<std::string, TypedAttribute> typedAttributes;

    std::size_t pixelCount() const { return std::size_t{width} * height; }

    /// The channel of that exact name, or nullptr.
    const Channel* find(std::string_view name) const;
    Channel* find(std::string_view name);

    /// Appends a channel of `value`s. The name must be new.
    Channel& add(std::string name, float value = 0.0F);

    /// R, G, B of the image. A grey image (Y, or a single channel of any name) gives it three times.
    /// Throws Error (BadInput) naming the channels found where there is neither; `file` names the image in the message.
    std::array<const Channel*, 3> rgb(const std::string& file) const;
};

/// An image of width x height with the channels named, all zero.
Image makeImage(std::uint32_t width, std::uint32_t height, const std::vector<std::string>& channels);

/// Rec. 709 luminance of linear R, G, B.
inline double luminance(double r, double g, double b) {
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

} // namespace aureole
