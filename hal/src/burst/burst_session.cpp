// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <hidl/HidlInternal.h>
#include <vnpu/hal/burst_session.h>

#include <algorithm>
#include <utility>

namespace vnpu::hal {
namespace {

namespace nn = android::hardware::neuralnetworks;
using android::sp;
using android::hardware::hidl_memory;
using android::hardware::hidl_vec;
using nn::V1_0::ErrorStatus;
using nn::V1_2::FmqRequestDatum;
using nn::V1_2::FmqResultDatum;
using nn::V1_2::IBurstCallback;

void logRefusal(const std::string& reason) {
    android::hardware::details::logError("burst: " + reason);
}

BurstResult failed(ErrorStatus status) {
    BurstResult result;
    result.status = status;
    return result;
}

}  // namespace

BurstSession::BurstSession(sp<IBurstCallback> callback,
                           std::unique_ptr<PacketChannel<FmqRequestDatum>> requests,
                           std::unique_ptr<PacketChannel<FmqResultDatum>> results,
                           std::shared_ptr<IBurstExecutorWithCache> executor)
    : callback_(std::move(callback)),
      requests_(std::move(requests)),
      results_(std::move(results)),
      executor_(std::move(executor)) {}

tl::expected<std::unique_ptr<BurstSession>, std::string> BurstSession::create(
        const Offer& offer, std::shared_ptr<IBurstExecutorWithCache> executor) {
    if (offer.callback == nullptr || executor == nullptr) {
        return tl::unexpected(std::string("a burst needs a callback and an executor"));
    }
    auto requests = PacketChannel<FmqRequestDatum>::attach(offer.requestChannel);
    if (!requests) {
        return tl::unexpected("request channel: " + requests.error());
    }
    auto results = PacketChannel<FmqResultDatum>::attach(offer.resultChannel);
    if (!results) {
        return tl::unexpected("result channel: " + results.error());
    }
    return std::unique_ptr<BurstSession>(new BurstSession(
            offer.callback, std::move(*requests), std::move(*results), std::move(executor)));
}

void BurstSession::close() {
    requests_->close();
    results_->close();
}

void BurstSession::answer(const RequestPacket& packet) {
    const auto sent = results_->send(serialize(serve(packet)));
    if (sent || !isOpen()) {  // a client that has ended needs no result
        return;
    }
    logRefusal(sent.error());
    if (const auto failed = results_->send(serialize(BurstResult())); !failed) {
        logRefusal(failed.error());
    }
}

BurstResult BurstSession::serve(const RequestPacket& packet) {
    const auto request = deserialize(packet);
    if (!request) {
        logRefusal(request.error());
        return failed(ErrorStatus::GENERAL_FAILURE);
    }
    if (const ErrorStatus status = fetchMissing(request->slots); status != ErrorStatus::NONE) {
        return failed(status);
    }
    if (!isOpen()) {  // the client dropped the burst before it answered
        return failed(ErrorStatus::GENERAL_FAILURE);
    }
    return executor_->execute(request->request, request->slots, request->measure);
}

ErrorStatus BurstSession::fetchMissing(const std::vector<int32_t>& slots) {
    std::vector<int32_t> missing = slots;
    std::sort(missing.begin(), missing.end());
    missing.erase(std::unique(missing.begin(), missing.end()), missing.end());
    missing.erase(
            std::remove_if(missing.begin(), missing.end(),
                           [this](int32_t slot) { return executor_->isCacheEntryPresent(slot); }),
            missing.end());
    if (missing.empty()) {
        return ErrorStatus::NONE;
    }
    ErrorStatus result = ErrorStatus::GENERAL_FAILURE;
    isAskingClient_ = true;
    const auto returned = callback_->getMemories(
            missing, [&](ErrorStatus status, const hidl_vec<hidl_memory>& memories) {
                result = status;
                if (status == ErrorStatus::NONE && memories.size() != missing.size()) {
                    logRefusal(fmt::format("the client gave {} memories for {} slots",
                                           memories.size(), missing.size()));
                    result = ErrorStatus::GENERAL_FAILURE;
                }
                for (size_t i = 0; result == ErrorStatus::NONE && i < missing.size(); ++i) {
                    if (!memories[i].valid()) {
                        logRefusal(
                                fmt::format("the client's memory for slot {} is none", missing[i]));
                        result = ErrorStatus::INVALID_ARGUMENT;
                    } else {
                        executor_->addCacheEntry(memories[i], missing[i]);
                    }
                }
            });
    isAskingClient_ = false;
    if (!returned.isOk()) {
        logRefusal("the client does not answer: " + returned.description());
        return ErrorStatus::GENERAL_FAILURE;
    }
    if (result != ErrorStatus::NONE) {
        logRefusal(fmt::format("the client has no memory for {} slots from {} on: {}",
                               missing.size(), missing[0], nn::V1_0::toString(result)));
    }
    // Of the statuses that a client may return, only these are valid results of a driver.
    const bool isKnown = result == ErrorStatus::NONE || result == ErrorStatus::INVALID_ARGUMENT;
    return isKnown ? result : ErrorStatus::GENERAL_FAILURE;
}

}  // namespace vnpu::hal
