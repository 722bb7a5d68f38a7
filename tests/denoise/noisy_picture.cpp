#include "noisy_picture.h"

#include <cmath>
#include <numeric>
#include <random>

namespace aureole {

NoisyPicture noisyPicture(std::uint32_t width, std::uint32_t height, float deviation,
                          const std::function<TruePixel(std::uint32_t, std::uint32_t)>& pixel, std::uint32_t frame) {
    std::mt19937 random(width * 31 + height + 7919 * frame);
    std::normal_distribution<float> noise(0.0F, deviation);
    NoisyPicture picture;
    DenoiseInput& input = picture.input;
    input.width = width;
    input.height = height;
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            const TruePixel is = pixel(x, y);
            for (int c = 0; c < 3; ++c) {
                picture.truth.push_back(is.colour[c]);
                input.half.push_back(is.colour[c] * (1.0F + noise(random)));
                input.otherHalf.push_back(is.colour[c] * (1.0F + noise(random)));
                input.colour.push_back(0.5F * (input.half.back() + input.otherHalf.back()));
                input.albedo.push_back(is.albedo[c]);
                input.normal.push_back(is.normal[c]);
            }
            input.depth.push_back(is.depth);
        }
    }
    return picture;
}

double rootMeanSquare(const std::vector<float>& a, const std::vector<float>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += std::pow(static_cast<double>(a[i]) - static_cast<double>(b.at(i)), 2);
    }
    return std::sqrt(sum / static_cast<double>(a.size()));
}

double meanOf(const std::vector<float>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

} // namespace aureole
