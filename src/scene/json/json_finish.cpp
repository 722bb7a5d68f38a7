// "finish".

#include <utility>

#include <fmt/format.h>

#include "image/image_file.h"
#include "scene/json/json_fields.h"
#include "scene/json/scene_draft.h"
#include "settings/fields.h"

namespace aureole {

namespace {

void readPaletteTone(ObjectReader& in, PaletteTone& tone) {
    tone.palette = ColourList{glm::dvec3(0.0), glm::dvec3(1.0)};
    if (const auto palette = in.require("colours")) {
        readPalette(*palette, kNotNegative, tone.palette);
    }
    readFields(in, kPaletteToneFields, tone);
    if (tone.low >= tone.high) {
        in.problem(fmt::format("found 'low' {:g} and 'high' {:g}, expected 'low' below 'high'", tone.low, tone.high));
    }
}

void readRelief(ObjectReader& in, SceneDraft& draft, Relief& relief) {
    if (const auto image = in.require("image")) {
        readImageFile(*image, draft, relief.image);
        relief.links = Links::Refuse;
    }
    readFields(in, kReliefFields, relief);
}

void readBulge(ObjectReader& in, Bulge& bulge) {
    readFields(in, kBulgeFields, bulge);
    if (const auto centre = in.find("centre")) {
        centre->readNumbers(&bulge.centre.x, 2, {Bulge::kCentre.least, Bulge::kCentre.most});
    }
}

void readDistortion(ObjectReader& in, LensDistortion& lens) {
    readFields(in, kDistortionFields, lens);
    if (lens.folds()) {
        in.problem(fmt::format("found 'k1' {:g} and 'k2' {:g}, which show some places twice, expected 1 + 3 k1 r^2 + "
                               "5 k2 r^4 above 0 for all r up to 1",
                               lens.k1, lens.k2));
    }
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
    readStep(in, "thinFilm", finish.thinFilm,
             [](ObjectReader& step, ThinFilm& film) { readFields(step, kThinFilmFields, film); });
    if (finish.lacksRelief()) {
        in.problem("found 'shade' of 'thinFilm' without 'relief', expected both or none");
    }
    readStep(in, "bulge", finish.bulge, readBulge);
    readStep(in, "distortion", finish.distortion, readDistortion);
    readFields(in, kFinishFields, finish);
    readStep(in, "grain", finish.grain,
             [](ObjectReader& step, Grain& grain) { readFields(step, kGrainFields, grain); });
}

} // namespace aureole
