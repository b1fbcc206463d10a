// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/hal_session_earlier.h"

#include <android/hardware/neuralnetworks/1.3/IDevice.h>

#include <optional>
#include <utility>

#include "sim/client/burst_calls.h"
#include "sim/client/notification.h"
#include "vnpu/hal/conversion.h"

namespace vnpu::sim {

namespace {

using android::sp;
using android::hardware::hidl_vec;
using android::hardware::Return;
using driver::HalVersion;

constexpr nn::ErrorStatus kNoAnswer = nn::ErrorStatus::GENERAL_FAILURE;
constexpr nn::ErrorStatus kNoWords = nn::ErrorStatus::INVALID_ARGUMENT;

/// The same in the types of an earlier version, or nothing if those cannot express it.
template <typename Earlier, typename Latest>
std::optional<Earlier> inWordsOf(const Latest& latest, HalVersion version) {
    if (!hal::checkCompliance(latest, version)) {
        return std::nullopt;
    }
    return hal::convertTo<Earlier>(latest);
}

nn::ErrorStatus toStatus(nn10::ErrorStatus status) {
    return static_cast<nn::ErrorStatus>(status);
}

struct Prepared {
    nn::ErrorStatus status = kNoAnswer;
    sp<nn10::IPreparedModel> model;
    std::chrono::nanoseconds end{};
};

// Callbacks of exactly one version, like those of a client of that version.

struct PreparedCallback10 : nn10::IPreparedModelCallback {
    explicit PreparedCallback10(ClientContext& context) : notification(context) {}
    Return<void> notify(nn10::ErrorStatus status, const sp<nn10::IPreparedModel>& model) override {
        return notification.take({toStatus(status), model, {}});
    }

    Notification<Prepared> notification;
};

struct PreparedCallback12 : nn12::IPreparedModelCallback {
    explicit PreparedCallback12(ClientContext& context) : notification(context) {}
    Return<void> notify(nn10::ErrorStatus, const sp<nn10::IPreparedModel>&) override {
        return notification.take({});  // a client of 1.2 must not get the form of 1.0
    }
    Return<void> notify_1_2(nn10::ErrorStatus status,
                            const sp<nn12::IPreparedModel>& model) override {
        return notification.take({toStatus(status), model, {}});
    }

    Notification<Prepared> notification;
};

struct ExecutionCallback10 : nn10::IExecutionCallback {
    explicit ExecutionCallback10(ClientContext& context) : notification(context) {}
    Return<void> notify(nn10::ErrorStatus status) override {
        return notification.take({.status = toStatus(status)});
    }

    Notification<CallResult> notification;
};

struct ExecutionCallback12 : nn12::IExecutionCallback {
    explicit ExecutionCallback12(ClientContext& context) : notification(context) {}
    Return<void> notify(nn10::ErrorStatus) override {
        return notification.take({});  // a client of 1.2 must not get the form of 1.0
    }
    Return<void> notify_1_2(nn10::ErrorStatus status, const hidl_vec<nn12::OutputShape>& shapes,
                            const nn12::Timing& timing) override {
        return notification.take(
                {.status = toStatus(status), .outputShapes = shapes, .timing = timing});
    }

    Notification<CallResult> notification;
};

/// The outcome of a method that returned `launch`: of the callback, unless that is a refusal.
template <typename Callback>
auto outcomeOf(Return<nn10::ErrorStatus> launch, Callback& callback) {
    const nn::ErrorStatus status = toStatus(launch.withDefault(nn10::ErrorStatus::GENERAL_FAILURE));
    if (status == nn::ErrorStatus::NONE) {
        return callback.notification.wait();
    }
    decltype(callback.notification.wait()) refused;
    refused.status = status;
    return refused;
}

class EarlierSession : public HalSession {
  public:
    explicit EarlierSession(ClientContext& context) : context_(context) {}

    nn::ErrorStatus prepareFromCache(const CacheHandles&) override { return kNoWords; }

  protected:
    ClientContext& context() const { return context_; }
    const sp<nn10::IPreparedModel>& model() const { return model_; }

    nn::ErrorStatus take(Prepared prepared) {
        model_ = std::move(prepared.model);
        return prepared.status == nn::ErrorStatus::NONE && model_ == nullptr ? kNoAnswer
                                                                             : prepared.status;
    }
    /// The answer of `ask`, the version's getSupportedOperations.
    template <typename Model, typename Ask>
    SupportAnswer supportOf(const nn::Model& model, HalVersion version, Ask ask) const {
        SupportAnswer answer{kNoWords, {}};
        if (const auto earlier = inWordsOf<Model>(model, version)) {
            const auto done = (context_.device().get()->*ask)(
                    *earlier, [&](nn10::ErrorStatus status, const hidl_vec<bool>& operations) {
                        answer = {toStatus(status), operations};
                    });
            answer.status = done.isOk() ? answer.status : kNoAnswer;
        }
        return answer;
    }
    /// The outcome of the version's prepareModel, which `launch` calls with a new callback.
    template <typename Model, typename Callback, typename Launch>
    nn::ErrorStatus prepareBy(const nn::Model& model, HalVersion version, Launch launch) {
        const auto earlier = inWordsOf<Model>(model, version);
        if (!earlier) {
            return kNoWords;
        }
        const sp<Callback> callback(new Callback(context_));
        return take(outcomeOf(launch(*earlier, callback), *callback));
    }

  private:
    ClientContext& context_;
    sp<nn10::IPreparedModel> model_;
};

class Session10 : public EarlierSession {
  public:
    using EarlierSession::EarlierSession;

    SupportAnswer askSupport(const nn::Model& model) override {
        return supportOf<nn10::Model>(model, HalVersion::k10,
                                      &nn10::IDevice::getSupportedOperations);
    }
    nn::ErrorStatus prepare(const nn::Model& model, const CacheHandles&) override {
        return prepareBy<nn10::Model, PreparedCallback10>(
                model, HalVersion::k10, [&](const auto& earlier, const auto& callback) {
                    return context().device()->prepareModel(earlier, callback);
                });
    }
    CallResult execute(const nn::Request& request, const ExecutionOptions& options) override {
        CallResult result;
        result.status = kNoWords;
        const auto earlier = inWordsOf<nn10::Request>(request, HalVersion::k10);
        if (earlier && options.path == ExecutionPath::kAsync) {
            const std::chrono::nanoseconds begin = context().now();
            const sp<ExecutionCallback10> callback(new ExecutionCallback10(context()));
            result = outcomeOf(model()->execute(*earlier, callback), *callback);
            result.begin = begin;
        }
        return result;
    }
};

class Session11 : public Session10 {
  public:
    using Session10::Session10;

    SupportAnswer askSupport(const nn::Model& model) override {
        return supportOf<nn11::Model>(model, HalVersion::k11,
                                      &nn11::IDevice::getSupportedOperations_1_1);
    }
    nn::ErrorStatus prepare(const nn::Model& model, const CacheHandles&) override {
        return prepareBy<nn11::Model, PreparedCallback10>(
                model, HalVersion::k11, [&](const auto& earlier, const auto& callback) {
                    return context().device()->prepareModel_1_1(
                            earlier, nn11::ExecutionPreference::FAST_SINGLE_ANSWER, callback);
                });
    }
};

class Session12 : public EarlierSession {
  public:
    using EarlierSession::EarlierSession;

    SupportAnswer askSupport(const nn::Model& model) override {
        return supportOf<nn12::Model>(model, HalVersion::k12,
                                      &nn12::IDevice::getSupportedOperations_1_2);
    }
    nn::ErrorStatus prepare(const nn::Model& model, const CacheHandles& cache) override {
        return prepareBy<nn12::Model, PreparedCallback12>(
                model, HalVersion::k12, [&](const auto& earlier, const auto& callback) {
                    return context().device()->prepareModel_1_2(
                            earlier, nn11::ExecutionPreference::FAST_SINGLE_ANSWER, cache.model,
                            cache.data, cache.token, callback);
                });
    }
    nn::ErrorStatus prepareFromCache(const CacheHandles& cache) override {
        const sp<PreparedCallback12> callback(new PreparedCallback12(context()));
        return take(outcomeOf(context().device()->prepareModelFromCache(cache.model, cache.data,
                                                                        cache.token, callback),
                              *callback));
    }
    CallResult execute(const nn::Request& request, const ExecutionOptions& options) override;
};

CallResult Session12::execute(const nn::Request& request, const ExecutionOptions& options) {
    CallResult result;
    result.status = kNoWords;
    const auto earlier = inWordsOf<nn10::Request>(request, HalVersion::k12);
    const sp<nn12::IPreparedModel> own =
            nn12::IPreparedModel::castFrom(model()).withDefault(nullptr);
    if (!earlier || own == nullptr || options.path == ExecutionPath::kFenced) {
        return result;
    }
    if (options.path == ExecutionPath::kBurst) {
        return executeBurst(context(), own, request, options);
    }
    const auto measure =
            options.measuresTiming ? nn12::MeasureTiming::YES : nn12::MeasureTiming::NO;
    const std::chrono::nanoseconds begin = context().now();
    if (options.path == ExecutionPath::kAsync) {
        const sp<ExecutionCallback12> callback(new ExecutionCallback12(context()));
        result = outcomeOf(own->execute_1_2(*earlier, measure, callback), *callback);
    } else {
        const auto done = own->executeSynchronously(
                *earlier, measure,
                [&](nn10::ErrorStatus status, const hidl_vec<nn12::OutputShape>& shapes,
                    const nn12::Timing& timing) {
                    result.status = toStatus(status);
                    result.outputShapes = shapes;
                    result.timing = timing;
                });
        result.status = done.isOk() ? result.status : kNoAnswer;
        result.end = context().now();
    }
    result.begin = begin;
    return result;
}

}  // namespace

std::unique_ptr<HalSession> openEarlierSession(ClientContext& context, HalVersion version) {
    switch (version) {
        case HalVersion::k10:
            return std::make_unique<Session10>(context);
        case HalVersion::k11:
            return std::make_unique<Session11>(context);
        default:
            return std::make_unique<Session12>(context);
    }
}

}  // namespace vnpu::sim
