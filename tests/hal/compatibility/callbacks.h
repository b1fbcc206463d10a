// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.0/IExecutionCallback.h>
#include <android/hardware/neuralnetworks/1.0/IPreparedModelCallback.h>
#include <android/hardware/neuralnetworks/1.2/IExecutionCallback.h>
#include <android/hardware/neuralnetworks/1.2/IPreparedModelCallback.h>
#include <android/hardware/neuralnetworks/1.3/IExecutionCallback.h>
#include <android/hardware/neuralnetworks/1.3/IPreparedModelCallback.h>
#include <hidl/Status.h>

#include <condition_variable>
#include <mutex>
#include <vector>

// Callbacks as a client of HAL 1.3 writes them, in a namespace inside the HAL's, where the HAL's
// names need no prefix, as in the HAL's own test suites.
namespace android::hardware::neuralnetworks::V1_3::compatibility {

/// A result that any number of threads can wait for.
template <typename Result>
class Outcome {
  public:
    void set(Result result) {
        const std::lock_guard lock(mutex_);
        if (!isSet_) {
            result_ = std::move(result);
            isSet_ = true;
            arrived_.notify_all();
        }
    }

    const Result& wait() const {
        std::unique_lock lock(mutex_);
        arrived_.wait(lock, [this] { return isSet_; });
        return result_;
    }

  private:
    mutable std::mutex mutex_;  // guards the members below
    mutable std::condition_variable arrived_;
    bool isSet_ = false;
    Result result_{};
};

struct Preparation {
    ErrorStatus status = ErrorStatus::GENERAL_FAILURE;
    sp<V1_0::IPreparedModel> model;
};

class PreparedModelCallback : public IPreparedModelCallback {
  public:
    Return<void> notify(V1_0::ErrorStatus status,
                        const sp<V1_0::IPreparedModel>& preparedModel) override {
        return store(static_cast<ErrorStatus>(status), preparedModel);
    }
    Return<void> notify_1_2(V1_0::ErrorStatus status,
                            const sp<V1_2::IPreparedModel>& preparedModel) override {
        return store(static_cast<ErrorStatus>(status), preparedModel);
    }
    Return<void> notify_1_3(ErrorStatus status, const sp<IPreparedModel>& preparedModel) override {
        return store(status, preparedModel);
    }

    ErrorStatus getStatus() const { return outcome_.wait().status; }
    sp<V1_0::IPreparedModel> getPreparedModel() const { return outcome_.wait().model; }

  private:
    Return<void> store(ErrorStatus status, const sp<V1_0::IPreparedModel>& model) {
        outcome_.set({status, model});
        return Void();
    }

    Outcome<Preparation> outcome_;
};

struct Execution {
    ErrorStatus status = ErrorStatus::GENERAL_FAILURE;
    std::vector<V1_2::OutputShape> shapes;
    V1_2::Timing timing{};
};

class ExecutionCallback : public IExecutionCallback {
  public:
    Return<void> notify(V1_0::ErrorStatus status) override {
        return store(static_cast<ErrorStatus>(status), {}, {UINT64_MAX, UINT64_MAX});
    }
    Return<void> notify_1_2(V1_0::ErrorStatus status,
                            const hidl_vec<V1_2::OutputShape>& outputShapes,
                            const V1_2::Timing& timing) override {
        return store(static_cast<ErrorStatus>(status), outputShapes, timing);
    }
    Return<void> notify_1_3(ErrorStatus status, const hidl_vec<V1_2::OutputShape>& outputShapes,
                            const V1_2::Timing& timing) override {
        return store(status, outputShapes, timing);
    }

    const Execution& wait() const { return outcome_.wait(); }

  private:
    Return<void> store(ErrorStatus status, const hidl_vec<V1_2::OutputShape>& shapes,
                       V1_2::Timing timing) {
        outcome_.set({status, shapes, timing});
        return Void();
    }

    Outcome<Execution> outcome_;
};

/// The same object as a 1.3 model, or null.
inline sp<IPreparedModel> asPreparedModel_1_3(const sp<V1_0::IPreparedModel>& model) {
    return V1_3::IPreparedModel::castFrom(model).withDefault(nullptr);
}

}  // namespace android::hardware::neuralnetworks::V1_3::compatibility
