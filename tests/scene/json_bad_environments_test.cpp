// What is wrong with a scene's environment, as json_bad_values_test.cpp tells of other values.

#include "json_bad_scene.h"

namespace aureole {
namespace {

const std::vector<BadScene> kBadEnvironments = {
    {"EnvironmentOfUnknownType",
     "\"materials\"",
     R"("environment": { "type": "images", "file": "x" }, "materials")",
     "/environment/type",
     4,
     {"did you mean 'image'"}},
    {"EnvironmentWithoutFile",
     "\"materials\"",
     R"("environment": { "type": "image" }, "materials")",
     "/environment",
     4,
     {"'file'"}},
    {"SunWithoutDiameter",
     "\"materials\"",
     "\"environment\": { \"type\": \"constant\", \"sun\": { \"direction\": [0,1,0], \"angularDiameter\": 0 } }, "
     "\"materials\"",
     "/environment/sun/angularDiameter",
     4,
     {"0.001 to 180"}},
    {"SoftboxTooSmall",
     "\"materials\"",
     R"("environment": { "type": "constant", "softboxes": { "a": { "direction": [0,1,0], "angularDiameter": 3 } } }, "materials")",
     "/environment/softboxes/a/angularDiameter",
     4,
     {"4 to 120"}},
    {"SoftboxInAnImage",
     "\"materials\"",
     R"("environment": { "type": "sky", "softboxes": { "a": { "direction": [0,1,0] } } }, "materials")",
     "/environment/softboxes",
     4,
     {"softboxes"}},
    {"FogOfNothing",
     "\"materials\"",
     R"("environment": { "type": "constant", "fog": { "height": 3 } }, "materials")",
     "/environment/fog",
     4,
     {"'scattering' or 'absorption'"}},
    {"FogOfNought",
     "\"materials\"",
     R"("environment": { "type": "constant", "fog": { "scattering": 0 } }, "materials")",
     "/environment/fog",
     4,
     {"fog of nothing"}},
    {"FogThatTurnsNothing",
     "\"materials\"",
     R"("environment": { "type": "constant", "fog": { "absorption": 1, "anisotropy": 0.5 } }, "materials")",
     "/environment/fog/anisotropy",
     4,
     {"does not scatter"}},
    {"FogBelowZero",
     "\"materials\"",
     R"("environment": { "type": "constant", "fog": { "scattering": [1, -1, 1], "absorption": 1 } }, "materials")",
     "/environment/fog/scattering/1",
     4,
     {"-1"}},
    {"FogThatTurnsTooMuch",
     "\"materials\"",
     R"("environment": { "type": "constant", "fog": { "scattering": 1, "anisotropy": 1 } }, "materials")",
     "/environment/fog/anisotropy",
     4,
     {"-0.99 to 0.99"}},
};

INSTANTIATE_TEST_SUITE_P(JsonEnvironments, BadSceneTest, ::testing::ValuesIn(kBadEnvironments),
                         [](const auto& test) { return std::string(test.param.name); });

} // namespace
} // namespace aureole
