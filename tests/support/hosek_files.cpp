#include "hosek_files.h"

#include <utility>

namespace aureole {

namespace {

template <typename Number>
void append(std::string& bytes, Number value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

} // namespace

double madeUpDistribution(std::size_t channel, std::size_t albedo, std::size_t turbidity, std::size_t control,
                          std::size_t parameter) {
    const auto c = static_cast<double>(channel);
    const auto a = static_cast<double>(albedo);
    const auto t = static_cast<double>(turbidity);
    const auto k = static_cast<double>(control);
    const auto p = static_cast<double>(parameter);
    const double value = 0.01 * c + 0.02 * a + 0.003 * t + 0.005 * k + 0.05 * (p + 1.0) + 0.001 * k * k * (t - 4.0);
    return parameter == 1 || parameter == 4 ? -value : value; // B and E make the exponentials fall
}

double madeUpMean(std::size_t channel, std::size_t albedo, std::size_t turbidity, std::size_t control) {
    const auto k = static_cast<double>(control);
    return 1.0 + static_cast<double>(channel) + 0.5 * static_cast<double>(albedo) +
           0.1 * static_cast<double>(turbidity) + 0.2 * k * k;
}

double madeUpSun(std::size_t band, std::size_t turbidity, std::size_t piece, std::size_t coefficient) {
    const auto b = static_cast<double>(band);
    const auto t = static_cast<double>(turbidity);
    const auto i = static_cast<double>(piece);
    return 300.0 + 10.0 * b * b - 4.0 * t * b + 2.0 * i - 20.0 * static_cast<double>(coefficient);
}

double madeUpLimb(std::size_t band, std::size_t power) {
    return 0.375 + 0.0625 * static_cast<double>(band) - 0.125 * static_cast<double>(power);
}

std::vector<MadeUpTensor> madeUpTensors() {
    MadeUpTensor unread{"sun_rad_rgb", {2, 3}, std::vector<double>(6, 1e300)};
    MadeUpTensor distribution{"sky_params_rgb", {10, 2, 6, 3, 9}, {}};
    MadeUpTensor mean{"sky_rad_rgb", {10, 2, 6, 3}, {}};
    MadeUpTensor sun{"sun_rad_spec", {10, 45, 11, 4}, {}};
    MadeUpTensor limb{"sun_ld_spec", {11, 6}, {}};
    for (std::size_t turbidity = 0; turbidity < 10; ++turbidity) {
        for (std::size_t albedo = 0; albedo < 2; ++albedo) {
            for (std::size_t control = 0; control < 6; ++control) {
                for (std::size_t channel = 0; channel < 3; ++channel) {
                    mean.numbers.push_back(madeUpMean(channel, albedo, turbidity, control));
                    for (std::size_t i = 0; i < 9; ++i) {
                        distribution.numbers.push_back(madeUpDistribution(channel, albedo, turbidity, control, i));
                    }
                }
            }
        }
        for (std::size_t piece = 0; piece < 45; ++piece) {
            for (std::size_t band = 0; band < 11; ++band) {
                for (std::size_t power = 0; power < 4; ++power) {
                    sun.numbers.push_back(madeUpSun(band, turbidity, piece, 3 - power));
                }
            }
        }
    }
    for (std::size_t band = 0; band < 11; ++band) {
        for (std::size_t power = 0; power < 6; ++power) {
            limb.numbers.push_back(madeUpLimb(band, power));
        }
    }
    return {std::move(unread), std::move(distribution), std::move(mean), std::move(sun), std::move(limb)};
}

std::string mitsubaFile(const std::vector<MadeUpTensor>& tensors) {
    std::size_t offset = 18;
    for (const MadeUpTensor& tensor : tensors) {
        offset += 13 + tensor.name.size() + 8 * tensor.shape.size();
    }
    std::string head("tensor_file\0\1\0", 14);
    append(head, static_cast<std::uint32_t>(tensors.size()));
    std::string numbers;
    for (const MadeUpTensor& tensor : tensors) {
        append(head, static_cast<std::uint16_t>(tensor.name.size()));
        head += tensor.name;
        append(head, static_cast<std::uint16_t>(tensor.shape.size()));
        append(head, static_cast<std::uint8_t>(tensor.type));
        append(head, std::uint64_t{offset + numbers.size()});
        for (const std::uint64_t size : tensor.shape) {
            append(head, size);
        }
        for (const double number : tensor.numbers) {
            append(numbers, number);
        }
    }
    return head + numbers;
}

} // namespace aureole
