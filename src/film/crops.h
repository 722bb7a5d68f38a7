#pragma once

// Where the parts of a picture lie and which samples they have. Internal to the module.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "film/film.h"
#include "image/image.h"

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

/// The smallest rectangle with both.
PixelRectangle boundsOf(const PixelRectangle& a, const PixelRectangle& b);

/// The pixels of a part, by its attribute aureole.crop; without one, all of a picture of the part's size. Throws Error
/// (BadInput) naming `file` where the attribute is damaged or says another size than the image has.
PixelRectangle partCrop(const Image& part, const std::string& file);

/// Pixels, and samples that they have or lack.
struct SampleRegion {
    PixelRectangle pixels;
    IndexRanges samples;
};

/// What the parts of a picture have together.
struct CoverSummary {
    IndexRanges samples;               ///< samples that some pixel has
    std::uint64_t emptyPixels = 0;     ///< pixels within the bounds that have none
    std::vector<PixelRectangle> empty; ///< these pixels, or some of them
    bool moreEmpty = false;            ///< whether they are only some
    std::vector<SampleRegion> lacking; ///< what other pixels lack of the samples, or some of that
    bool moreLacking = false;
    bool isEven() const { return emptyPixels == 0 && lacking.empty(); }
};

/// The samples that the parts of a picture have, by their crops.
class PartCover {
public:
    /// Takes note of part `index`.
    void add(const PixelRectangle& crop, const IndexRanges& samples, std::size_t index);

    /// Fails where two parts have the same samples of the same pixels, naming both by `files`. Throws Error (BadInput).
    void checkApart(const std::vector<std::string>& files) const;

    /// The smallest rectangle with all crops.
    PixelRectangle bounds() const;

    /// What the parts have; each list has at most `most` rectangles.
    CoverSummary summary(std::size_t most) const;

    /// Calls visit(region) for rectangles that together cover the bounds. Each comes with the samples that all of its
    /// pixels have: none where it lies in no crop. Rectangles of the same samples that touch are joined where they make
    /// a larger one. Takes memory for the crops and for one row of rectangles, however many there are.
    void visitRegions(const std::function<void(const SampleRegion&)>& visit) const;

    std::size_t cropCount() const { return crops_.size(); }

private:
    using Piece = std::pair<IndexRange, std::size_t>; ///< a range of samples, and the index of its part

    std::map<PixelRectangle, std::vector<Piece>> crops_;
};

} // namespace aureole
