// SPDX-License-Identifier: Apache-2.0
// The computation of an execution: at once, in a burst, on another thread, or after fences.
#include <android-base/scopeguard.h>

#include <algorithm>
#include <utility>

#include "driver/validation/operand_types.h"
#include "sim/ndk/base/workers.h"
#include "sim/ndk/compute/execution.h"
#include "sim/ndk/compute/plan_run.h"

namespace vnpu::sim::ndk {

using std::chrono::nanoseconds;

namespace {

/// A fenced computation on a device that signals its own fence.
class DeviceEvent : public Event {
  public:
    DeviceEvent(std::shared_ptr<Execution> execution, android::base::unique_fd fence)
        : execution_(std::move(execution)), fence_(std::move(fence)) {}

    ResultCode wait() override {
        // The status of the fence is not needed: the outcome has the reason of a failure.
        static_cast<void>(waitForFence(fence_.get()));
        return execution_->endFenced();
    }
    int fence() const override { return fence_.get(); }

  private:
    const std::shared_ptr<Execution> execution_;
    const android::base::unique_fd fence_;
};

std::optional<std::size_t> firstMissing(const std::vector<bool>& areSet) {
    const auto missing = std::find(areSet.begin(), areSet.end(), false);
    return missing == areSet.end()
                   ? std::nullopt
                   : std::optional(static_cast<std::size_t>(missing - areSet.begin()));
}

tl::unexpected<Error> failure(ResultCode code) {
    return failed(code, "computation ended with {}", nameOf(code));
}

Result<void> resultOf(ResultCode code) {
    return code == ANEURALNETWORKS_NO_ERROR ? Result<void>() : failure(code);
}

}  // namespace

Result<void> Execution::begin() {
    VNPU_TRY(checkIsOpen());
    if (const auto input = firstMissing(areInputsSet_)) {
        return badData("input {} has not been set", *input);
    }
    if (const auto output = firstMissing(areOutputsSet_)) {
        return badData("output {} has not been set", *output);
    }
    for (const Argument& output : call_.outputs) {
        if (const MemoryRoles* const roles = output.roles(); roles != nullptr) {
            // Noted later, the end of an earlier writer would count as the last one.
            roles->noteWriterEnd();
        }
    }
    state_ = State::kComputing;
    return {};
}

ResultCode Execution::run(const std::vector<std::shared_ptr<BurstLink>>& bursts) {
    for (Argument& input : call_.inputs) {
        const MemoryRoles* const roles = input.roles();
        if (roles == nullptr) {
            continue;
        }
        if (!roles->hasContents()) {
            logLine("input is a memory without contents");
            finish({.code = ANEURALNETWORKS_OP_FAILED, .shapes = {}});
            return ANEURALNETWORKS_OP_FAILED;
        }
        if (!input.memory->isDeviceBuffer() && input.dimensions.empty()) {
            input.dimensions = roles->dimensions();
        }
    }
    CallOutcome outcome = runPlan(*compilation_, call_, bursts);
    const ResultCode code = outcome.code;
    finish(std::move(outcome));
    return code;
}

void Execution::finish(CallOutcome outcome) {
    for (std::size_t i = 0; i < call_.outputs.size(); ++i) {
        MemoryRoles* const roles = call_.outputs[i].roles();
        if (roles != nullptr && outcome.code == ANEURALNETWORKS_NO_ERROR) {
            roles->setContents(outcome.shapes[i].dimensions);
        } else if (roles != nullptr) {
            roles->invalidate();
        }
    }
    fencedTiming_ = fencedTiming_ == kNoTiming ? outcome.timing : fencedTiming_;
    outcome_ = std::move(outcome);
    state_ = State::kComputed;
}

/// Calls `work`. If it throws, the execution has ended, too.
template <typename Work>
auto Execution::endingWith(const Work& work) {
    try {
        return work();
    } catch (...) {
        finish({.code = ANEURALNETWORKS_OP_FAILED, .shapes = {}});
        throw;
    }
}

Result<void> Execution::compute() {
    VNPU_TRY(begin());
    call_.deadline = deadlineAfter(timeout_);
    return endingWith([&] { return resultOf(run({})); });
}

Result<void> Execution::compute(Burst& burst) {
    if (burst.compilation() != compilation_.get()) {
        return badData("burst is of another compilation");
    }
    VNPU_TRY(checkIsOpen());
    if (!burst.take()) {
        return badState("burst computes another execution");
    }
    const auto giveBack = android::base::make_scope_guard([&] { burst.giveBack(); });
    VNPU_TRY(begin());
    call_.deadline = deadlineAfter(timeout_);
    return endingWith([&] { return resultOf(run(burst.links())); });
}

Result<std::shared_ptr<Event>> Execution::start() {
    VNPU_TRY(begin());
    call_.deadline = deadlineAfter(timeout_);
    const auto event = std::make_shared<ComputationEvent>();
    auto started = runOnWorker([self = shared_from_this(), event] { event->end(self->run({})); });
    if (!started) {
        return refuse(std::move(started).error());
    }
    return event;
}

Result<std::shared_ptr<Event>> Execution::startFenced(
        std::vector<std::shared_ptr<Event>> dependencies, nanoseconds duration) {
    if (duration.count() != 0 && !compilation_->isForOneChosenDevice()) {
        return badData("duration for a compilation that is not for exactly one chosen device");
    }
    VNPU_TRY(checkIsOpen());
    for (std::size_t i = 0; i < call_.outputs.size(); ++i) {
        const auto* operand = compilation_->operandOf(false, i);
        const Dimensions shape = call_.outputs[i].dimensions.empty()
                                         ? Dimensions(operand->dimensions)
                                         : call_.outputs[i].dimensions;
        if (areOutputsSet_[i] && !call_.outputs[i].isAbsent &&
            !driver::sizeOfData(operand->type, shape)) {
            return badData("output {} of a fenced computation has no known shape", i);
        }
    }
    VNPU_TRY(begin());
    call_.deadline = deadlineAfter(timeout_);
    if (duration.count() != 0) {
        call_.durationAfterFences = duration;
    }
    std::vector<int> fences;
    for (const auto& dependency : dependencies) {
        fences.push_back(dependency->fence());
    }
    const bool haveFences = std::find(fences.begin(), fences.end(), -1) == fences.end();
    return endingWith([&]() -> Result<std::shared_ptr<Event>> {
        if (compilation_->steps().size() == 1 && haveFences) {
            auto event = startOnDevice(fences);
            if (!event || *event != nullptr) {
                return event;
            }
        }
        return startOnWorker(std::move(dependencies));
    });
}

Result<std::shared_ptr<Event>> Execution::startOnDevice(std::span<const int> fences) {
    auto link = compilation_->steps().front().prepared->computeFenced(call_, fences);
    if (!link) {
        return refuse(std::move(link).error());
    }
    if (*link == nullptr) {
        return nullptr;
    }
    link_ = std::move(*link);
    becomeWriter();
    const bool hasPointers = std::any_of(
            call_.outputs.begin(), call_.outputs.end(),
            [](const Argument& output) { return !output.isAbsent && output.memory == nullptr; });
    auto event = hasPointers ? eventAfterCopies() : deviceEvent();
    if (!event) {
        // The device writes the caller's memory until then.
        static_cast<void>(waitForFence(link_->fence()));
        endFenced();
    }
    return event;
}

/// The outputs' bytes must be there when the event's own fence is signaled.
Result<std::shared_ptr<Event>> Execution::eventAfterCopies() {
    VNPU_TRY_ASSIGN(auto own, OwnFence::create());
    const auto event = std::make_shared<ComputationEvent>(std::move(own));
    VNPU_TRY(runOnWorker([self = shared_from_this(), event] {
        static_cast<void>(waitForFence(self->link_->fence()));
        event->end(self->endFenced());
    }));
    return event;
}

Result<std::shared_ptr<Event>> Execution::deviceEvent() {
    VNPU_TRY_ASSIGN(auto fence, duplicate(link_->fence()));
    return std::make_shared<DeviceEvent>(shared_from_this(), std::move(fence));
}

/// Ends an execution that could not be started.
tl::unexpected<Error> Execution::refuse(Error error) {
    finish({.code = error.code, .shapes = {}});
    return tl::unexpected(std::move(error));
}

ResultCode Execution::endFenced() {
    const std::lock_guard lock(fenceMutex_);
    if (state_ == State::kComputing) {
        const FencedOutcome ended = link_->outcome();
        CallOutcome outcome{ended.code, {}, ended.sinceLaunch};
        fencedTiming_ = ended.sinceFences;
        completeShapes(*compilation_, call_, outcome);
        finish(std::move(outcome));
    }
    return outcome_.code;
}

Result<std::shared_ptr<Event>> Execution::startOnWorker(
        std::vector<std::shared_ptr<Event>> dependencies) {
    auto fence = OwnFence::create();
    if (!fence) {
        return refuse(std::move(fence).error());
    }
    const auto event = std::make_shared<ComputationEvent>(std::move(*fence));
    auto started = runOnWorker([self = shared_from_this(), event,
                                dependencies = std::move(dependencies)] {
        for (const auto& dependency : dependencies) {
            if (const ResultCode code = dependency->wait(); code != ANEURALNETWORKS_NO_ERROR) {
                self->finish({.code = code, .shapes = {}});
                event->end(code);
                return;
            }
        }
        if (self->call_.durationAfterFences) {
            const auto limit = deadlineAfter(*self->call_.durationAfterFences);
            self->call_.deadline = std::min(self->call_.deadline.value_or(*limit), *limit);
        }
        event->end(self->run({}));
    });
    if (!started) {
        return refuse(std::move(started).error());
    }
    return event;
}

void Execution::becomeWriter() {
    for (const Argument& output : call_.outputs) {
        if (MemoryRoles* const roles = output.roles(); roles != nullptr) {
            roles->setWriter([execution = weak_from_this()] {
                if (const auto writer = execution.lock()) {
                    writer->endIfSignaled();
                }
            });
        }
    }
}

void Execution::endIfSignaled() {
    if (state_ != State::kComputing) {
        return;
    }
    {
        const std::lock_guard lock(fenceMutex_);
        if (link_ == nullptr || !isSignaled(link_->fence())) {
            return;
        }
    }
    endFenced();
}

Result<void> Execution::checkIsComputed() {
    endIfSignaled();
    if (state_ == State::kComputing) {
        return badState("computation has not ended");
    }
    if (state_ != State::kComputed) {
        return badState("execution has not been computed");
    }
    return {};
}

}  // namespace vnpu::sim::ndk
