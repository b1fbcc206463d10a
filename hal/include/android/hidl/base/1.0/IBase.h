// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <android/hidl/base/1.0/types.h>
#include <hidl/HidlSupport.h>
#include <hidl/Status.h>
#include <utils/RefBase.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace android::hidl::base::V1_0 {

/// Root of the interfaces, with implementations for an object in this process.
struct IBase : public virtual RefBase {
    static inline const char* const descriptor = "android.hidl.base@1.0::IBase";

    using interfaceChain_cb = std::function<void(
            const ::android::hardware::hidl_vec<::android::hardware::hidl_string>& descriptors)>;
    using interfaceDescriptor_cb =
            std::function<void(const ::android::hardware::hidl_string& descriptor)>;
    using getHashChain_cb =
            std::function<void(const ::android::hardware::hidl_vec<
                               ::android::hardware::hidl_array<uint8_t, 32>>& hashChain)>;
    using getDebugInfo_cb = std::function<void(const DebugInfo& info)>;

    virtual bool isRemote() const { return false; }

    /// Descriptors from the object's own interface up to IBase.
    virtual ::android::hardware::Return<void> interfaceChain(interfaceChain_cb callback);
    virtual ::android::hardware::Return<void> debug(
            const ::android::hardware::hidl_handle& fd,
            const ::android::hardware::hidl_vec<::android::hardware::hidl_string>& options);
    virtual ::android::hardware::Return<void> interfaceDescriptor(interfaceDescriptor_cb callback);
    /// The SHA-256 of the descriptor of each interface of the chain. It distinguishes interfaces,
    /// but is not the hash of the interface file, which Android's libraries return.
    virtual ::android::hardware::Return<void> getHashChain(getHashChain_cb callback);
    virtual ::android::hardware::Return<void> setHALInstrumentation();
    /// Accepts any recipient but null and never notifies it, because an object in this process
    /// lives as long as its references.
    virtual ::android::hardware::Return<bool> linkToDeath(
            const sp<::android::hardware::hidl_death_recipient>& recipient, uint64_t cookie);
    virtual ::android::hardware::Return<void> ping();
    virtual ::android::hardware::Return<void> getDebugInfo(getDebugInfo_cb callback);
    virtual ::android::hardware::Return<void> notifySyspropsChanged();
    virtual ::android::hardware::Return<bool> unlinkToDeath(
            const sp<::android::hardware::hidl_death_recipient>& recipient);

    static ::android::hardware::Return<sp<IBase>> castFrom(const sp<IBase>& parent,
                                                           bool emitError = false);

    /// interfaceChain of the interface itself, without an object.
    static std::vector<::android::hardware::hidl_string> descriptorChain() { return {descriptor}; }
};

}  // namespace android::hidl::base::V1_0
