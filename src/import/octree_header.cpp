#include "import/octree_header.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>

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
    if (header.version != kOctreeFileVersion) {
        fail(ExitCode::BadInput, "{}: found version {} of the octree format, expected {}{}", file.string(),
             header.version, kOctreeFileVersion,
             header.version > kOctreeFileVersion ? "; a newer aureole may read it"
                                                 : "; make the octree anew with 'aureole voxelize'");
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
    if (header.sectionCount > kOctreeFileSections) {
        fail(ExitCode::BadInput, "{}: found {} sections, expected at most {}", file.string(), header.sectionCount,
             kOctreeFileSections);
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
        next = (end + kOctreeFilePage - 1) / kOctreeFilePage * kOctreeFilePage;
    }
    if (next != header.fileBytes) {
        fail(ExitCode::BadInput, "{}: its sections end at byte {}, the file at byte {}", file.string(), next,
             header.fileBytes);
    }
}

} // namespace

std::uint64_t octreeHeaderChecksum(OctreeFileHeader header) {
    header.checksum = 0;
    std::array<std::byte, kOctreeFilePage> page{};
    std::memcpy(page.data(), &header, sizeof(header));
    return checksum(page);
}

OctreeFileHeader checkOctreeHeader(const fs::path& file, std::span<const std::byte> page, std::uint64_t fileBytes) {
    OctreeFileHeader header;
    header.magic = {};
    std::copy_n(page.begin(), std::min(page.size(), sizeof(header)),
                std::as_writable_bytes(std::span(&header, 1)).begin());
    checkMark(file, header, page.size());
    if (header.fileBytes > fileBytes) {
        fail(ExitCode::BadInput, "{}: the file is cut off: found {} bytes, expected {}", file.string(), fileBytes,
             header.fileBytes);
    }
    const auto rest = page.subspan(sizeof(header), kOctreeFilePage - sizeof(header));
    const bool clean = std::all_of(rest.begin(), rest.end(), [](std::byte byte) { return byte == std::byte{0}; });
    if (!clean || header.checksum != octreeHeaderChecksum(header)) {
        fail(ExitCode::BadInput, "{}: the file is damaged: its header's checksum does not fit", file.string());
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
