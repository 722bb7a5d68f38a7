#include "import/vox/vox_values.h"

#include <charconv>
#include <cmath>

namespace aureole::vox {

std::optional<std::vector<double>> numbersOf(const Dictionary& properties, const char* key, std::size_t count) {
    constexpr double kLargest = 1e6;
    const auto found = properties.find(key);
    if (found == properties.end()) {
        return std::nullopt;
    }
    std::vector<double> numbers;
    const char* next = found->second.data();
    const char* const end = next + found->second.size();
    while (next != end) {
        if (*next == ' ') {
            ++next;
            continue;
        }
        double value = 0.0;
        const auto result = std::from_chars(next, end, value);
        if (result.ec != std::errc() || !(std::abs(value) <= kLargest)) {
            return std::nullopt;
        }
        numbers.push_back(value);
        next = result.ptr;
    }
    return numbers.size() == count ? std::optional(numbers) : std::nullopt;
}

double numberOr(const Dictionary& properties, const char* key, double otherwise) {
    const auto numbers = numbersOf(properties, key, 1);
    return numbers ? numbers->front() : otherwise;
}

} // namespace aureole::vox
