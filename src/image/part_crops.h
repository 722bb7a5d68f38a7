#pragma once

// Where the parts of a picture lie and which samples they have. Internal to the module.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "image/film.h"

namespace aureole {

/// Pixels of a picture, from its top left corner; the second corner is exclusive.
struct PixelRectangle {
    std::uint32_t x0 = 0;
    std::uint32_t y0 = 0;
    std::uint32_t x1 = 0;
    std::uint32_t y1 = 0;

    std::uint32_t width() const { return x1 - x0; }
    std::uint32_t height() const { return y1 - y0; }
    std::uint64_t area() const { return std::uint64_t{width()} * height(); }
    bool operator==(const PixelRectangle& other) const { return corners() == other.corners(); }
    bool operator<(const PixelRectangle& other) const { return corners() < other.corners(); }
    std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t> corners() const { return {x0, y0, x1, y1}; }
};

/// "x0,y0,x1,y1", as --crop takes it.
std::string formatCrop(const PixelRectangle& crop);

/// The pixels of a part, by its attribute aureole.crop; without one, all of a picture of the part's size. Throws Error
/// (BadInput) naming `file` where the attribute is damaged or says another size than the image has.
PixelRectangle partCrop(const Image& part, const std::string& file);

/// The samples that the parts of a picture have, by their crops.
class PartCover {
public:
    /// Notes part `index`.
    void add(const PixelRectangle& crop, const SampleRanges& samples, std::size_t index);

    /// Fails where two parts have the same samples of the same pixels, naming both by `files`. Throws Error (BadInput).
    void checkApart(const std::vector<std::string>& files) const;

    /// The smallest rectangle with all crops.
    PixelRectangle bounds() const;

    /// Where every pixel within the bounds has the same samples: those; else none.
    SampleRanges commonSamples() const;

    /// Says in what the crops' samples differ from those of the first one; empty where they do not.
    std::string describeDifference() const;

    std::size_t cropCount() const { return crops_.size(); }

private:
    using Piece = std::pair<std::pair<std::uint32_t, std::uint32_t>, std::size_t>; ///< a range, and whose
    static SampleRanges samplesOf(const std::vector<Piece>& pieces);

    std::map<PixelRectangle, std::vector<Piece>> crops_;
};

/// Rectangles that together are the pixels without samples, at most `most` of them. `counts` are of the pixels within
/// `bounds`, row by row.
std::vector<PixelRectangle> emptyRectangles(std::vector<std::uint32_t> counts, const PixelRectangle& bounds,
                                            std::size_t most);

} // namespace aureole
