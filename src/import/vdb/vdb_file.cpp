// A file starts with a head and a list of grids, each with the byte where it lies. A grid is its packing, its metadata,
// its transform and its tree: first the masks of all nodes and the values of inner ones, depth first, then the values
// of all leaves. OpenVDB's "io" folder is the only description of the format.

#include "import/vdb/vdb_file.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/printable.h"
#include "import/vdb/vdb_tree_reader.h"

namespace aureole::vdb {

namespace {

struct GridHead {
    std::uint32_t packing = 0;
    glm::dmat4 worldFromIndex{1.0};
    std::size_t tree = 0; ///< the byte where it starts
};

/// Where a grid lies.
struct GridEntry {
    GridTitle title;
    std::string parent; ///< whose tree it shares; mostly ""
    std::string key;    ///< its name, and its number where several have that
    std::uint64_t position = 0;
};

class VdbReader {
public:
    VdbReader(std::span<const std::byte> bytes, const std::string& name)
        : bytes_(bytes)
        , in_(bytes, name) {}

    FileGrids read(const GridChoice& wanted) {
        readHead();
        readEntries();
        std::vector<GridTitle> titles;
        for (GridEntry& entry : entries_) {
            entry.title.kind = kindOf(entry);
            titles.push_back(entry.title);
        }
        tellApart(titles);
        const ChosenGrids chosen = chooseGrids(titles, wanted, in_.file());
        FileGrids grids{readGrid<float>(titles[chosen.grid], entries_[chosen.grid], "grid"), {}};
        if (chosen.colours) {
            grids.colours = readGrid<glm::vec3>(titles[*chosen.colours], entries_[*chosen.colours], "colour grid");
        }
        return grids;
    }

private:
    void readHead() {
        if (in_.read<std::uint64_t>("the head of a file of OpenVDB") != kMagic) {
            in_.refuse("found other bytes before it than a file of OpenVDB starts with, expected such a file");
        }
        const auto version = in_.read<std::uint32_t>("a version");
        if (version < kOldestVersion || version > kNewestVersion) {
            in_.refuse("found version {} of the format of OpenVDB, expected {} to {}", version, kOldestVersion,
                       kNewestVersion);
        }
        in_.take(8, "a library's version");
        if (in_.read<std::uint8_t>("a flag") == 0) {
            in_.refuse("found a stream, which does not say where its grids are, expected a file");
        }
        constexpr std::uint64_t kIdentifier = 36;
        in_.take(kIdentifier, "an identifier");
        readMetadata(in_);
    }

    /// Returns what it says of a grid's kind.
    static std::string readMetadata(ByteReader& in) {
        std::string kind;
        const auto count = in.read<std::uint32_t>("a number of metadata");
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::string_view key = in.text("the name of metadata");
            in.text("the type of metadata");
            const std::string_view value = in.text("metadata");
            if (key == "class") {
                kind = value;
            }
        }
        return kind;
    }

    void readEntries() {
        const auto count = in_.read<std::uint32_t>("a number of grids");
        for (std::uint32_t i = 0; i < count; ++i) {
            GridEntry entry;
            entry.key = in_.text("a grid's name");
            // The number behind a name that several grids have follows a separator.
            entry.title.name = entry.key.substr(0, entry.key.find('\x1e'));
            entry.title.type = typeOf(in_.text("a grid's type"));
            entry.parent = in_.text("a grid's parent");
            entry.position = in_.read<std::uint64_t>("a grid's place");
            in_.read<std::uint64_t>("a grid's place");
            const auto end = in_.read<std::uint64_t>("a grid's place");
            if (end < in_.offset()) { // entries that lead back would have no end
                in_.refuse("found the end of the grid '{}' at byte {}, expected it behind this one", excerpt(entry.key),
                           end);
            }
            in_.seek(end, "the end of a grid");
            entries_.push_back(std::move(entry));
        }
    }

    /// The type of the values of a tree with nodes of the usual sizes, else all that the file says.
    static std::string typeOf(std::string_view text) {
        constexpr std::array<std::pair<std::string_view, const char*>, 4> kTypes = {
            {{"Tree_float_5_4_3", "float"},
             {"Tree_float_5_4_3_HalfFloat", "half"},
             {"Tree_vec3s_5_4_3", "vec3s"},
             {"Tree_vec3s_5_4_3_HalfFloat", "vec3h"}}};
        const auto* const known =
            std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& type) { return type.first == text; });
        return known != kTypes.end() ? known->second : std::string(text);
    }

    const GridEntry& parentOf(const GridEntry& entry) const {
        const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const GridEntry& other) {
            return other.key == entry.parent && other.parent.empty() && other.title.type == entry.title.type;
        });
        if (found == entries_.end()) {
            in_.refuse("found the grid '{}' with the tree of '{}', which is not there, expected a grid",
                       excerpt(entry.key), excerpt(entry.parent));
        }
        return *found;
    }

    /// What the file says of it, without its transform: that of a grid which is left alone may be of any type.
    std::string kindOf(const GridEntry& entry) {
        in_.seek(entry.position, "a grid");
        in_.read<std::uint32_t>("a grid's packing");
        return readMetadata(in_);
    }

    template <typename T>
    FileGridOf<T> readGrid(const GridTitle& title, const GridEntry& entry, const char* what) {
        const std::string place = fmt::format("{}: {} '{}'", in_.file(), what, excerpt(title.name));
        ByteReader in(bytes_, place);
        const GridHead head = readGridHead(in, entry);
        const GridHead treeHead = entry.parent.empty() ? head : readGridHead(in, parentOf(entry));
        FileGridOf<T> grid;
        grid.name = title.name;
        grid.isFog = isFog(title);
        grid.worldFromIndex = head.worldFromIndex;
        in.seek(treeHead.tree, "a tree");
        VdbTreeReader<T>(in, treeHead.packing, title.type == "half" || title.type == "vec3h").read(grid);
        return grid;
    }

    static GridHead readGridHead(ByteReader& in, const GridEntry& entry) {
        in.seek(entry.position, "a grid");
        GridHead head;
        head.packing = in.read<std::uint32_t>("a grid's packing");
        readMetadata(in);
        head.worldFromIndex = readTransform(in);
        head.tree = in.offset();
        return head;
    }

    static glm::dmat4 readTransform(ByteReader& in) {
        const std::string_view type = in.text("the type of a transform");
        glm::dmat4 matrix(1.0);
        const bool scales = type == "UniformScaleMap" || type == "ScaleMap";
        const bool both = type == "UniformScaleTranslateMap" || type == "ScaleTranslateMap";
        if (both || type == "TranslationMap") {
            matrix[3] = glm::dvec4(in.read<glm::dvec3>("a translation"), 1.0);
        }
        if (scales || both) {
            const auto scale = in.read<glm::dvec3>("a scale");
            for (int axis = 0; axis < 3; ++axis) {
                matrix[axis][axis] = scale[axis];
            }
            in.take(4 * sizeof(glm::dvec3), "a scale"); // what follows from it
        } else if (type == "AffineMap" || type == "UnitaryMap") {
            // Rows of a matrix that row vectors are multiplied with are columns of ours.
            matrix = in.read<glm::dmat4>("a matrix");
        } else if (type != "TranslationMap") {
            in.refuse("found a transform '{}', expected one by a matrix", excerpt(type));
        }
        return matrix;
    }

    std::span<const std::byte> bytes_;
    ByteReader in_;
    std::vector<GridEntry> entries_;
};

} // namespace

FileGrids readVdb(std::span<const std::byte> bytes, const std::string& name, const GridChoice& wanted) {
    return VdbReader(bytes, name).read(wanted);
}

} // namespace aureole::vdb
