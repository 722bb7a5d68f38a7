#include "gpu/submission.h"

#include <algorithm>

#include "core/error.h"

namespace aureole::gpu {

Submission::State::State(std::shared_ptr<Context> owner, std::vector<std::string> passNames)
    : context(std::move(owner))
    , passes(std::move(passNames)) {}

Submission::State::~State() {
    if (!retired) {
        context->adopt(std::move(work));
    }
}

void Submission::State::retire() {
    if (retired) {
        return;
    }
    const std::size_t count = passes.empty() ? 0 : passes.size() + 1;
    std::vector<std::uint64_t> ticks(count);
    for (std::size_t first = 0; first < count; first += kQueriesPerPool) {
        const std::size_t queries = std::min<std::size_t>(kQueriesPerPool, count - first);
        check(context->vk().vkGetQueryPoolResults(context->device(), work.slot.queries[first / kQueriesPerPool], 0,
                                                  static_cast<std::uint32_t>(queries), queries * sizeof(std::uint64_t),
                                                  &ticks[first], sizeof(std::uint64_t),
                                                  VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT),
              "vkGetQueryPoolResults", "timestamps");
    }
    for (std::size_t i = 0; i < passes.size(); ++i) {
        // Modulo the counter's width, so that one overflow between the two does no harm.
        const std::uint64_t elapsed = (ticks[i + 1] - ticks[i]) & context->physical().timestampMask;
        times.push_back({passes[i], static_cast<double>(elapsed) * context->physical().nanosecondsPerTick * 1e-6});
    }
    retired = true;
    context->returnSlot(std::move(work.slot));
    work.kept.clear();
    context->retire();
}

void Submission::wait() {
    if (state_ && !state_->retired) {
        state_->context->waitFor(state_->work.value);
        state_->retire();
        state_->context->checkBounds();
    }
}

bool Submission::finished() const {
    return !state_ || state_->retired || state_->context->reached(state_->work.value);
}

std::vector<PassTime> Submission::passTimes() const {
    if (!state_) {
        return {};
    }
    if (!state_->retired) {
        fail(ExitCode::Internal, "passTimes() of commands that were not waited for");
    }
    return state_->times;
}

} // namespace aureole::gpu
