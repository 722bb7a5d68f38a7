#include "zip_file.h"

#include <cstdint>
#include <stdexcept>

#include <zlib.h>

#include "import_files.h"

namespace aureole::test {

namespace {

std::string deflated(const std::string& content) {
    z_stream stream{};
    if (deflateInit2(&stream, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) != Z_OK) {
        throw std::runtime_error("zlib cannot start");
    }
    std::string packed(deflateBound(&stream, content.size()), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
    stream.avail_in = static_cast<uInt>(content.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    if (deflate(&stream, Z_FINISH) != Z_STREAM_END) {
        throw std::runtime_error("zlib does not end");
    }
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

/// What the two headers of a file have in common: from the version needed to the length of the extra field.
std::string commonHeader(const std::string& name, const std::string& content, const std::string& packed) {
    constexpr std::uint16_t kDeflate = 8;
    std::string bytes;
    for (const std::uint16_t value : {std::uint16_t{20}, std::uint16_t{0}, kDeflate, std::uint16_t{0},
                                      std::uint16_t{0x21}}) { // version, flags, method, time, date
        append(bytes, value);
    }
    append(bytes, static_cast<std::uint32_t>(
                      crc32(0, reinterpret_cast<const Bytef*>(content.data()), static_cast<uInt>(content.size()))));
    append(bytes, static_cast<std::uint32_t>(packed.size()));
    append(bytes, static_cast<std::uint32_t>(content.size()));
    append(bytes, static_cast<std::uint16_t>(name.size()));
    append(bytes, std::uint16_t{0});
    return bytes;
}

} // namespace

std::string makeZip(const std::vector<std::pair<std::string, std::string>>& files) {
    using namespace std::string_literals;
    std::string archive;
    std::string directory;
    for (const auto& [name, content] : files) {
        const std::string packed = deflated(content);
        const std::string common = commonHeader(name, content, packed);
        directory += "PK\1\2\x14\0"s + common + std::string(10, '\0');
        append(directory, static_cast<std::uint32_t>(archive.size()));
        directory += name;
        archive += "PK\3\4" + common + name + packed;
    }
    const auto start = static_cast<std::uint32_t>(archive.size());
    archive += directory + "PK\5\6" + std::string(4, '\0');
    append(archive, static_cast<std::uint16_t>(files.size()));
    append(archive, static_cast<std::uint16_t>(files.size()));
    append(archive, static_cast<std::uint32_t>(directory.size()));
    append(archive, start);
    append(archive, std::uint16_t{0});
    return archive;
}

std::string model3mf(const std::string& resources, const std::string& items, const std::string& unit) {
    return R"(<?xml version="1.0"?><model unit=")" + unit +
           R"(" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02" )"
           R"(xmlns:m="http://schemas.microsoft.com/3dmanufacturing/material/2015/02" )"
           R"(xmlns:p="http://schemas.microsoft.com/3dmanufacturing/production/2015/06"><resources>)" +
           resources + "</resources><build>" + items + "</build></model>";
}

std::string package3mf(const std::string& model, const std::vector<std::pair<std::string, std::string>>& files) {
    std::vector<std::pair<std::string, std::string>> all = {
        {"_rels/.rels", R"(<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/)"
                        R"(relationships"><Relationship Target="/3D/3dmodel.model" Id="r" Type="http://schemas.)"
                        R"(microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>)"},
        {"3D/3dmodel.model", model}};
    all.insert(all.end(), files.begin(), files.end());
    return makeZip(all);
}

std::string make3mf(const std::string& resources, const std::vector<std::pair<std::string, std::string>>& files) {
    return package3mf(model3mf(resources), files);
}

std::string tetrahedron3mf(const std::string& attributes) {
    return R"(<object id="1" type="model" )" + attributes +
           R"(><mesh><vertices><vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/><vertex x="0" y="1" z="0"/>)"
           R"(<vertex x="0" y="0" z="1"/></vertices><triangles><triangle v1="0" v2="2" v3="1"/>)"
           R"(<triangle v1="0" v2="1" v3="3"/><triangle v1="0" v2="3" v3="2"/><triangle v1="1" v2="2" v3="3"/>)"
           R"(</triangles></mesh></object>)";
}

} // namespace aureole::test
