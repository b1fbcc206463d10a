// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hardware/neuralnetworks/1.3/IDevice.h>

#include <memory>
#include <utility>

#include "hal/rpc/method_lists.h"

// Proxies: each method of an interface calls its counterpart in another process.

// NOLINTBEGIN(performance-unnecessary-value-param): HIDL passes callbacks by value

namespace vnpu::hal::rpc {

/// The common base of all proxies.
class ProxyBase {
  public:
    explicit ProxyBase(std::unique_ptr<RemoteReference> remote) : remote_(std::move(remote)) {}
    virtual ~ProxyBase() = default;
    ProxyBase(const ProxyBase&) = delete;
    ProxyBase& operator=(const ProxyBase&) = delete;

    RemoteReference& remote() const { return *remote_; }

  protected:
    template <auto kMember, typename... Ts>
    auto call(const Ts&... arguments) const {
        using Interface = typename details::Signature<decltype(kMember)>::Interface;
        return MethodsOf<Interface>::template Of<kMember>::call(*remote_, idOf<kMember>(),
                                                                arguments...);
    }

  private:
    const std::unique_ptr<RemoteReference> remote_;
};

/// A proxy of interface I with the members of every interface; Calls adds the methods of I.
template <typename I>
class RemoteObject : public I, public ProxyBase {
    template <typename T>
    using Return = android::hardware::Return<T>;
    using IBase = android::hidl::base::V1_0::IBase;
    using Recipient = android::sp<android::hardware::hidl_death_recipient>;

  public:
    using ProxyBase::ProxyBase;

    bool isRemote() const override { return true; }
    Return<void> debug(
            const android::hardware::hidl_handle& handle,
            const android::hardware::hidl_vec<android::hardware::hidl_string>& options) override {
        return this->template call<&IBase::debug>(handle, options);
    }
    Return<void> getHashChain(IBase::getHashChain_cb callback) override {
        return this->template call<&IBase::getHashChain>(callback);
    }
    Return<void> setHALInstrumentation() override {
        return this->template call<&IBase::setHALInstrumentation>();
    }
    Return<void> ping() override { return this->template call<&IBase::ping>(); }
    Return<void> getDebugInfo(IBase::getDebugInfo_cb callback) override {
        return this->template call<&IBase::getDebugInfo>(callback);
    }
    Return<void> notifySyspropsChanged() override {
        return this->template call<&IBase::notifySyspropsChanged>();
    }
    Return<bool> linkToDeath(const Recipient& recipient, uint64_t cookie) override {
        return recipient != nullptr &&
               remote().linkToDeath(recipient, cookie, android::wp<IBase>(this));
    }
    Return<bool> unlinkToDeath(const Recipient& recipient) override {
        return recipient != nullptr && remote().unlinkToDeath(recipient);
    }
};

/// The methods of interface I and its parents as remote calls.
template <typename I, typename Base>
class Calls;

template <typename Base>
class Calls<base::IBase, Base> : public Base {
  public:
    using Base::Base;
};

template <typename I>
using Proxy = Calls<I, RemoteObject<I>>;

template <typename Base>
class Calls<v10::IDevice, Base> : public Base {
    template <typename T>
    using Return = android::hardware::Return<T>;

  public:
    using Base::Base;

    Return<void> getCapabilities(v10::IDevice::getCapabilities_cb callback) override {
        return this->template call<&v10::IDevice::getCapabilities>(callback);
    }
    Return<void> getSupportedOperations(const v10::Model& model,
                                        v10::IDevice::getSupportedOperations_cb callback) override {
        return this->template call<&v10::IDevice::getSupportedOperations>(model, callback);
    }
    Return<v10::ErrorStatus> prepareModel(
            const v10::Model& model,
            const android::sp<v10::IPreparedModelCallback>& callback) override {
        return this->template call<&v10::IDevice::prepareModel>(model, callback);
    }
    Return<v10::DeviceStatus> getStatus() override {
        return this->template call<&v10::IDevice::getStatus>();
    }
};

template <typename Base>
class Calls<v11::IDevice, Base> : public Calls<v10::IDevice, Base> {
    template <typename T>
    using Return = android::hardware::Return<T>;

  public:
    using Calls<v10::IDevice, Base>::Calls;

    Return<void> getCapabilities_1_1(v11::IDevice::getCapabilities_1_1_cb callback) override {
        return this->template call<&v11::IDevice::getCapabilities_1_1>(callback);
    }
    Return<void> getSupportedOperations_1_1(
            const v11::Model& model,
            v11::IDevice::getSupportedOperations_1_1_cb callback) override {
        return this->template call<&v11::IDevice::getSupportedOperations_1_1>(model, callback);
    }
    Return<v10::ErrorStatus> prepareModel_1_1(
            const v11::Model& model, v11::ExecutionPreference preference,
            const android::sp<v10::IPreparedModelCallback>& callback) override {
        return this->template call<&v11::IDevice::prepareModel_1_1>(model, preference, callback);
    }
};

template <typename Base>
class Calls<v12::IDevice, Base> : public Calls<v11::IDevice, Base> {
    template <typename T>
    using Return = android::hardware::Return<T>;

  public:
    using Calls<v11::IDevice, Base>::Calls;

    Return<void> getVersionString(v12::IDevice::getVersionString_cb callback) override {
        return this->template call<&v12::IDevice::getVersionString>(callback);
    }
    Return<void> getType(v12::IDevice::getType_cb callback) override {
        return this->template call<&v12::IDevice::getType>(callback);
    }
    Return<void> getCapabilities_1_2(v12::IDevice::getCapabilities_1_2_cb callback) override {
        return this->template call<&v12::IDevice::getCapabilities_1_2>(callback);
    }
    Return<void> getSupportedExtensions(v12::IDevice::getSupportedExtensions_cb callback) override {
        return this->template call<&v12::IDevice::getSupportedExtensions>(callback);
    }
    Return<void> getSupportedOperations_1_2(
            const v12::Model& model,
            v12::IDevice::getSupportedOperations_1_2_cb callback) override {
        return this->template call<&v12::IDevice::getSupportedOperations_1_2>(model, callback);
    }
    Return<void> getNumberOfCacheFilesNeeded(
            v12::IDevice::getNumberOfCacheFilesNeeded_cb callback) override {
        return this->template call<&v12::IDevice::getNumberOfCacheFilesNeeded>(callback);
    }
    Return<v10::ErrorStatus> prepareModel_1_2(
            const v12::Model& model, v11::ExecutionPreference preference,
            const android::hardware::hidl_vec<android::hardware::hidl_handle>& modelCache,
            const android::hardware::hidl_vec<android::hardware::hidl_handle>& dataCache,
            const android::hardware::hidl_array<uint8_t, 32>& token,
            const android::sp<v12::IPreparedModelCallback>& callback) override {
        return this->template call<&v12::IDevice::prepareModel_1_2>(model, preference, modelCache,
                                                                    dataCache, token, callback);
    }
    Return<v10::ErrorStatus> prepareModelFromCache(
            const android::hardware::hidl_vec<android::hardware::hidl_handle>& modelCache,
            const android::hardware::hidl_vec<android::hardware::hidl_handle>& dataCache,
            const android::hardware::hidl_array<uint8_t, 32>& token,
            const android::sp<v12::IPreparedModelCallback>& callback) override {
        return this->template call<&v12::IDevice::prepareModelFromCache>(modelCache, dataCache,
                                                                         token, callback);
    }
};

template <typename Base>
class Calls<v13::IDevice, Base> : public Calls<v12::IDevice, Base> {
    template <typename T>
    using Return = android::hardware::Return<T>;

  public:
    using Calls<v12::IDevice, Base>::Calls;

    Return<void> getCapabilities_1_3(v13::IDevice::getCapabilities_1_3_cb callback) override {
        return this->template call<&v13::IDevice::getCapabilities_1_3>(callback);
    }
    Return<void> getSupportedOperations_1_3(
            const v13::Model& model,
            v13::IDevice::getSupportedOperations_1_3_cb callback) override {
        return this->template call<&v13::IDevice::getSupportedOperations_1_3>(model, callback);
    }
    Return<v13::ErrorStatus> prepareModel_1_3(
            const v13::Model& model, v11::ExecutionPreference preference, v13::Priority priority,
            const v13::OptionalTimePoint& deadline,
            const android::hardware::hidl_vec<android::hardware::hidl_handle>& modelCache,
            const android::hardware::hidl_vec<android::hardware::hidl_handle>& dataCache,
            const android::hardware::hidl_array<uint8_t, 32>& token,
            const android::sp<v13::IPreparedModelCallback>& callback) override {
        return this->template call<&v13::IDevice::prepareModel_1_3>(
                model, preference, priority, deadline, modelCache, dataCache, token, callback);
    }
    Return<v13::ErrorStatus> prepareModelFromCache_1_3(
            const v13::OptionalTimePoint& deadline,
            const android::hardware::hidl_vec<android::hardware::hidl_handle>& modelCache,
            const android::hardware::hidl_vec<android::hardware::hidl_handle>& dataCache,
            const android::hardware::hidl_array<uint8_t, 32>& token,
            const android::sp<v13::IPreparedModelCallback>& callback) override {
        return this->template call<&v13::IDevice::prepareModelFromCache_1_3>(
                deadline, modelCache, dataCache, token, callback);
    }
    Return<void> allocate(
            const v13::BufferDesc& desc,
            const android::hardware::hidl_vec<android::sp<v13::IPreparedModel>>& preparedModels,
            const android::hardware::hidl_vec<v13::BufferRole>& inputRoles,
            const android::hardware::hidl_vec<v13::BufferRole>& outputRoles,
            v13::IDevice::allocate_cb callback) override {
        return this->template call<&v13::IDevice::allocate>(desc, preparedModels, inputRoles,
                                                            outputRoles, callback);
    }
};

template <typename Base>
class Calls<v10::IPreparedModel, Base> : public Base {
    template <typename T>
    using Return = android::hardware::Return<T>;

  public:
    using Base::Base;

    Return<v10::ErrorStatus> execute(
            const v10::Request& request,
            const android::sp<v10::IExecutionCallback>& callback) override {
        return this->template call<&v10::IPreparedModel::execute>(request, callback);
    }
};

template <typename Base>
class Calls<v12::IPreparedModel, Base> : public Calls<v10::IPreparedModel, Base> {
    template <typename T>
    using Return = android::hardware::Return<T>;

  public:
    using Calls<v10::IPreparedModel, Base>::Calls;

    Return<v10::ErrorStatus> execute_1_2(
            const v10::Request& request, v12::MeasureTiming measure,
            const android::sp<v12::IExecutionCallback>& callback) override {
        return this->template call<&v12::IPreparedModel::execute_1_2>(request, measure, callback);
    }
    Return<void> executeSynchronously(
            const v10::Request& request, v12::MeasureTiming measure,
            v12::IPreparedModel::executeSynchronously_cb callback) override {
        return this->template call<&v12::IPreparedModel::executeSynchronously>(request, measure,
                                                                               callback);
    }
    Return<void> configureExecutionBurst(
            const android::sp<v12::IBurstCallback>& burstCallback,
            const android::hardware::MQDescriptorSync<v12::FmqRequestDatum>& requestChannel,
            const android::hardware::MQDescriptorSync<v12::FmqResultDatum>& resultChannel,
            v12::IPreparedModel::configureExecutionBurst_cb callback) override {
        return this->template call<&v12::IPreparedModel::configureExecutionBurst>(
                burstCallback, requestChannel, resultChannel, callback);
    }
};

template <typename Base>
class Calls<v13::IPreparedModel, Base> : public Calls<v12::IPreparedModel, Base> {
    template <typename T>
    using Return = android::hardware::Return<T>;

  public:
    using Calls<v12::IPreparedModel, Base>::Calls;

    Return<v13::ErrorStatus> execute_1_3(
            const v13::Request& request, v12::MeasureTiming measure,
            const v13::OptionalTimePoint& deadline,
            const v13::OptionalTimeoutDuration& loopTimeoutDuration,
            const android::sp<v13::IExecutionCallback>& callback) override {
        return this->template call<&v13::IPreparedModel::execute_1_3>(
                request, measure, deadline, loopTimeoutDuration, callback);
    }
    Return<void> executeSynchronously_1_3(
            const v13::Request& request, v12::MeasureTiming measure,
            const v13::OptionalTimePoint& deadline,
            const v13::OptionalTimeoutDuration& loopTimeoutDuration,
            v13::IPreparedModel::executeSynchronously_1_3_cb callback) override {
        return this->template call<&v13::IPreparedModel::executeSynchronously_1_3>(
                request, measure, deadline, loopTimeoutDuration, callback);
    }
    Return<void> executeFenced(
            const v13::Request& request,
            const android::hardware::hidl_vec<android::hardware::hidl_handle>& waitFor,
            v12::MeasureTiming measure, const v13::OptionalTimePoint& deadline,
            const v13::OptionalTimeoutDuration& loopTimeoutDuration,
            const v13::OptionalTimeoutDuration& duration,
            v13::IPreparedModel::executeFenced_cb callback) override {
        return this->template call<&v13::IPreparedModel::executeFenced>(
                request, waitFor, measure, deadline, loopTimeoutDuration, duration, callback);
    }
};

template <typename Base>
class Calls<v10::IPreparedModelCallback, Base> : public Base {
    template <typename T>
    using Return = android::hardware::Return<T>;

  public:
    using Base::Base;

    Return<void> notify(v10::ErrorStatus status,
                        const android::sp<v10::IPreparedModel>& preparedModel) override {
        return this->template call<&v10::IPreparedModelCallback::notify>(status, preparedModel);
    }
};

template <typename Base>
class Calls<v12::IPreparedModelCallback, Base> : public Calls<v10::IPreparedModelCallback, Base> {
    template <typename T>
    using Return = android::hardware::Return<T>;

  public:
    using Calls<v10::IPreparedModelCallback, Base>::Calls;

    Return<void> notify_1_2(v10::ErrorStatus status,
                            const android::sp<v12::IPreparedModel>& preparedModel) override {
        return this->template call<&v12::IPreparedModelCallback::notify_1_2>(status, preparedModel);
    }
};

template <typename Base>
class Calls<v13::IPreparedModelCallback, Base> : public Calls<v12::IPreparedModelCallback, Base> {
    template <typename T>
    using Return = android::hardware::Return<T>;

  public:
    using Calls<v12::IPreparedModelCallback, Base>::Calls;

    Return<void> notify_1_3(v13::ErrorStatus status,
                            const android::sp<v13::IPreparedModel>& preparedModel) override {
        return this->template call<&v13::IPreparedModelCallback::notify_1_3>(status, preparedModel);
    }
};

template <typename Base>
class Calls<v10::IExecutionCallback, Base> : public Base {
    template <typename T>
    using Return = android::hardware::Return<T>;

  public:
    using Base::Base;

    Return<void> notify(v10::ErrorStatus status) override {
        return this->template call<&v10::IExecutionCallback::notify>(status);
    }
};

template <typename Base>
class Calls<v12::IExecutionCallback, Base> : public Calls<v10::IExecutionCallback, Base> {
    template <typename T>
    using Return = android::hardware::Return<T>;

  public:
    using Calls<v10::IExecutionCallback, Base>::Calls;

    Return<void> notify_1_2(v10::ErrorStatus status,
                            const android::hardware::hidl_vec<v12::OutputShape>& outputShapes,
                            const v12::Timing& timing) override {
        return this->template call<&v12::IExecutionCallback::notify_1_2>(status, outputShapes,
                                                                         timing);
    }
};

template <typename Base>
class Calls<v13::IExecutionCallback, Base> : public Calls<v12::IExecutionCallback, Base> {
    template <typename T>
    using Return = android::hardware::Return<T>;

  public:
    using Calls<v12::IExecutionCallback, Base>::Calls;

    Return<void> notify_1_3(v13::ErrorStatus status,
                            const android::hardware::hidl_vec<v12::OutputShape>& outputShapes,
                            const v12::Timing& timing) override {
        return this->template call<&v13::IExecutionCallback::notify_1_3>(status, outputShapes,
                                                                         timing);
    }
};

template <typename Base>
class Calls<v12::IBurstCallback, Base> : public Base {
    template <typename T>
    using Return = android::hardware::Return<T>;

  public:
    using Base::Base;

    Return<void> getMemories(const android::hardware::hidl_vec<int32_t>& slots,
                             v12::IBurstCallback::getMemories_cb callback) override {
        return this->template call<&v12::IBurstCallback::getMemories>(slots, callback);
    }
};

template <typename Base>
class Calls<v12::IBurstContext, Base> : public Base {
    template <typename T>
    using Return = android::hardware::Return<T>;

  public:
    using Base::Base;

    Return<void> freeMemory(int32_t slot) override {
        return this->template call<&v12::IBurstContext::freeMemory>(slot);
    }
};

template <typename Base>
class Calls<v13::IBuffer, Base> : public Base {
    template <typename T>
    using Return = android::hardware::Return<T>;

  public:
    using Base::Base;

    Return<v13::ErrorStatus> copyTo(const android::hardware::hidl_memory& destination) override {
        return this->template call<&v13::IBuffer::copyTo>(destination);
    }
    Return<v13::ErrorStatus> copyFrom(
            const android::hardware::hidl_memory& source,
            const android::hardware::hidl_vec<uint32_t>& dimensions) override {
        return this->template call<&v13::IBuffer::copyFrom>(source, dimensions);
    }
};

template <typename Base>
class Calls<v13::IFencedExecutionCallback, Base> : public Base {
    template <typename T>
    using Return = android::hardware::Return<T>;

  public:
    using Base::Base;

    Return<void> getExecutionInfo(
            v13::IFencedExecutionCallback::getExecutionInfo_cb callback) override {
        return this->template call<&v13::IFencedExecutionCallback::getExecutionInfo>(callback);
    }
};

}  // namespace vnpu::hal::rpc

// NOLINTEND(performance-unnecessary-value-param)
