#pragma once

// Proof that the strategies of the traversal benchmark find the same hits, and that the CPU finds them too.

#include <string>
#include <vector>

#include "bench/traverse/traverse_arena.h"

namespace aureole::bench {

/// Whether a record is of a voxel that was hit.
bool isVoxelHit(const shared::HitRecord& hit);

/// Whether no ray left this record.
bool isNoHit(const shared::HitRecord& hit);

/// A record in words.
std::string describeHit(const shared::HitRecord& hit);

/// Throws Error (Internal), naming the ray and both hits, unless the hits by pixel are the same.
void expectSameHits(const std::string& what, const std::vector<shared::HitRecord>& expected,
                    const std::vector<shared::HitRecord>& found, std::uint32_t width);

/// Throws as expectSameHits for rays that started further on: their steps are others, so that where one goes through an
/// edge, to within the roundings of its position, it may come to the voxel on the other side. Returns how many do.
std::size_t expectSameHitsButAtEdges(const std::string& what, const TraverseArena& arena,
                                     const std::vector<shared::HitRecord>& expected,
                                     const std::vector<shared::HitRecord>& found);

/// Whether a ray meets the face that it hit, at the distance told, and within 4 ulps of an edge of it, on a grid of
/// 4^levels voxels a side.
bool meetsEdge(const shared::RayRecord& ray, const shared::HitRecord& hit, std::uint32_t levels);

/// Whether one ray may end in both ways: the nearer hit is at an edge; the further one is a miss or on the ray, too.
bool differAtEdge(const shared::RayRecord& ray, const shared::HitRecord& expected, const shared::HitRecord& found,
                  std::uint32_t levels);

/// Throws Error (Internal) unless as many rays have hits, or misses, as there are.
void expectAllTraced(const std::string& what, const std::vector<shared::HitRecord>& hits, std::uint32_t live);

/// Traces some rays of the set on the CPU, with the device's reciprocals, and throws Error (Internal) where a hit
/// differs in any bit.
void expectHitsOfCpu(const std::string& what, const TraverseArena& arena, const std::vector<shared::HitRecord>& hits);

} // namespace aureole::bench
