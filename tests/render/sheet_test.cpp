// The sheet rule (sheet.h), function by function, on the CPU.

#include <array>
#include <cmath>
#include <optional>
#include <random>

#include <gtest/gtest.h>

#include "shared/surface/sheet.h"

namespace aureole::shared {
namespace {

const vec3 kUp(0.0F, 1.0F, 0.0F);

/// What a voxel may hold besides one flat sheet.
struct Traits {
    uint crease = 0;
    uint doubleSided = 0;
    uint hollow = 0;
    float spread = 0.0F;
    vec3 other = vec3(0.0F); ///< of an edge: the normal of its other sheet
};

/// As it comes out of an octree.
VoxelSurface surfaceOf(const vec3& normal, const Traits& traits = {}) {
    VoxelSurface surface = noSurface();
    surface.geometricNormal = normalize(normal);
    surface.normal = traits.crease != 0 && traits.hollow != 3 ? normalize(traits.other) : surface.geometricNormal;
    surface.crease = traits.crease;
    surface.doubleSided = traits.doubleSided;
    surface.hollow = traits.hollow;
    surface.spread = traits.spread;
    return unpackAttributes(packAttributes(surface));
}

VoxelSurface edgeOf(const vec3& normal, const vec3& other, uint hollow = 0) {
    return surfaceOf(normal, {.crease = 1, .hollow = hollow, .other = other});
}

/// A direction by its sine over the plane across Y.
vec3 rising(float sine) {
    return {std::sqrt(1.0F - sine * sine), sine, 0.0F};
}

class Directions {
public:
    vec3 next() {
        vec3 d(0.0F);
        do {
            d = vec3(number_(random_), number_(random_), number_(random_));
        } while (dot(d, d) > 1.0F || dot(d, d) < 0.01F);
        return normalize(d);
    }
    float number() { return number_(random_); }

private:
    std::mt19937 random_{5};
    std::uniform_real_distribution<float> number_{-1.0F, 1.0F};
};

TEST(Sheet, HasTheSideThatThePathIsOn) {
    Directions directions;
    for (int i = 0; i < 500; ++i) {
        const vec3 n = directions.next();
        const vec3 side = directions.next();
        const VoxelSurface surface = surfaceOf(n);
        const uint sheet = makeSheet(surface, side);
        EXPECT_NE(sheet, NO_SHEET);
        EXPECT_NEAR(dot(sheetSide(sheet), n), dot(surface.geometricNormal, side) < 0.0F ? -1.0F : 1.0F, 1e-5F);
        EXPECT_EQ(continuesSheet(sheet, sheetSide(sheet), surface), 1U) << "itself";
    }
    EXPECT_EQ(makeSheet(surfaceOf(kUp), kUp) & (SHEET_DOUBLE | SHEET_EDGE | SHEET_REVERSED), 0U);
    EXPECT_NE(makeSheet(surfaceOf(kUp, {.doubleSided = 1}), kUp) & SHEET_DOUBLE, 0U);
    EXPECT_NE(makeSheet(edgeOf(kUp, {1, 0, 0}), kUp) & SHEET_EDGE, 0U);
}

/// The normals of one surface are on one side throughout: what turns over is another one, but in thin walls.
TEST(Sheet, GoesOnWhereNormalsAreOnTheSameSide) {
    const VoxelSurface up = surfaceOf({0.2F, 1.0F, 0.0F});
    const VoxelSurface down = surfaceOf({0.2F, -1.0F, 0.0F});
    const VoxelSurface wall = surfaceOf({0.2F, -1.0F, 0.0F}, {.doubleSided = 1});
    for (const vec3& side : {kUp, -kUp}) {
        const uint sheet = makeSheet(surfaceOf(kUp), side);
        EXPECT_EQ(runsOn(up, sheet), 1U);
        EXPECT_EQ(runsOn(down, sheet), 0U);
        EXPECT_EQ(runsOn(wall, sheet), 1U);
        EXPECT_EQ(runsOn(down, makeSheet(surfaceOf(kUp, {.doubleSided = 1}), side)), side.y < 0.0F ? 1U : 0U)
            << "the side that a double sheet's normal is on tells nothing";
        EXPECT_EQ(runsOn(surfaceOf({1.0F, 0.25F, 0.0F}), sheet), 0U) << "bent by 76 degrees";
        EXPECT_EQ(runsOn(surfaceOf({1.0F, 0.4F, 0.0F}), sheet), 1U) << "bent by 68 degrees";
    }
    EXPECT_EQ(runsOn(up, NO_SHEET), 0U);
}

TEST(Sheet, IsLeftAllWhereTheSineExceedsTheSpread) {
    const VoxelSurface flat = surfaceOf(kUp);
    EXPECT_EQ(leavesBySine(flat, 0.0026F, 0.0F), LEAVES_ALL);
    EXPECT_EQ(leavesBySine(flat, 0.0024F, 0.0F), LEAVES_NOT);
    EXPECT_EQ(leavesBySine(flat, 0.3F, 0.2F), LEAVES_ALL);
    EXPECT_EQ(leavesBySine(flat, 0.1F, 0.2F), LEAVES_MEAN);
    EXPECT_EQ(leavesBySine(flat, -0.1F, 0.2F), LEAVES_NOT);
    EXPECT_EQ(leavesBySine(surfaceOf(kUp, {.doubleSided = 1}), 0.1F, 0.2F), LEAVES_NOT);
    EXPECT_EQ(leavesBySine(edgeOf(kUp, {1, 0, 0}), 0.1F, 0.2F), LEAVES_NOT);
}

/// On either side of it, and with normals that look to either.
TEST(Sheet, OfTheStartIsLeftByRaysOverIt) {
    for (const float path : {1.0F, -1.0F}) {
        for (const float facing : {1.0F, -1.0F}) {
            const VoxelSurface surface = surfaceOf(facing * kUp);
            const vec3 side = path * kUp;
            const uint sheet = makeSheet(surface, side);
            const auto leaves = [&](const VoxelSurface& met, float height, float sine) {
                return leavesSheet(sheet, sheetSide(sheet), path * vec3(3, height, 0), rising(path * sine), met);
            };
            EXPECT_EQ(leaves(surface, 0.0F, 0.01F), LEAVES_ALL);
            EXPECT_EQ(leaves(surface, 1.9F, 0.01F), LEAVES_ALL);
            EXPECT_EQ(leaves(surface, 2.1F, 0.01F), LEAVES_NOT) << "too high over it";
            EXPECT_EQ(leaves(surface, 0.0F, -0.01F), LEAVES_NOT) << "into it";
            EXPECT_EQ(leaves(surfaceOf(-facing * kUp), 0.0F, 0.01F), LEAVES_NOT) << "the other side of another";
            EXPECT_EQ(leaves(surfaceOf(-facing * kUp, {.doubleSided = 1}), 0.0F, 0.01F), LEAVES_ALL);
            EXPECT_EQ(leaves(surfaceOf(facing * vec3(1.0F, 1.2F, 0.0F)), 0.0F, 0.9F), LEAVES_NOT) << "turned";
        }
    }
}

/// What bulges towards the path is left everywhere where it is left in the mean; what is hollow may be met.
TEST(Sheet, OfTheStartIsLeftInTheMeanWhereItIsHollow) {
    for (const float path : {1.0F, -1.0F}) {
        const auto leaves = [&](uint hollow, float sine) {
            const VoxelSurface surface = surfaceOf(kUp, {.hollow = hollow, .spread = 0.25F});
            const uint sheet = makeSheet(surface, path * kUp);
            return leavesSheet(sheet, sheetSide(sheet), vec3(1, 0, 0), rising(path * sine), surface);
        };
        const uint seenHollow = path > 0.0F ? 1U : 2U;
        EXPECT_EQ(leaves(0U, 0.1F), LEAVES_ALL);
        EXPECT_EQ(leaves(3U - seenHollow, 0.1F), LEAVES_ALL);
        EXPECT_EQ(leaves(seenHollow, 0.1F), LEAVES_MEAN);
        EXPECT_EQ(leaves(seenHollow, 0.4F), LEAVES_ALL);
    }
}

/// The least of the sines over both.
TEST(Sheet, OfAHollowEdgeIsLeftOverBoth) {
    const VoxelSurface edge = edgeOf(kUp, {1, 0, 0}, 1U);
    EXPECT_FLOAT_EQ(sheetSine(edge, kUp, {-0.6F, 0.8F, 0.0F}), -0.6F);
    EXPECT_FLOAT_EQ(sheetSine(edge, kUp, {0.8F, 0.6F, 0.0F}), 0.6F);
    EXPECT_FLOAT_EQ(sheetSine(edge, -kUp, {-0.6F, -0.8F, 0.0F}), 0.6F);
    EXPECT_FLOAT_EQ(sheetSine(edge, -kUp, {0.6F, -0.8F, 0.0F}), -0.6F);
}

TEST(Sheet, OfAnEdgeIsTheOneThatFaces) {
    const VoxelSurface edge = edgeOf(kUp, {1, 0, 0});
    const VoxelSurface own = sheetFacing(edge, {0.3F, -0.9F, 0.0F});
    EXPECT_EQ(own.geometricNormal, edge.geometricNormal);
    const VoxelSurface other = sheetFacing(edge, {-0.9F, 0.3F, 0.0F});
    EXPECT_EQ(other.geometricNormal, edge.normal);
    EXPECT_EQ(other.normal, edge.geometricNormal);
    EXPECT_NEAR(dot(sheetSide(makeSheet(other, {1, 0, 0})), edge.normal), 1.0F, 1e-5F) << "packed with it";
    const VoxelSurface flat = surfaceOf(kUp);
    EXPECT_EQ(sheetFacing(flat, {1, 0, 0}).geometricNormal, flat.geometricNormal);
}

TEST(Sheet, AnEmptyVoxelsFaceTellsTheSide) {
    // However the ray goes: a sheet that does not touch the face may be met from there on one side only.
    const VoxelSurface surface = surfaceOf({0.3F, 1.0F, 0.0F});
    const vec3 n = surface.geometricNormal;
    for (const vec3& direction : {rising(0.5F), rising(-0.5F)}) {
        EXPECT_EQ(arrivalSide(surface, NO_SHEET, 3U, direction), n);
        EXPECT_EQ(arrivalSide(surface, NO_SHEET, 2U, direction), -n);
        EXPECT_EQ(arrivalSide(surface, NO_SHEET, 1U, direction), n);
        EXPECT_EQ(arrivalSide(surface, NO_SHEET, 0U, direction), -n);
    }
}

TEST(Sheet, TheDirectionTellsWhereTheFaceDoesNot) {
    const VoxelSurface surface = surfaceOf(kUp);
    for (const uint face : {0U, 1U, 4U, 5U, FACE_INSIDE}) {
        EXPECT_EQ(arrivalSide(surface, NO_SHEET, face, rising(-0.5F)), kUp) << face;
        EXPECT_EQ(arrivalSide(surface, NO_SHEET, face, rising(0.5F)), -kUp) << face;
    }
}

TEST(Sheet, WhereItBendsAlongTheFaceBothHaveToAgree) {
    const VoxelSurface bent = surfaceOf({0.3F, 1.0F, 0.0F}, {.spread = 0.36F});
    const vec3 n = bent.geometricNormal;
    EXPECT_EQ(arrivalSide(bent, NO_SHEET, 1U, rising(-0.8F)), n);
    EXPECT_EQ(arrivalSide(bent, NO_SHEET, 1U, rising(0.8F)), vec3(0.0F));
    EXPECT_EQ(arrivalSide(bent, NO_SHEET, 0U, rising(0.8F)), -n);
    EXPECT_EQ(arrivalSide(bent, NO_SHEET, 0U, rising(-0.8F)), vec3(0.0F));
    EXPECT_EQ(arrivalSide(bent, NO_SHEET, 3U, rising(0.8F)), n) << "it does not bend so far";
}

TEST(Sheet, BetweenVoxelsOfOneSurfaceTheSideIsKept) {
    const VoxelSurface surface = surfaceOf({0.3F, 1.0F, 0.0F});
    const vec3 n = surface.geometricNormal;
    for (const vec3& direction : {rising(0.5F), rising(-0.5F)}) {
        for (const uint face : {1U, 3U, FACE_INSIDE}) {
            EXPECT_EQ(arrivalSide(surface, makeSheet(surfaceOf(kUp), kUp), face, direction), n);
            EXPECT_EQ(arrivalSide(surface, makeSheet(surfaceOf(kUp), -kUp), face, direction), -n);
        }
    }
    EXPECT_EQ(arrivalSide(surface, makeSheet(surfaceOf({-1, 0, 0}), {-1, 0, 0}), 3U, rising(0.5F)), n)
        << "of another surface, the face tells";
    EXPECT_EQ(arrivalSide(surface, makeSheet(edgeOf({-1, 0, 0}, {0, 0, 1}), {-1, 0, 0}), 3U, rising(0.5F)), vec3(0.0F))
        << "it may be that of the edge's other sheet";
}

/// Two planes through a point of a voxel of side 1 about the origin, which end at each other.
struct Wedge {
    vec3 apex;
    std::array<vec3, 2> normals;
    bool hollow;

    bool isInFront(const vec3& point) const {
        const float a = dot(normals[0], point - apex);
        const float b = dot(normals[1], point - apex);
        return hollow ? std::min(a, b) > 0.0F : std::max(a, b) > 0.0F;
    }

    /// Whether all of a face is in front, or behind; neither where the wedge touches it.
    std::optional<bool> sideOfFace(uint face) const {
        constexpr int kSteps = 16;
        const vec3 out = faceNormal(face);
        const vec3 across(std::abs(out.z), std::abs(out.x), std::abs(out.y));
        const vec3 along(std::abs(out.y), std::abs(out.z), std::abs(out.x));
        const bool first = isInFront(0.5F * out);
        for (int i = 0; i <= kSteps; ++i) {
            for (int j = 0; j <= kSteps; ++j) {
                const float u = static_cast<float>(i) / kSteps - 0.5F;
                const float v = static_cast<float>(j) / kSteps - 0.5F;
                if (isInFront(0.5F * out + u * across + v * along) != first) {
                    return std::nullopt;
                }
            }
        }
        return first;
    }
};

/// Random wedges, and the faces that they do not touch: the side told is the side that the face is on.
TEST(Sheet, AnEdgeIsMetOnTheSideThatTheFaceIsOn) {
    Directions directions;
    std::array<int, 2> told{};
    for (int i = 0; i < 4000; ++i) {
        const Wedge wedge{0.3F * vec3(directions.number(), directions.number(), directions.number()),
                          {directions.next(), directions.next()},
                          i % 2 == 1};
        if (std::abs(dot(wedge.normals[0], wedge.normals[1])) > 0.9F) {
            continue; // hardly an edge
        }
        const VoxelSurface surface = edgeOf(wedge.normals[0], wedge.normals[1], wedge.hollow ? 1U : 2U);
        for (uint face = 0; face < 6; ++face) {
            vec3 side;
            const VoxelSurface met = sheetMet(surface, NO_SHEET, face, -faceNormal(face), side);
            const std::optional<bool> isFront = wedge.sideOfFace(face);
            if (isFront && dot(side, side) > 0.0F) {
                EXPECT_EQ(dot(side, met.geometricNormal) > 0.0F, *isFront) << i << ' ' << face;
                told.at(*isFront ? 1 : 0) += 1;
            }
        }
    }
    EXPECT_GT(told[0], 500);
    EXPECT_GT(told[1], 500);
}

TEST(Sheet, OfAnEdgeTheOneThatFacesMostIsMet) {
    const VoxelSurface edge = edgeOf({0.3F, 1.0F, 0.0F}, {1.0F, 0.3F, 0.0F});
    for (const uint face : {2U, 3U}) {
        vec3 side;
        const VoxelSurface met = sheetMet(edge, NO_SHEET, face, -faceNormal(face), side);
        EXPECT_EQ(met.geometricNormal, edge.geometricNormal);
        EXPECT_EQ(side, face == 3U ? met.geometricNormal : -met.geometricNormal);
    }
    vec3 side;
    sheetMet(edgeOf(kUp, {1, 0, 0}), NO_SHEET, 2U, kUp, side);
    EXPECT_EQ(side, vec3(0.0F)) << "the one may be met from behind, the other from in front";
}

TEST(Sheet, AnEdgeBesideItsOwnSheetIsThatSheet) {
    const VoxelSurface edge = edgeOf(kUp, {1, 0, 0});
    for (const float path : {1.0F, -1.0F}) {
        vec3 side;
        const VoxelSurface own = sheetMet(edge, makeSheet(surfaceOf(kUp), path * kUp), 0U, rising(0.2F), side);
        EXPECT_EQ(own.geometricNormal, edge.geometricNormal);
        EXPECT_NEAR(side.y, path, 1e-5F);
        const uint beside = makeSheet(surfaceOf({1, 0, 0}), path * vec3(1, 0, 0));
        const VoxelSurface other = sheetMet(edge, beside, 3U, rising(0.2F), side);
        EXPECT_EQ(other.geometricNormal, edge.normal);
        EXPECT_NEAR(side.x, path, 0.01F);
    }
    vec3 side;
    sheetMet(edge, makeSheet(surfaceOf({0, 0, 1}), {0, 0, 1}), 5U, rising(0.2F), side);
    EXPECT_EQ(side, vec3(0.0F)) << "of a third sheet";
}

/// A ray that starts on a sheet in the plane y = 1.5 and meets voxels of 1/64.
class SheetOfTheStart : public ::testing::Test {
protected:
    static constexpr float kVoxel = 1.0F / 64.0F;

    /// The sheet left where the ray, after so many voxels, goes on through `surface`.
    uint ignored(float voxels, const VoxelSurface& surface, uint face, const vec3& direction, uint before = NO_SHEET,
                 uint tells = 1U) {
        const vec3 centre = from_.position + voxels * kVoxel * direction;
        return ignoredSheet(from_, direction, kVoxel, voxels * kVoxel, centre, surface, before, face, tells, leaves_);
    }

    VoxelPoint from_{vec3(1.5F), uvec3(32), 3U, kUp, kUp, kUp, makeSheet(surfaceOf(kUp), kUp), NO_SHEET};
    uint leaves_ = LEAVES_NOT;
};

TEST_F(SheetOfTheStart, IsIgnoredNearby) {
    const VoxelSurface same = surfaceOf(kUp);
    const uint left = ignored(3.0F, same, 0U, rising(0.1F));
    EXPECT_EQ(left, makeSheet(same, kUp));
    EXPECT_EQ(leaves_, LEAVES_ALL);
    EXPECT_NE(ignored(7.9F, same, 0U, rising(0.1F)), NO_SHEET);
    EXPECT_EQ(ignored(8.1F, same, 0U, rising(0.1F)), NO_SHEET) << "too far for what the start knows";
    EXPECT_NE(ignored(1.9F, same, FACE_INSIDE, kUp), NO_SHEET);
    EXPECT_EQ(ignored(2.1F, same, FACE_INSIDE, kUp), NO_SHEET) << "too high over it";
    EXPECT_EQ(ignored(3.0F, same, 0U, rising(-0.1F)), NO_SHEET) << "into it";
    EXPECT_EQ(ignored(3.0F, surfaceOf(kUp, {.crease = 1, .hollow = 3U}), 0U, rising(0.1F)), NO_SHEET)
        << "nobody knows what is in there";
    const VoxelSurface edge = edgeOf(kUp, {1, 0, 0});
    EXPECT_EQ(ignored(3.0F, edge, 3U, rising(0.1F)), makeSheet(edge, kUp)) << "where it ends";
    from_.sheet = NO_SHEET;
    EXPECT_EQ(ignored(3.0F, same, 0U, rising(0.1F)), NO_SHEET) << "of no sheet";
}

/// Where a path stands behind a voxel that it went through, both sheets are its own.
TEST_F(SheetOfTheStart, AheadIsIgnoredToo) {
    const VoxelSurface wall = surfaceOf({1, 0, 0});
    for (const float path : {1.0F, -1.0F}) {
        const vec3 side(path, 0.0F, 0.0F);
        const vec3 away(0.1F * path, std::sqrt(0.99F), 0.0F);
        from_.sheetAhead = NO_SHEET;
        EXPECT_EQ(ignored(3.0F, wall, 2U, away), NO_SHEET);
        from_.sheetAhead = makeSheet(wall, side);
        EXPECT_EQ(ignored(3.0F, wall, 2U, away), makeSheet(wall, side));
        EXPECT_EQ(ignored(3.0F, wall, 2U, {-away.x, away.y, 0.0F}), NO_SHEET) << "into it";
    }
}

/// A sheet like that of the start, met from its other side by a face that tells: the back of the next wall.
TEST_F(SheetOfTheStart, IsNotWhatIsMetFromBehind) {
    const VoxelSurface same = surfaceOf(kUp);
    EXPECT_EQ(ignored(3.0F, same, 2U, rising(0.3F)), NO_SHEET);
    EXPECT_NE(ignored(3.0F, same, 3U, rising(0.3F)), NO_SHEET);
}

/// Far from the start the face by which the ray came decides alone.
TEST_F(SheetOfTheStart, FarFromItTheSideOfTheFaceCounts) {
    const VoxelSurface tilted = surfaceOf({-0.3F, 1.0F, 0.0F});
    const vec3 n = tilted.geometricNormal;
    EXPECT_EQ(ignored(20.0F, tilted, 3U, rising(0.5F)), makeSheet(tilted, n)) << "leaves it in front";
    EXPECT_EQ(leaves_, LEAVES_ALL);
    EXPECT_EQ(ignored(20.0F, tilted, 3U, rising(0.1F)), NO_SHEET) << "into its front";
    EXPECT_EQ(ignored(20.0F, tilted, 2U, rising(0.5F)), NO_SHEET) << "into its back";
    EXPECT_EQ(ignored(20.0F, tilted, 2U, rising(0.1F)), makeSheet(tilted, -n)) << "leaves it behind";
    EXPECT_EQ(ignored(20.0F, tilted, FACE_INSIDE, rising(0.5F)), NO_SHEET) << "there is no face";
    EXPECT_EQ(ignored(20.0F, tilted, FACE_INSIDE, rising(0.5F), makeSheet(tilted, n)), NO_SHEET) << "nor here";
    EXPECT_EQ(ignored(20.0F, tilted, 3U, rising(0.5F), NO_SHEET, 0U), NO_SHEET) << "the face does not tell";
    EXPECT_EQ(ignored(20.0F, surfaceOf(n, {.doubleSided = 1}), 3U, rising(0.5F)), NO_SHEET) << "a wall has two sides";
    // Where the direction alone tells the side, it tells nothing new.
    EXPECT_EQ(ignored(20.0F, surfaceOf(kUp), 0U, rising(0.5F)), NO_SHEET);
    EXPECT_EQ(ignored(20.0F, surfaceOf(kUp), 0U, rising(0.5F), makeSheet(surfaceOf(kUp), kUp)),
              makeSheet(surfaceOf(kUp), kUp))
        << "the voxel before does";
    EXPECT_EQ(ignored(20.0F, surfaceOf(n, {.spread = 0.36F}), 3U, rising(0.5F)),
              makeSheet(surfaceOf(n, {.spread = 0.36F}), n));
    EXPECT_EQ(leaves_, LEAVES_MEAN) << "not all that bends";
}

} // namespace
} // namespace aureole::shared
