#include "import/schematic/region.h"

namespace aureole::schematic {

Numbers readXyz(NbtReader& in, Tag tag) {
    Numbers numbers;
    in.compound(tag, [&](const std::string& key, Tag type) {
        if (key == "x" || key == "y" || key == "z") {
            numbers.at(static_cast<std::size_t>(key[0] - 'x')) = in.whole(type);
        } else {
            in.skip(type);
        }
    });
    return numbers;
}

Numbers readTriple(NbtReader& in, Tag tag) {
    Numbers numbers;
    std::size_t count = 0;
    in.list(tag, [&](Tag type) {
        if (count == numbers.size()) {
            in.refuse("found more than 3 numbers, expected 3");
        }
        numbers.at(count++) = in.whole(type);
    });
    return numbers;
}

std::string readState(NbtReader& in, Tag tag) {
    std::string name;
    std::string properties;
    in.compound(tag, [&](const std::string& key, Tag type) {
        if (key == "Name") {
            name = in.text(type);
        } else if (key == "Properties") {
            in.compound(type, [&](const std::string& property, Tag value) {
                properties += (properties.empty() ? "" : ",") + property + "=" + in.text(value);
            });
        } else {
            in.skip(type);
        }
    });
    std::string state = properties.empty() ? name : name + "[" + properties + "]";
    checkState(in, state);
    return state;
}

void checkState(const NbtReader& in, const std::string& state) {
    constexpr std::size_t kLongest = 1024;
    if (state.size() > kLongest) {
        in.refuse("found a block's name of {} bytes, expected at most {}", state.size(), kLongest);
    }
}

glm::uvec3 checkedSize(const NbtReader& in, const Numbers& size) {
    constexpr auto kMost = static_cast<std::int64_t>(kMostBlocks);
    std::int64_t blocks = 1;
    glm::uvec3 checked(0);
    for (std::size_t axis = 0; axis < size.size(); ++axis) {
        const std::optional<std::int64_t>& side = size.at(axis);
        if (!side) {
            in.refuse("found no {}, expected the size of the build", std::array{"width", "height", "length"}.at(axis));
        }
        constexpr std::int64_t kLongest = 0xffff; // as .schem files can say it
        if (*side < 1 || *side > kLongest) {
            in.refuse("found a side of {} blocks, expected 1 to {}", *side, kLongest);
        }
        if (*side > kMost / blocks) {
            in.refuse("found a build of more than {} blocks, expected at most that", kMost);
        }
        blocks *= *side;
        checked[static_cast<glm::length_t>(axis)] = static_cast<std::uint32_t>(*side);
    }
    return checked;
}

std::string placeOf(const glm::uvec3& size, std::size_t index) {
    return fmt::format("({}, {}, {})", index % size.x, index / size.x / size.z, index / size.x % size.z);
}

void checkPalette(const NbtReader& in, std::size_t blocks) {
    if (blocks > Region::kNoBlock) {
        in.refuse("found a palette of more than {} blocks, expected at most that", Region::kNoBlock);
    }
}

} // namespace aureole::schematic
