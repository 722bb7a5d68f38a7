#include "import/octree_header.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>

#include "core/divide_up.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/input_file.h"
#include "settings/limits.h"

namespace aureole {

static_assert(std::endian::native == std::endian::little, "octree files are written as they are in memory");

namespace {

namespace fs = std::filesystem;

void checkMark(const fs::path& file, const OctreeFileHeader& header, std::uint64_t pageBytes) {
    if (pageBytes < sizeof(header.magic) || header.magic != kOctreeFileMagic) {
        fail(ExitCode::BadInput, "{}: not an octree file: its first bytes are not those of .avo", file.string());
    }
    if (pageBytes < kOctreeFilePage) {
        fail(ExitCode::BadInput, "{}: the file is cut off: found {} bytes, expected at least {}", file.string(),
             pageBytes, kOctreeFilePage);
    }
    if (header.endian != kOctreeFileEndian) {
        const char* const found = header.endian == 0x04030201 ? "big-endian numbers" : "a damaged endian mark";
        fail(ExitCode::BadInput, "{}: found {}, expected little-endian ones", file.string(), found);
    }
}

/// The checksum of a first page, whatever its version.
std::uint64_t pageChecksum(std::span<const std::byte> bytes) {
    std::array<std::byte, kOctreeFilePage> page{};
    std::copy_n(bytes.begin(), page.size(), page.begin());
    std::fill_n(page.begin() + offsetof(OctreeFileHeader, checksum), sizeof(OctreeFileHeader::checksum), std::byte{0});
    return checksum(page);
}

constexpr std::size_t kSectionsStart = offsetof(OctreeFileHeader, sections); // in every version that is read
constexpr std::size_t kSectionsOfVersion6 = 17;

/// An entry of the table of version 6, in which a reader had to know all sections.
struct SectionOfVersion6 {
    std::uint32_t kind = 0;
    std::uint32_t elementBytes = 0;
    std::uint64_t offset = 0;
    std::uint64_t count = 0;
    std::uint64_t checksum = 0;
};
static_assert(sizeof(SectionOfVersion6) == 32);

/// Replaces the table of a header that was read as one of the newest version.
void readSectionsOfVersion6(std::span<const std::byte> page, OctreeFileHeader& header) {
    std::array<SectionOfVersion6, kSectionsOfVersion6> sections{};
    std::memcpy(sections.data(), page.data() + kSectionsStart, sizeof(sections));
    header.sections = {};
    for (std::size_t i = 0; i < sections.size(); ++i) {
        const SectionOfVersion6& from = sections.at(i);
        header.sections.at(i) = {
            from.kind, kOctreeSectionRequired, from.elementBytes, 0, from.offset, from.count, from.checksum, {}};
    }
}

void checkGrid(const fs::path& file, const OctreeFileHeader& header) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (header.size[axis] < 1 || header.size[axis] > kMaximumResolution) {
            fail(ExitCode::BadInput, "{}: found a grid of {} x {} x {} voxels, expected sides from 1 to {}",
                 file.string(), header.size[0], header.size[1], header.size[2], kMaximumResolution);
        }
        if (!(std::abs(header.origin[axis]) <= kMaximumNumber)) {
            fail(ExitCode::BadInput, "{}: found the grid's origin at {}, {}, {}, expected numbers up to {}",
                 file.string(), header.origin[0], header.origin[1], header.origin[2], kMaximumNumber);
        }
    }
    if (!std::isnormal(header.voxelSize) || header.voxelSize < 0.0 || header.voxelSize > kMaximumNumber) {
        fail(ExitCode::BadInput, "{}: found voxels of {} m, expected a size above 0", file.string(), header.voxelSize);
    }
}

void checkSections(const fs::path& file, const OctreeFileHeader& header) {
    const std::size_t most = header.version == 6 ? kSectionsOfVersion6 : kOctreeFileSections;
    if (header.sectionCount > most) {
        fail(ExitCode::BadInput, "{}: found {} sections, expected at most {}", file.string(), header.sectionCount,
             most);
    }
    std::uint64_t next = kOctreeFilePage; // sections follow each other, so that they cannot overlap
    for (std::uint32_t i = 0; i < header.sectionCount; ++i) {
        const OctreeFileSection& section = header.sections[i];
        const bool fits = section.elementBytes > 0 && section.offset == next && section.offset <= header.fileBytes &&
                          section.count <= (header.fileBytes - section.offset) / section.elementBytes;
        if (!fits) {
            fail(ExitCode::BadInput, "{}: section {} of {} elements of {} bytes at byte {} does not fit the file",
                 file.string(), i, section.count, section.elementBytes, section.offset);
        }
        const std::uint64_t end = section.offset + section.count * section.elementBytes;
        next = roundUp(end, kOctreeFilePage);
    }
    if (next != header.fileBytes) {
        fail(ExitCode::BadInput, "{}: its sections end at byte {}, the file at byte {}", file.string(), next,
             header.fileBytes);
    }
}

} // namespace

std::uint64_t octreeHeaderChecksum(const OctreeFileHeader& header) {
    std::array<std::byte, kOctreeFilePage> page{};
    std::memcpy(page.data(), &header, sizeof(header));
    return pageChecksum(page);
}

const char* octreeSectionName(std::uint32_t kind) {
    constexpr std::array kNames = {
        "nodes",         "leaves",   "leaf offsets",  "leaf groups",      "attributes",     "palette",
        "material runs", "surfaces", "leaf averages", "node averages",    "leaf materials", "node materials",
        "metadata",      "DAG",      "slabs",         "corner distances", "materials"};
    constexpr auto kFirstOfLamps = static_cast<std::uint32_t>(OctreeSection::LampBoxes);
    constexpr std::array kLampNames = {"boxes of lamps", "facings of lamps", "slices of lamps", "rows of lamps"};
    if (kind == static_cast<std::uint32_t>(OctreeSection::Shape)) {
        return "attributes of a shape";
    }
    if (kind >= kFirstOfLamps && kind - kFirstOfLamps < kLampNames.size()) {
        return kLampNames.at(kind - kFirstOfLamps);
    }
    return kind >= 1 && kind <= kNames.size() ? kNames.at(kind - 1) : nullptr;
}

OctreeFileHeader checkOctreeHeader(const fs::path& file, std::span<const std::byte> page, std::uint64_t fileBytes) {
    OctreeFileHeader header;
    header.magic = {};
    std::copy_n(page.begin(), std::min(page.size(), sizeof(header)),
                std::as_writable_bytes(std::span(&header, 1)).begin());
    checkMark(file, header, page.size());
    if (header.version < kOctreeFileVersions.oldest) {
        checkFormatVersion(file.string(), header.version, kOctreeFileVersions);
    }
    if (header.fileBytes > fileBytes) {
        fail(ExitCode::BadInput, "{}: the file is cut off: found {} bytes, expected {}", file.string(), fileBytes,
             header.fileBytes);
    }
    // Before the version, as a damaged one may look like that of a newer program.
    if (header.checksum != pageChecksum(page)) {
        fail(ExitCode::BadInput, "{}: the file is damaged: its header's checksum does not fit", file.string());
    }
    checkFormatVersion(file.string(), header.version, kOctreeFileVersions);
    if (header.version == 6) {
        readSectionsOfVersion6(page, header);
    }
    if (header.fileBytes != fileBytes) {
        fail(ExitCode::BadInput, "{}: the file is damaged: found {} bytes, expected {}", file.string(), fileBytes,
             header.fileBytes);
    }
    checkGrid(file, header);
    checkSections(file, header);
    return header;
}

OctreeFileHeader readOctreeHeader(const fs::path& file) {
    std::error_code status;
    if (!fs::is_regular_file(file, status)) {
        fail(ExitCode::BadInput, "{}: {}", file.string(),
             fs::exists(file, status) ? "not a regular file" : whyNotFound(status));
    }
    const std::uintmax_t bytes = fs::file_size(file, status);
    std::array<std::byte, kOctreeFilePage> page{};
    std::ifstream stream(file, std::ios::binary);
    stream.read(reinterpret_cast<char*>(page.data()), page.size());
    if (status || stream.bad() || (stream.gcount() == 0 && bytes > 0)) {
        fail(ExitCode::BadInput, "{}: cannot be read: {}", file.string(), std::strerror(errno));
    }
    return checkOctreeHeader(file, std::span(page).first(static_cast<std::size_t>(stream.gcount())), bytes);
}

Bounds octreeBounds(const OctreeFileHeader& header) {
    const glm::dvec3 origin(header.origin[0], header.origin[1], header.origin[2]);
    Bounds bounds;
    bounds.add(origin);
    bounds.add(origin + header.voxelSize * glm::dvec3(header.size[0], header.size[1], header.size[2]));
    return bounds;
}

std::uint32_t largestLevel(const glm::uvec3& size) {
    return static_cast<std::uint32_t>(std::bit_width(std::max({size.x, size.y, size.z}) - 1U));
}

} // namespace aureole
