// SPDX-License-Identifier: Apache-2.0
#include <hidl/HidlInternal.h>
#include <vnpu/hal/burst_server.h>
#include <vnpu/hal/duplicate_handle.h>

#include <condition_variable>
#include <map>
#include <mutex>
#include <system_error>
#include <utility>

#include "hal/src/try.h"

namespace vnpu::hal {
namespace {

namespace nn = android::hardware::neuralnetworks;
using android::sp;
using android::hardware::hidl_memory;
using android::hardware::hidl_vec;
using nn::V1_0::ErrorStatus;
using nn::V1_2::IPreparedModel;
using nn::V1_2::MeasureTiming;
using nn::V1_2::OutputShape;
using nn::V1_2::Timing;

// chosen: a hostile peer that suppresses the wake-up of the listener delays its end by this long
constexpr std::chrono::milliseconds kAskAgain{10};
// chosen: the time for a client to answer a call of a burst that it has dropped
constexpr int kAsksOfClient = 100;

/// Executes the requests of a burst on any prepared model.
class PreparedModelExecutor : public IBurstExecutorWithCache {
  public:
    explicit PreparedModelExecutor(sp<IPreparedModel> preparedModel)
        : preparedModel_(std::move(preparedModel)) {}

    bool isCacheEntryPresent(int32_t slot) const override { return memories_.count(slot) != 0; }
    void addCacheEntry(const hidl_memory& memory, int32_t slot) override {
        if (auto own = duplicateMemory(memory)) {
            memories_[slot] = std::move(*own);
        } else {
            android::hardware::details::logError("burst: " + own.error());
        }
    }
    void removeCacheEntry(int32_t slot) override { memories_.erase(slot); }

    BurstResult execute(const nn::V1_0::Request& request, const std::vector<int32_t>& slots,
                        MeasureTiming measure) override {
        BurstResult result;
        nn::V1_0::Request complete{request.inputs, request.outputs,
                                   hidl_vec<hidl_memory>(slots.size())};
        for (size_t i = 0; i < slots.size(); ++i) {
            const auto found = memories_.find(slots[i]);
            if (found == memories_.end()) {
                result.status = ErrorStatus::INVALID_ARGUMENT;
                return result;
            }
            const hidl_memory& memory = found->second;  // the map keeps owning the handle
            complete.pools[i] = hidl_memory(memory.name(), memory.handle(), memory.size());
        }
        const auto returned = preparedModel_->executeSynchronously(
                complete, measure,
                [&](ErrorStatus status, const hidl_vec<OutputShape>& shapes, const Timing& timing) {
                    result = {status, shapes, timing};
                });
        return returned.isOk() ? result : BurstResult();
    }

  private:
    const sp<IPreparedModel> preparedModel_;
    std::map<int32_t, hidl_memory> memories_;
};

}  // namespace

/// The state that the burst and its listener share; the last of the two destroys it.
struct ExecutionBurstServer::Shared {
    std::unique_ptr<BurstSession> session;
    std::chrono::microseconds pollingWindow{0};
    std::mutex turn;   // held while a request is served or a memory is freed; locked before `mutex`
    std::mutex mutex;  // guards hasEnded
    std::condition_variable ended;
    bool hasEnded = false;

    void listen() {
        while (const auto packet = session->receive(pollingWindow)) {
            const std::lock_guard guard(turn);
            session->answer(*packet);
        }
        const std::lock_guard guard(mutex);
        hasEnded = true;
        ended.notify_all();
    }

    /// Whether the listener has ended. It has not while it waits for an answer of the client, which
    /// may never come.
    bool end() {
        int asksOfClient = 0;
        std::unique_lock lock(mutex);
        while (!hasEnded && asksOfClient < kAsksOfClient) {
            session->close();
            ended.wait_for(lock, kAskAgain, [this] { return hasEnded; });
            asksOfClient = session->isAskingClient() ? asksOfClient + 1 : 0;
        }
        return hasEnded;
    }
};

ExecutionBurstServer::ExecutionBurstServer(std::shared_ptr<Shared> shared, std::thread listener)
    : shared_(std::move(shared)), listener_(std::move(listener)) {}

ExecutionBurstServer::Created ExecutionBurstServer::create(
        const sp<IBurstCallback>& callback, const RequestDescriptor& requestChannel,
        const ResultDescriptor& resultChannel,
        std::shared_ptr<IBurstExecutorWithCache> executorWithCache,
        std::chrono::microseconds pollingTimeWindow) {
    VNPU_TRY_ASSIGN(auto session, BurstSession::create({callback, requestChannel, resultChannel},
                                                       std::move(executorWithCache)));
    auto shared = std::make_shared<Shared>();
    shared->session = std::move(session);
    shared->pollingWindow = pollingTimeWindow;
    std::thread listener;
    try {
        listener = std::thread([shared] { shared->listen(); });
    } catch (const std::system_error& error) {
        return tl::unexpected(std::string("no thread for the burst: ") + error.what());
    }
    return sp<ExecutionBurstServer>(
            new ExecutionBurstServer(std::move(shared), std::move(listener)));
}

ExecutionBurstServer::Created ExecutionBurstServer::create(
        const sp<IBurstCallback>& callback, const RequestDescriptor& requestChannel,
        const ResultDescriptor& resultChannel, const sp<IPreparedModel>& preparedModel,
        std::chrono::microseconds pollingTimeWindow) {
    return preparedModel == nullptr ? tl::unexpected(std::string("a burst needs a prepared model"))
                                    : create(callback, requestChannel, resultChannel,
                                             std::make_shared<PreparedModelExecutor>(preparedModel),
                                             pollingTimeWindow);
}

ExecutionBurstServer::~ExecutionBurstServer() {
    // A client in this process may drop its burst while the burst asks it for memories.
    const bool isListener = listener_.get_id() == std::this_thread::get_id();
    if (isListener) {
        shared_->session->close();
    }
    if (isListener || !shared_->end()) {
        listener_.detach();
    } else {
        listener_.join();
    }
}

android::hardware::Return<void> ExecutionBurstServer::freeMemory(int32_t slot) {
    const std::lock_guard guard(shared_->turn);
    shared_->session->freeMemory(slot);
    return android::hardware::Void();
}

}  // namespace vnpu::hal
