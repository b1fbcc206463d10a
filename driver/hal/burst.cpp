// SPDX-License-Identifier: Apache-2.0
#include "driver/hal/burst.h"

#include <fmt/format.h>
#include <vnpu/hal/burst_server.h>
#include <vnpu/hal/duplicate_handle.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "driver/execution/call_scope.h"
#include "driver/execution/hal_status.h"
#include "driver/hal/hal_conversion.h"
#include "driver/memory/pool_cache.h"

namespace vnpu::driver {

namespace nn = android::hardware::neuralnetworks;
using android::sp;
using android::hardware::hidl_memory;
using std::chrono::nanoseconds;

namespace {

/// Runs a burst's requests on a prepared model; the client's pools stay mapped by slot, and the
/// device stays in its high-performance state. One call at a time, on a host thread of the port.
class BurstExecutor : public hal::IBurstExecutorWithCache {
  public:
    // chosen: the most that a usual packet of 1024 data can name
    static constexpr std::size_t kMaxSlots = 1024;

    explicit BurstExecutor(sp<PreparedModel> prepared)
        : prepared_(std::move(prepared)), power_(prepared_->runtime().power().hold()) {}

    bool isCacheEntryPresent(std::int32_t slot) const override { return entries_.contains(slot); }
    void addCacheEntry(const hidl_memory& memory, std::int32_t slot) override;
    void removeCacheEntry(std::int32_t slot) override { entries_.erase(slot); }
    hal::BurstResult execute(const nn::V1_0::Request& request,
                             const std::vector<std::int32_t>& slots,
                             nn::V1_2::MeasureTiming measure) override;

  private:
    struct Entry {
        hidl_memory memory;  // with a duplicated handle
        /// Null for memory that is mapped for each execution or cannot be mapped.
        std::shared_ptr<const PoolMapping> mapping;
    };

    Result<BoundRequest> bind(const nn::V1_0::Request& request,
                              const std::vector<std::int32_t>& slots) const;

    const sp<PreparedModel> prepared_;
    const PowerGovernor::Hold power_;  // B-1
    std::map<std::int32_t, Entry> entries_;
};

void BurstExecutor::addCacheEntry(const hidl_memory& memory, std::int32_t slot) {
    const DriverLog& log = prepared_->runtime().log();
    if (entries_.size() >= kMaxSlots) {
        log.line(fmt::format("burst: slot {} would be more than {} slots", slot, kMaxSlots));
        return;
    }
    auto own = hal::duplicateMemory(memory);
    if (!own) {
        log.line(fmt::format("burst: memory of slot {}: {}", slot, own.error()));
        return;
    }
    Entry entry{std::move(*own), nullptr};
    if (PoolKey::of(entry.memory)) {
        auto mapping = PoolMapping::create(prepared_->context().poolTarget(), entry.memory,
                                           PoolMapping::Use::kRequest);
        if (mapping) {
            entry.mapping = std::move(*mapping);
        }  // otherwise an execution that needs the memory reports the reason
    }
    entries_.insert_or_assign(slot, std::move(entry));
}

Result<BoundRequest> BurstExecutor::bind(const nn::V1_0::Request& request,
                                         const std::vector<std::int32_t>& slots) const {
    nn::V1_0::Request complete{request.inputs, request.outputs, {}};
    complete.pools.resize(slots.size());
    std::vector<std::shared_ptr<const PoolMapping>> mappings(slots.size());
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const auto found = entries_.find(slots[i]);
        if (found == entries_.end()) {
            return invalidArgument(fmt::format("slot {} holds no memory", slots[i]));
        }
        const hidl_memory& memory = found->second.memory;
        complete.pools[i] = hidl_memory(memory.name(), memory.handle(), memory.size());
        // A file may have become too small for its mapping since.
        if (PoolKey::of(memory)) {
            mappings[i] = found->second.mapping;
        }
    }
    return prepared_->bind(borrowRequest(complete), std::move(mappings));
}

hal::BurstResult BurstExecutor::execute(const nn::V1_0::Request& request,
                                        const std::vector<std::int32_t>& slots,
                                        nn::V1_2::MeasureTiming measure) {
    DeviceRuntime& runtime = prepared_->runtime();
    CallScope call(runtime.environment(), "executeBurst", prepared_->context().uid());
    const std::chrono::nanoseconds now = runtime.port().now();
    const ExecutionOptions options{.isMeasured = measure == nn::V1_2::MeasureTiming::YES,
                                   .deadline = std::nullopt,
                                   .arrival = now,
                                   .begin = now,
                                   .loopTimeout = kDefaultLoopTimeout,
                                   .callId = call.id()};
    auto bound = bind(request, slots);
    const ExecutionResult result =
            bound ? prepared_->run(*bound, options) : failedExecution(call.refuse(bound.error()));
    call.end(result.status);
    return {toHal10Status(result.status), result.outputShapes, result.timing};
}

// Pause between two polls. chosen: the latency of a futex wake-up; longer while the queue stays
// empty, to save simulation time
constexpr nanoseconds kFirstQueueLook{1000};
constexpr nanoseconds kSlowestQueueLook{10'000};

/// A burst whose listener is a host thread of the port.
class HostThreadBurst : public nn::V1_2::IBurstContext {
  public:
    static Result<sp<nn::V1_2::IBurstContext>> create(DevicePort& port,
                                                      std::unique_ptr<hal::BurstSession> session) {
        auto shared = std::make_shared<Shared>(port, std::move(session));
        VNPU_TRY(port.post([shared] { shared->listen(); }));
        return sp<nn::V1_2::IBurstContext>(new HostThreadBurst(std::move(shared)));
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

    explicit HostThreadBurst(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}

    const std::shared_ptr<Shared> shared_;
};

}  // namespace

Result<sp<nn::V1_2::IBurstContext>> createBurst(const sp<PreparedModel>& prepared,
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
            return fail(ErrorStatus::GENERAL_FAILURE, server.error());
        }
        return *server;
    }
    auto session = hal::BurstSession::create(offer, std::move(executor));
    if (!session) {
        return fail(ErrorStatus::GENERAL_FAILURE, session.error());
    }
    return HostThreadBurst::create(runtime.port(), std::move(*session));
}

}  // namespace vnpu::driver
