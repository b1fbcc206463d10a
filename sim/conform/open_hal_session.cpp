// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/hal_session.h"

#include <android/hardware/neuralnetworks/1.3/IDevice.h>

#include "sim/client/device_calls.h"
#include "sim/conform/hal_session_earlier.h"

namespace vnpu::sim {

namespace {

using android::hardware::hidl_vec;

class Session13 : public HalSession {
  public:
    explicit Session13(ClientContext& context) : context_(context) {}

    SupportAnswer askSupport(const nn::Model& model) override {
        SupportAnswer answer;
        const auto done = context_.device()->getSupportedOperations_1_3(
                model, [&](nn::ErrorStatus status, const hidl_vec<bool>& operations) {
                    answer = {status, operations};
                });
        return done.isOk() ? answer : SupportAnswer{};
    }
    nn::ErrorStatus prepare(const nn::Model& model, const CacheHandles& cache) override {
        return take(prepareModel(context_, model, {.cache = cache}));
    }
    nn::ErrorStatus prepareFromCache(const CacheHandles& cache) override {
        return take(prepareModelFromCache(context_, cache));
    }
    CallResult execute(const nn::Request& request, const ExecutionOptions& options) override {
        return sim::execute(context_, preparedModel_, request, options);
    }
    android::sp<nn::IPreparedModel> preparedModel() const override { return preparedModel_; }

  private:
    nn::ErrorStatus take(PrepareResult prepared) {
        preparedModel_ = std::move(prepared.preparedModel);
        return prepared.status;
    }

    ClientContext& context_;
    android::sp<nn::IPreparedModel> preparedModel_;
};

}  // namespace

std::unique_ptr<HalSession> openHalSession(ClientContext& context, driver::HalVersion version) {
    if (version == driver::HalVersion::k13) {
        return std::make_unique<Session13>(context);
    }
    return openEarlierSession(context, version);
}

}  // namespace vnpu::sim
