// Texts of values on the command line: the first byte chooses what they are of. What is accepted is in range, and the
// same when written and read again.

#include <array>
#include <cmath>
#include <functional>

#include "cli/options/arguments.h"
#include "film/crops.h"
#include "film/film.h"
#include "fuzz.h"
#include "image/colour/hex_colour.h"
#include "settings/fields.h"
#include "settings/limits.h"
#include "takes.h"

namespace aureole::fuzz {

namespace {

using namespace cli;

const std::string kOption = "--option";
const std::vector<std::string> kNames = {"conservative", "thin", "solid"};

void readSize(const std::string& text) {
    const glm::uvec2 size = parseSize(kOption, text);
    require(size.x > 0 && size.y > 0 && std::uint64_t{size.x} * size.y <= kMaximumFilmPixels, "films have a size");
    require(parseSize(kOption, fmt::format("{}x{}", size.x, size.y)) == size, "a size is the same when written");
}

void readCrop(const std::string& text) {
    const Crop crop = parseCrop(kOption, text);
    require(crop.low.x < crop.high.x && crop.low.y < crop.high.y, "crops have pixels");
    const Crop again = parseCrop(kOption, formatCrop({crop.low.x, crop.low.y, crop.high.x, crop.high.y}));
    require(again.low == crop.low && again.high == crop.high, "a crop is the same when written");
}

void readRange(const std::string& text) {
    const auto range = parseRange(kOption, text);
    require(range.first < range.second, "ranges have samples");
    require(parseRange(kOption, formatRanges({range})) == range, "a range is the same when written");
}

void readNumber(const std::string& text) {
    const double value = parseNumber(kOption, text, -kMaximumNumber, kMaximumNumber);
    require(std::abs(value) <= kMaximumNumber, "numbers are in range");
    require(parseNumber(kOption, fmt::format("{}", value), -kMaximumNumber, kMaximumNumber) == value,
            "a number is the same when written");
}

void readCounts(const std::string& text) {
    constexpr std::uint32_t kMost = 4096;
    for (const std::uint32_t count : parseCounts(kOption, text, 1, kMost)) {
        require(count >= 1 && count <= kMost, "counts are in range");
    }
}

void readNames(const std::string& text) {
    for (const std::size_t index : parseIndices(kOption, text, kNames)) {
        require(index < kNames.size(), "names have a place");
    }
}

void readAovs(const std::string& text) {
    const AovSet aovs = parseAovs(kOption, text);
    require(!aovs.empty(), "a list of layers has one");
    require(parseAovs(kOption, aovs.text()).text() == aovs.text(), "layers are the same when written");
}

void readDuration(const std::string& text) {
    const double seconds = parseDuration(kOption, text);
    require(std::isfinite(seconds) && seconds > 0.0, "times are above 0 and end");
}

void readBytes(const std::string& text) {
    const std::uint64_t bytes = parseBytes(kOption, text);
    require(bytes > 0 && bytes <= std::uint64_t{1} << 60U, "bytes are above 0 and in range");
}

void readViewer(const std::string& text) {
    const ViewerAddress address = parseViewerAddress(kOption, text);
    require(!address.host.empty() && !address.port.empty(), "viewers have a host and a port");
    require(std::stoi(address.port) > 0, "ports are above 0");
}

void readOverride(const std::string& text) {
    const SceneOverride override = parseOverride(kOption, text);
    require(override.first.starts_with('/'), "pointers begin with a slash");
    require(override.first + "=" + override.second == text, "all of an override is kept");
}

/// The value of a setting, whose option is called as those of the others are.
double readSetting(Setting setting, const std::string& text) {
    setting.option = kOption;
    return std::get<double>(parseSetting(setting, text));
}

void readSettings(const std::string& text) {
    const double exposure = readSetting(fieldOf(kFilmFields, "exposure"), text);
    require(exposure == kWordInstead || std::abs(exposure) <= kMaximumExposure, "exposures are in range");
    require(readSetting(fieldOf(kVoxelFields, "error"), text) > 0.0, "errors are above 0");
}

void readColour(const std::string& text) {
    if (const std::optional<glm::vec3> colour = colourFromHex(text)) {
        require(text.size() == 7 && text.front() == '#', "colours have six digits");
        require(colour->x >= 0.0F && colour->y <= 1.0F && colour->z <= 1.0F, "colours are from 0 to 1");
    }
}

constexpr std::array kReaders = {readSize,  readCrop,     readRange,  readNumber,   readCounts,   readNames, readAovs,
                                 readBytes, readDuration, readViewer, readOverride, readSettings, readColour};

} // namespace

void runInput(Bytes input) {
    Takes left(input);
    const auto read = kReaders.at(left.number() % kReaders.size());
    const std::string text = left.rest();
    goesThrough(
        kOption, [&] { read(text); }, ExitCode::Usage);
}

} // namespace aureole::fuzz
