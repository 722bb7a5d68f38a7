// Where points are seen in pictures of other cameras; closed forms.

#include "session/denoise/reprojection.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "image/attributes.h"

namespace aureole {
namespace {

constexpr std::uint32_t kSightWidth = 20;
constexpr std::uint32_t kSightHeight = 10;

View viewOf(const Camera& camera) {
    View view;
    view.size = {kSightWidth, kSightHeight};
    view.cropSize = view.size;
    view.moved = camera;
    return view;
}

/// At distance 5 a pixel is 1 wide.
Camera cameraAt(const glm::dvec3& position) {
    Camera camera;
    camera.position = position;
    camera.target = position - glm::dvec3(0.0, 0.0, 1.0);
    camera.verticalFov = 90.0;
    return camera;
}

Sight sightFrom(const Camera& camera, float depth) {
    return {worldToPixel(camera, viewOf(camera)), std::vector<float>(std::size_t{kSightWidth} * kSightHeight, depth),
            kSightWidth, kSightHeight};
}

glm::dvec3 seen(const Camera& camera, const View& view, const glm::dvec3& point) {
    const glm::dvec4 pixel = *worldToPixel(camera, view) * glm::dvec4(point, 1.0);
    EXPECT_GT(pixel.w, 0.0);
    return glm::dvec3(pixel) / pixel.w;
}

void expectPoint(const glm::dvec3& found, const glm::dvec3& expected) {
    EXPECT_LT(glm::length(found - expected), 1e-9) << found.x << " " << found.y << " " << found.z;
}

TEST(Reprojection, MatrixIsTheCameras) {
    const Camera camera = cameraAt({0.0, 0.0, 5.0});
    View view = viewOf(camera);
    expectPoint(seen(camera, view, {0.0, 0.0, 0.0}), {10.0, 5.0, 0.2});
    expectPoint(seen(camera, view, {3.0, 2.0, 0.0}), {13.0, 3.0, 0.2});
    expectPoint(seen(camera, view, {3.0, 2.0, -5.0}), {11.5, 4.0, 0.1});
    view.cropOrigin = {4, 1};
    expectPoint(seen(camera, view, {3.0, 2.0, 0.0}), {9.0, 2.0, 0.2});
    Camera flat = camera;
    flat.projection = Projection::Orthographic;
    flat.height = 5.0;
    expectPoint(seen(flat, viewOf(flat), {3.0, 2.0, -5.0}), {16.0, 1.0, 10.0});
    flat.projection = Projection::Equirectangular;
    EXPECT_FALSE(worldToPixel(flat, view));
}

/// The place of a pixel's point.
glm::dvec2 placeOf(const Sight& here, const Sight& there, std::size_t x, std::size_t y) {
    return pointsOf(here, there).at(y * kSightWidth + x).place;
}

void expectPlace(const glm::dvec2& found, const glm::dvec2& expected) {
    EXPECT_LT(glm::length(found - expected), 1e-9) << found.x << " " << found.y;
}

TEST(Reprojection, FollowsAWallAsTheCameraMoves) {
    const Sight here = sightFrom(cameraAt({0.0, 0.0, 5.0}), 5.0F);
    const Sight beside = sightFrom(cameraAt({3.0, 1.0, 5.0}), 5.0F);
    expectPlace(placeOf(here, beside, 10, 5), {7.5, 6.5});
    EXPECT_LT(placeOf(here, beside, 2, 5).x, 0.0) << "beyond the left edge";
    EXPECT_LT(placeOf(here, beside, 10, 9).x, 0.0) << "beyond the lower edge";
    // From a step nearer the wall is nearer.
    const Sight near = sightFrom(cameraAt({0.0, 0.0, 4.0}), 4.0F);
    expectPlace(placeOf(here, near, 15, 5), {16.875, 5.625});
    EXPECT_NEAR(pointsOf(here, near).at(33).depth, 4.0, 1e-6);
    EXPECT_TRUE(isSameDepth(4.0, 4.1));
    EXPECT_FALSE(isSameDepth(4.0, 3.0)) << "something else stands in front of it";
    EXPECT_FALSE(isSameDepth(4.0, 0.0)) << "the sky";
    EXPECT_TRUE(isSameDepth(0.0, 0.0));
}

TEST(Reprojection, TurnsWithTheSky) {
    const Sight here = sightFrom(cameraAt({0.0, 0.0, 5.0}), 0.0F);
    expectPlace(placeOf(here, sightFrom(cameraAt({9.0, 0.0, 5.0}), 0.0F), 17, 3), {17.5, 3.5}); // it is far away
    Camera turned = cameraAt({0.0, 0.0, 5.0});
    turned.target = turned.position + glm::dvec3(1.0, 0.0, -5.0); // a pixel to the right, in the middle
    const SeenPoint point = pointsOf(here, sightFrom(turned, 0.0F)).at(5 * kSightWidth + 10);
    EXPECT_EQ(glm::floor(point.place), glm::dvec2(9.0, 5.0));
    EXPECT_EQ(point.depth, 0.0);
}

TEST(Reprojection, IsNoneWhereACameraIsUnknown) {
    const Sight here = sightFrom(cameraAt({0.0, 0.0, 5.0}), 5.0F);
    Sight there = sightFrom(cameraAt({3.0, 0.0, 5.0}), 7.0F);
    there.worldToPixel.reset();
    expectPlace(placeOf(here, there, 17, 3), {17.5, 3.5});
    EXPECT_EQ(pointsOf(here, there).at(77).depth, 7.0);
}

TEST(Reprojection, AttributeComesBack) {
    const glm::dmat4 matrix = *sightFrom(cameraAt({0.1, -2.0, 1e6}), 1.0F).worldToPixel;
    Image image = makeImage(2, 2, {"R", "G", "B"});
    image.attributes[kWorldToPixelAttribute] = worldToPixelText(matrix);
    EXPECT_EQ(*sightOf(image, "a.exr").worldToPixel, matrix);
    for (const char* const text : {"1 2 3", "0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0", "nan 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1"}) {
        image.attributes[kWorldToPixelAttribute] = text;
        EXPECT_THROW(sightOf(image, "a.exr"), Error) << text;
    }
}

} // namespace
} // namespace aureole
