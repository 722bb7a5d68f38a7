#pragma once

// A file in the form in which Mitsuba carries Hosek and Wilkie's figures, with made-up numbers.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace aureole {

/// Parameters 0 to 8, of channels 0 to 2, ground albedos 0 and 1, turbidities 0 to 9 and control points 0 to 5.
double madeUpDistribution(std::size_t channel, std::size_t albedo, std::size_t turbidity, std::size_t control,
                          std::size_t parameter);
double madeUpMean(std::size_t channel, std::size_t albedo, std::size_t turbidity, std::size_t control);
/// Bands 0 to 10, pieces 0 to 44, coefficients 0 to 3.
double madeUpSun(std::size_t band, std::size_t turbidity, std::size_t piece, std::size_t coefficient);
/// Powers 0 to 5.
double madeUpLimb(std::size_t band, std::size_t power);

/// A tensor of Mitsuba's files; of the type 11 are doubles.
struct MadeUpTensor {
    std::string name;
    std::vector<std::uint64_t> shape;
    std::vector<double> numbers;
    unsigned type = 11;
};

/// All of these figures, beside a tensor that nobody reads.
std::vector<MadeUpTensor> madeUpTensors();
/// The bytes of such a file.
std::string mitsubaFile(const std::vector<MadeUpTensor>& tensors);

} // namespace aureole
