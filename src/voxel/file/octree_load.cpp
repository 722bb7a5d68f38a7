#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/extension.h"
#include "core/hash.h"
#include "core/interrupt.h"
#include "core/parallel.h"
#include "voxel/file/octree_file.h"
#include "voxel/file/section_checksum.h"
#include "voxel/tree/octree_check.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

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

/// By their kind, from 1.
constexpr std::array<const char*, 17> kSectionNames = {
    "nodes",         "leaves",   "leaf offsets",  "leaf groups",      "attributes",     "palette",
    "material runs", "surfaces", "leaf averages", "node averages",    "leaf materials", "node materials",
    "metadata",      "DAG",      "slabs",         "corner distances", "materials"};

constexpr std::size_t kTreeSections = 14; ///< those of every file

const char* sectionName(std::uint32_t kind) {
    return kind >= 1 && kind <= kSectionNames.size() ? kSectionNames[kind - 1] : "unknown section";
}

class OctreeLoader {
public:
    explicit OctreeLoader(const fs::path& path)
        : path_(path)
        , file_(std::make_shared<MappedFile>(path))
        , header_(checkOctreeHeader(path, file_->bytes().first(std::min(file_->bytes().size(), kOctreeFilePage)),
                                    file_->bytes().size())) {}

    Octree load() {
        for (std::uint32_t i = 0; i < header_.sectionCount; ++i) {
            checkSection(header_.sections[i]);
        }
        Octree octree = shape();
        const std::size_t sections = kTreeSections + (octree.encoding == OctreeEncoding::Tree ? 0 : 1);
        if (header_.sectionCount != sections) {
            fail(ExitCode::BadInput, "{}: found {} sections, expected {}", path_.string(), header_.sectionCount,
                 sections);
        }
        readArrays(octree);
        readMetadata(octree, section<char>(OctreeSection::Metadata));
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
        octree.encoding = static_cast<OctreeEncoding>(header_.encoding);
        return octree;
    }

    void readArrays(Octree& octree) {
        octree.nodes = section<shared::OctreeNode>(OctreeSection::Nodes);
        octree.leaves = section<shared::uvec2>(OctreeSection::Leaves);
        octree.surfaces = section<shared::uvec2>(OctreeSection::Surfaces);
        octree.leafOffsets = section<std::uint32_t>(OctreeSection::LeafOffsets);
        octree.leafGroups = section<std::uint64_t>(OctreeSection::LeafGroups);
        if (octree.encoding == OctreeEncoding::Dag) {
            octree.dag = section<std::uint32_t>(OctreeSection::Dag);
        }
        octree.attributes = section<shared::VoxelAttributes>(OctreeSection::Attributes);
        if (octree.encoding == OctreeEncoding::Planes) {
            octree.slabs = section<shared::SurfaceSlab>(OctreeSection::Slabs);
        }
        if (octree.encoding == OctreeEncoding::Field) {
            octree.distances = section<shared::CornerDistances>(OctreeSection::Distances);
        }
        octree.leafAverages = section<shared::VoxelAttributes>(OctreeSection::LeafAverages);
        octree.nodeAverages = section<shared::VoxelAttributes>(OctreeSection::NodeAverages);
        octree.leafMaterials = section<AverageMaterial>(OctreeSection::LeafMaterials);
        octree.nodeMaterials = section<AverageMaterial>(OctreeSection::NodeMaterials);
        octree.palette = section<shared::VoxelMaterial>(OctreeSection::Palette);
        octree.materialRuns = section<shared::MaterialRun>(OctreeSection::MaterialRuns);
        octree.materials = section<OctreeMaterial>(OctreeSection::Materials);
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
                 sectionName(section.kind));
        }
    }

    /// The section of a kind, of which there must be one.
    template <typename T>
    Array<T> section(OctreeSection kind) {
        const OctreeFileSection* found = nullptr;
        int count = 0;
        for (std::uint32_t i = 0; i < header_.sectionCount; ++i) {
            if (header_.sections[i].kind == static_cast<std::uint32_t>(kind)) {
                found = &header_.sections[i];
                ++count;
            }
        }
        if (count != 1 || found->elementBytes != sizeof(T)) {
            fail(ExitCode::BadInput, "{}: found {} sections of {} with {} bytes each, expected one with {}",
                 path_.string(), count, sectionName(static_cast<std::uint32_t>(kind)),
                 found != nullptr ? found->elementBytes : 0, sizeof(T));
        }
        // Sections start on pages, so alignment is right.
        return Array<T>({reinterpret_cast<T*>(file_->bytes().data() + found->offset), found->count}, file_);
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
};

} // namespace

bool isOctreeFile(const fs::path& file) {
    return lowerExtension(file) == ".avo";
}

Octree loadOctree(const fs::path& file) {
    return OctreeLoader(file).load();
}

} // namespace aureole
