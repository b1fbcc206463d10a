// SPDX-License-Identifier: Apache-2.0
#include <android/hidl/base/1.0/IBase.h>
#include <openssl/sha.h>
#include <unistd.h>
#include <vnpu/hal/hidl/interface.h>

#include <algorithm>
#include <cstring>

namespace android::hidl::base::V1_0 {

using hardware::hidl_array;
using hardware::hidl_death_recipient;
using hardware::hidl_handle;
using hardware::hidl_string;
using hardware::hidl_vec;
using hardware::Return;
using hardware::Void;

namespace {

hidl_array<uint8_t, SHA256_DIGEST_LENGTH> hashOf(const hidl_string& descriptor) {
    hidl_array<uint8_t, SHA256_DIGEST_LENGTH> hash{};
    SHA256(reinterpret_cast<const unsigned char*>(descriptor.c_str()), descriptor.size(),
           hash.data());
    return hash;
}

}  // namespace

// NOLINTBEGIN(performance-unnecessary-value-param): HIDL passes callbacks by value

Return<void> IBase::interfaceChain(interfaceChain_cb callback) {
    callback(descriptorChain());
    return Void();
}

Return<void> IBase::debug(const hidl_handle& /*fd*/, const hidl_vec<hidl_string>& /*options*/) {
    return Void();
}

Return<void> IBase::interfaceDescriptor(interfaceDescriptor_cb callback) {
    callback(descriptor);
    return Void();
}

Return<void> IBase::getHashChain(getHashChain_cb callback) {
    hidl_vec<hidl_array<uint8_t, 32>> hashes;
    Return<void> result = interfaceChain([&](const hidl_vec<hidl_string>& descriptors) {
        hashes.resize(descriptors.size());
        std::transform(descriptors.begin(), descriptors.end(), hashes.begin(), hashOf);
    });
    if (result.isOk()) {
        callback(hashes);
    }
    return result;
}

Return<void> IBase::setHALInstrumentation() {
    return Void();
}

Return<bool> IBase::linkToDeath(const sp<hidl_death_recipient>& recipient, uint64_t /*cookie*/) {
    return recipient != nullptr;
}

Return<void> IBase::ping() {
    return Void();
}

Return<void> IBase::getDebugInfo(getDebugInfo_cb callback) {
    DebugInfo info;
    info.pid = getpid();
    info.ptr = reinterpret_cast<uintptr_t>(this);
    info.arch = sizeof(void*) == 8 ? DebugInfo::Architecture::IS_64BIT
                                   : DebugInfo::Architecture::IS_32BIT;
    callback(info);
    return Void();
}

Return<void> IBase::notifySyspropsChanged() {
    return Void();
}

Return<bool> IBase::unlinkToDeath(const sp<hidl_death_recipient>& recipient) {
    return recipient != nullptr;
}

Return<sp<IBase>> IBase::castFrom(const sp<IBase>& parent, bool /*emitError*/) {
    return parent;
}

// NOLINTEND(performance-unnecessary-value-param)

}  // namespace android::hidl::base::V1_0

namespace android::hardware::details {

bool hasInterface(IBase& object, const char* descriptor) {
    bool isFound = false;
    const Return<void> result =
            object.interfaceChain([&](const hidl_vec<hidl_string>& descriptors) {
                isFound = std::any_of(descriptors.begin(), descriptors.end(),
                                      [&](const hidl_string& candidate) {
                                          return std::strcmp(candidate.c_str(), descriptor) == 0;
                                      });
            });
    return result.isOk() && isFound;
}

}  // namespace android::hardware::details
