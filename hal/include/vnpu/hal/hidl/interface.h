// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hidl/base/1.0/IBase.h>
#include <hidl/HidlSupport.h>
#include <hidl/Status.h>

#include <string>
#include <utility>
#include <vector>

namespace android::hidl::manager::V1_0 {
struct IServiceNotification;
}

namespace android::hardware::details {

using ::android::hidl::base::V1_0::IBase;

/// The service with this interface and instance name, or null.
sp<IBase> findService(const char* descriptor, const std::string& name);
/// Registers a service under every interface of its chain. BAD_VALUE for null or an empty name.
status_t registerService(const std::string& name, const sp<IBase>& service);
bool registerForNotifications(
        const char* descriptor, const std::string& name,
        const sp<::android::hidl::manager::V1_0::IServiceNotification>& notification);
/// Whether the object's interface chain contains the interface.
bool hasInterface(IBase& object, const char* descriptor);

/// The members that every interface has beside its methods. An interface `I` that extends `P` is
/// declared as `struct I : Interface<I, P>` and has a `descriptor`.
template <typename Self, typename Parent>
struct Interface : public Parent {
    using typename IBase::interfaceChain_cb;
    using typename IBase::interfaceDescriptor_cb;

    Return<void> interfaceChain(interfaceChain_cb callback) override {
        callback(descriptorChain());
        return Void();
    }
    Return<void> interfaceDescriptor(interfaceDescriptor_cb callback) override {
        callback(Self::descriptor);
        return Void();
    }

    static std::vector<hidl_string> descriptorChain() {
        std::vector<hidl_string> chain = Parent::descriptorChain();
        chain.insert(chain.begin(), Self::descriptor);
        return chain;
    }

    /// Null if the object is null or does not implement this interface. `emitError` has no effect,
    /// because the cast cannot fail otherwise.
    template <typename From>
    static Return<sp<Self>> castFrom(const sp<From>& from, bool /*emitError*/ = false) {
        if (from == nullptr || !hasInterface(*from, Self::descriptor)) {
            return sp<Self>();
        }
        return sp<Self>(dynamic_cast<Self*>(from.get()));
    }

    /// Returns the registered service, or null immediately; it never waits for a service to appear.
    static sp<Self> getService(const std::string& name = "default", bool /*getStub*/ = false) {
        return castFrom(findService(Self::descriptor, name));
    }
    static sp<Self> getService(const char* name, bool getStub = false) {
        return getService(std::string(name), getStub);
    }
    static sp<Self> getService(const hidl_string& name, bool getStub = false) {
        return getService(std::string(name), getStub);
    }
    static sp<Self> getService(bool getStub) { return getService("default", getStub); }

    static sp<Self> tryGetService(const std::string& name = "default", bool getStub = false) {
        return getService(name, getStub);
    }
    static sp<Self> tryGetService(const char* name, bool getStub = false) {
        return getService(name, getStub);
    }
    static sp<Self> tryGetService(const hidl_string& name, bool getStub = false) {
        return getService(name, getStub);
    }
    static sp<Self> tryGetService(bool getStub) { return getService("default", getStub); }

    /// Replaces an earlier service of the same name.
    status_t registerAsService(const std::string& name = "default") {
        return registerService(name, sp<IBase>(this));
    }

    static bool registerForNotifications(
            const std::string& name,
            const sp<::android::hidl::manager::V1_0::IServiceNotification>& notification) {
        return details::registerForNotifications(Self::descriptor, name, notification);
    }
};

}  // namespace android::hardware::details
