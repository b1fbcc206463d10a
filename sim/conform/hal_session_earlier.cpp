// SPDX-License-Identifier: Apache-2.0
#include "sim/conform/hal_session_earlier.h"

#include <android/hardware/neuralnetworks/1.3/IDevice.h>

#include <utility>

#include "sim/conform/down_conversion.h"

namespace vnpu::sim {

namespace {

using android::sp;
using android::hardware::hidl_vec;
using android::hardware::Return;
using android::hardware::Void;
using driver::HalVersion;

constexpr nn::ErrorStatus kNoAnswer = nn::ErrorStatus::GENERAL_FAILURE;
constexpr nn::ErrorStatus kNoWords = nn::ErrorStatus::INVALID_ARGUMENT;

nn::ErrorStatus toStatus(nn10::ErrorStatus status) {
    return static_cast<nn::ErrorStatus>(status);
}

/// What the one notification of a call says; the first counts.
template <typename T>
class Notification {
  public:
    explicit Notification(ClientContext& context)
        : context_(context), event_(context.createEvent()) {}

    Return<void> take(T value) {
        if (!std::exchange(isTaken_, true)) {
            value.end = context_.now();
            value_ = std::move(value);
            event_->set();
        }
        return Void();
    }
    T wait() {
        event_->wait();
        return std::move(value_);
    }

  private:
    ClientContext& context_;
    std::unique_ptr<driver::HostEvent> event_;
    T value_;
    bool isTaken_ = false;
};

struct Prepared {
    nn::ErrorStatus status = kNoAnswer;
    sp<nn10::IPreparedModel> model;
    std::chrono::nanoseconds end{};
};

// Callbacks of exactly one version, as a client of that version has them.

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
        return notification.take({});  // not in the words of the question
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
        CallResult result;
        result.status = toStatus(status);
        return notification.take(std::move(result));
    }

    Notification<CallResult> notification;
};

struct ExecutionCallback12 : nn12::IExecutionCallback {
    explicit ExecutionCallback12(ClientContext& context) : notification(context) {}
    Return<void> notify(nn10::ErrorStatus) override {
        return notification.take({});  // not in the words of the question
    }
    Return<void> notify_1_2(nn10::ErrorStatus status, const hidl_vec<nn12::OutputShape>& shapes,
                            const nn12::Timing& timing) override {
        CallResult result;
        result.status = toStatus(status);
        result.outputShapes = shapes;
        result.timing = timing;
        return notification.take(std::move(result));
    }

    Notification<CallResult> notification;
};

/// The method returned `launch`; unless that is a refusal the callback tells more.
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
    /// Fills an answer; for any of the getSupportedOperations methods.
    static auto answerTo(SupportAnswer& answer) {
        return [&answer](nn10::ErrorStatus status, const hidl_vec<bool>& operations) {
            answer = {toStatus(status), operations};
        };
    }

  private:
    ClientContext& context_;
    sp<nn10::IPreparedModel> model_;
};

class Session10 : public EarlierSession {
  public:
    using EarlierSession::EarlierSession;

    SupportAnswer askSupport(const nn::Model& model) override {
        SupportAnswer answer{kNoWords, {}};
        if (const auto earlier = toModel10(model)) {
            const auto done =
                    context().device()->getSupportedOperations(*earlier, answerTo(answer));
            answer.status = done.isOk() ? answer.status : kNoAnswer;
        }
        return answer;
    }
    nn::ErrorStatus prepare(const nn::Model& model, const CacheHandles&) override {
        const auto earlier = toModel10(model);
        if (!earlier) {
            return kNoWords;
        }
        const sp<PreparedCallback10> callback(new PreparedCallback10(context()));
        return take(outcomeOf(context().device()->prepareModel(*earlier, callback), *callback));
    }
    CallResult execute(const nn::Request& request, const ExecutionOptions& options) override {
        CallResult result;
        result.status = kNoWords;
        const auto earlier = toRequest10(request);
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
        SupportAnswer answer{kNoWords, {}};
        if (const auto earlier = toModel11(model)) {
            const auto done =
                    context().device()->getSupportedOperations_1_1(*earlier, answerTo(answer));
            answer.status = done.isOk() ? answer.status : kNoAnswer;
        }
        return answer;
    }
    nn::ErrorStatus prepare(const nn::Model& model, const CacheHandles&) override {
        const auto earlier = toModel11(model);
        if (!earlier) {
            return kNoWords;
        }
        const sp<PreparedCallback10> callback(new PreparedCallback10(context()));
        return take(outcomeOf(
                context().device()->prepareModel_1_1(
                        *earlier, nn11::ExecutionPreference::FAST_SINGLE_ANSWER, callback),
                *callback));
    }
};

class Session12 : public EarlierSession {
  public:
    using EarlierSession::EarlierSession;

    SupportAnswer askSupport(const nn::Model& model) override {
        SupportAnswer answer{kNoWords, {}};
        if (const auto earlier = toModel12(model)) {
            const auto done =
                    context().device()->getSupportedOperations_1_2(*earlier, answerTo(answer));
            answer.status = done.isOk() ? answer.status : kNoAnswer;
        }
        return answer;
    }
    nn::ErrorStatus prepare(const nn::Model& model, const CacheHandles& cache) override {
        const auto earlier = toModel12(model);
        if (!earlier) {
            return kNoWords;
        }
        const sp<PreparedCallback12> callback(new PreparedCallback12(context()));
        return take(outcomeOf(context().device()->prepareModel_1_2(
                                      *earlier, nn11::ExecutionPreference::FAST_SINGLE_ANSWER,
                                      cache.model, cache.data, cache.token, callback),
                              *callback));
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
    const auto earlier = toRequest10(request);
    const sp<nn12::IPreparedModel> own =
            nn12::IPreparedModel::castFrom(model()).withDefault(nullptr);
    if (!earlier || own == nullptr || options.path == ExecutionPath::kFenced) {
        return result;
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
