// aureole-import: reads one model or picture for aureole, in a process that has no way to anything else.

#include "image/exr/exr.h"
#include "image/image_file.h"
#include "image/image_pack.h"
#include "image/png/png.h"
#include "import/model_pack.h"
#include "import/pictures/texture_file.h"
#include "import/read_model.h"
#include "sandbox/worker.h"

namespace {

using namespace aureole;

void readAsset(const sandbox::Task& task, sandbox::WorkerLink& link) {
    switch (task.job) {
    case sandbox::Job::Model: {
        ImportOptions options;
        options.normalGreenDown = task.option;
        options.grid = task.part;
        options.colourGrid = task.colours;
        options.frames = task.frames;
        if (!task.clip.empty()) {
            options.moment = {task.clip, task.seconds, task.loops};
        }
        ImportedModel model = readModel(AssetReader(task.name, link), options);
        link.sendResult(model);
        return;
    }
    case sandbox::Job::Texture: {
        Texture texture = decodeTexture(link.openAsset());
        link.sendResult(texture);
        return;
    }
    case sandbox::Job::Exr: {
        Image image = decodeExr(link.openAsset());
        link.sendResult(image);
        return;
    }
    case sandbox::Job::Png: {
        Image image = decodePng(link.openAsset(), task.option ? PngTransfer::Linear : PngTransfer::Srgb);
        link.sendResult(image);
        return;
    }
    case sandbox::Job::Picture: {
        Image image = decodePicture(link.openAsset());
        link.sendResult(image);
        return;
    }
    }
}

} // namespace

int main() {
    aureole::sandbox::serveTask(readAsset);
}
