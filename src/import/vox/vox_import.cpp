#include "import/vox/vox_import.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <span>

#include <glm/gtc/type_ptr.hpp>

#include "core/error.h"
#include "core/printable.h"
#include "import/vox/vox_file.h"
#include "import/vox/vox_look.h"
#include "import/vox/vox_materials.h"

namespace aureole::vox {

namespace {

/// MagicaVoxel's axes from ours, for a model `depth` voxels long along MagicaVoxel's y: (x, y, z) -> (x, depth - z, y).
glm::dmat4 fileFromModel(std::uint32_t depth) {
    return {{1.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 1.0, 0.0}, {0.0, -1.0, 0.0, 0.0}, {0.0, double(depth), 0.0, 1.0}};
}

std::vector<std::int32_t> readIntegers(const std::string& text) {
    std::vector<std::int32_t> values;
    const char* next = text.data();
    const char* end = next + text.size();
    while (next != end) {
        if (*next == ' ') {
            ++next;
            continue;
        }
        std::int32_t value = 0;
        const auto result = std::from_chars(next, end, value);
        if (result.ec != std::errc()) {
            return {};
        }
        values.push_back(value);
        next = result.ptr;
    }
    return values;
}

/// Builds the model while walking the scene graph.
class SceneBuilder {
public:
    SceneBuilder(const VoxFile& file, std::size_t bytes, const std::string& name, ImportedModel& model)
        : file_(file)
        , bytes_(bytes)
        , name_(name)
        , model_(model) {
        for (std::size_t i = 0; i < file.models.size(); ++i) {
            addModel(i);
        }
    }

    /// Whether any frame that was placed has a solid cell in it.
    bool showsVoxels() const { return showsVoxels_; }

    /// Places what each frame shows, and fills the models of the first one and of `frames`.
    void placeAll(std::span<const std::uint32_t> frames) {
        model_.frames = countFrames();
        std::vector<bool> differs = framesThatDiffer();
        for (const std::uint32_t frame : frames) {
            if (frame < model_.frames) {
                differs[frame] = true;
            }
        }
        for (std::uint32_t frame = 0; frame < model_.frames; ++frame) {
            if (!differs[frame]) {
                continue;
            }
            placeFrame(frame);
            showsVoxels_ = showsVoxels_ ||
                           std::any_of(instances_.begin(), instances_.end(),
                                       [&](const VoxelInstance& instance) { return !solid_[instance.model].empty(); });
            if (frame == 0) {
                model_.voxelInstances = instances_;
                continue;
            }
            for (const VoxelInstance& instance : instances_) {
                laterBounds_.add(transformed(solid_[instance.model], instance.worldFromModel));
            }
            if (std::find(frames.begin(), frames.end(), frame) != frames.end()) {
                model_.laterFrames.push_back({frame, instances_});
            }
        }
        if (!laterBounds_.empty()) {
            model_.laterBounds = laterBounds_;
        }
        fillAll(model_.voxelInstances);
        for (const ModelFrame& frame : model_.laterFrames) {
            fillAll(frame.voxelInstances);
        }
    }

private:
    void placeFrame(std::uint32_t frame) {
        placed_.clear();
        instances_.clear();
        frameVisits_ = 0;
        frameCells_ = 0;
        frameVoxels_ = 0;
        frame_ = frame;
        if (file_.nodes.empty()) { // each model is a frame
            instances_.push_back({frame, glm::dmat4(1.0)});
        } else {
            visit(file_.nodes.begin()->first, glm::dmat4(1.0), 0);
        }
    }

    /// A model without its cells, which are filled where a frame shows it.
    void addModel(std::size_t index) {
        const Model& source = file_.models[index];
        VoxelModel& target = model_.voxelModels.emplace_back();
        target.name = fmt::format("model {}", index);
        target.materials.fill(kNone);
        cells_ += cellsOf(source);
        voxels_ += source.voxels.size() / 4;
        // A model without voxels takes 40 bytes of a file, and 16 MiB here. One of 1024 voxels may have all of them.
        constexpr std::size_t kSpareCells = std::size_t{1} << 26U;
        constexpr std::size_t kCellsOfVoxel = std::size_t{1} << 14U;
        constexpr std::size_t kMaxCells = std::size_t{1} << 32U;
        if (const std::size_t most = std::min(kSpareCells + kCellsOfVoxel * voxels_, kMaxCells); cells_ > most) {
            fail(ExitCode::BadInput,
                 "{}: chunk SIZE, byte {}: found {} cells in the models up to this one, expected at most {} for the "
                 "{} voxels in them",
                 name_, source.offset, cells_, most, voxels_);
        }
        Bounds& solid = solid_.emplace_back();
        for (std::size_t i = 0; i < source.voxels.size() / 4; ++i) {
            const Voxel voxel = voxelAt(source, i);
            if (voxel.colour == 0) {
                continue;
            }
            const glm::dvec3 corner(cellOf(source, voxel));
            solid.add(corner);
            solid.add(corner + 1.0);
            if (target.materials[voxel.colour] == kNone) {
                target.materials[voxel.colour] = materialOfIndex(voxel.colour);
            }
        }
    }

    static std::size_t cellsOf(const Model& source) {
        return std::size_t{source.size.x} * source.size.y * source.size.z;
    }

    /// A voxel's place by our axes.
    static glm::uvec3 cellOf(const Model& source, const Voxel& voxel) {
        return {voxel.x, voxel.z, source.size.y - 1U - voxel.y};
    }

    /// Fills the models that are shown, unless they are.
    void fillAll(const std::vector<VoxelInstance>& instances) {
        for (const VoxelInstance& instance : instances) {
            const Model& source = file_.models[instance.model];
            VoxelModel& target = model_.voxelModels[instance.model];
            if (!target.cells.empty()) {
                continue;
            }
            target.size = {source.size.x, source.size.z, source.size.y};
            target.cells.resize(cellsOf(source), 0);
            for (std::size_t i = 0; i < source.voxels.size() / 4; ++i) {
                const Voxel voxel = voxelAt(source, i);
                const glm::uvec3 cell = cellOf(source, voxel);
                target.cells[cell.x + target.size.x * (cell.y + std::size_t{target.size.y} * cell.z)] = voxel.colour;
            }
        }
    }

    /// All that there are: from 0 to the last one that anything comes with.
    std::uint32_t countFrames() const {
        if (file_.nodes.empty()) {
            return static_cast<std::uint32_t>(file_.models.size());
        }
        std::int64_t last = 0; // below kMostFrames
        for (const auto& [number, node] : file_.nodes) {
            last = std::max({last, node.frames.byFrame.empty() ? 0 : node.frames.byFrame.rbegin()->first,
                             node.shown.byFrame.empty() ? 0 : node.shown.byFrame.rbegin()->first});
        }
        return static_cast<std::uint32_t>(last) + 1;
    }

    /// Which frames may show something else than the one before; the first one does.
    std::vector<bool> framesThatDiffer() const {
        std::vector<bool> differs(model_.frames, file_.nodes.empty());
        differs[0] = true;
        for (const auto& [number, node] : file_.nodes) {
            for (const auto& [frame, model] : node.shown.byFrame) {
                mark(node.shown, frame, differs);
            }
            markMoves(node.frames, differs);
        }
        return differs;
    }

    /// Between two keys of different places a node is on its way.
    static void markMoves(const Keys<Dictionary>& keys, std::vector<bool>& frames) {
        const auto placeOf = [](const Dictionary& key) {
            const auto text = key.find("_t");
            return text != key.end() ? text->second : "0 0 0";
        };
        for (auto key = keys.byFrame.begin(); key != keys.byFrame.end(); ++key) {
            const auto next = std::next(key);
            const bool moves = next != keys.byFrame.end() && placeOf(key->second) != placeOf(next->second);
            const std::int64_t end = moves ? next->first : key->first + 1;
            for (std::int64_t frame = key->first; frame < end; ++frame) {
                mark(keys, frame, frames);
            }
        }
    }

    /// Marks the frames of the animation that show a frame of the keys.
    template <typename T>
    static void mark(const Keys<T>& keys, std::int64_t frame, std::vector<bool>& frames) {
        const std::int64_t count = keys.loops ? keys.count() : std::ssize(frames);
        for (std::int64_t shows = frame % count; shows < std::ssize(frames); shows += count) {
            frames[static_cast<std::size_t>(shows)] = true;
        }
    }

    std::uint32_t materialOfIndex(std::uint8_t index) {
        if (materials_.empty()) {
            materials_.assign(256, kNone);
        }
        if (materials_[index] == kNone) {
            materials_[index] = static_cast<std::uint32_t>(model_.materials.size());
            model_.materials.push_back(makeMaterial(file_, index));
        }
        return materials_[index];
    }

    /// Visits a node that is there. Places of errors are those of nodes' chunks.
    void visit(std::uint32_t index, const glm::dmat4& parent, unsigned depth) {
        const Node& node = file_.nodes.at(index);
        // Shared children multiply, so a short file may stand for any number of nodes.
        constexpr std::size_t kMaxFrameVisits = std::size_t{1} << 20U;
        if (++frameVisits_ > kMaxFrameVisits) {
            failAt(node, "found more than {} nodes in the scene graph, expected at most that", kMaxFrameVisits);
        }
        // Each takes time, so that those of all frames are bounded together: about 4096 frames of 4096 nodes.
        constexpr std::size_t kMaxVisits = std::size_t{1} << 24U;
        if (++visits_ > kMaxVisits) {
            failAt(node, "found more than {} nodes in all frames of the animation together, expected at most that",
                   kMaxVisits);
        }
        constexpr unsigned kMaxDepth = 256;
        if (depth > kMaxDepth || !path_.insert(index).second) {
            failAt(node, "the node {} lies below itself or too deep, expected a tree", index);
        }
        if (isHidden(node)) {
            path_.erase(index);
            return;
        }
        if (node.type == NodeType::Shape) {
            place(node, parent);
        } else {
            const glm::dmat4 world = node.type == NodeType::Transform ? parent * transformOf(node) : parent;
            for (const std::uint32_t child : node.refs) {
                if (!file_.nodes.contains(child)) {
                    failAt(node, "found a reference to the node {}, expected one that is there", child);
                }
                visit(child, world, depth + 1);
            }
        }
        path_.erase(index);
    }

    bool isHidden(const Node& node) const {
        const auto says = [](const Dictionary& attributes) {
            const auto hidden = attributes.find("_hidden");
            return hidden != attributes.end() && hidden->second == "1";
        };
        const auto layer = file_.layers.find(node.layer);
        return says(node.attributes) || (layer != file_.layers.end() && says(layer->second));
    }

    /// A model turns about its middle, rounded down to whole voxels.
    void place(const Node& node, const glm::dmat4& fileTransform) {
        const bool showsNone = node.shown.byFrame.empty();
        const std::uint32_t shown = showsNone ? 0 : node.shown.at(frame_);
        if (showsNone || shown >= file_.models.size()) {
            failAt(node, "found model {}, expected less than {}", shown, file_.models.size());
        }
        const glm::uvec3 size = file_.models[shown].size;
        glm::dmat4 centre(1.0);
        centre[3] = glm::dvec4(-glm::dvec3(size / 2U), 1.0);
        instances_.push_back({shown, worldFromFile() * fileTransform * centre * fileFromModel(size.y)});
        if (placed_.insert(static_cast<std::uint32_t>(instances_.size() - 1)).second) {
            countPlaced(node, shown);
        } else {
            instances_.pop_back(); // it would show nothing new
        }
    }

    /// Bounds what the instances of a frame place: whoever looks at all their cells has to come to an end, and where
    /// they overlap, each place has a list of them.
    void countPlaced(const Node& node, std::uint32_t model) {
        constexpr std::size_t kMaxPlacedCells = std::size_t{1} << 34U;
        frameCells_ += cellsOf(file_.models[model]);
        if (frameCells_ > kMaxPlacedCells) {
            failAt(node, "found more than {} cells in all instances of models, expected at most that", kMaxPlacedCells);
        }
        // MagicaVoxel writes some 100 bytes for each instance.
        constexpr std::size_t kSpareVoxels = std::size_t{1} << 22U;
        constexpr std::size_t kVoxelsOfByte = std::size_t{1} << 10U;
        const std::size_t most = kSpareVoxels + kVoxelsOfByte * bytes_;
        frameVoxels_ += file_.models[model].voxels.size() / 4;
        if (frameVoxels_ > most) {
            failAt(
                node,
                "found {} voxels in the instances of models up to this one, expected at most {} for a file of {} bytes",
                frameVoxels_, most, bytes_);
        }
    }

    glm::dmat4 transformOf(const Node& node) const {
        glm::dmat4 matrix(1.0);
        if (node.frames.byFrame.empty()) {
            return matrix;
        }
        const std::int64_t frame = node.frames.frameOf(frame_);
        const auto key = node.frames.lastBefore(frame);
        if (const auto rotation = key->second.find("_r"); rotation != key->second.end()) {
            matrix = rotationOf(node, rotation->second);
        }
        glm::dvec3 place = translationOf(node, key->second);
        // Between two keys a node is on its way, in whole voxels, as ogt_vox has it.
        if (const auto next = std::next(key); next != node.frames.byFrame.end() && frame > key->first) {
            const double share = double(frame - key->first) / double(next->first - key->first);
            place = glm::trunc(glm::mix(place, translationOf(node, next->second), share));
        }
        matrix[3] = glm::dvec4(place, 1.0);
        return matrix;
    }

    glm::dvec3 translationOf(const Node& node, const Dictionary& key) const {
        const auto text = key.find("_t");
        if (text == key.end()) {
            return glm::dvec3(0.0);
        }
        const std::vector<std::int32_t> t = readIntegers(text->second);
        if (t.size() != 3) {
            failAt(node, "found the translation '{}', expected three whole numbers", excerpt(text->second));
        }
        return {t[0], t[1], t[2]};
    }

    /// A signed permutation in one byte: bits 0-1 the column of the first row's entry, bits 2-3 that of the second,
    /// bits 4 to 6 the signs of the three rows.
    glm::dmat4 rotationOf(const Node& node, const std::string& text) const {
        const std::vector<std::int32_t> values = readIntegers(text);
        const unsigned bits = values.size() == 1 && values[0] >= 0 && values[0] < 128 ? unsigned(values[0]) : 0x7fU;
        const unsigned first = bits & 3U;
        const unsigned second = (bits >> 2U) & 3U;
        if (first == second || first == 3 || second == 3) {
            failAt(node, "found the rotation '{}', expected a signed permutation in a byte", excerpt(text));
        }
        const std::array<unsigned, 3> columns = {first, second, 3 - first - second};
        glm::dmat4 matrix(0.0);
        for (glm::length_t row = 0; row < 3; ++row) {
            const bool negative = ((bits >> (4U + unsigned(row))) & 1U) != 0;
            matrix[static_cast<glm::length_t>(columns[static_cast<std::size_t>(row)])][row] = negative ? -1.0 : 1.0;
        }
        matrix[3][3] = 1.0;
        return matrix;
    }

    /// Fails with the file and the place of a node before the message.
    template <typename... Args>
    [[noreturn]] void failAt(const Node& node, fmt::format_string<Args...> format, Args&&... args) const {
        const char* const chunk = node.type == NodeType::Transform ? "nTRN"
                                  : node.type == NodeType::Group   ? "nGRP"
                                                                   : "nSHP";
        fail(ExitCode::BadInput, "{}: chunk {}, byte {}: {}", name_, chunk, node.offset,
             fmt::format(format, std::forward<Args>(args)...));
    }

    /// An order of instances of a frame, by what they show.
    struct ShowsLess {
        const std::vector<VoxelInstance>* instances;
        bool operator()(std::uint32_t left, std::uint32_t right) const {
            const VoxelInstance& a = (*instances)[left];
            const VoxelInstance& b = (*instances)[right];
            const auto numbers = [](const glm::dmat4& matrix) { return std::span(glm::value_ptr(matrix), 16); };
            const auto first = numbers(a.worldFromModel);
            const auto second = numbers(b.worldFromModel);
            return a.model != b.model
                       ? a.model < b.model
                       : std::lexicographical_compare(first.begin(), first.end(), second.begin(), second.end());
        }
    };

    const VoxFile& file_;
    const std::size_t bytes_; ///< of the file
    const std::string& name_;
    ImportedModel& model_;
    std::vector<std::uint32_t> materials_;
    std::vector<Bounds> solid_; ///< of models, around their solid cells
    bool showsVoxels_ = false;
    Bounds laterBounds_; ///< around those of all frames after the first
    std::set<std::uint32_t> path_;
    std::size_t cells_ = 0;       ///< of models
    std::size_t voxels_ = 0;      ///< of models, likewise
    std::size_t frameVisits_ = 0; ///< nodes of the frame under way
    std::size_t frameCells_ = 0;  ///< of its instances
    std::size_t frameVoxels_ = 0; ///< of its instances, likewise
    std::size_t visits_ = 0;      ///< of all frames
    std::int64_t frame_ = 0;
    std::vector<VoxelInstance> instances_;                              ///< of that frame
    std::set<std::uint32_t, ShowsLess> placed_{ShowsLess{&instances_}}; ///< their numbers
};

} // namespace

ImportedModel importVox(const AssetReader& reader, std::span<const std::uint32_t> frames) {
    const std::vector<std::byte> bytes = reader.readModel();
    const VoxFile file = parseVox(bytes, reader.name());
    const bool hasVoxels =
        std::any_of(file.models.begin(), file.models.end(), [](const Model& model) { return !model.voxels.empty(); });
    if (!hasVoxels) {
        fail(ExitCode::BadInput, "{}: holds no voxel, expected at least one", reader.name());
    }
    warnOfUnreadable(file, reader.name());
    ImportedModel model;
    SceneBuilder builder(file, bytes.size(), reader.name(), model);
    builder.placeAll(frames);
    if (model.voxelInstances.empty() || !builder.showsVoxels()) {
        fail(ExitCode::BadInput,
             "{}: found all its models hidden, without voxels or nowhere in the scene, expected one to show",
             reader.name());
    }
    model.cameras = camerasOf(file);
    model.daylight = daylightOf(file);
    return model;
}

} // namespace aureole::vox
