#include "film/parts.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>

#include "core/error.h"
#include "image/byte_reader.h"
#include "image/byte_writer.h"

namespace aureole {

namespace {

void addText(ByteWriter& writer, const std::string& text) {
    writer.addBytes(std::as_bytes(std::span(text.c_str(), text.size() + 1)));
}

void addValues(ByteWriter& writer, std::span<const double> values) {
    writer.add(std::uint64_t{values.size()});
    writer.addBytes(std::as_bytes(values));
}

template <typename Values>
void readValues(ByteReader& reader, std::size_t most, const std::string& from, Values& values) {
    const auto count = reader.read<std::uint64_t>("the number of values");
    if (count > most) {
        fail(ExitCode::BadInput, "{}: found {} values, expected at most {}", from, count, most);
    }
    values.resize(count);
    const std::span<const std::byte> bytes = reader.take(count * sizeof(double), "values");
    if (!values.empty()) {
        std::memcpy(values.data(), bytes.data(), bytes.size());
    }
}

void addAll(std::span<double> sums, std::span<const double> values) {
    std::transform(sums.begin(), sums.end(), values.begin(), sums.begin(), std::plus<>());
}

/// Whether the films have the same size and planes, so that they can be added value by value.
bool areAlike(const FilmSums& a, const FilmSums& b) {
    return a.width == b.width && a.height == b.height && a.radiance.size() == b.radiance.size() &&
           a.squared.size() == b.squared.size() && a.half.size() == b.half.size() && a.hits.size() == b.hits.size() &&
           a.counts.empty() && b.counts.empty() &&
           std::equal(a.planes.begin(), a.planes.end(), b.planes.begin(), b.planes.end(),
                      [](const FilmPlane& x, const FilmPlane& y) {
                          return x.channel == y.channel && x.rule == y.rule && x.values.size() == y.values.size();
                      });
}

} // namespace

std::vector<std::byte> filmToBytes(const FilmSums& film) {
    ByteWriter writer;
    writer.add(film.width);
    writer.add(film.height);
    writer.add(static_cast<std::uint8_t>(film.variance));
    writer.add(static_cast<std::uint8_t>(film.sampleCounts));
    writer.add(static_cast<std::uint8_t>(film.halves));
    writer.add(std::uint64_t{film.samples.size()});
    for (const auto& [first, end] : film.samples) {
        writer.add(first);
        writer.add(end);
    }
    addValues(writer, film.radiance);
    addValues(writer, film.squared);
    addValues(writer, film.half);
    addValues(writer, film.hits);
    writer.add(std::uint64_t{film.planes.size()});
    for (const FilmPlane& plane : film.planes) {
        addText(writer, plane.channel);
        writer.add(static_cast<std::uint32_t>(plane.rule));
        addValues(writer, plane.values);
    }
    return writer.take();
}

FilmSums filmFromBytes(std::span<const std::byte> bytes, const std::string& from) {
    ByteReader reader(bytes, from);
    FilmSums film;
    film.width = reader.read<std::uint32_t>("the width");
    film.height = reader.read<std::uint32_t>("the height");
    film.variance = reader.read<std::uint8_t>("whether there is variance") != 0;
    film.sampleCounts = reader.read<std::uint8_t>("whether samples are counted") != 0;
    film.halves = reader.read<std::uint8_t>("whether there are halves") != 0;
    const auto ranges = reader.read<std::uint64_t>("the number of sample ranges");
    for (std::uint64_t i = 0; i < ranges; ++i) {
        const auto first = reader.read<std::uint32_t>("the first sample");
        film.samples.emplace_back(first, reader.read<std::uint32_t>("the last sample"));
    }
    const std::size_t pixels = film.pixelCount();
    readValues(reader, 3 * pixels, from, film.radiance);
    readValues(reader, 3 * pixels, from, film.squared);
    readValues(reader, 3 * pixels, from, film.half);
    readValues(reader, pixels, from, film.hits);
    const auto planes = reader.read<std::uint64_t>("the number of layers");
    for (std::uint64_t i = 0; i < planes; ++i) {
        FilmPlane plane;
        plane.channel = reader.readName("a layer's name");
        plane.rule = static_cast<PlaneRule>(reader.read<std::uint32_t>("a layer's rule"));
        readValues(reader, pixels, from, plane.values);
        film.planes.push_back(std::move(plane));
    }
    return film;
}

void appendFilm(FilmSums& total, FilmSums later, const std::string& from) {
    if (total.samples.empty()) {
        total = std::move(later);
        return;
    }
    if (!areAlike(total, later)) {
        fail(ExitCode::BadInput, "{}: found {}x{} pixels with {} layers, expected {}x{} with {}, and the same ones",
             from, later.width, later.height, later.planes.size(), total.width, total.height, total.planes.size());
    }
    IndexRanges samples = total.samples;
    samples.insert(samples.end(), later.samples.begin(), later.samples.end());
    total.samples = joinRanges(std::move(samples), from);
    addAll(total.radiance, later.radiance);
    addAll(total.squared, later.squared);
    addAll(total.half, later.half);
    addAll(total.hits, later.hits);
    for (std::size_t i = 0; i < total.planes.size(); ++i) {
        if (total.planes[i].rule != PlaneRule::First) {
            addAll(total.planes[i].values, later.planes[i].values);
        }
    }
}

} // namespace aureole
