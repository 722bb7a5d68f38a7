#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/extension.h"
#include "core/hash.h"
#include "core/interrupt.h"
#include "core/printable.h"
#include "core/threads/parallel.h"
#include "core/trace.h"
#include "voxel/file/octree_file.h"
#include "voxel/file/section_checksum.h"
#include "voxel/tree/octree_check.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

/// The bytes of a material in the first files that had them: up to MaterialConstants::rough.
constexpr std::size_t kOldestMaterialBytes = 28;

/// A file in memory. Private: what is changed stays in memory.
class MappedFile {
public:
    explicit MappedFile(const fs::path& path) {
        // Of a pipe, opening would wait for a writer; on regular files the flag does nothing.
        const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); // NOLINT(*-vararg)
        struct stat status {};
        if (file < 0 || ::fstat(file, &status) != 0) {
            failRead(path, file);
        }
        if (!S_ISREG(status.st_mode)) {
            ::close(file);
            fail(ExitCode::BadInput, "{}: not a regular file", path.string());
        }
        const auto size = static_cast<std::size_t>(status.st_size);
        void* memory = nullptr;
        if (size > 0) {
            memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, file, 0);
            if (memory == MAP_FAILED) {
                failRead(path, file);
            }
        }
        ::close(file);
        bytes_ = {static_cast<std::byte*>(memory), size};
    }
    ~MappedFile() {
        if (!bytes_.empty()) {
            ::munmap(bytes_.data(), bytes_.size());
        }
    }
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<std::byte> bytes() const { return bytes_; }

private:
    [[noreturn]] static void failRead(const fs::path& path, int file) {
        const int code = errno;
        if (file >= 0) {
            ::close(file);
        }
        fail(ExitCode::BadInput, "{}: cannot be read: {}", path.string(), std::strerror(code));
    }

    std::span<std::byte> bytes_;
};

/// A section's name as this program has it, else as the file has it, else its number.
std::string nameOf(const OctreeFileSection& section) {
    if (const char* const known = octreeSectionName(section.kind)) {
        return known;
    }
    const auto* const end = std::find(section.name.begin(), section.name.end(), '\0');
    return fmt::format("'{}' (number {})", printable(std::string(section.name.begin(), end)), section.kind);
}

class OctreeLoader {
public:
    explicit OctreeLoader(const fs::path& path)
        : path_(path)
        , file_(std::make_shared<MappedFile>(path))
        , header_(checkOctreeHeader(path, file_->bytes().first(std::min(file_->bytes().size(), kOctreeFilePage)),
                                    file_->bytes().size())) {}

    Octree load() {
        std::optional<TraceSpan> span(std::in_place, "checksums");
        for (const OctreeFileSection& section : sections()) {
            checkSection(section);
        }
        span.emplace("check octree");
        checkKnown();
        Octree octree = shape();
        readEncoding(octree);
        readArrays(octree);
        readMetadata(octree, section<char>(OctreeSection::Metadata));
        checkAllRead();
        octree.voxels = header_.voxels;
        checkOctree(path_, octree);
        return octree;
    }

private:
    /// An octree without its arrays.
    Octree shape() const {
        Octree octree;
        octree.levels = header_.levels;
        octree.grid.voxelSize = header_.voxelSize;
        for (int axis = 0; axis < 3; ++axis) {
            octree.grid.size[axis] = header_.size[static_cast<std::size_t>(axis)];
            octree.grid.origin[axis] = header_.origin[static_cast<std::size_t>(axis)];
        }
        if (header_.coverage >= coverageNames().size()) {
            fail(ExitCode::BadInput, "{}: found coverage {}, expected less than {}", path_.string(), header_.coverage,
                 coverageNames().size());
        }
        if (header_.encoding >= encodingNames().size()) {
            fail(ExitCode::BadInput, "{}: found encoding {}, expected less than {}", path_.string(), header_.encoding,
                 encodingNames().size());
        }
        octree.coverage = static_cast<Coverage>(header_.coverage);
        return octree;
    }

    std::span<const OctreeFileSection> sections() const {
        return std::span(header_.sections).first(header_.sectionCount);
    }

    /// A section that is new may be one without which the rest means something else.
    void checkKnown() const {
        for (const OctreeFileSection& section : sections()) {
            if (octreeSectionName(section.kind) == nullptr && (section.flags & kOctreeSectionRequired) != 0) {
                fail(ExitCode::BadInput,
                     "{}: found section {}, which this aureole does not know and the file cannot be read without; a "
                     "newer one may read it",
                     path_.string(), nameOf(section));
            }
        }
    }

    /// Whatever else this program knows is not of the file's encoding. Version 6 had such sections, without elements.
    void checkAllRead() const {
        for (const OctreeFileSection& section : sections()) {
            if (octreeSectionName(section.kind) != nullptr && !read_.contains(section.kind) && section.count > 0) {
                fail(ExitCode::BadInput, "{}: found {} elements of {}, expected none with the encoding '{}'",
                     path_.string(), section.count, nameOf(section), encodingNames()[header_.encoding]);
            }
        }
    }

    TreeEncoding readTree() {
        TreeEncoding tree;
        tree.nodes = section<shared::OctreeNode>(OctreeSection::Nodes);
        tree.leaves = section<shared::uvec2>(OctreeSection::Leaves);
        tree.surfaces = section<shared::uvec2>(OctreeSection::Surfaces);
        tree.leafOffsets = section<std::uint32_t>(OctreeSection::LeafOffsets);
        tree.leafGroups = section<std::uint64_t>(OctreeSection::LeafGroups);
        return tree;
    }

    void readEncoding(Octree& octree) {
        switch (static_cast<OctreeEncoding>(header_.encoding)) {
        case OctreeEncoding::Tree:
            octree.encoding = readTree();
            break;
        case OctreeEncoding::Dag:
            octree.encoding = DagEncoding{section<shared::uvec2>(OctreeSection::Leaves),
                                          section<shared::uvec2>(OctreeSection::Surfaces),
                                          section<std::uint32_t>(OctreeSection::Dag)};
            break;
        case OctreeEncoding::Planes:
            octree.encoding = PlanesEncoding{section<shared::OctreeNode>(OctreeSection::Nodes),
                                             section<shared::SurfaceSlab>(OctreeSection::Slabs)};
            break;
        case OctreeEncoding::Field:
            octree.encoding = FieldEncoding{readTree(), section<shared::CornerDistances>(OctreeSection::Distances)};
            break;
        }
    }

    void readArrays(Octree& octree) {
        octree.attributes = section<shared::VoxelAttributes>(OctreeSection::Shape);
        octree.isShape = !octree.attributes.empty();
        if (!octree.isShape) {
            octree.attributes = section<shared::VoxelAttributes>(OctreeSection::Attributes);
        }
        octree.leafAverages = section<shared::VoxelAttributes>(OctreeSection::LeafAverages);
        octree.nodeAverages = section<shared::VoxelAttributes>(OctreeSection::NodeAverages);
        octree.leafMaterials = section<AverageMaterial>(OctreeSection::LeafMaterials);
        octree.nodeMaterials = section<AverageMaterial>(OctreeSection::NodeMaterials);
        octree.palette = section<shared::VoxelMaterial>(OctreeSection::Palette);
        octree.materialRuns = section<shared::MaterialRun>(OctreeSection::MaterialRuns);
        octree.materials = materials();
        EmitterArrays lamps;
        lamps.boxes = section<shared::EmitterBox>(OctreeSection::LampBoxes);
        lamps.facings = section<glm::vec3>(OctreeSection::LampFacings);
        lamps.slices = section<std::uint32_t>(OctreeSection::LampSlices);
        lamps.rows = section<shared::EmitterRow>(OctreeSection::LampRows);
        if (lamps.bytes() > 0) {
            octree.lamps = std::move(lamps);
        }
    }

    void checkSection(const OctreeFileSection& section) const {
        const std::uint64_t size = section.count * section.elementBytes;
        const std::span<const std::byte> bytes = file_->bytes().subspan(section.offset, size);
        std::vector<std::uint64_t> sums((size + kChecksumPiece - 1) / kChecksumPiece);
        parallelFor(static_cast<std::int64_t>(sums.size()), 1, [&](std::int64_t i) {
            if (interruptRequested()) {
                fail(ExitCode::Interrupted, "interrupted while {} was read", path_.string());
            }
            const std::size_t first = static_cast<std::size_t>(i) * kChecksumPiece;
            sums[static_cast<std::size_t>(i)] = checksum(bytes.subspan(first, std::min(kChecksumPiece, size - first)));
        });
        SectionChecksum whole;
        for (const std::uint64_t sum : sums) {
            whole.add(sum);
        }
        const std::uint64_t end = section.offset + size;
        const auto padding = file_->bytes().subspan(end, (kOctreeFilePage - end % kOctreeFilePage) % kOctreeFilePage);
        const bool clean =
            std::all_of(padding.begin(), padding.end(), [](std::byte byte) { return byte == std::byte{0}; });
        if (!clean || whole.value() != section.checksum) {
            fail(ExitCode::BadInput, "{}: the file is damaged: the checksum of its {} does not fit", path_.string(),
                 nameOf(section));
        }
    }

    /// The section of a kind; nothing where the file has none, as those without an element are left out.
    template <typename T>
    Array<T> section(OctreeSection kind) {
        const OctreeFileSection* const found = find(kind, sizeof(T), sizeof(T));
        if (found == nullptr) {
            return {};
        }
        // Sections start on pages, so alignment is right.
        return Array<T>({reinterpret_cast<T*>(file_->bytes().data() + found->offset), found->count}, file_);
    }

    /// Elements that lack the last members are of a version before those.
    Array<MaterialConstants> materials() {
        const OctreeFileSection* const found =
            find(OctreeSection::Materials, kOldestMaterialBytes, sizeof(MaterialConstants));
        if (found == nullptr) {
            return {};
        }
        std::vector<MaterialConstants> read(found->count);
        for (std::size_t i = 0; i < read.size(); ++i) {
            std::memcpy(&read[i], file_->bytes().data() + found->offset + i * found->elementBytes, found->elementBytes);
        }
        return Array<MaterialConstants>(std::move(read));
    }

    /// The section of a kind, whose elements have so many bytes; null where there is none.
    const OctreeFileSection* find(OctreeSection kind, std::size_t least, std::size_t most) {
        const auto number = static_cast<std::uint32_t>(kind);
        read_.insert(number);
        const OctreeFileSection* found = nullptr;
        for (const OctreeFileSection& section : sections()) {
            if (section.kind != number) {
                continue;
            }
            if (found != nullptr || section.elementBytes < least || section.elementBytes > most) {
                fail(ExitCode::BadInput, "{}: found {} of {} with {} bytes each, expected one with {}", path_.string(),
                     found != nullptr ? "more sections than one" : "a section", nameOf(section), section.elementBytes,
                     most);
            }
            found = &section;
        }
        return found;
    }

    static void readMetadata(Octree& octree, const Array<char>& text) {
        std::string_view rest(text.data(), text.size());
        while (!rest.empty()) {
            const std::string_view line = rest.substr(0, rest.find('\n'));
            const std::size_t equals = std::min(line.find('='), line.size());
            octree.metadata[std::string(line.substr(0, equals))] = line.substr(std::min(equals + 1, line.size()));
            rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        }
    }

    fs::path path_;
    std::shared_ptr<MappedFile> file_;
    OctreeFileHeader header_;
    std::set<std::uint32_t> read_; ///< the kinds of sections that were asked for
};

} // namespace

bool isOctreeFile(const fs::path& file) {
    return lowerExtension(file) == ".avo";
}

Octree loadOctree(const fs::path& file) {
    return OctreeLoader(file).load();
}

} // namespace aureole
