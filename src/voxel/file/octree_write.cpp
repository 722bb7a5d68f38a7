#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/divide_up.h"
#include "core/error.h"
#include "core/file.h"
#include "core/hash.h"
#include "core/interrupt.h"
#include "core/progress.h"
#include "core/threads/beside.h"
#include "voxel/file/octree_file.h"
#include "voxel/file/section_checksum.h"

namespace aureole {

namespace {

namespace fs = std::filesystem;

std::uint64_t paddedSize(std::uint64_t bytes) {
    return roundUp(bytes, kOctreeFilePage);
}

/// A new file that is written from front to back.
class OutputFile {
public:
    explicit OutputFile(const fs::path& path)
        : path_(path)
        , file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) { // NOLINT(*-vararg)
        if (file_ < 0) {
            failWrite();
        }
    }
    ~OutputFile() { ::close(file_); }
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    void write(std::span<const std::byte> bytes) {
        while (!bytes.empty()) {
            const ssize_t written = ::write(file_, bytes.data(), bytes.size());
            if (written < 0 && errno == EINTR) {
                continue;
            }
            if (written <= 0) {
                failWrite();
            }
            bytes = bytes.subspan(static_cast<std::size_t>(written));
        }
    }
    void rewriteStart(std::span<const std::byte> bytes) {
        if (::lseek(file_, 0, SEEK_SET) != 0) {
            failWrite();
        }
        write(bytes);
    }

private:
    [[noreturn]] void failWrite() const {
        fail(ExitCode::CannotWrite, "{}: cannot be written: {}", path_.string(), std::strerror(errno));
    }

    fs::path path_;
    int file_;
};

class OctreeWriter {
public:
    OctreeWriter(const fs::path& path, const Octree& octree, bool shown)
        : out_(path) {
        if (shown) {
            progress_.emplace("writing", octree.bytes());
        }
        header_.levels = octree.levels;
        header_.coverage = static_cast<std::uint32_t>(octree.coverage);
        header_.encoding = static_cast<std::uint32_t>(octree.encodingKind());
        for (int axis = 0; axis < 3; ++axis) {
            header_.size[static_cast<std::size_t>(axis)] = octree.grid.size[axis];
            header_.origin[static_cast<std::size_t>(axis)] = octree.grid.origin[axis];
        }
        header_.voxelSize = octree.grid.voxelSize;
        header_.voxels = octree.voxelCount();
        out_.write(std::array<std::byte, kOctreeFilePage>{});
    }

    /// Adds a section, unless it is empty. Readers have to know it where `flags` say so.
    template <typename T>
    void add(OctreeSection kind, const Array<T>& values, std::uint32_t flags = kOctreeSectionRequired) {
        if (values.empty()) {
            return;
        }
        OctreeFileSection& section = header_.sections.at(header_.sectionCount++);
        section.kind = static_cast<std::uint32_t>(kind);
        section.flags = flags;
        const std::string_view name = octreeSectionName(section.kind);
        std::copy(name.begin(), name.end(), section.name.begin());
        section.elementBytes = sizeof(T);
        section.offset = fileBytes_;
        section.count = values.size();
        section.checksum = write(std::as_bytes(std::span<const T>(values)), values.isFile());
    }

    void finish() {
        header_.fileBytes = fileBytes_;
        header_.checksum = octreeHeaderChecksum(header_);
        out_.rewriteStart(std::as_bytes(std::span(&header_, 1)));
    }

private:
    /// Writes and pads; returns the checksum. Pages of a mapped file are let go once they are written.
    std::uint64_t write(std::span<const std::byte> bytes, bool isFile) {
        SectionChecksum sum;
        for (std::size_t done = 0; done < bytes.size(); done += kWrittenAtOnce) {
            if (interruptRequested()) {
                fail(ExitCode::Interrupted, "interrupted: nothing was written");
            }
            const auto part = bytes.subspan(done, std::min(kWrittenAtOnce, bytes.size() - done));
            addChecksums(part, sum);
            out_.write(part);
            written_ += part.size();
            if (progress_) {
                progress_->update(written_);
            }
            if (isFile) {
                ::madvise(const_cast<std::byte*>(part.data()), part.size(), MADV_DONTNEED);
            }
        }
        const std::array<std::byte, kOctreeFilePage> zeros{};
        const auto padding = std::span(zeros).first(paddedSize(bytes.size()) - bytes.size());
        out_.write(padding);
        fileBytes_ += bytes.size() + padding.size();
        return sum.value();
    }

    /// Those of pieces, which several cores find: the writing itself is one core's.
    static void addChecksums(std::span<const std::byte> bytes, SectionChecksum& sum) {
        std::vector<std::uint64_t> sums(divideUp(bytes.size(), kChecksumPiece));
        forEachBeside(sums.size(), [&](std::size_t i) {
            const std::size_t first = i * kChecksumPiece;
            sums[i] = checksum(bytes.subspan(first, std::min(kChecksumPiece, bytes.size() - first)));
        });
        for (const std::uint64_t piece : sums) {
            sum.add(piece);
        }
    }

    static constexpr std::size_t kWrittenAtOnce = 16 * kChecksumPiece;

    OutputFile out_;
    std::optional<Progress> progress_;
    OctreeFileHeader header_;
    std::uint64_t fileBytes_ = kOctreeFilePage;
    std::uint64_t written_ = 0;
};

void addEncoding(OctreeWriter& writer, const TreeEncoding& tree) {
    writer.add(OctreeSection::Nodes, tree.nodes);
    writer.add(OctreeSection::Leaves, tree.leaves);
    writer.add(OctreeSection::Surfaces, tree.surfaces);
    writer.add(OctreeSection::LeafOffsets, tree.leafOffsets);
    writer.add(OctreeSection::LeafGroups, tree.leafGroups);
}

void addEncoding(OctreeWriter& writer, const DagEncoding& dag) {
    writer.add(OctreeSection::Leaves, dag.masks);
    writer.add(OctreeSection::Surfaces, dag.surfaces);
    writer.add(OctreeSection::Dag, dag.words);
}

void addEncoding(OctreeWriter& writer, const PlanesEncoding& planes) {
    writer.add(OctreeSection::Nodes, planes.nodes);
    writer.add(OctreeSection::Slabs, planes.slabs);
}

void addEncoding(OctreeWriter& writer, const FieldEncoding& field) {
    addEncoding(writer, field.tree);
    writer.add(OctreeSection::Distances, field.distances);
}

std::string metadataText(const Octree& octree) {
    std::string text;
    for (const auto& [key, value] : octree.metadata) {
        text += key + '=';
        std::transform(value.begin(), value.end(), std::back_inserter(text),
                       [](char c) { return c == '\n' ? ' ' : c; });
        text += '\n';
    }
    return text;
}

void addLamps(OctreeWriter& writer, const EmitterArrays& lamps) {
    writer.add(OctreeSection::LampBoxes, lamps.boxes, 0);
    writer.add(OctreeSection::LampFacings, lamps.facings, 0);
    writer.add(OctreeSection::LampSlices, lamps.slices, 0);
    writer.add(OctreeSection::LampRows, lamps.rows, 0);
}

void writeTo(const fs::path& temporary, const Octree& octree, const ComingLamps& lamps, bool shown) {
    const std::string text = metadataText(octree);
    OctreeWriter writer(temporary, octree, shown);
    std::visit([&](const auto& encoding) { addEncoding(writer, encoding); }, octree.encoding);
    writer.add(octree.isShape ? OctreeSection::Shape : OctreeSection::Attributes, octree.attributes);
    writer.add(OctreeSection::LeafAverages, octree.leafAverages);
    writer.add(OctreeSection::NodeAverages, octree.nodeAverages);
    writer.add(OctreeSection::LeafMaterials, octree.leafMaterials);
    writer.add(OctreeSection::NodeMaterials, octree.nodeMaterials);
    writer.add(OctreeSection::Palette, octree.palette);
    writer.add(OctreeSection::MaterialRuns, octree.materialRuns);
    writer.add(OctreeSection::Materials, octree.materials);
    if (octree.lamps) {
        addLamps(writer, *octree.lamps);
    } else if (lamps.valid()) {
        addLamps(writer, lamps.get()); // which waits for them
    }
    writer.add(OctreeSection::Metadata, Array<char>(std::vector<char>(text.begin(), text.end())));
    writer.finish();
}

} // namespace

void writeOctree(const fs::path& file, const Octree& octree) {
    writeFileAtomically(file, [&](const fs::path& temporary) { writeTo(temporary, octree, {}, true); });
}

void writeCachedOctree(const fs::path& file, const Octree& octree, const ComingLamps& lamps) {
    writeFileAtomically(
        file, [&](const fs::path& temporary) { writeTo(temporary, octree, lamps, false); }, FileSync::No);
}

} // namespace aureole
