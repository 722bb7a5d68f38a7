#include "sky/mitsuba_tensors.h"

#include <cmath>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "core/error.h"
#include "core/file.h"
#include "core/suggest.h"
#include "image/byte_reader.h"

namespace aureole::sky {

namespace {

constexpr std::string_view kMagic("tensor_file\0", 12);
constexpr unsigned kDoublePrecision = 11;
constexpr unsigned kHighestRank = 16;
constexpr std::uintmax_t kMaximumBytes = std::uintmax_t{8} << 20;
/// The published cubics of the sun have coefficients past 1e12.
constexpr double kLargestFigure = 1e30;

std::string shapeName(const std::vector<std::uint64_t>& shape) {
    return fmt::format("{}", fmt::join(shape, " x "));
}

void checkFormat(ByteReader& head, const std::string& file) {
    if (head.characters(kMagic.size(), "the name of the format") != kMagic) {
        fail(ExitCode::BadInput,
             "{}: found something else than 'tensor_file' at its start, expected a tensor file of "
             "Mitsuba 3",
             file);
    }
    const unsigned major = head.read<std::uint8_t>("the version");
    const unsigned minor = head.read<std::uint8_t>("the version");
    if (major != 1 || minor != 0) {
        fail(ExitCode::BadInput, "{}: found a tensor file of version {}.{}, expected 1.0", file, major, minor);
    }
}

} // namespace

MitsubaTensors::MitsubaTensors(const std::filesystem::path& file)
    : file_(file.string())
    , bytes_(readFile(file, kMaximumBytes)) {
    ByteReader head(bytes_, file_);
    checkFormat(head, file_);
    for (auto left = head.read<std::uint32_t>("the number of tensors"); left > 0; --left) {
        const std::string name(head.text<std::uint16_t>("a tensor's name"));
        const unsigned rank = head.read<std::uint16_t>("a tensor's rank");
        if (rank > kHighestRank) {
            fail(ExitCode::BadInput, "{}: found a tensor of rank {}, expected at most {}", file_, rank, kHighestRank);
        }
        Tensor tensor;
        tensor.type = head.read<std::uint8_t>("a tensor's type");
        tensor.offset = head.read<std::uint64_t>("a tensor's place");
        for (unsigned i = 0; i < rank; ++i) {
            tensor.shape.push_back(head.read<std::uint64_t>("a tensor's shape"));
        }
        if (!tensors_.emplace(name, std::move(tensor)).second) {
            constexpr std::size_t kShown = 40;
            fail(ExitCode::BadInput, "{}: found a second tensor '{}', expected one", file_, name.substr(0, kShown));
        }
    }
}

const MitsubaTensors::Tensor& MitsubaTensors::find(const std::string& name, const std::string& expected) const {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) {
        std::vector<std::string> names;
        for (const auto& [other, unused] : tensors_) {
            names.push_back(other);
        }
        fail(ExitCode::BadInput, "{}: found no tensor '{}', expected one of {} numbers{}", file_, name, expected,
             didYouMean(name, names));
    }
    return found->second;
}

void MitsubaTensors::read(const std::string& name, const std::vector<std::uint64_t>& shape,
                          std::span<double> values) const {
    const Tensor& tensor = find(name, shapeName(shape));
    if (tensor.shape != shape) {
        fail(ExitCode::BadInput, "{}: tensor '{}': found {} numbers, expected {}", file_, name, shapeName(tensor.shape),
             shapeName(shape));
    }
    if (tensor.type != kDoublePrecision) {
        fail(ExitCode::BadInput, "{}: tensor '{}': found numbers of type {}, expected {}: double precision", file_,
             name, tensor.type, kDoublePrecision);
    }
    if (tensor.offset > bytes_.size() || values.size_bytes() > bytes_.size() - tensor.offset) {
        fail(ExitCode::BadInput,
             "{}: tensor '{}': found the file's end at byte {}, expected {} bytes from byte {} on: it has been cut "
             "short",
             file_, name, bytes_.size(), values.size_bytes(), tensor.offset);
    }
    std::memcpy(values.data(), bytes_.data() + tensor.offset, values.size_bytes());
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!(std::abs(values[i]) <= kLargestFigure)) {
            fail(ExitCode::BadInput, "{}: tensor '{}': found {} as number {}, expected a number up to {:g}", file_,
                 name, values[i], i + 1, kLargestFigure);
        }
    }
}

} // namespace aureole::sky
