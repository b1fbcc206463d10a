// SPDX-License-Identifier: Apache-2.0
#include "sim/interrupt/interrupter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "driver/api/experiments.h"
#include "sim/client/model_runner.h"
#include "sim/models/operand_types.h"

namespace vnpu::sim {

namespace {

constexpr std::uint32_t kRivalUid = 19'999;  // source: Android, AID_APP_END

void reschedule(ClientContext& context, Interruption how) {
    const auto done = driver::reschedule(context.device(), interruptingScheduling(how));
    if (!done) {
        throw std::runtime_error(
                fmt::format("scheduling for interruptions is refused: {}", done.error().reason));
    }
}

}  // namespace

/// A client that uses the device repeatedly while another client is to be interrupted.
class Interrupter::Rival {
  public:
    explicit Rival(std::uint64_t seed) : random_(seed), model_(makeStressModels().front()) {}

    void run(ClientContext& context) {
        wake_ = context.createEvent();
        runner_ = ModelRunner::prepare(context, model_.network, nn::Priority::HIGH);
        while (!isFinished_) {
            while (isActive_) {
                const auto gap = random_.nextUnit() * static_cast<double>(duration_.count());
                context.sleepUntil(context.now() +
                                   std::chrono::nanoseconds(static_cast<std::int64_t>(gap) + 1));
                if (isActive_) {
                    executeOnce();
                }
            }
            if (idle_ != nullptr) {
                idle_->set();
            }
            if (!isFinished_) {
                wake_->wait();
                wake_->reset();
            }
        }
        runner_ = nullptr;
        wake_ = nullptr;
    }

    void begin(std::chrono::nanoseconds duration) {
        duration_ = duration;
        isActive_ = true;
        wake();
    }

    /// Waits until the rival has no call in progress.
    void end(ClientContext& context) {
        const std::unique_ptr<driver::HostEvent> idle = context.createEvent();
        isActive_ = false;
        idle_ = idle.get();
        wake();
        idle->wait();
        idle_ = nullptr;
    }

    void finish() {
        isFinished_ = true;
        wake();
    }

    const std::string& problem() const { return problem_; }

  private:
    /// The rival may not have begun yet.
    void wake() {
        if (wake_ != nullptr) {
            wake_->set();
        }
    }

    void executeOnce() {
        const std::vector<std::byte> input = stressInput(model_, random_.next());
        std::memcpy(runner_->input(0).data(), input.data(), input.size());
        const nn::ErrorStatus status = runner_->execute(ExecutionPath::kSync).status;
        const std::vector<std::byte> expected = model_.expected(input, input);
        const auto output = runner_->output(0);
        if (status != nn::ErrorStatus::NONE) {
            problem_ = fmt::format("the rival's execution ended with {}", nameOf(status));
        } else if (!std::equal(expected.begin(), expected.end(), output.begin(), output.end())) {
            problem_ = "the rival has a wrong output";
        }
    }

    Random random_;
    const StressModel model_;
    std::unique_ptr<driver::HostEvent> wake_;
    std::unique_ptr<ModelRunner> runner_;
    driver::HostEvent* idle_ = nullptr;  // of the waiting client; not owned
    std::chrono::nanoseconds duration_{};
    bool isActive_ = false;
    bool isFinished_ = false;
    std::string problem_;
};

Interrupter::Interrupter(Platform& platform, std::uint64_t seed)
    : rival_(std::make_shared<Rival>(seed)) {
    platform.addClient("rival", kRivalUid,
                       [rival = rival_](ClientContext& context) { rival->run(context); });
}

Interrupter::~Interrupter() = default;

std::uint64_t Interrupter::interruptions(ClientContext& context) const {
    const driver::DriverCounters counters = driver::countersOf(context.device());
    return counters.preemptions + counters.restarts;
}

std::uint64_t Interrupter::interrupt(ClientContext& context, Interruption how,
                                     std::chrono::nanoseconds duration,
                                     const std::function<void()>& run) {
    const std::uint64_t before = interruptions(context);
    reschedule(context, how);
    if (how == Interruption::kRestart) {
        rival_->begin(duration);
    }
    run();
    rival_->end(context);
    reschedule(context, Interruption::kNone);
    if (!rival_->problem().empty()) {
        throw std::runtime_error(rival_->problem());
    }
    return interruptions(context) - before;
}

void Interrupter::finish() {
    rival_->finish();
}

}  // namespace vnpu::sim
