#pragma once

// What a render settles before any work: which options and scene go together, and what is to be done.

#include "image/image_file.h"
#include "scene/scene.h"
#include "scene/scene_conflicts.h"
#include "scene/view.h"
#include "session/loop.h"
#include "session/options.h"

namespace aureole {

class OutlineCache;

/// Refuses options that are wrong whatever the scene; returns the format of the picture.
ImageFormat checkOptions(const RenderOptions& options);

/// The scene with the options' changes (settings/changes.h). Layers that a file of that format cannot hold are left
/// out, with a warning.
Scene loadSceneFor(const RenderOptions& options, ImageFormat format, const OutlineCache* outlines);

/// Refuses to write what the scene is made of. Throws Error (Usage).
void checkAssets(const Scene& scene, const RenderOptions& options);

/// The picture to render; of --frames, the first.
View makeView(const Scene& scene, const RenderOptions& options);

/// Whether the picture is denoised; says why not where the scene or an option asks for it. Refuses --denoise-keep-noisy
/// and --denoise-quality where neither does, and the latter with the built-in filter.
bool wantsDenoising(const Scene& scene, const RenderOptions& options);

/// Whether the picture gets bloom; says why not where the scene asks for it.
bool wantsBloom(const Scene& scene, const RenderOptions& options);

/// Whether the picture, or some frame, is finished (image/finish/finish.h), as far as the scene asks for it; says why
/// not.
bool wantsFinish(const Scene& scene, const RenderOptions& options);

/// Refuses what a scene, or an option with it, asks for in vain (scene/scene_conflicts.h): as bad usage where an option
/// has a part in it, else as a bad scene.
void checkConflicts(const Scene& scene, const View& view, bool bloomed, const RenderOptions& options);

/// Refuses conflicts that were found elsewhere, as checkConflicts does its own. Returns where there is none.
void refuseConflicts(const std::vector<SceneConflict>& conflicts, const RenderOptions& options);

/// Refuses a choice of the device where nothing runs on one.
void checkDevice(bool bloomed, const RenderOptions& options);

/// Refuses several devices where there is a `noise` for adaptive sampling to reach: they cannot.
void checkSeveral(double noise, std::size_t devices, const RenderOptions& options);

/// Moves the view to a frame of the scene's animation.
void setFrame(const Scene& scene, View& view, std::uint32_t frame);

RenderLimits limitsOf(const Scene& scene, const RenderOptions& options);

} // namespace aureole
