// SPDX-License-Identifier: Apache-2.0
#include "driver/hal/burst_context.h"

#include <vnpu/hal/burst_server.h>

#include <algorithm>
#include <utility>

#include "driver/hal/burst_executor.h"

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;
using android::sp;
using std::chrono::nanoseconds;

namespace {

// Pause between two polls. chosen: the latency of a futex wake-up; longer while the queue stays
// empty, to save simulation time
constexpr nanoseconds kFirstQueueLook{1000};
constexpr nanoseconds kSlowestQueueLook{10'000};

/// A burst whose listener is a host thread of the port.
class HostThreadBurst : public nn::V1_2::IBurstContext {
  public:
    HostThreadBurst(DevicePort& port, std::unique_ptr<hal::BurstSession> session)
        : shared_(std::make_shared<Shared>(port, std::move(session))) {
        port.post([shared = shared_] { shared->listen(); });
    }

    ~HostThreadBurst() override {
        shared_->session->close();
        shared_->closed->set();
        shared_->ended->wait();
        shared_->session = nullptr;  // frees the memory of its slots too
    }

    android::hardware::Return<void> freeMemory(std::int32_t slot) override {
        const HostLockGuard guard(shared_->turn);
        shared_->session->freeMemory(slot);
        return android::hardware::Void();
    }

  private:
    /// Shared with the listener.
    struct Shared {
        Shared(DevicePort& ofPort, std::unique_ptr<hal::BurstSession> ofSession)
            : port(ofPort),
              session(std::move(ofSession)),
              turn(ofPort),
              closed(ofPort.createEvent()),
              ended(ofPort.createEvent()) {}

        void listen() {
            nanoseconds pause = kFirstQueueLook;
            while (session->isOpen()) {
                if (const auto packet = session->tryReceive()) {
                    const HostLockGuard guard(turn);
                    session->answer(*packet);
                    pause = kFirstQueueLook;
                } else {
                    closed->waitFor(pause);
                    pause = std::min(2 * pause, kSlowestQueueLook);
                }
            }
            ended->set();
        }

        DevicePort& port;
        std::unique_ptr<hal::BurstSession> session;
        HostLock turn;  // held while a request is served or memory freed
        const std::unique_ptr<HostEvent> closed;
        const std::unique_ptr<HostEvent> ended;
    };

    const std::shared_ptr<Shared> shared_;
};

}  // namespace

Result<sp<nn::V1_2::IBurstContext>> createBurst(const std::shared_ptr<PreparedModel>& prepared,
                                                const hal::BurstSession::Offer& offer) {
    if (offer.callback == nullptr) {
        return invalidArgument("callback is null");
    }
    DeviceRuntime& runtime = prepared->runtime();
    auto executor = std::make_shared<BurstExecutor>(prepared);
    if (runtime.port().hasSystemThreads()) {
        auto server = hal::ExecutionBurstServer::create(offer.callback, offer.requestChannel,
                                                        offer.resultChannel, std::move(executor),
                                                        runtime.options().burstPollingWindow);
        if (!server) {
            return invalidArgument(server.error());
        }
        return *server;
    }
    auto session = hal::BurstSession::create(offer, std::move(executor));
    if (!session) {
        return invalidArgument(session.error());
    }
    return sp<nn::V1_2::IBurstContext>(new HostThreadBurst(runtime.port(), std::move(*session)));
}

}  // namespace vnpu::driver
