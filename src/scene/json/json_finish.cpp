// "finish".

#include <limits>
#include <utility>

#include <fmt/format.h>

#include "image/image_file.h"
#include "scene/json/scene_draft.h"

namespace aureole {

namespace {

Range rangeOf(const FinishRange& range) {
    return {range.least, range.most};
}

void readPaletteTone(ObjectReader& in, PaletteTone& tone) {
    tone.palette = ColourList{glm::dvec3(0.0), glm::dvec3(1.0)};
    if (const auto palette = in.require("colours")) {
        readPalette(*palette, kNotNegative, tone.palette);
    }
    in.number("low", tone.low, rangeOf(PaletteTone::kLuminance));
    in.number("high", tone.high, rangeOf(PaletteTone::kLuminance));
    in.number("amount", tone.amount, kUnit);
    if (tone.low >= tone.high) {
        in.problem(fmt::format("found 'low' {:g} and 'high' {:g}, expected 'low' below 'high'", tone.low, tone.high));
    }
}

void readRelief(ObjectReader& in, SceneDraft& draft, Relief& relief) {
    if (const auto image = in.require("image")) {
        readImageFile(*image, draft, relief.image);
        relief.links = Links::Refuse;
    }
    in.number("strength", relief.strength, rangeOf(Relief::kStrength));
    in.number("angle", relief.angle, rangeOf(Relief::kAngle));
}

void readThinFilm(ObjectReader& in, ThinFilm& film) {
    in.number("thickness", film.thickness, rangeOf(ThinFilm::kThickness));
    in.number("index", film.index, rangeOf(ThinFilm::kIndex));
    in.number("spread", film.spread, rangeOf(ThinFilm::kSpread));
    in.number("amount", film.amount, kUnit);
}

void readBulge(ObjectReader& in, Bulge& bulge) {
    if (const auto amount = in.require("amount")) {
        amount->read(bulge.amount, rangeOf(Bulge::kAmount));
    }
    in.number("radius", bulge.radius, rangeOf(Bulge::kRadius));
    if (const auto centre = in.find("centre")) {
        centre->readNumbers(&bulge.centre.x, 2, rangeOf(Bulge::kCentre));
    }
}

void readDistortion(ObjectReader& in, LensDistortion& lens) {
    in.number("k1", lens.k1, rangeOf(LensDistortion::kCoefficient));
    in.number("k2", lens.k2, rangeOf(LensDistortion::kCoefficient));
    if (lens.folds()) {
        in.problem(fmt::format("found 'k1' {:g} and 'k2' {:g}, which show some places twice, expected 1 + 3 k1 r^2 + "
                               "5 k2 r^4 above 0 for all r up to 1",
                               lens.k1, lens.k2));
    }
}

void readGrain(ObjectReader& in, Grain& grain) {
    if (const auto amount = in.require("amount")) {
        amount->read(grain.amount, rangeOf(Grain::kAmount));
    }
    in.number("size", grain.size, rangeOf(Grain::kSize));
    in.integer("seed", grain.seed, 0, std::numeric_limits<std::uint32_t>::max());
}

/// A step of the chain, where the scene has it.
template <typename Step, typename Read>
void readStep(ObjectReader& in, const char* key, std::optional<Step>& out, const Read& read) {
    in.object(key, [&](ObjectReader& step) {
        Step found;
        read(step, found);
        out = std::move(found);
    });
}

} // namespace

void readFinish(ObjectReader& in, SceneDraft& draft) {
    FinishSettings& finish = draft.scene.finish;
    readStep(in, "palette", finish.palette, readPaletteTone);
    readStep(in, "relief", finish.relief, [&](ObjectReader& step, Relief& relief) { readRelief(step, draft, relief); });
    readStep(in, "thinFilm", finish.thinFilm, readThinFilm);
    readStep(in, "bulge", finish.bulge, readBulge);
    readStep(in, "distortion", finish.distortion, readDistortion);
    in.number("vignette", finish.vignette, rangeOf(FinishSettings::kVignette));
    readStep(in, "grain", finish.grain, readGrain);
}

} // namespace aureole
