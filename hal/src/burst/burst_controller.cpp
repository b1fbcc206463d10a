// SPDX-License-Identifier: Apache-2.0
#include <hidl/HidlInternal.h>
#include <vnpu/hal/burst_controller.h>

#include <utility>

#include "hal/src/try.h"

namespace vnpu::hal {
namespace {

namespace nn = android::hardware::neuralnetworks;
using android::sp;
using nn::V1_0::ErrorStatus;
using nn::V1_2::IBurstContext;

void log(const std::string& reason) {
    android::hardware::details::logError("burst: " + reason);
}

}  // namespace

/// Wakes the waiting client when the service dies.
class ExecutionBurstController::PeerDeath : public android::hardware::hidl_death_recipient {
  public:
    PeerDeath(std::shared_ptr<RequestChannel> requests, std::shared_ptr<ResultChannel> results)
        : requests_(std::move(requests)), results_(std::move(results)) {}

    void serviceDied(uint64_t /*cookie*/,
                     const android::wp<android::hidl::base::V1_0::IBase>& /*who*/) override {
        requests_->close();
        results_->close();
    }

  private:
    const std::shared_ptr<RequestChannel> requests_;
    const std::shared_ptr<ResultChannel> results_;
};

ExecutionBurstController::ExecutionBurstController(Options options,
                                                   sp<ExecutionBurstCallback> callback,
                                                   std::shared_ptr<RequestChannel> requests,
                                                   std::shared_ptr<ResultChannel> results)
    : options_(std::move(options)),
      callback_(std::move(callback)),
      requests_(std::move(requests)),
      results_(std::move(results)) {}

tl::expected<std::unique_ptr<ExecutionBurstController>, std::string>
ExecutionBurstController::create(const sp<IPreparedModel>& preparedModel, Options options) {
    if (preparedModel == nullptr) {
        return tl::unexpected(std::string("a burst needs a prepared model"));
    }
    auto requests = RequestChannel::create(options.channelLength);
    if (!requests) {
        return tl::unexpected("request channel: " + requests.error());
    }
    auto results = ResultChannel::create(options.channelLength);
    if (!results) {
        return tl::unexpected("result channel: " + results.error());
    }
    std::unique_ptr<ExecutionBurstController> controller(
            new ExecutionBurstController(std::move(options), new ExecutionBurstCallback,
                                         std::move(*requests), std::move(*results)));
    VNPU_TRY(controller->connect(preparedModel));
    return controller;
}

tl::expected<void, std::string> ExecutionBurstController::connect(
        const sp<IPreparedModel>& preparedModel) {
    ErrorStatus status = ErrorStatus::GENERAL_FAILURE;
    const auto returned = preparedModel->configureExecutionBurst(
            callback_, requests_->descriptor(), results_->descriptor(),
            [&](ErrorStatus answer, const sp<IBurstContext>& context) {
                status = answer;
                context_ = context;
            });
    if (!returned.isOk()) {
        return tl::unexpected("configureExecutionBurst: " + returned.description());
    }
    if (status != ErrorStatus::NONE || context_ == nullptr) {
        return tl::unexpected("configureExecutionBurst: " + nn::V1_0::toString(status));
    }
    peerDeath_ = new PeerDeath(requests_, results_);
    const auto linked = context_->linkToDeath(peerDeath_, 0);
    if (!linked.isOk() || !linked) {
        return tl::unexpected(std::string("the burst's service cannot be watched"));
    }
    return {};
}

ExecutionBurstController::~ExecutionBurstController() {
    if (context_ != nullptr && peerDeath_ != nullptr) {
        context_->unlinkToDeath(peerDeath_).isOk();
    }
}

ExecutionBurstController::Outcome ExecutionBurstController::compute(
        const Request& request, MeasureTiming measure, const std::vector<intptr_t>& memoryIds) {
    if (isBusy_.exchange(true)) {
        log("another execution is running");
        return {BurstResult(), true};
    }
    Outcome outcome = exchange(request, measure, memoryIds);
    isBusy_ = false;
    return outcome;
}

ExecutionBurstController::Outcome ExecutionBurstController::exchange(
        const Request& request, MeasureTiming measure, const std::vector<intptr_t>& memoryIds) {
    const auto slots = callback_->getSlots(request.pools, memoryIds);
    if (!slots) {
        log(slots.error());
        return {BurstResult(), true};
    }
    if (const auto sent = requests_->send(serialize(request, measure, *slots)); !sent) {
        log(sent.error());
        return {BurstResult(), true};
    }
    const std::optional<ResultPacket> packet = receive();
    if (!packet) {
        log("no result was received");
        close();
        return {};
    }
    auto result = deserialize(*packet);
    if (!result) {
        log(result.error());
        close();
        return {};
    }
    return {std::move(*result), false};
}

std::optional<ResultPacket> ExecutionBurstController::receive() {
    if (!options_.wait) {
        return results_->receive(options_.pollingTimeWindow);
    }
    std::optional<ResultPacket> packet;
    options_.wait([&] {
        packet = results_->tryReceive();
        return packet.has_value() || !results_->isOpen();
    });
    return packet;
}

/// Packets have no number: after a lost packet, the next result could belong to another request.
void ExecutionBurstController::close() {
    requests_->close();
    results_->close();
}

void ExecutionBurstController::freeMemory(intptr_t memoryId) {
    const auto slot = callback_->forget(memoryId);
    if (!slot) {
        return;
    }
    // The order matters: the service must not see a new memory in this slot beside the old one.
    if (!context_->freeMemory(*slot).isOk()) {
        log("the service does not answer");
        return;
    }
    callback_->recycle(*slot);
}

}  // namespace vnpu::hal
