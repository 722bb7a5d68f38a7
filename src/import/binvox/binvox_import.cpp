// The head is text: "#binvox 1", "dim X Z Y", "translate x y z" and "scale s" in any order, "data". Then pairs of
// bytes, a value and how many cells have it; y runs fastest, then z, then x. The longest side is 'scale' long.

#include "import/binvox/binvox_import.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/to_number.h"
#include "import/words.h"

namespace aureole::binvox {

namespace {

/// Cells are handed on in blocks of this side, the longest of a VoxelModel. Blocks without a solid cell are left out.
constexpr std::uint32_t kBlock = 256;

struct Head {
    glm::uvec3 size{0};
    glm::dvec3 translate{0.0};
    double scale = 1.0;
    std::size_t dataOffset = 0;
};

class HeadReader {
public:
    HeadReader(std::string_view text, const std::string& name)
        : text_(text)
        , name_(name) {}

    Head read() {
        Head head;
        nextLine();
        if (word() != "#binvox") {
            refuse("found '{}', expected '#binvox 1'", line_.substr(0, kShown));
        }
        if (const std::string_view version = word(); version != "1") {
            refuse("found version '{}' of binvox, expected 1", version);
        }
        for (;;) {
            nextLine();
            const std::string_view key = word();
            if (key == "data") {
                break;
            }
            if (!key.empty() && key.front() != '#') { // programs leave lines empty, or write remarks
                readKey(key, head);
            }
        }
        if (head.size.x == 0) {
            refuse("found the data, expected a line 'dim X Z Y' before it");
        }
        head.dataOffset = at_;
        return head;
    }

private:
    static constexpr std::size_t kShown = 40;

    void readKey(std::string_view key, Head& head) {
        if (key == "dim") {
            for (const glm::length_t axis : {0, 2, 1}) {
                head.size[axis] = side();
            }
        } else if (key == "translate") {
            for (glm::length_t axis = 0; axis < 3; ++axis) {
                head.translate[axis] = number();
            }
        } else if (key == "scale") {
            head.scale = number();
            if (!(head.scale > 0.0)) {
                refuse("found a scale of {:g}, expected one above 0", head.scale);
            }
        } else {
            refuse("found '{}', expected dim, translate, scale or data", key.substr(0, kShown));
        }
    }

    void nextLine() {
        ++number_;
        constexpr std::size_t kLongest = 1024;
        const std::size_t end = text_.substr(0, std::min(text_.size(), at_ + kLongest)).find('\n', at_);
        if (end == std::string_view::npos) {
            refuse("found no end of a line within {} bytes, expected 'data' and the cells", kLongest);
        }
        line_ = text_.substr(at_, end - at_);
        at_ = end + 1;
    }

    std::string_view word() { return nextWord(line_); }

    double number() {
        const std::string_view text = word();
        const std::optional<double> value = toNumber<double>(text);
        constexpr double kLargest = 1e12;
        if (!value || !(std::abs(*value) <= kLargest)) {
            refuse("found '{}', expected a number of at most {:g}", text.substr(0, kShown), kLargest);
        }
        return *value;
    }

    std::uint32_t side() {
        const double value = number();
        constexpr double kLongest = 4096.0;
        if (!(value >= 1.0 && value <= kLongest) || value != std::floor(value)) {
            refuse("found {:g} cells along a side, expected 1 to {:g}", value, kLongest);
        }
        return static_cast<std::uint32_t>(value);
    }

    template <typename... Args>
    [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
        fail(ExitCode::BadInput, "{}: line {}: {}", name_, number_, fmt::format(format, std::forward<Args>(args)...));
    }

    std::string_view text_;
    const std::string& name_;
    std::string_view line_; ///< what is left of it
    std::size_t number_ = 0;
    std::size_t at_ = 0; ///< where the next line starts
};

/// The blocks that have solid cells, as models.
class Blocks {
public:
    explicit Blocks(const glm::uvec3& size)
        : size_(size) {}

    /// Makes `count` cells solid, from the one with that index on.
    void fill(std::uint64_t index, std::uint64_t count) {
        while (count > 0) {
            const std::uint64_t column = index / size_.y; // of cells along y
            const glm::uvec3 cell(static_cast<std::uint32_t>(column / size_.z),
                                  static_cast<std::uint32_t>(index % size_.y),
                                  static_cast<std::uint32_t>(column % size_.z));
            const std::uint32_t run = static_cast<std::uint32_t>(
                std::min<std::uint64_t>(count, std::min(size_.y - cell.y, kBlock - cell.y % kBlock)));
            VoxelModel& model = blockOf(cell / kBlock);
            const glm::uvec3 at = cell % kBlock;
            for (std::uint32_t y = at.y; y < at.y + run; ++y) {
                model.cells[at.x + model.size.x * (y + std::size_t{model.size.y} * at.z)] = 1;
            }
            index += run;
            count -= run;
        }
    }

    void moveTo(ImportedModel& model, const Head& head) {
        const double cell = head.scale / std::max({size_.x, size_.y, size_.z});
        for (auto& [place, block] : blocks_) {
            glm::dmat4 world(cell);
            world[3] = glm::dvec4(head.translate + cell * kBlock * glm::dvec3(place[0], place[1], place[2]), 1.0);
            model.voxelInstances.push_back({static_cast<std::uint32_t>(model.voxelModels.size()), world});
            model.voxelModels.push_back(std::move(block));
        }
    }

private:
    VoxelModel& blockOf(const glm::uvec3& place) {
        const auto [found, isNew] = blocks_.try_emplace({place.x, place.y, place.z});
        if (isNew) {
            VoxelModel& model = found->second;
            model.name = fmt::format("block {} {} {}", place.x, place.y, place.z);
            model.size = glm::min(size_ - place * kBlock, glm::uvec3(kBlock));
            model.materials.fill(kNone);
            model.materials[1] = 0;
            model.cells.resize(std::size_t{model.size.x} * model.size.y * model.size.z, 0);
        }
        return found->second;
    }

    glm::uvec3 size_;
    std::map<std::array<std::uint32_t, 3>, VoxelModel> blocks_;
};

} // namespace

ImportedModel importBinvox(const AssetReader& reader) {
    const std::vector<std::byte> bytes = reader.readModel();
    const Head head = HeadReader({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, reader.name()).read();
    const std::uint64_t cells = std::uint64_t{head.size.x} * head.size.y * head.size.z;
    constexpr std::uint64_t kMaxCells = std::uint64_t{1} << 31U;
    if (cells > kMaxCells) {
        fail(ExitCode::BadInput, "{}: found {} x {} x {} cells, expected at most {} in all", reader.name(), head.size.x,
             head.size.y, head.size.z, kMaxCells);
    }
    Blocks blocks(head.size);
    std::uint64_t next = 0;
    for (std::size_t at = head.dataOffset; next < cells; at += 2) {
        if (at + 2 > bytes.size()) {
            fail(ExitCode::BadInput, "{}: byte {}: truncated: found {} cells, expected {}", reader.name(), bytes.size(),
                 next, cells);
        }
        const auto value = std::to_integer<unsigned>(bytes[at]);
        const auto count = std::to_integer<std::uint64_t>(bytes[at + 1]);
        if (count == 0 || count > cells - next) {
            fail(ExitCode::BadInput, "{}: byte {}: found a run of {} cells, expected 1 to {}", reader.name(), at + 1,
                 count, cells - next);
        }
        if (value != 0) {
            blocks.fill(next, count);
        }
        next += count;
    }
    ImportedModel model;
    model.materials.emplace_back().name = "voxels";
    blocks.moveTo(model, head);
    if (model.voxelInstances.empty()) {
        fail(ExitCode::BadInput, "{}: holds no voxel, expected at least one", reader.name());
    }
    return model;
}

} // namespace aureole::binvox
