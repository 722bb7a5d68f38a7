#include "cli_test.h"

namespace aureole {

namespace {

class UsageTest : public CliTest {};

TEST_F(UsageTest, NamesTheNearestCommandOrOption) {
    expectFailure(kUsage, {"rendr", "scene.json"}, {"'rendr'", "did you mean 'render'?", "aureole --help"});
    expectFailure(kUsage, {"render", "scene.json", "-o", "out.exr", "--sppp", "4"},
                  {"'--sppp'", "did you mean '--spp'?", "aureole render --help"});
    // Not the missing -o, which follows from the slip.
    expectFailure(kUsage, {"render", "scene.json", "--outptu=out.exr"}, {"'--outptu'", "did you mean '--output'?"});
    expectFailure(kUsage, {"merge", "a.exr", "-o", "b.exr", "--spp", "3"}, {"'--spp'", "aureole merge"});
}

TEST_F(UsageTest, NamesWhatIsMissing) {
    expectFailure(kUsage, {}, {"found no command, expected aureole and one of render, voxelize, ", "aureole --help"});
    expectFailure(kUsage, {"bench"}, {"expected aureole bench and one of scan, fft, ", "aureole bench --help"});
    expectFailure(kUsage, {"foo"}, {"found 'foo'", "expected render, voxelize, export, ", "aureole --help"});
    expectFailure(kUsage, {"render"}, {"SCENE", "required"});
    expectFailure(kUsage, {"render", "scene.json"}, {"--output", "required"});
    expectFailure(kUsage, {"render", "scene.json", "-o"}, {"--output: found nothing after it, expected OUT"});
    expectFailure(kUsage, {"render", "scene.json", "-o", "a.exr", "--spp"},
                  {"--spp: found nothing after it, expected N"});
    expectFailure(kUsage, {"compare", "a.exr"}, {"B is required"});
    expectFailure(kUsage, {"merge", "-o", "out.exr"}, {"PART"});
}

TEST_F(UsageTest, RejectsTheValueOfAnOption) {
    const std::vector<std::vector<std::string>> cases = {
        {"--spp", "0", "from 1 to"},
        {"--spp", "-3", "found '-3'"},
        {"--spp", "many", "found 'many', expected a whole number"},
        {"--spp", "4294967296", "whole number from 1"},
        {"--time", "soon", "as in 90s, 10m or 2h"},
        {"--time", "0", "above 0"},
        {"--time", "nan", "above 0"},
        {"--time", "1e308h", "above 0"},
        {"--size", "640", "WIDTHxHEIGHT"},
        {"--size", "640x", "WIDTHxHEIGHT"},
        {"--size", "0x480", "WIDTHxHEIGHT"},
        {"--size", "99999x99999", "found '99999x99999', expected WIDTHxHEIGHT in pixels from 1 to 65536"},
        {"--size", "65536x65536", "4294967296 pixels, expected at most 268435456"},
        {"--crop", "0,0,8", "x0,y0,x1,y1"},
        {"--crop", "8,0,8,4", "x0 < x1"},
        {"--seed", "-1", "whole number"},
        {"--samples", "8:8", "FIRST below END"},
        {"--samples", "8", "FIRST:END"},
        {"--samples", "0:4294967296", "found '0:4294967296', expected FIRST:END from 0 to 4294967295"},
        {"--resolution", "0", "from 16 to 16384"},
        {"--resolution", "1048576", "from 16 to 16384"},
        {"--surface", "plane", "did you mean 'planes'?"},
        {"--error", "0", "from 0.01 to 16"},
        {"--max-depth", "1.5", "whole number"},
        {"--max-depth", "65536", "from 0 to 65535"},
        {"--backend", "gpuu", "did you mean 'gpu'?"},
        {"--exposure", "inf", "expected a number"},
        {"--exposure", "65", "from -64 to 64"},
        {"--tonemap", "filmik", "did you mean 'filmic'?"},
        {"--aov", "albedo,nromal", "did you mean 'normal'?"},
        {"--aov", "", "expected one of albedo"},
        {"--aov", "all,depth", "found 'all' in 'all,depth', expected it alone"},
        {"--noise", "1e-6", "number from 1e-05 to 1, or 0 for no adaptive sampling"},
        {"--noise", "2%", "number from 0 to 1"},
        {"--clamp", "-1", "number from 0"},
        {"--progress", "bars", "did you mean 'bar'?"},
        {"--set", "integrator/seed=3", "/json/pointer=value"},
        {"--set", "/integrator/seed", "/json/pointer=value"},
    };
    for (const auto& test : cases) {
        // The scene does not exist: options come first.
        expectFailure(kUsage, {"render", "scene.json", "-o", path("out.exr"), test[0], test[1]}, {test[0], test[2]});
    }
}

/// Not the scene, which comes after it.
TEST_F(UsageTest, BlamesAValueThatIsMisspeltWhereItMayBeMissing) {
    for (const Arguments& value : {Arguments{"--denoise", "bultin"}, Arguments{"--denoise=bultin"}}) {
        Arguments arguments = {"render"};
        arguments.insert(arguments.end(), value.begin(), value.end());
        arguments.insert(arguments.end(), {"scene.json", "-o", "a.exr"});
        expectFailure(kUsage, arguments, {"--denoise: found 'bultin', expected one of none, ", "mean 'builtin'"});
    }
    expectFailure(kUsage, {"render", "--denoise", "scene.json"}, {"--output is required"});
    expectFailure(kUsage, {"render", "scene.json", "-o", "a.exr", "--denoise", "all"}, {"--denoise: found 'all'"});
    expectFailure(kBadInput, {"render", "-o", path("a.exr"), "--denoise", path("none.json")}, {"none.json"});
}

TEST_F(UsageTest, RejectsOptionsThatContradictEachOther) {
    const std::string scene = write("scene.json", boxScene());
    expectFailure(kUsage, {"render", scene, "-o", path("a.exr"), "--spp", "4", "--samples", "0:4"},
                  {"--samples", "--spp"});
    expectFailure(kUsage, {"render", scene, "-o", path("a.png"), "--samples", "0:4"}, {"a.png", ".exr"});
    expectFailure(kUsage, {"render", scene, "-o", path("a.png"), "--aov", "depth"}, {"a.png", "--aov", ".exr"});
    expectFailure(kUsage, {"render", scene, "-o", path("a.exr"), "--noise", "0.1", "--samples", "0:4"},
                  {"--noise", "--samples"});
    expectFailure(kUsage, {"render", scene, "-o", path("a.exr"), "--set", "/integrator/noise=0.1", "--samples", "0:4"},
                  {"--samples", "/integrator/noise is 0.1"});
    expectFailure(kUsage, {"render", scene, "-o", path("a.exr"), "--crop", "0,0,33,24"},
                  {"--crop: found 0,0,33,24", "32x24"});
    expectFailure(kUsage, {"render", scene, "-o", path("a.exr"), "--camera", "bak"},
                  {"'bak'", "did you mean 'back'?", "'front'"});
    expectFailure(kUsage, {"bloom", scene, "-o", path("a.exr"), "--kernel", "star.png", "--kernel-size", "9"},
                  {"--kernel-size"});
    const auto bloom = [&](const Arguments& options, const std::vector<std::string>& fragments) {
        Arguments arguments = {"bloom", scene, "-o", path("a.exr")};
        arguments.insert(arguments.end(), options.begin(), options.end());
        expectFailure(kUsage, arguments, fragments);
    };
    bloom({"--kernel", "aperure"}, {"'aperure'", "did you mean 'aperture'?"});
    bloom({"--kernel", "eye", "--blades", "5"}, {"--blades", "--kernel eye", "aperture"});
    bloom({"--kernel", "aperture", "--adaptation", "5"}, {"--adaptation", "expected it with eye"});
    bloom({"--fov", "40", "--kernel", "star.png"}, {"--fov", "star.png"});
    bloom({"--gaussian", "1,2"}, {"--gaussian", "gaussians"});
    bloom({"--kernel", "gaussians", "--gaussian", "1"}, {"WEIGHT,SIGMA"});
    bloom({"--kernel", "aperture", "--blades", "2"}, {"--blades", "from 3 to 64"});
    bloom({"--kernel", "aperture", "--roundness", "2"}, {"--roundness", "from 0 to 1"});
    bloom({"--kernel", "airy", "--f-number", "0"}, {"--f-number", "from 0.1 to 1000"});
}

TEST_F(UsageTest, BloomNeedsAnImageOrAKernelToSave) {
    expectFailure(kUsage, {"bloom"}, {"IN.exr", "--kernel-out"});
    expectFailure(kUsage, {"bloom", "a.exr"}, {"--output"});
    expectFailure(kUsage, {"bloom", "-o", path("a.exr")}, {"IN.exr"});
    expectFailure(kUsage, {"bloom", "--kernel", "eye", "--kernel-out", path("k.exr")}, {"--kernel-size"});
    expectFailure(kUsage, {"bloom", "--kernel-size", "9", "--kernel-out", path("k.png")}, {"k.png", ".exr"});
}

TEST_F(UsageTest, RejectsARepeatedOption) {
    expectFailure(kUsage, {"render", "scene.json", "-o", "a.exr", "--spp", "4", "--spp", "8"},
                  {"--spp: found it 2 times, with '4', '8', expected it once", "aureole render --help"});
    expectFailure(kUsage, {"render", "scene.json", "-o", "a.exr", "--output", "b.exr"},
                  {"--output: found it 2 times, with 'a.exr', 'b.exr', expected it once"});
}

TEST_F(UsageTest, RejectsOutputsOfAnUnknownKind) {
    const std::string scene = write("scene.json", boxScene());
    expectFailure(kUsage, {"render", scene, "-o", path("a.jpg")}, {"a.jpg", "'.jpg'", ".png"});
    expectFailure(kUsage, {"render", scene, "-o", path("a")}, {"no extension"});
    expectFailure(kUsage, {"merge", "a.exr", "-o", path("m.png")}, {"m.png", ".exr"});
    expectFailure(kUsage, {"bloom", "a.exr", "-o", path("m.png")}, {"m.png", ".exr"});
    expectFailure(kUsage, {"convert", "a.exr", "-o", path("m.tif")}, {"m.tif", ".exr"});
    expectFailure(kUsage, {"convert", "a.png", "-o", path("m.exr"), "--exposure", "1"}, {"m.exr", "--exposure"});
}

} // namespace

} // namespace aureole
