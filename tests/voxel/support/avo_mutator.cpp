#include "avo_mutator.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/hash.h"
#include "voxel/file/section_checksum.h"

namespace aureole::test {

namespace {

using Bytes = std::vector<std::byte>;
using Engine = std::mt19937_64;

std::uint64_t sectionChecksum(std::span<const std::byte> bytes) {
    SectionChecksum sum;
    for (std::size_t done = 0; done < bytes.size(); done += kChecksumPiece) {
        sum.add(checksum(bytes.subspan(done, std::min(kChecksumPiece, bytes.size() - done))));
    }
    return sum.value();
}

std::size_t below(Engine& random, std::size_t end) {
    return end == 0 ? 0 : random() % end;
}

/// Numbers at which code goes wrong, and ones near to what was there.
std::uint64_t interesting(Engine& random, std::uint64_t was) {
    constexpr std::array<std::uint64_t, 14> kNumbers = {
        0,          1,          2,           63,         64,         0x7fffffff,         0x80000000,
        0xffffffff, 0xfffffffe, 0x100000000, 0x3f800000, 0x7fc00000, 0x7fffffffffffffff, ~std::uint64_t{0}};
    switch (random() % 6) {
    case 0:
        return was + 1 - 2 * (random() & 1U);
    case 4:
        return was + random() % 256 - 128;
    case 1:
        return was ^ (std::uint64_t{1} << (random() & 63U));
    case 2:
        return random() >> (random() & 63U);
    case 3:
        return was * 2;
    default:
        return kNumbers.at(below(random, kNumbers.size()));
    }
}

/// Replaces a number of 4 or 8 bytes.
void replaceNumber(std::byte* place, std::size_t size, Engine& random) {
    std::uint64_t value = 0;
    std::memcpy(&value, place, size);
    value = interesting(random, value);
    std::memcpy(place, &value, size); // the low half: numbers are little-endian
}

void changeHeader(OctreeFileHeader& header, Engine& random) {
    const auto change = [&](auto& field) {
        replaceNumber(reinterpret_cast<std::byte*>(&field), sizeof(field), random);
    };
    switch (random() % 8) {
    case 0:
        change(header.levels);
        break;
    case 6:
        header.encoding = static_cast<std::uint32_t>(random() % 5);
        break;
    case 1:
        header.coverage = static_cast<std::uint32_t>(random() % 4);
        break;
    case 2:
        change(header.size[below(random, 3)]);
        break;
    case 3:
        change(header.origin[below(random, 3)]);
        break;
    case 4:
        change(header.voxelSize);
        break;
    case 5:
        change(header.voxels);
        break;
    default: // a grid of another depth
        header.levels = 2 + static_cast<std::uint32_t>(random() % 6);
        header.size[0] = 1U << (2 * header.levels);
        break;
    }
}

void changeContent(AvoParts::Section& section, Engine& random) {
    Bytes& bytes = section.bytes;
    const std::size_t count = bytes.size() / section.elementBytes;
    if (count == 0) {
        return;
    }
    const auto element = [&](std::size_t i) {
        return bytes.begin() + static_cast<std::ptrdiff_t>(i * section.elementBytes);
    };
    const std::size_t a = below(random, count);
    const std::size_t b = below(random, count);
    switch (random() % 4) {
    case 0:
        bytes[below(random, bytes.size())] ^= std::byte{1} << (random() & 7U);
        break;
    case 1:
        std::swap_ranges(element(a), element(a + 1), element(b));
        break;
    case 2:
        std::fill(element(std::min(a, b)), element(std::max(a, b)), random() % 2 == 0 ? std::byte{0} : std::byte{255});
        break;
    default: {
        const std::size_t size = section.elementBytes % 4 != 0 ? 1 : 4;
        replaceNumber(bytes.data() + below(random, bytes.size() / size) * size, size, random);
    }
    }
}

void changeLength(AvoParts::Section& section, Engine& random) {
    const std::size_t count = section.bytes.size() / section.elementBytes;
    const std::size_t step = random() % 2 == 0 ? 1 : 1 + below(random, count + 8);
    const std::size_t changed = random() % 2 == 0 ? count + step : count - std::min(step, count);
    const auto fill = static_cast<std::byte>(random() % 2 == 0 ? 0 : random() & 255U);
    section.bytes.resize(changed * section.elementBytes, fill);
}

void changeSections(AvoParts& parts, Engine& random) {
    std::vector<AvoParts::Section>& sections = parts.sections;
    if (sections.empty()) {
        return;
    }
    AvoParts::Section& a = sections[below(random, sections.size())];
    AvoParts::Section& b = sections[below(random, sections.size())];
    switch (random() % 7) {
    case 0:
        std::swap(a.kind, b.kind);
        break;
    case 1:
        std::swap(a, b); // another order: no harm
        break;
    case 2:
        std::swap(a.bytes, b.bytes);
        a.bytes.resize(a.bytes.size() / a.elementBytes * a.elementBytes);
        b.bytes.resize(b.bytes.size() / b.elementBytes * b.elementBytes);
        break;
    case 3:
        a.kind = static_cast<std::uint32_t>(interesting(random, a.kind));
        break;
    case 4:
        if (sections.size() < kOctreeFileSections) {
            sections.emplace_back(a);
        }
        break;
    case 5: // one that may be passed over, where its number is new
        a.kind = static_cast<std::uint32_t>(18 + below(random, 100));
        a.flags = static_cast<std::uint32_t>(random() % 2);
        break;
    default:
        sections.erase(sections.begin() + static_cast<std::ptrdiff_t>(below(random, sections.size())));
        break;
    }
}

/// Changes what putTogether makes right: the table of sections itself, and the file's length.
void changeLayout(Bytes& file, Engine& random) {
    OctreeFileHeader header;
    std::memcpy(&header, file.data(), sizeof(header));
    OctreeFileSection& section = header.sections[below(random, kOctreeFileSections)];
    const auto change = [&](auto& field) {
        replaceNumber(reinterpret_cast<std::byte*>(&field), sizeof(field), random);
    };
    switch (random() % 7) {
    case 0:
        change(section.count);
        break;
    case 1:
        change(section.offset);
        break;
    case 2:
        change(section.elementBytes);
        break;
    case 3:
        change(header.sectionCount);
        break;
    case 4:
        change(header.fileBytes);
        break;
    case 5:
        file.resize(sizeof(header) + below(random, 2 * file.size()));
        header.fileBytes = file.size();
        break;
    default:
        std::swap(section, header.sections[below(random, kOctreeFileSections)]);
        break;
    }
    std::memcpy(file.data(), &header, sizeof(header));
}

} // namespace

AvoParts takeApart(const Bytes& file) {
    AvoParts parts;
    std::memcpy(&parts.header, file.data(), sizeof(parts.header));
    for (std::size_t i = 0; i < parts.header.sectionCount; ++i) {
        const OctreeFileSection& section = parts.header.sections[i];
        const auto first = file.begin() + static_cast<std::ptrdiff_t>(section.offset);
        parts.sections.push_back({section.kind,
                                  section.flags,
                                  section.elementBytes,
                                  {first, first + static_cast<std::ptrdiff_t>(section.count * section.elementBytes)},
                                  {section.name.data(), strnlen(section.name.data(), section.name.size())}});
    }
    return parts;
}

Bytes putTogether(const AvoParts& parts) {
    Bytes file(kOctreeFilePage);
    OctreeFileHeader header = parts.header;
    header.sections = {};
    header.sectionCount = 0;
    for (const AvoParts::Section& section : parts.sections) {
        OctreeFileSection& entry = header.sections[header.sectionCount++];
        entry.kind = section.kind;
        entry.flags = section.flags;
        entry.elementBytes = section.elementBytes;
        entry.offset = file.size();
        entry.count = section.bytes.size() / section.elementBytes;
        std::copy_n(section.name.begin(), std::min(section.name.size(), entry.name.size()), entry.name.begin());
        file.insert(file.end(), section.bytes.begin(), section.bytes.end());
        file.resize((file.size() + kOctreeFilePage - 1) / kOctreeFilePage * kOctreeFilePage);
    }
    header.fileBytes = file.size();
    std::memcpy(file.data(), &header, sizeof(header));
    seal(file);
    return file;
}

void seal(Bytes& file) {
    if (file.size() < kOctreeFilePage) {
        return;
    }
    OctreeFileHeader header;
    std::memcpy(&header, file.data(), sizeof(header));
    for (OctreeFileSection& section : header.sections) {
        if (section.elementBytes != 0 && section.offset <= file.size() &&
            section.count <= (file.size() - section.offset) / section.elementBytes) {
            section.checksum =
                sectionChecksum(std::span(file).subspan(section.offset, section.count * section.elementBytes));
        }
    }
    header.checksum = octreeHeaderChecksum(header);
    std::memcpy(file.data(), &header, sizeof(header));
}

Bytes mutated(const AvoParts& whole, Engine& random) {
    AvoParts parts = whole;
    bool layout = false;
    for (std::size_t faults = 1 + below(random, 3); faults > 0; --faults) {
        const std::size_t kind = below(random, 20);
        AvoParts::Section* const section =
            parts.sections.empty() ? nullptr : &parts.sections[below(random, parts.sections.size())];
        if (kind < 2) {
            changeHeader(parts.header, random);
        } else if (kind < 4) {
            layout = true;
        } else if (kind < 6) {
            changeSections(parts, random);
        } else if (section != nullptr && kind < 9) {
            changeLength(*section, random);
        } else if (section != nullptr) {
            changeContent(*section, random);
        }
    }
    Bytes file = putTogether(parts);
    if (layout) {
        changeLayout(file, random);
        seal(file);
    }
    return file;
}

} // namespace aureole::test
